package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// staging is the plan of the strategy "staged": the local numbering of a block's data in shared memory.
type staging struct {
	loop *loop.Loop
	plan *plan.Plan
	in   *plan.Input
	at   []int // by loop.Data: offset of its copy in shared memory, in bytes
}

// most8Bit is the largest number of element colors of a block: their numbers take a byte each.
const most8Bit = 256

// divideStaged divides the loop into a launch for each color of blocks, with a group for each
// block. Blocks are halved until their data fits into shared memory.
func (l *layout) divideStaged() error {
	v, e, lp := l.variant, l.engine, l.spec.Loop
	wanted := cmp.Or(l.spec.Chosen.Block, v.size)
	for size := wanted; ; size /= 2 {
		if size < e.limits.LeastBlock && size < wanted {
			return misfit(fmt.Sprintf("blocks of %d elements reach more than the %d bytes of shared memory", size*2, e.info.Local))
		}
		p, in, err := l.memory.NewPlan(backend.PlanRequest{BlockSize: size, Boundaries: l.memory.Boundaries, Stage: true, ElementColors: true})
		if errors.Is(err, plan.ErrBlockTooLarge) && size > 1 {
			continue
		}
		if err != nil {
			return err
		}
		if slices.ContainsFunc(p.ElementColorCounts, func(n int32) bool { return n > most8Bit }) {
			continue
		}
		group := groupFor(size, v.size)
		l.staging = &staging{loop: lp, plan: p, in: in}
		shared := l.staging.arrange()
		if shared+reductionMemory(lp, group) > e.info.Local {
			if size > 1 {
				continue
			}
			return misfit(fmt.Sprintf("one element reaches more than the %d bytes of shared memory", e.info.Local))
		}
		v.size, v.shared = group, shared
		v.note = fmt.Sprintf("blocks of %d", size)
		if size < wanted {
			v.note += fmt.Sprintf(" instead of %d to fit shared memory", wanted)
		}
		l.launchBlocks(p)
		return nil
	}
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

// arrange assigns the copies their places in shared memory, and returns the total size in bytes.
func (s *staging) arrange() int {
	s.at = make([]int, len(s.loop.Data))
	total := 0
	for d, data := range s.loop.Data {
		t := s.table(d)
		if t == nil {
			continue
		}
		most := 0
		for b := range s.plan.Blocks() {
			most = max(most, len(t.Of(b)))
		}
		s.at[d] = total
		total += (most*data.Dim*data.Type.Size() + 15) &^ 15
	}
	return total
}

// table returns the local numbering of data d; nil if it is not staged.
func (s *staging) table(d int) *plan.Table {
	if t := s.plan.TableOf(s.in, d); t >= 0 {
		return &s.plan.Tables[t]
	}
	return nil
}

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
