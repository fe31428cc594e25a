package gofunc

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
)

// blockSize is the number of elements that run as one piece: large enough that
// handing it out costs nothing, small enough to share out 10,000 elements.
const blockSize = 1024

// place is where an argument's values for an element are.
type place struct {
	base    P
	stride  uintptr // bytes for each element, or for each target of the map
	targets P       // the map's first value for the component; nil if direct
	arity   uintptr // bytes from one element's targets to the next one's
	partial bool    // it is in the block's partial results, at offset
	offset  uintptr
}

// at is the address for element e.
func (p *place) at(e int, partials P) P {
	switch {
	case p.partial:
		return add(partials, p.offset)
	case p.targets != nil:
		return add(p.base, uintptr(target(p, e))*p.stride)
	}
	return add(p.base, uintptr(e)*p.stride)
}

// step moves n values between a place and a local of the worker.
type step struct {
	place place
	local uintptr // offset into the worker's scratch memory
	n     int
	move  func(place, local P, n int)
}

// pointer is a parameter that points straight at the data.
type pointer struct {
	slot  int
	place place
}

// local is a parameter that points into the worker's scratch memory.
type local struct {
	slot   int
	offset uintptr
}

// reduction is a global that the loop changes: how a block's partial result begins
// and how it is brought into another.
type reduction struct {
	global  P
	offset  uintptr // into a block's partial results
	n       int
	zero    bool // begins from zero rather than from the global
	ops     ops
	combine func(into, from P, n int)
}

// runner is a prepared loop.
type runner struct {
	spec        backend.Spec
	pool        *pool
	first, last int
	nargs       int
	ordered     bool // elements may collide: all in order, on one goroutine

	direct   []pointer // by direct addressing
	indirect []pointer // through a map
	partial  []pointer // straight into the block's partial results
	locals   []local
	indices  []uintptr // scratch offsets of element numbers
	before   []step
	after    []step
	reduced  []reduction

	scratchSize, partialSize uintptr
	scratch                  [][]uint64 // by worker
	partials                 []uint64   // by block
	batch                    batch
}

// Prepare sorts the arguments by what has to be done for them.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := callable(s); err != nil {
		return nil, err
	}
	r := &runner{
		spec: s, pool: e.pool, first: m.First, last: m.Last,
		nargs: len(s.Loop.Args), ordered: s.Loop.Collides(),
	}
	for i, a := range s.Loop.Args {
		switch {
		case a.Kind == loop.Index:
			offset := r.newLocal(i, 8)
			r.indices = append(r.indices, offset)
		case a.Kind == loop.Global:
			r.global(i, a, m)
		case a.Kind == loop.Dat:
			r.dat(i, a, m, e.poison)
		default:
			return nil, fmt.Errorf("argument %d: the backend go has no %s arguments: %w", i+1, a.Kind, backend.ErrUnavailable)
		}
	}
	workers := 1
	if !r.ordered {
		workers = max(1, min(e.pool.threads, r.blocks()))
	}
	for range workers {
		r.scratch = append(r.scratch, make([]uint64, r.scratchSize/8))
	}
	r.partials = make([]uint64, int(r.partialSize/8)*r.blocks())
	return r, nil
}

func (r *runner) blocks() int { return (r.last - r.first + blockSize - 1) / blockSize }

// newLocal reserves size bytes of scratch memory for parameter slot.
func (r *runner) newLocal(slot int, size int) uintptr {
	offset := r.scratchSize
	r.scratchSize += uintptr(size+7) &^ 7
	r.locals = append(r.locals, local{slot, offset})
	return offset
}

func (r *runner) global(slot int, a loop.Arg, m backend.Memory) {
	t, n := r.spec.Loop.Type(a), r.spec.Loop.Dim(a)
	if a.Access == loop.Read {
		r.direct = append(r.direct, pointer{slot, place{base: m.Data[a.Data]}})
		return
	}
	o := opsFor[t]
	offset := r.partialSize
	r.partialSize += uintptr(n*t.Size()+7) &^ 7
	r.reduced = append(r.reduced, reduction{
		global: m.Data[a.Data], offset: offset, n: n, zero: a.Access == loop.Inc, ops: o, combine: o.combine(a.Access),
	})
	at := place{partial: true, offset: offset}
	if a.Access == loop.Inc && r.spec.Kernel.Uses[slot].OnlyAdds() {
		r.partial = append(r.partial, pointer{slot, at})
		return
	}
	r.stage(a, at, r.newLocal(slot, n*t.Size()))
}

// stage hands the kernel a local copy of n values at a place.
func (r *runner) stage(a loop.Arg, at place, offset uintptr) {
	o, n := opsFor[r.spec.Loop.Type(a)], r.spec.Loop.Dim(a)
	switch a.Access {
	case loop.Inc:
		r.before = append(r.before, step{at, offset, n, o.zeroLocal})
	case loop.Write:
	default:
		r.before = append(r.before, step{at, offset, n, o.fetch})
	}
	if a.Access != loop.Read {
		put := o.put
		if a.Access == loop.Inc || a.Access == loop.Min || a.Access == loop.Max {
			put = o.combine(a.Access)
		}
		r.after = append(r.after, step{at, offset, n, put})
	}
}

// dat passes pointers to the data where it is, if it arrives as it is and is one
// piece; otherwise a local copy.
func (r *runner) dat(slot int, a loop.Arg, m backend.Memory, poison bool) {
	l := r.spec.Loop
	t, n := l.Type(a), l.Dim(a)
	size := n * t.Size()
	at := func(component int) place {
		p := place{base: m.Data[a.Data], stride: uintptr(size)}
		if a.Indirect() {
			p.targets = add(m.Maps[a.Map], uintptr(4*component))
			p.arity = uintptr(4 * l.Maps[a.Map].Arity)
		}
		return p
	}
	if a.Packed() {
		offset := r.newLocal(slot, size*l.Arity(a))
		for c := range l.Arity(a) {
			part := offset + uintptr(c*size)
			r.stage(a, at(c), part)
			if poison && a.Access == loop.Write {
				r.before = append(r.before, step{at(c), part, n, opsFor[t].poisonLocal})
			}
		}
		return
	}
	inPlace := a.Access == loop.Read || a.Access == loop.Write || a.Access == loop.RW ||
		a.Access == loop.Inc && r.spec.Kernel.Uses[slot].OnlyAdds()
	if !inPlace {
		r.stage(a, at(a.Component), r.newLocal(slot, size))
		return
	}
	if poison && a.Access == loop.Write {
		r.before = append(r.before, step{at(a.Component), 0, n, opsFor[t].poisonPlace})
	}
	if a.Indirect() {
		r.indirect = append(r.indirect, pointer{slot, at(a.Component)})
	} else {
		r.direct = append(r.direct, pointer{slot, at(0)})
	}
}
