package gpu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

// divide computes the launches.
func (v *variant) divide() error {
	m := v.memory
	v.list = m.Subset
	switch v.strategy {
	case tune.Staged, tune.InPlace:
		return v.divideStaged()
	case tune.Blocks:
		v.size = 1
		return v.divideBlocks()
	case tune.GlobalColor:
		return v.divideColors()
	case tune.Gather:
		return v.divideTargets()
	}
	v.shareElements()
	v.groups = v.groupsOf(v.elements)
	v.launches = []launch{{groups: v.groups, offset: int32(m.First), end: int32(m.Last)}}
	return nil
}

// shareElements determines the number of elements for each group: several for each work-item, if groups keep
// partial results, or if that was chosen.
func (v *variant) shareElements() {
	v.per = v.size * max(1, v.spec.Chosen.PerItem)
	if most := v.per * v.engine.limits.Groups; v.spec.Loop.Reduces() {
		v.per *= max(1, (v.elements+most-1)/most)
	}
}

// divideColors divides the loop into a launch for each color of elements.
func (v *variant) divideColors() error {
	p, _, err := v.memory.NewPlan(backend.PlanRequest{BlockSize: 1})
	if err != nil {
		return err
	}
	v.plan = p
	v.list = p.BlocksByColor
	if subset := v.memory.Subset; subset != nil {
		v.list = make([]int32, len(p.BlocksByColor))
		for i, place := range p.BlocksByColor {
			v.list[i] = subset[place]
		}
	}
	v.shareElements()
	for c := range p.Colors {
		from, to := p.ColorOffsets[c], p.ColorOffsets[c+1]
		groups := v.groupsOf(int(to - from))
		v.launches = append(v.launches, launch{groups, from, to, int32(v.groups)})
		v.groups += groups
	}
	return nil
}

// divideBlocks divides the loop into a launch for each color of blocks, with a work-item for each
// block.
func (v *variant) divideBlocks() error {
	size := v.spec.BlockSize(v.elements)
	p, _, err := v.memory.NewPlan(backend.PlanRequest{BlockSize: size, Boundaries: v.memory.Boundaries})
	if err != nil {
		return err
	}
	v.launchBlocks(p)
	v.note = fmt.Sprintf("of %d elements", size)
	return nil
}

// launchBlocks makes a launch for each color of a plan's blocks.
func (v *variant) launchBlocks(p *plan.Plan) {
	v.memory.Plan, v.plan = p, p
	for c := range p.Colors {
		from, to := p.ColorOffsets[c], p.ColorOffsets[c+1]
		v.launches = append(v.launches, launch{groups: int(to - from), offset: from, end: to})
	}
	v.groups = p.Blocks()
}

// divideTargets makes one launch over all targets.
func (v *variant) divideTargets() error {
	r, err := newReach(v.spec.Loop, v.memory)
	if err != nil {
		return err
	}
	v.reach = r
	targets := v.memory.Elements[r.data]
	v.launches = []launch{{groups: (targets + v.size - 1) / v.size}}
	return nil
}

// divideStaged divides the loop into a launch for each color of blocks, with a group for each
// block.
func (v *variant) divideStaged() error {
	wanted := cmp.Or(v.spec.Chosen.Block, v.size)
	most, grows := wanted, v.spec.Chosen.Block == 0
	request := backend.PlanRequest{Boundaries: v.memory.Boundaries, Stage: true, ElementColors: true, ByColor: v.strategy == tune.InPlace,
		Size: func(in *plan.Input) (int, error) { return v.stagedBlock(in, most, grows) }}
	for {
		p, in, err := v.memory.NewPlan(request)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(p.ElementColorCounts, func(n int32) bool { return n > most8Bit }) {
			most, grows = min(most, most8Bit), false // as many colors as elements at most
			continue
		}
		v.staging = &staging{loop: v.spec.Loop, plan: p, in: in}
		v.size, v.shared = groupFor(p.BlockSize, v.size), v.staging.sharedBytes()
		v.note = fmt.Sprintf("blocks of %d", p.BlockSize)
		if p.BlockSize < wanted {
			v.note += fmt.Sprintf(" instead of %d to fit shared memory", wanted)
		}
		v.launchBlocks(p)
		return nil
	}
}

// most8Bit is the largest number of element colors of a block: their numbers take a byte each.
const most8Bit = 256

// stagedBlock returns the number of elements of a block: at most most, as far as the device's shared memory allows. If it
// grows, blocks of a group's size that take little of it are larger, in multiples of that size, as long as there are many
// of them and several groups share a unit of the device.
func (v *variant) stagedBlock(in *plan.Input, most int, grows bool) (int, error) {
	e := v.engine
	bytes := make([]int, len(in.Data))
	for d, data := range v.spec.Loop.Data {
		bytes[d] = data.Dim * data.Type.Size()
	}
	own := reductionMemory(v.spec.Loop, v.size)
	if own > 0 {
		own += plan.SharedAlign // what is declared beside the copies
	}
	size, err := in.Fit(bytes, e.info.Local-own, 1, most)
	switch least := min(most, e.limits.LeastBlock); {
	case err != nil:
		return 0, err
	case size < least:
		return 0, misfit(fmt.Sprintf("blocks of %d elements reach more than the %d bytes of shared memory", least, e.info.Local))
	case size < v.size || !grows:
		return size, nil
	}
	most = min(v.size*e.limits.Rounds, v.elements/(e.limits.UnitBlocks*max(1, e.info.Units)))
	larger, err := in.Fit(bytes, min(e.info.Local, e.limits.GroupMemory)-own, v.size, most)
	return max(size, larger), err
}
