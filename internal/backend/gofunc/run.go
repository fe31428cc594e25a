package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
)

//go:generate go run ./gen

// P is any pointer.
type P = unsafe.Pointer

func add(p P, n uintptr) P { return unsafe.Add(p, n) }

// source is where a parameter points for each element.
type source struct {
	base    P
	stride  uintptr // bytes for each element, or for each target of the map; 0: always base
	targets P       // the map's first value for the component; nil if direct
	arity   uintptr // bytes from one element's targets to the next one's
}

// at is the address for element e.
func (s *source) at(e uintptr) P {
	if s.targets != nil {
		e = uintptr(*(*int32)(add(s.targets, e*s.arity)))
	}
	return add(s.base, e*s.stride)
}

// Ready returns at once: nothing is compiled.
func (r *runner) Ready() error { return nil }

// Run runs the blocks, colour by colour, and combines their partial results in order.
func (r *runner) Run() error {
	for c := range r.plan.Colors {
		blocks := r.plan.OfColor(c)
		r.batch.begin(r, blocks)
		if workers := min(len(r.workers), len(blocks)); workers > 1 {
			r.pool.share(&r.batch, workers)
		} else {
			r.batch.work()
		}
		if r.batch.fault != nil {
			return r.batch.fault
		}
	}
	if n := r.plan.Blocks(); n > 0 {
		r.combine(n)
	}
	return nil
}

// combine brings the partial results of n blocks into the globals, in order.
func (r *runner) combine(n int) {
	for i := range r.reduced {
		d := &r.reduced[i]
		total := add(r.partialsOf(0), d.offset)
		for b := 1; b < n; b++ {
			d.combine(total, add(r.partialsOf(b), d.offset), d.n)
		}
		d.combine(d.global, total, d.n)
	}
}

// partialsOf is the memory of block b's partial results.
func (r *runner) partialsOf(b int) P {
	if r.partialSize == 0 {
		return nil
	}
	return P(&r.partials[b*int(r.partialSize/8)])
}

// block runs the elements of block b.
func (r *runner) block(b int, w *worker) {
	partials := r.partialsOf(b)
	for i := range r.reduced {
		d := &r.reduced[i]
		if d.zero {
			d.ops.zeroLocal(nil, add(partials, d.offset), d.n)
		} else {
			d.ops.fetch(d.global, add(partials, d.offset), d.n)
		}
	}
	for _, p := range r.partial {
		w.sources[p.slot] = source{base: add(partials, p.offset)}
	}
	for _, run := range r.runs[r.from[b]:r.from[b+1]] {
		r.run(run, w, partials)
	}
}

// run runs neighbouring elements of a block.
func (r *runner) run(run backend.Run, w *worker, partials P) {
	first, last := uintptr(run[0]), uintptr(run[1])
	call := calls[len(w.sources)]
	if len(r.before)+len(r.after)+len(r.indices)+len(r.mats) == 0 {
		call(r.spec.Func, w.sources, first, last)
		return
	}
	var scratch P
	if len(w.scratch) > 0 {
		scratch = P(&w.scratch[0])
	}
	for e := first; e < last; e++ {
		for _, offset := range r.indices {
			*(*int)(add(scratch, offset)) = int(e)
		}
		move(r.before, e, partials, scratch)
		call(r.spec.Func, w.sources, e, e+1)
		move(r.after, e, partials, scratch)
		for i := range r.mats {
			r.mats[i].put(int(e), scratch)
		}
	}
}

// move does the steps for element e.
func move(steps []step, e uintptr, partials, scratch P) {
	for i := range steps {
		s := &steps[i]
		place := P(nil)
		if s.partial {
			place = add(partials, s.offset)
		} else {
			place = s.place.at(e)
		}
		s.move(place, add(scratch, s.local), s.n)
	}
}
