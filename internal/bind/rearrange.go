package bind

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/userkernel"
)

// Rearranged is how threads run a loop in whose own order colors would leave them idle, since elements
// from all over the set change the same values: in another order. Backends see a loop over positions
// in that order, whose maps lead from them, and which reaches data of the set itself through a map.
//
// The choice and the order depend on the mesh, the kernel and the machine's number of processors, but
// not on the number of threads, so that results do not either.
type Rearranged struct {
	Spec    backend.Spec
	Memory  backend.Memory
	Order   []int32    // the elements by position
	Plan    *plan.Plan // in this order
	Colored *plan.Plan // in the loop's own
	Bytes   int        // of maps and tables in this order
}

// Rearrange returns how the loop runs in another order; nil if it does not.
func (b *Binding) Rearrange(k *userkernel.Kernel) (*Rearranged, error) {
	if b.Chosen.Block != 0 || !b.rearrangeable() {
		return nil, nil
	}
	request := backend.PlanRequest{BlockSize: b.BlockSize(b.Memory.Last), Boundaries: b.Memory.Boundaries}
	colored, in, err := b.Plan(request)
	if err != nil || !backend.LeavesIdle(colored, b.Memory.Last*b.Cost) {
		return nil, err
	}
	r := &Rearranged{Colored: colored}
	for _, ranges := range backend.Ranges() {
		other, order := in.Rearranged(ranges)
		if other == nil {
			continue
		}
		p, err := plan.Build(other)
		if err == nil && b.Runtime.Config().CheckPlans {
			err = plan.Check(other, p)
		}
		if err != nil {
			return nil, err
		}
		if best := r.Plan; best == nil && backend.MuchBetter(p, colored) || best != nil && backend.MuchBetter(p, best) {
			r.Plan, r.Order = p, order
		}
	}
	if r.Plan == nil {
		return nil, nil
	}
	return r, r.bind(b, k)
}

// rearrangeable reports whether the loop runs on threads in an order that is left to the library.
func (b *Binding) rearrangeable() bool {
	rt := b.Runtime
	if rt.Config().Static || rt.Device() != nil || rt.Name() == "sequential" || rt.Config().Backend.SameBits || b.Over.Subset != nil || b.Over.Layers.Of != nil {
		return false
	}
	return !slices.ContainsFunc(b.Args, func(a entity.Arg) bool {
		return a.Kind == loop.Index || a.Kind == loop.Dat && a.Map != nil && (a.Access == loop.Write || a.Access == loop.RW)
	})
}

// bind binds the loop over positions.
func (r *Rearranged) bind(b *Binding, k *userkernel.Kernel) error {
	set := b.Over.Set
	elements := slices.Clone(r.Order)
	for e := len(elements); e < set.Total(); e++ { // others stay where they are
		elements = append(elements, int32(e))
	}
	self := entity.MapOf(set, set, 1, elements, set.Name(), false)
	args := slices.Clone(b.Args)
	for i := range args {
		if a := &args[i]; a.Kind == loop.Dat && a.Map == nil {
			a.Map, a.Component = self, 0
		}
	}
	other, err := NewBinding(b.Env, k, b.Over, args)
	if err != nil {
		return err
	}
	r.Spec, r.Memory = other.Spec, other.Memory
	r.Memory.Boundaries = b.Memory.Boundaries
	permuted := func(values []int32, width int) []int32 {
		r.Bytes += 4 * len(values)
		return plan.Permuted(values, width, r.Order)
	}
	for i, f := range other.Maps {
		if f != self {
			r.Memory.Maps[i] = unsafe.Pointer(unsafe.SliceData(permuted(f.Targets(), f.Arity())))
		}
	}
	for i, n := range other.Loop.Nonzeros {
		if table := r.Memory.Nonzeros[i].Table; table != nil {
			r.Memory.Nonzeros[i].Table = permuted(table, other.Loop.Positions(n))
		}
	}
	return nil
}

// Locate replaces the position of a fault by the element there. Of several positions it is not known.
func (r *Rearranged) Locate(f *backend.Fault) {
	switch {
	case r == nil:
	case f.Elements == 1:
		f.Element = int(r.Order[f.Element])
	default:
		f.Element, f.Elements = 0, 0
	}
}
