package gpu

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

// staging is the plan of the strategy "staged": the local numbering of a block's data in shared memory.
type staging struct {
	loop *loop.Loop
	plan *plan.Plan
	in   *plan.Input
}

// most8Bit is the largest number of element colors of a block: their numbers take a byte each.
const most8Bit = 256

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
		v.size, v.shared = groupFor(p.BlockSize, v.size), v.staging.shared()
		v.note = fmt.Sprintf("blocks of %d", p.BlockSize)
		if p.BlockSize < wanted {
			v.note += fmt.Sprintf(" instead of %d to fit shared memory", wanted)
		}
		v.launchBlocks(p)
		return nil
	}
}

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

// groupFor returns the number of work-items, a power of two and at most most, for a block.
func groupFor(block, most int) int { return min(most, 1<<bits.Len(uint(max(block, 2)-1))) }

// reductionMemory returns the shared memory that reductions take in a group.
func reductionMemory(l *loop.Loop, group int) int {
	n := 0
	for _, a := range l.Args {
		if a.Reduces() {
			size := l.Type(a).Size()
			if d := l.Data[a.Data]; a.Access == loop.Reduce || d.Record() != nil {
				size *= d.Words()
			}
			n += group * size
		}
	}
	return n
}

// shared returns the most bytes of shared memory that the copies of a block take.
func (s *staging) shared() int {
	var staged []plan.Staged
	for d, data := range s.loop.Data {
		if t := s.plan.TableOf(s.in, d); t >= 0 {
			staged = append(staged, plan.Staged{Table: t, Bytes: data.Dim * data.Type.Size()})
		}
	}
	return s.plan.SharedBytes(staged...)
}

// table returns the local numbering of data d, which is staged.
func (s *staging) table(d int) *plan.Table { return &s.plan.Tables[s.plan.TableOf(s.in, d)] }

// local returns the local numbers of what elements reach as they do data d, a column for each way.
func (s *staging) local(e *engine, d int) (*array, error) {
	t := s.table(d)
	ways := s.loop.WaysTo(d)
	slots := make([]int, len(ways))
	ref := 0
	for _, a := range s.loop.Args {
		if a.Kind != loop.Dat || a.Data != d {
			continue
		}
		way, slot := slices.Index(ways, a.Way()), t.Slot(s.in.Data[d].Refs[ref])
		ref++
		for c := range s.loop.Arity(a) {
			slots[way+c] = slot + c
		}
	}
	return sharedArray(e, t.Local, fmt.Sprint(slots), func() []uint16 { return columnsOf(t.Local, len(t.Slots), slots) })
}
