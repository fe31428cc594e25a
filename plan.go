package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// plan finds or makes the plan that a backend wishes for; nil if it wants none, or
// if the runtime is static.
func (b *binder) plan(wish backend.PlanWish) (*plan.Plan, error) {
	if wish.BlockSize == 0 || b.rt.config.static {
		return nil, nil
	}
	in := b.planInput(wish)
	p, err := b.rt.plans.Get(in)
	if err == nil && b.rt.config.checkPlans {
		err = plan.Check(in, p)
	}
	if err != nil {
		return nil, fmt.Errorf("op2: %s: %w", b.what, err)
	}
	return p, nil
}

// planInput says which data the loop changes and by which ways it reaches them. For a
// loop over a subset, elements are places in the subset.
func (b *binder) planInput(wish backend.PlanWish) *plan.Input {
	in := &plan.Input{Last: b.elements(), BlockSize: wish.BlockSize, Workers: b.rt.config.given.Threads}
	for i, d := range b.datas {
		access := b.desc.DataAccess(i)
		if d.kind == loop.Global || access == loop.Read || d.kind == loop.Mat && access == loop.Write {
			continue
		}
		data := plan.Data{Collides: true}
		indirect := false
		for _, a := range b.args {
			indirect = indirect || a.data == d && a.m != nil
		}
		for _, a := range b.args {
			switch {
			case a.data != d:
			case a.m != nil:
				data.Refs = append(data.Refs, plan.Ref{Map: b.planMap(in, a.m), Component: a.component})
			case indirect && b.subset != nil:
				data.Refs = append(data.Refs, plan.Ref{Map: b.planMap(in, nil)})
			default:
				data.Refs = append(data.Refs, plan.Ref{Map: plan.Direct})
			}
		}
		in.Data = append(in.Data, data)
	}
	return in
}

// planMap is the identity of a map in the plan's input, where it is added if it is not
// there. Nil stands for the map from places in the subset to elements.
func (b *binder) planMap(in *plan.Input, m *Map) plan.MapID {
	pm := plan.Map{Arity: 1, Targets: b.set.size}
	if m != nil {
		pm = plan.Map{ID: plan.MapID(m.id), Arity: m.arity, Targets: m.to.size, Values: m.values}
	}
	if b.subset != nil {
		pm.ID = plan.MapID(b.subset.planID(m))
	}
	for _, other := range in.Maps {
		if other.ID == pm.ID {
			return pm.ID
		}
	}
	if b.subset != nil {
		pm.Values = b.subset.gather(m)
	}
	in.Maps = append(in.Maps, pm)
	return pm.ID
}
