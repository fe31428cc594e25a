package run

import (
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/userkernel"
)

// What loops that are computed together need: copies, fused ones, and calls whose elements something else than
// their own runners runs.

// Copy returns a loop like this one, with partial results and figures of its own, which has been bound, and not ordered.
// Its elements keep their order if that is said.
func (l *Loop) Copy(keepOrder bool) (*Loop, error) {
	c := &Loop{rt: l.rt, name: l.name, kernel: l.kernel, over: l.over, keep: slices.Clone(l.keep), parts: l.parts}
	if l.parts == nil {
		return c, c.check(keepOrder)
	}
	c.adopt(l.binding)
	return c, nil
}

// Substitute returns a loop that stands for a call of this one, with other data, and counts as this one does, unless
// objects that it uses have become unreachable. It adds these objects to uses.
func (l *Loop) Substitute(instead func(*entity.Data) *entity.Data, uses entity.Objects) (*Loop, bool) {
	over, args, ok := l.whole()
	if !ok {
		return nil, false
	}
	uses[over.Set.Tracked()], uses[over.Subset.Tracked()], uses[over.Layers.Of.Tracked()] = true, true, true
	for i := range args {
		a := &args[i]
		uses[a.Data.Tracked()], uses[a.Map.Tracked()], uses[a.Cols.Tracked()], uses[a.Extruded.Tracked()] = true, true, true, true
		if a.Data != nil {
			a.Data = instead(a.Data)
		}
	}
	return &Loop{rt: l.rt, name: l.name, kernel: l.kernel, over: over, keep: args, uses: usesOf(over, args), traffic: l.traffic, meter: l.meter}, true
}

// Join returns the loop that stands for several, which have been bound, as f describes it. It has figures of its own,
// or those of its parts.
func Join(parts []*Loop, f *fuse.Fused, figures bool) (*Loop, error) {
	first := parts[0]
	l := &Loop{rt: first.rt, over: first.over, parts: parts}
	kernels := make([]*userkernel.Kernel, len(parts))
	for i, p := range parts {
		kernels[i] = p.kernel
	}
	l.kernel = userkernel.Joined(f.Loop.Kernel, kernels...)
	l.name = bind.LoopName(l.kernel, l.over)
	if !figures {
		l.meter = &meter{total: &profile.Stats{}, shares: Shares(parts)}
		for _, p := range parts {
			l.of = append(l.of, p.meter)
		}
	}
	b, err := join(l.name, parts, f)
	if err != nil {
		return nil, err
	}
	l.keep = b.Args
	l.adopt(b)
	return l, nil
}

// join returns the binding of the loop that stands for several.
func join(what string, parts []*Loop, f *fuse.Fused) (*bind.Binding, error) {
	first := parts[0].binding
	b := &bind.Binding{Call: bind.Call{Runtime: first.Runtime, Over: first.Over, What: what}, Env: first.Env,
		Spec: backend.Spec{Loop: f.Loop, Kernel: f.Kernel, Ops: f.Ops, Subset: first.Subset, Cost: facts.Cost(f.Loop, f.Kernel)}}
	b.Chosen = b.Choose(parts[0].kernel, b.Spec)
	for i, o := range f.Args {
		a := parts[o.Part].binding.Args[o.Index]
		a.Access = f.Loop.Args[i].Access
		b.Args = append(b.Args, a)
	}
	for _, o := range f.Data {
		b.Data = append(b.Data, parts[o.Part].binding.Data[o.Index])
	}
	for _, o := range f.Maps {
		b.Maps = append(b.Maps, parts[o.Part].binding.Maps[o.Index])
	}
	for _, o := range f.Nonzeros {
		b.Nonzeros = append(b.Nonzeros, parts[o.Part].binding.Nonzeros[o.Index])
	}
	if err := b.Stack(); err != nil {
		return nil, err
	}
	err := b.Locate()
	for _, p := range parts {
		b.Parts, b.Memory.Parts = append(b.Parts, p.spec), append(b.Memory.Parts, p.binding.Memory)
	}
	return b, err
}

// Continue makes a loop that has been bound count its calls where another one does.
func (l *Loop) Continue(other *Loop) {
	l.meter = other.meter
	l.halos = newHaloRun(l.binding, l.meter, l.kernel.RunsAlone())
}

// Shares returns the loops' shares of the bytes that they move.
func Shares(loops []*Loop) []float64 {
	total := int64(0)
	for _, l := range loops {
		total += l.bytes
	}
	shares := make([]float64, len(loops))
	for i, l := range loops {
		shares[i] = float64(l.bytes) / float64(max(1, total))
	}
	return shares
}

// Binding returns what the loop is bound to; nil once it is ready.
func (l *Loop) Binding() *bind.Binding { return l.binding }

// Kernel returns the loop's kernel.
func (l *Loop) Kernel() *userkernel.Kernel { return l.kernel }

// Parts returns the loops that a fused one stands for; nil for others.
func (l *Loop) Parts() []*Loop { return l.parts }

// Runner returns what the backend has prepared; nil on a static runtime.
func (l *Loop) Runner() backend.Runner { return l.runner }

// Over returns what the loop runs over.
func (l *Loop) Over() entity.Range { return l.over }

// Bytes returns the minimal traffic of a call.
func (l *Loop) Bytes() int64 { return l.bytes }

// Rearranged reports whether the elements run in an order other than their own.
func (l *Loop) Rearranged() bool { return l.rearranged != nil }

// AtOnce reports whether a call is one run of the backend's runner, with nothing before or after it.
func (l *Loop) AtOnce() bool { return l.halos == nil && l.same == nil }

// Detach makes a loop that is ready, and its parts, keep no sets, maps and data alive. It cannot be bound again.
func (l *Loop) Detach() {
	l.keep, l.over, l.binding = nil, entity.Range{}, nil
	for _, p := range l.parts {
		p.Detach()
	}
}

// ComputeStep is Compute with a step of exchanges.
func (l *Loop) ComputeStep(s *Step) error {
	if s == nil {
		return l.Compute()
	}
	l.halos.given = s
	defer func() { l.halos.given = nil }()
	return l.Compute()
}

// Begin begins a call of a loop whose elements run by tiles, after Start; End ends it.
func (l *Loop) Begin(s *Step) error {
	if err := l.halos.begin(); err != nil {
		return err
	}
	if s != nil && s.update != nil {
		if err := s.update.Start(); err != nil {
			return err
		}
		if err := l.halos.finish(s.update); err != nil {
			return err
		}
	}
	return l.runner.Begin(nil)
}

// End ends a call whose elements have run.
func (l *Loop) End(s *Step) error {
	if s == nil {
		return l.runner.Finish()
	}
	l.halos.settle(s)
	if err := l.halos.begin(); err != nil { // earlier loops may reduce into the same globals
		return err
	}
	return l.halos.reduce(l.runner)
}
