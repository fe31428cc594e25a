package gpu

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// staging is the plan of the strategy "staged": the local numbering of a block's data in shared memory.
type staging struct {
	loop *loop.Loop
	plan *plan.Plan
	in   *plan.Input
}

// sharedBytes returns the most bytes of shared memory that the copies of a block take.
func (s *staging) sharedBytes() int {
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
