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
	if err := r.crew.run(r.whole.batches, &r.whole.pace); err != nil {
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
			d.combine(total, add(partials, uintptr(n)*r.partialSize+d.offset), P(&origin), 0, 1, d.dim)
		}
	}
}

// finish combines the totals, in place of the partial results of the first block, with the globals.
func (r *runner) finish() {
	for i := range r.reduced {
		d := &r.reduced[i]
		d.combine(d.global, add(r.partialsOf(0), d.offset), P(&origin), 0, 1, d.dim)
	}
}

// partialsOf returns the memory of block b's partial results.
func (r *runner) partialsOf(b int) P { return add(r.partials, uintptr(b)*r.partialSize) }

// block runs the elements of block b.
func (r *runner) block(b int, w *worker) {
	r.over(r.runs[r.from[b]:r.from[b+1]], r.partialsOf(b), w)
}

// over runs the elements of some runs, and leaves what they contribute in partial results.
func (r *runner) over(runs []backend.Run, partials P, w *worker) {
	for i := range r.reduced {
		r.reduced[i].begin(partials)
	}
	for _, p := range r.partial {
		w.point(p.slot, add(partials, p.offset), 0)
	}
	for _, run := range runs {
		if r.places != nil {
			r.visitAll(r.spec.Func, r.places, w.table, uintptr(run[0]), uintptr(run[1]))
			continue
		}
		last := int(run[1])
		for e := int(run[0]); e < last; e += r.strip {
			r.elements(w, partials, e, min(r.strip, last-e))
		}
	}
}

// elements runs a strip of n elements from e on: it fetches all copies, calls the kernel for one
// element after another, and stores the results in the order of the elements.
func (r *runner) elements(w *worker, partials P, e, n int) {
	w.first = e
	for _, offset := range r.indices {
		numbers := unsafe.Slice((*int)(add(w.scratch, offset)), n)
		for i := range numbers {
			numbers[i] = e + i
		}
	}
	for i := range r.zeroed {
		z := &r.zeroed[i]
		clear(unsafe.Slice((*byte)(add(w.scratch, z.offset)), uintptr(n)*z.size))
	}
	for i := range r.before {
		r.before[i].do(w.scratch, partials, e, n, 0)
	}
	if r.walk != nil {
		advance(r.columns, w.strides, uintptr(e))
		r.walk(r.spec.Func, w.strides, w.table, n)
	} else {
		fill(r.columns, w.table, uintptr(e), n)
		r.call(r.spec.Func, w.table, n)
	}
	r.storeCopies(w, partials, e, n)
}

// storeCopies stores what the kernel left for n elements from e on.
func (r *runner) storeCopies(w *worker, partials P, e, n int) {
	if r.interleaved {
		for i := range n {
			for s := range r.after {
				r.after[s].do(w.scratch, partials, e+i, 1, i)
			}
		}
	} else {
		for s := range r.after {
			r.after[s].do(w.scratch, partials, e, n, 0)
		}
	}
	if len(r.mats) == 0 {
		return
	}
	for i := range n {
		for m := range r.mats {
			r.mats[m].put(e+i, i, w.scratch)
		}
	}
}
