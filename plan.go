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

// planInput says which data the loop changes and by which ways it reaches them.
func (b *binder) planInput(wish backend.PlanWish) *plan.Input {
	in := &plan.Input{Last: b.set.size, BlockSize: wish.BlockSize, Workers: b.rt.config.given.Threads}
	for _, m := range b.maps {
		in.Maps = append(in.Maps, plan.Map{ID: plan.MapID(m.id), Arity: m.arity, Targets: m.to.size, Values: m.values})
	}
	for i, d := range b.datas {
		if d.kind != loop.Dat || b.desc.DataAccess(i) == loop.Read {
			continue
		}
		data := plan.Data{Collides: true}
		for _, a := range b.args {
			switch {
			case a.data != d:
			case a.m == nil:
				data.Refs = append(data.Refs, plan.Ref{Map: plan.Direct})
			default:
				data.Refs = append(data.Refs, plan.Ref{Map: plan.MapID(a.m.id), Component: a.component})
			}
		}
		in.Data = append(in.Data, data)
	}
	return in
}
