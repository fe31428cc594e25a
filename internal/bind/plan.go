package bind

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// Plan returns the plan that a backend requests, new or cached, and its input; nil if the request
// is for none.
func (b *Binding) Plan(request backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
	if request.BlockSize == 0 && request.Size == nil {
		return nil, nil, nil
	}
	in := b.PlanInput(request)
	if err := request.SetSize(in); err != nil {
		return nil, nil, err
	}
	p, err := b.Env.Plans.Get(in)
	if err == nil && b.Runtime.Config().CheckPlans {
		err = plan.Check(in, p)
	}
	if err != nil {
		return nil, nil, err
	}
	return p, in, nil
}

// Staged says what a local table is for.
type Staged struct {
	Dats  []string // that are reached by it
	Slots []string // how: "edge2cell[0]", or "direct" for the element itself
}

// StagedBy returns what each table of a plan is for.
func (b *Binding) StagedBy(p *plan.Plan, in *plan.Input) []Staged {
	if p == nil || len(p.Tables) == 0 {
		return nil
	}
	names := map[plan.MapID]string{}
	for _, a := range b.Args {
		if a.Map != nil {
			names[b.Env.seen.id(b.Over.Subset, a.Map)] = a.Map.Name()
		}
	}
	all := make([]Staged, len(p.Tables))
	for t := range p.Tables {
		for _, s := range p.Tables[t].Slots {
			slot := "direct"
			if name, through := names[s.Map]; through {
				slot = fmt.Sprintf("%s[%d]", name, s.Component)
			}
			all[t].Slots = append(all[t].Slots, slot)
		}
	}
	for d := range in.Data {
		if t := p.TableOf(in, d); t >= 0 {
			all[t].Dats = append(all[t].Dats, b.Data[d].Name())
		}
	}
	return all
}

// PlanInput returns the plan's input, which says for each of the loop's data whether elements
// collide there, whether it is staged, and how it is reached. For a loop over a subset, elements
// are indices into the subset.
func (b *Binding) PlanInput(request backend.PlanRequest) *plan.Input {
	in := &plan.Input{Last: b.last(), BlockSize: request.BlockSize, Boundaries: request.Boundaries, ElementColors: request.ElementColors, ByColor: request.ByColor,
		Workers: b.Runtime.Config().Backend.Threads}
	for i, d := range b.Data {
		in.Data = append(in.Data, b.planData(in, i, d, request))
	}
	return in
}

// planData returns data i for the plan's input. Data that neither collides nor is staged has no
// references: the plan does not depend on it.
func (b *Binding) planData(in *plan.Input, i int, d *entity.Data, request backend.PlanRequest) plan.Data {
	indirect := false
	for _, a := range b.Args {
		indirect = indirect || a.Data == d && a.Map != nil
	}
	access := b.Loop.DataAccess(i)
	data := plan.Data{
		Collides: d.Kind() != loop.Global && access != loop.Read && !(d.Kind() == loop.Mat && access == loop.Write),
		Stage:    request.Stage && d.Kind() == loop.Dat && indirect,
	}
	if data.Collides || data.Stage {
		for _, a := range b.Args {
			switch m := meeting(a); {
			case a.Data != d:
			case m != nil:
				data.Refs = append(data.Refs, plan.Ref{Map: b.planMap(in, m), Component: a.Component})
			case indirect && b.Over.Subset != nil:
				data.Refs = append(data.Refs, plan.Ref{Map: b.planMap(in, nil)})
			default:
				data.Refs = append(data.Refs, plan.Ref{Map: plan.Direct})
			}
		}
	}
	return data
}

// meeting returns the map by whose targets elements collide. Those that add to the same nonzero of a mat have its row and its
// column in common: either will do, and one that fewer elements share makes fewer colors. It returns nil if those of an element meet with
// none of others.
func meeting(a entity.Arg) *entity.Map {
	if a.Kind != loop.Mat {
		return a.Map
	}
	s := a.Data.Sparsity() // whose sets decide, rather than maps: all arguments of a mat meet in its rows, or all in its columns
	if s.Cols().Total() > s.Rows().Total() {
		return a.Cols.Between()
	}
	return a.Map.Between()
}

// planMap returns the ID of a map in the plan's input, adding it if necessary. Nil stands for the
// map from indices into the subset to elements.
func (b *Binding) planMap(in *plan.Input, m *entity.Map) plan.MapID {
	pm := plan.Map{Arity: 1, Targets: b.Over.Set.Total()}
	if m != nil {
		pm = plan.Map{Arity: m.Arity(), Targets: m.To().Total(), Values: m.Targets()}
	}
	pm.ID = b.Env.seen.id(b.Over.Subset, m)
	for _, other := range in.Maps {
		if other.ID == pm.ID {
			return pm.ID
		}
	}
	if b.Over.Subset != nil {
		pm.Values = b.Over.Subset.Gather(m)
	}
	in.Maps = append(in.Maps, pm)
	return pm.ID
}
