package gofunc

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// step moves n values between where they are for an element and a local copy.
type step struct {
	place source
	local uintptr // offset into the worker's scratch memory
	n     int
	move  func(place, local P, n int)
	// partial says that the place is in the block's partial results, at offset.
	partial bool
	offset  uintptr
}

// param is a parameter that points into memory of a worker or a block.
type param struct {
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
	spec backend.Spec
	pool *pool
	plan *plan.Plan
	runs []backend.Run
	from []int32 // block b has the runs from from[b] to before from[b+1]

	sources []source  // where each parameter points; locals and partials are filled in later
	locals  []param   // that point into scratch memory
	partial []param   // that point straight at the block's partial results
	indices []uintptr // scratch offsets of element numbers
	before  []step
	after   []step
	mats    []mat
	reduced []reduction

	scratchSize, partialSize uintptr
	workers                  []worker
	partials                 []uint64 // by block
	batch                    batch
}

// worker is the memory of one goroutine that runs blocks.
type worker struct {
	scratch []uint64
	sources []source
}

// Prepare sorts the arguments by what has to be done for them.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := callable(s); err != nil {
		return nil, err
	}
	var err error
	if m.Plan, _, err = m.NewPlan(e.wish(m.Last - m.First)); err != nil {
		return nil, err
	}
	r := &runner{
		spec: s, pool: e.pool, plan: m.Plan, sources: make([]source, len(s.Loop.Args)),
	}
	for i, a := range s.Loop.Args {
		switch {
		case a.Kind == loop.Index:
			r.indices = append(r.indices, r.newLocal(i, 8))
		case a.Kind == loop.Global:
			r.global(i, a, m)
		case a.Kind == loop.Dat:
			r.dat(i, a, m, e.poison)
		case a.Kind == loop.Mat:
			r.mat(i, a, m, e.poison)
		default:
			return nil, fmt.Errorf("argument %d: the backend go has no %s arguments: %w", i+1, a.Kind, backend.ErrUnavailable)
		}
	}
	r.runs, r.from = m.Runs()
	r.hire()
	r.partials = make([]uint64, int(r.partialSize/8)*r.plan.Blocks())
	return r, nil
}

// wish is for blocks, which are coloured where elements can collide.
func (e *engine) wish(elements int) backend.PlanWish {
	return backend.PlanWish{BlockSize: cmp.Or(e.block, backend.HostBlockSize(elements))}
}

// hire makes the workers that run at the same time: no more than the largest colour
// has blocks.
func (r *runner) hire() {
	r.workers = make([]worker, min(r.pool.threads, r.plan.LargestColor()))
	for i := range r.workers {
		w := &r.workers[i]
		w.scratch = make([]uint64, r.scratchSize/8)
		w.sources = append(w.sources, r.sources...)
		for _, l := range r.locals {
			w.sources[l.slot] = source{base: add(P(&w.scratch[0]), l.offset)}
		}
	}
}

// newLocal reserves size bytes of scratch memory for parameter slot.
func (r *runner) newLocal(slot int, size int) uintptr {
	offset := r.scratchSize
	r.scratchSize += uintptr(size+7) &^ 7
	r.locals = append(r.locals, param{slot, offset})
	return offset
}

func (r *runner) global(slot int, a loop.Arg, m backend.Memory) {
	t, n := r.spec.Loop.Type(a), r.spec.Loop.Dim(a)
	if a.Access == loop.Read {
		r.sources[slot] = source{base: m.Data[a.Data]}
		return
	}
	o := opsFor[t]
	offset := r.partialSize
	r.partialSize += uintptr(n*t.Size()+7) &^ 7
	r.reduced = append(r.reduced, reduction{
		global: m.Data[a.Data], offset: offset, n: n, zero: a.Access == loop.Inc, ops: o, combine: o.combine(a.Access),
	})
	if a.Access == loop.Inc && r.spec.Kernel.Uses[slot].OnlyAdds() {
		r.partial = append(r.partial, param{slot, offset})
		return
	}
	r.stage(a, step{partial: true, offset: offset, local: r.newLocal(slot, n*t.Size())})
}

// stage hands the kernel a local copy of the values at the place that s names.
func (r *runner) stage(a loop.Arg, s step) {
	o := opsFor[r.spec.Loop.Type(a)]
	s.n = r.spec.Loop.Dim(a)
	switch a.Access {
	case loop.Inc:
		s.move = o.zeroLocal
		r.before = append(r.before, s)
	case loop.Write:
	default:
		s.move = o.fetch
		r.before = append(r.before, s)
	}
	switch a.Access {
	case loop.Read:
		return
	case loop.Inc, loop.Min, loop.Max:
		s.move = o.combine(a.Access)
	default:
		s.move = o.put
	}
	r.after = append(r.after, s)
}

// dat passes pointers to the data where it is, if it arrives as it is and is one
// piece; otherwise a local copy.
func (r *runner) dat(slot int, a loop.Arg, m backend.Memory, poison bool) {
	l := r.spec.Loop
	t, n := l.Type(a), l.Dim(a)
	size := n * t.Size()
	at := func(component int) source {
		p := source{base: m.Data[a.Data], stride: uintptr(size)}
		if a.Indirect() {
			p.targets = add(m.Maps[a.Map], uintptr(4*component))
			p.arity = uintptr(4 * l.Maps[a.Map].Arity)
		}
		return p
	}
	poison = poison && a.Access == loop.Write
	if a.Packed() {
		offset := r.newLocal(slot, size*l.Arity(a))
		for c := range l.Arity(a) {
			part := step{place: at(c), local: offset + uintptr(c*size), n: n}
			r.stage(a, part)
			if poison {
				part.move = opsFor[t].poisonLocal
				r.before = append(r.before, part)
			}
		}
		return
	}
	inPlace := a.Access == loop.Read || a.Access == loop.Write || a.Access == loop.RW ||
		a.Access == loop.Inc && r.spec.Kernel.Uses[slot].OnlyAdds()
	if !inPlace {
		r.stage(a, step{place: at(a.Component), local: r.newLocal(slot, size)})
		return
	}
	if poison {
		r.before = append(r.before, step{place: at(a.Component), n: n, move: opsFor[t].poisonPlace})
	}
	r.sources[slot] = at(max(0, a.Component))
}
