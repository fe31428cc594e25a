package gofunc

import (
	"unsafe"
)

func add(p P, n uintptr) P { return unsafe.Add(p, n) }

func target(p *place, e int) int32 {
	return *(*int32)(add(p.targets, uintptr(e)*p.arity))
}

// Ready returns at once: nothing is compiled.
func (r *runner) Ready() error { return nil }

// Run runs the blocks, over the workers where elements cannot collide, and
// combines their partial results in order.
func (r *runner) Run() error {
	n := r.blocks()
	if n == 0 {
		return nil
	}
	r.batch.begin(r, n)
	if len(r.scratch) == 1 || n == 1 {
		r.batch.work()
	} else {
		r.pool.share(&r.batch, len(r.scratch))
	}
	if r.batch.fault != nil {
		return r.batch.fault
	}
	r.combine(n)
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

// block runs the elements of block b on the given scratch memory.
func (r *runner) block(b int, memory []uint64) {
	partials := r.partialsOf(b)
	for i := range r.reduced {
		d := &r.reduced[i]
		if d.zero {
			d.ops.zeroLocal(nil, add(partials, d.offset), d.n)
		} else {
			d.ops.fetch(d.global, add(partials, d.offset), d.n)
		}
	}
	var p [maxArgs]P
	for i := range r.partial {
		p[r.partial[i].slot] = r.partial[i].place.at(0, partials)
	}
	var scratch P
	if len(memory) > 0 {
		scratch = P(&memory[0])
	}
	for _, l := range r.locals {
		p[l.slot] = add(scratch, l.offset)
	}
	first := r.first + b*blockSize
	last := min(first+blockSize, r.last)
	if len(r.before)+len(r.after)+len(r.indices) == 0 {
		r.bare(first, last, &p)
	} else {
		r.staged(first, last, &p, partials, scratch)
	}
}

// bare runs elements whose arguments are all pointers to the data itself.
func (r *runner) bare(first, last int, p *[maxArgs]P) {
	fn, n := r.spec.Func, r.nargs
	direct, indirect := r.direct, r.indirect
	for e := first; e < last; e++ {
		for i := range direct {
			d := &direct[i]
			p[d.slot&(maxArgs-1)] = add(d.place.base, uintptr(e)*d.place.stride)
		}
		for i := range indirect {
			d := &indirect[i]
			p[d.slot&(maxArgs-1)] = add(d.place.base, uintptr(target(&d.place, e))*d.place.stride)
		}
		call(fn, n, p)
	}
}

// staged runs elements with something to do before or after the kernel.
func (r *runner) staged(first, last int, p *[maxArgs]P, partials, scratch P) {
	for e := first; e < last; e++ {
		for _, offset := range r.indices {
			*(*int)(add(scratch, offset)) = e
		}
		for i := range r.before {
			s := &r.before[i]
			s.move(s.place.at(e, partials), add(scratch, s.local), s.n)
		}
		r.bare(e, e+1, p)
		for i := range r.after {
			s := &r.after[i]
			s.move(s.place.at(e, partials), add(scratch, s.local), s.n)
		}
	}
}
