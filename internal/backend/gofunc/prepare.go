package gofunc

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/stop"
)

// runner is a prepared loop.
type runner struct {
	spec backend.Spec
	pool *pool
	plan *plan.Plan
	runs []backend.Run
	from []int32 // block b has the runs from from[b] to before from[b+1]

	call    func(fn, table P, n int)
	walk    func(fn P, s []stride, t P, n int) // where all parameters advance by strides: without a table
	strip   int                                // elements of a strip, at most
	places  []place                            // of all parameters, where visits calls the kernel: without a table
	columns []column                           // parameters that point at data
	fixed   []fixed                            // parameters that always point at the same
	locals  []local                            // parameters that point at copies
	partial []local                            // parameters that point at the block's partial results

	indices       []uintptr // scratch offsets of element numbers
	zeroed        []local
	before, after []step
	mats          []mat
	reduced       []reduction
	// interleaved says that what the kernel left is put away element by element, rather
	// than argument by argument, since several of them lead to the same values.
	interleaved bool

	scratchSize, partialSize uintptr
	partials                 P // by block

	batches []*batch // by color
	pace    pace.Pace
	team    atomic.Int32 // how many goroutines may work on this call
	waited  func(time.Duration)
	stop    *stop.Flag
	workers []worker
}

// fixed is a parameter that points at the same values for each element.
type fixed struct {
	slot int
	at   P
}

// local is a parameter that points into memory of a worker or a block.
type local struct {
	slot   int
	offset uintptr // of the first element's values
	size   uintptr // of each element's; 0 if all have the same
}

// worker is the memory of one goroutine that runs blocks.
type worker struct {
	scratch P // copies, each for all elements of a strip
	table   P // addresses, a column for each parameter; one where there are strides, for the mark
	strides []stride
	first   int // the element of the first row; 0 where there are no strips
}

// Prepare sorts the arguments by what has to be done for them.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := callable(s); err != nil {
		return nil, err
	}
	var err error
	if m.Plan, _, err = m.NewPlan(e.request(m.Last - m.First)); err != nil {
		return nil, err
	}
	r := &runner{spec: s, pool: e.pool, plan: m.Plan, waited: m.ReportWait, stop: e.stop, call: calls[len(s.Loop.Args)]}
	copied := r.copied()
	r.strip, r.interleaved = r.order(copied)
	for i, a := range s.Loop.Args {
		switch {
		case a.Kind == loop.Index:
			r.indices = append(r.indices, r.newLocal(i, unsafe.Sizeof(0)))
		case a.Kind == loop.Global:
			r.global(i, a, m)
		case a.Kind == loop.Dat && copied[i]:
			r.copiedDat(i, a, m, e.poison)
		case a.Kind == loop.Dat:
			r.datInPlace(i, a, m, e.poison)
		case a.Kind == loop.Mat:
			r.mat(i, a, m, e.poison)
		default:
			return nil, fmt.Errorf("argument %d: the backend go has no %s arguments: %w", i+1, a.Kind, backend.ErrUnavailable)
		}
	}
	r.runs, r.from = m.Runs()
	r.visit()
	r.stroll()
	r.hire()
	r.partials = newLines(r.partialSize * uintptr(r.plan.Blocks()))
	m.ReportHow("Go functions"+backend.Shares(len(r.workers), "goroutines", r.plan), "")
	return r, nil
}

// request is for blocks, which are colored where elements can collide.
func (e *engine) request(elements int) backend.PlanRequest {
	return backend.PlanRequest{BlockSize: cmp.Or(e.block, backend.HostBlockSize(elements))}
}

// visit lists the places of all parameters where nothing is copied and some lead through
// maps: addresses that are not in a row are computed faster than they are put into a table.
func (r *runner) visit() {
	n := len(r.spec.Loop.Args)
	if len(r.columns)+len(r.fixed) < n || len(r.before) > 0 || n >= len(visits) {
		return
	}
	places := make([]place, n)
	indirect := false
	for _, c := range r.columns {
		places[c.slot] = c.place
		indirect = indirect || c.place.targets != nil
	}
	for _, f := range r.fixed {
		places[f.slot] = place{base: f.at}
	}
	if indirect {
		r.places = places
	}
}

// stroll has the loop go without a table where nothing but copies is reached through maps. Where
// there are none, a strip is all of a run.
func (r *runner) stroll() {
	n := len(r.spec.Loop.Args)
	if n >= len(walks) || slices.ContainsFunc(r.columns, func(c column) bool { return c.place.targets != nil }) {
		return
	}
	r.walk = walks[n]
	if len(r.columns)+len(r.fixed)+len(r.partial) == n && len(r.before) == 0 {
		r.strip = math.MaxInt32
	}
}

// copied says for each argument whether the kernel gets copies of a dat's values: where
// they are not one piece, or do not arrive as they are. What one argument changes in
// place no other changes in copies.
func (r *runner) copied() []bool {
	args := r.spec.Loop.Args
	copied := make([]bool, len(args))
	shared := make([]bool, len(r.spec.Loop.Data))
	for i, a := range args {
		if a.Kind != loop.Dat {
			continue
		}
		copied[i] = a.Packed() || a.Access == loop.Min || a.Access == loop.Max ||
			a.Access == loop.Inc && !r.spec.Kernel.Uses[i].OnlyAdds()
		if copied[i] && a.Access != loop.Read {
			shared[a.Data] = true
		}
	}
	for i, a := range args {
		copied[i] = copied[i] || a.Kind == loop.Dat && shared[a.Data]
	}
	return copied
}

// order is how many elements are run with copies that are fetched together, and whether
// these are put away element by element, because several arguments lead to the same
// values. Where an element is to see what another one left, it is one.
func (r *runner) order(copied []bool) (strip int, interleaved bool) {
	const cache = 16 << 10 // what of the first cache the values of a strip may take
	size := 0
	changed := make([]int, len(r.spec.Loop.Data))
	for i, a := range r.spec.Loop.Args {
		size += r.sizeOf(a)
		if !copied[i] || a.Access == loop.Read {
			continue
		}
		if a.Access == loop.RW {
			return 1, false
		}
		changed[a.Data]++
		interleaved = interleaved || changed[a.Data] > 1
	}
	return max(1, min(stripLen, cache/size)), interleaved
}

// sizeOf is the number of bytes that an element has of argument a.
func (r *runner) sizeOf(a loop.Arg) int {
	l := r.spec.Loop
	if a.Kind == loop.Mat {
		rows, cols := l.Local(a)
		return rows * cols * l.Type(a).Size()
	}
	return l.Arity(a) * l.Dim(a) * l.Type(a).Size()
}

// hire makes the batches, and places for the goroutines that work on them: no more than the
// largest color has blocks.
func (r *runner) hire() {
	for c := range r.plan.Colors {
		r.batches = append(r.batches, newBatch(r, r.plan.OfColor(c)))
	}
	most := min(r.pool.threads, r.plan.LargestColor())
	r.pace = pace.New(most)
	r.workers = make([]worker, most)
	r.worker(0)
}

// worker is the memory of a goroutine, which makes it when it first works on the loop.
func (r *runner) worker(number int) *worker {
	w := &r.workers[number]
	if w.table != nil {
		return w
	}
	w.scratch = newLines(r.scratchSize)
	columns := len(r.spec.Loop.Args)
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
	return w
}

// point has a parameter point at first for the first element of a strip, and size bytes
// further for each other one.
func (w *worker) point(slot int, first P, size uintptr) {
	if w.strides != nil {
		w.strides[slot] = stride{uintptr(first), size}
		return
	}
	repeat(w.table, slot, first, size)
}

// newLines is memory of size bytes, on cache lines of its own.
func newLines(size uintptr) P {
	const line = 64
	start := P(unsafe.SliceData(make([]uint64, (size+2*line)/8)))
	return add(start, -uintptr(start)&(line-1))
}

// newLocal reserves scratch memory for copies of size bytes, which parameter slot points at.
func (r *runner) newLocal(slot int, size uintptr) uintptr {
	offset := r.newScratch(size)
	r.locals = append(r.locals, local{slot, offset, size})
	return offset
}

// newScratch reserves size bytes of scratch memory for each element of a strip.
func (r *runner) newScratch(size uintptr) uintptr {
	offset := r.scratchSize
	r.scratchSize += (size*uintptr(r.strip) + 7) &^ 7
	return offset
}

// global passes a global's values themselves if they are read, otherwise copies, which
// are combined with the block's partial result. A kernel that does nothing but add to
// one of many values works on the partial result itself; for few it would wait each
// time for what the last element left.
func (r *runner) global(slot int, a loop.Arg, m backend.Memory) {
	l := r.spec.Loop
	if a.Access == loop.Read {
		r.fixed = append(r.fixed, fixed{slot, m.Data[a.Data]})
		return
	}
	o, dim, size := &opsFor[l.Type(a)], l.Dim(a), uintptr(r.sizeOf(a))
	offset := r.partialSize
	r.partialSize += uintptr(codegen.PartialStride(l, a))
	r.reduced = append(r.reduced, reduction{
		global: m.Data[a.Data], offset: offset, dim: dim, size: size,
		zero: a.Access == loop.Inc, fetch: o.anyFetch, combine: o.combine(a.Access, anyDim),
	})
	if a.Access == loop.Inc && dim >= len(o.sums) && r.spec.Kernel.Uses[slot].OnlyAdds() {
		r.partial = append(r.partial, local{slot: slot, offset: offset})
		return
	}
	s := step{partial: true, offset: offset, dim: dim, local: r.newLocal(slot, size), size: size}
	if a.Access == loop.Inc && dim < len(o.sums) {
		r.zeroed = append(r.zeroed, r.locals[len(r.locals)-1])
		s.move = o.sums[dim]
		r.after = append(r.after, s)
		return
	}
	r.exchange(a, s, dim, false)
}

// exchange fetches the copies of argument a, as its access says, and puts them away.
// dim is that of the rows, anyDim if they are joined.
func (r *runner) exchange(a loop.Arg, s step, dim int, poison bool) {
	o := &opsFor[r.spec.Loop.Type(a)]
	switch a.Access {
	case loop.Inc:
		r.zeroed = append(r.zeroed, r.locals[len(r.locals)-1])
	case loop.Write:
		if poison {
			s.move = o.poisonCopies
			r.before = append(r.before, s)
		}
	default:
		s.move = o.fetch(dim)
		r.before = append(r.before, s)
	}
	switch a.Access {
	case loop.Read:
		return
	case loop.Inc, loop.Min, loop.Max:
		s.move = o.combine(a.Access, dim)
	default:
		s.move = o.put(dim)
	}
	r.after = append(r.after, s)
}

// placeOf is where the values of a dat are.
func (r *runner) placeOf(a loop.Arg, m backend.Memory) place {
	l := r.spec.Loop
	p := place{base: m.Data[a.Data], size: uintptr(l.Dim(a) * l.Type(a).Size()), rows: l.Arity(a)}
	if a.Indirect() {
		p.targets = add(m.Maps[a.Map], uintptr(4*max(0, a.Component)))
		p.arity = uintptr(4 * l.Maps[a.Map].Arity)
		p.step = p.arity
		if a.Packed() {
			p.step = 4
		}
	}
	return p
}

// copiedDat passes copies of a dat's values.
func (r *runner) copiedDat(slot int, a loop.Arg, m backend.Memory, poison bool) {
	size, dim := uintptr(r.sizeOf(a)), r.spec.Loop.Dim(a)
	s := step{place: r.placeOf(a, m), dim: dim, local: r.newLocal(slot, size), size: size}
	if !a.Indirect() {
		dim = anyDim // neighboring elements' values are one long row
	}
	r.exchange(a, s, dim, poison)
}

// datInPlace passes pointers to the data where it is.
func (r *runner) datInPlace(slot int, a loop.Arg, m backend.Memory, poison bool) {
	p := r.placeOf(a, m)
	r.columns = append(r.columns, column{slot, p})
	if poison && a.Access == loop.Write {
		r.before = append(r.before, step{place: p, dim: r.spec.Loop.Dim(a), move: opsFor[r.spec.Loop.Type(a)].poison})
	}
}
