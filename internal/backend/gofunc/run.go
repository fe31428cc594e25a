package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
)

//go:generate go run ./gen

// P is any pointer.
type P = unsafe.Pointer

func add(p P, n uintptr) P { return unsafe.Add(p, n) }

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

// block runs the elements of block b as worker number.
func (r *runner) block(b, number int) {
	r.over(r.runs[r.from[b]:r.from[b+1]], r.partialsOf(b), number)
}

// over runs the elements of some runs as worker number, in a fused loop kernel after kernel, and leaves
// what they contribute in partial results.
func (r *runner) over(runs []backend.Run, partials P, number int) {
	r.begin(partials)
	for i, b := range r.bodies {
		r.bodies[0].workers[number].body = i
		b.over(runs, partials, b.worker(number))
	}
}
