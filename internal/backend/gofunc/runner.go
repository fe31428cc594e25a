package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// runner is a prepared loop: how its elements are divided, and what runs them.
type runner struct {
	crew    crew.Crew
	plan    *plan.Plan
	memory  backend.Memory
	kernel  *kernel.Kernel
	threads int // at most
	runs    []backend.Run
	from    []int32 // block b has the runs [from[b], from[b+1])

	bodies []*body // one, or those of a fused loop, which run one after another in each block

	reduced     []reduction
	partialSize uintptr
	partials    P // by block

	whole *piece
	parts *parts // nil until the first call in parts
}

// piece is a part of a loop, or all of it: its blocks, in batches by color.
type piece struct {
	*plan.Part
	batches []*crew.Batch
	pace    pace.Pace
}

// parts is the state of calls in parts.
type parts struct {
	pieces   backend.Pieces[*piece]
	consts   *backend.Consts
	totals   []unsafe.Pointer // of the reductions: the partial results of block 0, once combined
	combined bool
	tiles    *tiled // whose partial results count, too; or nil
}

// reduction is a global that the loop changes, and where its partial result is among those of a block.
type reduction struct {
	loop.Reduction
	global P
	offset uintptr
}

// Ready returns at once: nothing is compiled.
func (r *runner) Ready() error { return nil }

// Run runs all blocks, and combines their partial results with the globals.
func (r *runner) Run() error {
	if err := r.crew.Run(r.whole.batches, &r.whole.pace); err != nil {
		return err
	}
	if n := r.plan.Blocks(); n > 0 && len(r.reduced) > 0 {
		r.combine(r.partials, 1, n)
		r.finish()
	}
	return nil
}

// combine combines the partial results [first, last), in order, with those of the first block.
func (r *runner) combine(partials P, first, last int) {
	for i := range r.reduced {
		d := &r.reduced[i]
		total := add(r.partialsOf(0), d.offset)
		for n := first; n < last; n++ {
			d.Combine(total, add(partials, uintptr(n)*r.partialSize+d.offset))
		}
	}
}

// finish combines the totals, in place of the partial results of the first block, with the globals.
func (r *runner) finish() {
	for i := range r.reduced {
		d := &r.reduced[i]
		d.Combine(d.global, add(r.partialsOf(0), d.offset))
	}
}

// partialsOf returns the memory of block b's partial results.
func (r *runner) partialsOf(b int) P { return add(r.partials, uintptr(b)*r.partialSize) }

// over runs the elements of some runs as worker number, in a fused loop kernel after kernel, and leaves
// what they contribute in partial results.
func (r *runner) over(runs []backend.Run, partials P, number int) {
	r.begin(partials)
	for i, b := range r.bodies {
		r.bodies[0].workers[number].body = i
		b.over(runs, partials, b.worker(number))
	}
}

// begin initializes partial results.
func (r *runner) begin(partials P) {
	for i := range r.reduced {
		d := &r.reduced[i]
		d.Begin(add(partials, d.offset), d.global)
	}
}

// staff makes room for a number of goroutines.
func (r *runner) staff(goroutines int) {
	for _, b := range r.bodies {
		for len(b.workers) < goroutines {
			b.workers = append(b.workers, worker{})
		}
		b.worker(0)
	}
}

// doBlock runs the elements of a block as worker number.
func (r *runner) doBlock(b int32, number int) {
	r.over(r.runs[r.from[b]:r.from[b+1]], r.partialsOf(int(b)), number)
}

// locateElement records the element that a worker is at, and the part of a fused loop.
func (r *runner) locateElement(f *backend.Fault, number int) {
	at := r.bodies[0].workers[number].body
	w := &r.bodies[at].workers[number]
	f.Element, f.Elements = w.first, 1
	if r.bodies[at].loop.Layers.Of == 0 {
		f.Element += *marked(w.table)
	}
	if len(r.bodies) > 1 {
		f.Part = at + 1
	}
}
