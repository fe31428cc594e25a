package gofunc

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/plan"
)

// runner is a prepared loop.
type runner struct {
	spec   backend.Spec
	crew   crew
	plan   *plan.Plan
	memory backend.Memory
	runs   []backend.Run
	from   []int32 // block b has the runs [from[b], from[b+1])

	slots    []int                              // of the parameters' first words
	words    int                                // that the kernel takes
	passed   int                                // words that call passes
	call     func(fn, table P, n int)           // calls the kernel with the rows of a table
	walk     func(fn P, s []stride, t P, n int) // if all parameters advance by strides: without a table
	strip    int                                // maximum length of a strip
	places   []place                            // of all parameters, if visitAll calls the kernel: without a table
	visitAll func(fn P, s []place, t P, first, last uintptr)
	columns  []column // parameters that point at data
	fixed    []fixed  // parameters that always point at the same values
	locals   []local  // parameters that point at copies
	partial  []local  // parameters that point at the block's partial results

	constants     []constant
	headers       []headers
	indices       []uintptr // scratch offsets of element numbers that come from no table
	zeroed        []local
	before, after []step
	mats          []mat
	reduced       []reduction
	// interleaved says that results are stored element by element, rather than argument by
	// argument, since several arguments lead to the same values.
	interleaved bool

	scratchSize, partialSize uintptr
	partials                 P // by block

	whole   *piece
	parts   *parts // nil until the first call in parts
	workers []worker
}

// fixed is a parameter, at a slot among the words, that points at the same values for each element.
type fixed struct {
	slot int
	at   P
}

// local is a parameter that points into memory of a worker or a block.
type local struct {
	slot   int
	offset uintptr // of the first element's values
	size   uintptr // of each element's values; 0 if all elements share them
}

// worker is the memory of one goroutine that runs blocks.
type worker struct {
	scratch P // copies, each for all elements of a strip
	table   P // words, a column for each; just one if there are strides, for the mark
	strides []stride
	first   int // the element of the first row; 0 without strips
}

// Prepare converts the loop program to columns of addresses, and steps that move copies.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := callable(s); err != nil {
		return nil, err
	}
	var err error
	if m.Plan, _, err = m.NewPlan(request(&m, s.Tune.Block)); err != nil {
		return nil, err
	}
	m.NewPlan = nil // which may keep a lot alive
	p := lower.Lower(s.Loop, s.Kernel, lower.Target{Pointers: true, Strips: true, AddsFrom: addsFrom, Once: e.sameBits, Poison: e.poison})
	r := &runner{spec: s, memory: m, plan: m.Plan}
	r.crew.pool, r.crew.waited, r.crew.stop, r.crew.do, r.crew.locate = e.pool, m.ReportWait, e.stop, r.do, r.locate
	r.order(p)
	r.arguments(p, m)
	r.call, r.passed = callOf(r.words)
	r.runs, r.from = m.Runs()
	r.visit()
	r.useStrides()
	if err := r.createBatches(); err != nil {
		return nil, err
	}
	r.partials = newLines(r.partialSize * uintptr(max(1, r.plan.Blocks())))
	m.ReportHow("Go functions"+backend.Shares(len(r.workers), "goroutines", r.plan), "")
	return r, nil
}

// request requests blocks, which are colored if elements can collide.
func request(m *backend.Memory, block int) backend.PlanRequest {
	return backend.PlanRequest{BlockSize: cmp.Or(block, backend.HostBlockSize(m.Last-m.First)), Boundaries: m.Boundaries}
}

// visit lists the places of all parameters if nothing is copied and some data is reached through
// maps: addresses that are not contiguous are computed faster than stored in a table.
func (r *runner) visit() {
	n := len(r.spec.Kernel.Entry().Params)
	if len(r.columns)+len(r.fixed) < n || len(r.before) > 0 || n >= len(visits) {
		return
	}
	visit := visits[n]
	switch len(r.constants) {
	case 0:
	case 2 * n: // all are slices
		visit = slicedVisits[n]
	default:
		return
	}
	places := make([]place, n)
	indirect := false
	for _, c := range r.columns {
		places[slices.Index(r.slots, c.slot)] = c.place
		indirect = indirect || c.place.targets != nil
	}
	for _, f := range r.fixed {
		places[slices.Index(r.slots, f.slot)] = place{base: f.at}
	}
	for i := 0; i < len(r.constants); i += 2 {
		places[i/2].length = int(r.constants[i].word)
	}
	if indirect {
		r.places, r.visitAll = places, visit
	}
}

// useStrides makes the loop run without a table if only copies are reached through maps. Without
// copies, a strip is a whole run.
func (r *runner) useStrides() {
	n := r.words
	if n >= len(walks) || slices.ContainsFunc(r.columns, func(c column) bool { return c.place.targets != nil }) {
		return
	}
	r.walk = walks[n]
	if len(r.columns)+len(r.fixed)+len(r.partial)+len(r.constants) == n && len(r.before) == 0 {
		r.strip = math.MaxInt32
	}
}

// createBatches creates the batches, and slots for the goroutines that work on them: no more than the
// largest color has blocks.
func (r *runner) createBatches() (err error) {
	if r.whole, err = r.newPiece(r.plan.First, r.plan.Last); err != nil {
		return err
	}
	r.workers = make([]worker, r.whole.pace.Most())
	r.worker(0)
	return nil
}

// do runs a block as worker number.
func (r *runner) do(block int32, number int) { r.block(int(block), r.worker(number)) }

// locate records the element that a worker is at.
func (r *runner) locate(f *backend.Fault, number int) {
	w := &r.workers[number]
	f.Element, f.Elements = w.first+*marked(w.table), 1
}

// worker returns the memory of a goroutine, creating it when the goroutine first works on the loop.
func (r *runner) worker(number int) *worker {
	w := &r.workers[number]
	if w.table != nil {
		return w
	}
	w.scratch = newLines(r.scratchSize)
	columns := r.passed
	if r.walk != nil {
		w.strides = make([]stride, columns)
		columns = 1
	}
	w.table = newLines(uintptr(columnSize * columns))
	for _, l := range r.locals {
		w.point(l.slot, add(w.scratch, l.offset), l.size)
	}
	for _, f := range r.fixed {
		w.point(f.slot, f.at, 0)
	}
	for _, c := range r.constants {
		w.pass(c.slot, c.word, 0)
	}
	for i := range r.headers {
		r.headers[i].fill(w.scratch, r.strip)
	}
	return w
}

// point makes a parameter point at first for the first element of a strip, and size bytes further
// for each following one.
func (w *worker) point(slot int, first P, size uintptr) { w.pass(slot, uintptr(first), size) }

// pass sets a word: to first for the first element of a strip, and to size more for each following
// one.
func (w *worker) pass(slot int, first, size uintptr) {
	if w.strides != nil {
		w.strides[slot] = stride{first, size}
		return
	}
	repeat(w.table, slot, first, size)
}

// newLines returns size bytes of memory on cache lines of their own.
func newLines(size uintptr) P {
	const line = 64
	start := P(unsafe.SliceData(make([]uint64, (size+2*line)/8)))
	return add(start, -uintptr(start)&(line-1))
}
