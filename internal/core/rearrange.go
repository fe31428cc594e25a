package core

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/userkernel"
)

// rearranged is how threads run a loop in whose own order colors would leave them idle, since elements
// from all over the set change the same values: in another order. Backends see a loop over positions
// in that order, whose maps lead from them, and which reaches data of the set itself through a map.
//
// The choice and the order depend on the mesh, the kernel and the machine's number of processors, but
// not on the number of threads, so that results do not either.
type rearranged struct {
	spec    backend.Spec
	memory  backend.Memory
	order   []int32    // the elements by position
	plan    *plan.Plan // in this order
	colored *plan.Plan // in the loop's own
	bytes   int        // of maps and tables in this order
}

// rearrange returns how the loop runs in another order; nil if it does not.
func (b *Binding) rearrange(k *userkernel.Kernel) (*rearranged, error) {
	if b.Tune.Block != 0 || !b.rearrangeable() {
		return nil, nil
	}
	request := backend.PlanRequest{BlockSize: b.BlockSize(b.Memory.Last), Boundaries: b.Memory.Boundaries}
	colored, in, err := b.plan(request)
	if err != nil || !backend.LeavesIdle(colored, b.Memory.Last*b.Cost) {
		return nil, err
	}
	r := &rearranged{colored: colored}
	for _, ranges := range backend.Ranges() {
		other, order := in.Rearranged(ranges)
		if other == nil {
			continue
		}
		p, err := plan.Build(other)
		if err == nil && b.rt.config.CheckPlans {
			err = plan.Check(other, p)
		}
		if err != nil {
			return nil, err
		}
		if best := r.plan; best == nil && backend.MuchBetter(p, colored) || best != nil && backend.MuchBetter(p, best) {
			r.plan, r.order = p, order
		}
	}
	if r.plan == nil {
		return nil, nil
	}
	return r, r.bind(b, k)
}

// rearrangeable reports whether the loop runs on threads in an order that is left to the library.
func (b *Binding) rearrangeable() bool {
	rt := b.rt
	if rt.config.Static || rt.device != nil || rt.name == "sequential" || rt.config.Backend.SameBits || b.Over.Subset != nil {
		return false
	}
	return !slices.ContainsFunc(b.args, func(a Arg) bool {
		return a.kind == loop.Index || a.kind == loop.Dat && a.m != nil && (a.access == loop.Write || a.access == loop.RW)
	})
}

// bind binds the loop over positions.
func (r *rearranged) bind(b *Binding, k *userkernel.Kernel) error {
	set := b.Over.Set
	elements := slices.Clone(r.order)
	for e := len(elements); e < set.Total(); e++ { // others stay where they are
		elements = append(elements, int32(e))
	}
	self := MapOf(set, set, 1, elements, set.name, false)
	args := slices.Clone(b.args)
	for i := range args {
		if a := &args[i]; a.kind == loop.Dat && a.m == nil {
			a.m, a.component = self, 0
		}
	}
	other, err := newBinding(b.env, k, b.Over, args)
	if err != nil {
		return err
	}
	r.spec, r.memory = other.Spec, other.Memory
	r.memory.Boundaries = b.Memory.Boundaries
	permuted := func(values []int32, width int) []int32 {
		r.bytes += 4 * len(values)
		return plan.Permuted(values, width, r.order)
	}
	for i, f := range other.Maps {
		if f != self {
			r.memory.Maps[i] = unsafe.Pointer(unsafe.SliceData(permuted(f.values, f.arity)))
		}
	}
	for i, n := range other.Loop.Nonzeros {
		if table := r.memory.Nonzeros[i].Table; table != nil {
			r.memory.Nonzeros[i].Table = permuted(table, other.Loop.Maps[n.Rows].Arity*other.Loop.Maps[n.Cols].Arity)
		}
	}
	return nil
}

// locate replaces the position of a fault by the element there. Of several positions it is not known.
func (r *rearranged) locate(f *backend.Fault) {
	switch {
	case r == nil:
	case f.Elements == 1:
		f.Element = int(r.order[f.Element])
	default:
		f.Element, f.Elements = 0, 0
	}
}
