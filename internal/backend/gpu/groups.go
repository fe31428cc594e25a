package gpu

import (
	"fmt"
	"math/bits"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/loop"
)

// misfit says why a strategy does not fit the device or the loop.
type misfit string

func (e *engine) groupSize(l *loop.Loop, most int) int {
	return GroupSize(l, most, min(e.info.Local, e.limits.GroupMemory))
}

// GroupSize returns the number of work-items of a group, at most most: reductions may take half of the shared memory.
func GroupSize(l *loop.Loop, most, shared int) int {
	for most > 1 && 2*reductionMemory(l, most) > shared {
		most /= 2
	}
	return most
}

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

// groupFor returns the number of work-items, a power of two and at most most, for a block.
func groupFor(block, most int) int { return min(most, 1<<bits.Len(uint(max(block, 2)-1))) }

// itemsOf returns the number of work-items of a group that is chosen for a loop, or else the largest by default. The error
// says why the user's choice cannot be; that of others then does not count.
func (e *engine) itemsOf(s *backend.Spec) (int, error) {
	chosen := s.Chosen.Group
	switch {
	case chosen == 0:
		return e.info.MaxGroup, nil
	case chosen > e.mostItems:
		return e.refuse(s, fmt.Errorf("groups of %d work-items: %s has at most %d", chosen, e.info.Name, e.mostItems))
	case s.Loop.Reduces() && chosen&(chosen-1) != 0:
		return e.refuse(s, fmt.Errorf("groups of %d work-items: the loop reduces, which needs a power of two", chosen))
	}
	return chosen, nil
}

// refuse returns the default size of groups, or the error if the user has chosen another.
func (e *engine) refuse(s *backend.Spec, err error) (int, error) {
	if s.Chosen.Who(choice.Group) == choice.User {
		return 0, err
	}
	s.Chosen.Drop(choice.Group)
	return e.info.MaxGroup, nil
}
