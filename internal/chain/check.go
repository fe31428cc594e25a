package chain

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
)

// Check proves that a schedule runs each element of each loop once, that no two threads use a value at
// the same time that one of them changes, and that what depends on something runs after it. It knows
// nothing of how the schedule was made. Its time is quadratic in the references to one value.
func Check(in *Input, s *Schedule) error {
	when, err := times(in, s)
	if err != nil {
		return err
	}
	for storage, set := range in.Storages {
		uses := make([][]use, in.Sets[set])
		for l := range in.Loops {
			for i := range in.Loops[l].Args {
				a := &in.Loops[l].Args[i]
				if a.Storage != storage {
					continue
				}
				for e := in.Loops[l].First; e < in.Loops[l].Last; e++ {
					a.targets(in.Loops[l].element(e), func(t int32) { uses[t] = append(uses[t], use{l, e, a.Access}) })
				}
			}
		}
		for t, list := range uses {
			for i, later := range list {
				for _, earlier := range list[:i] {
					if err := compare(when, earlier, later); err != nil {
						return fmt.Errorf("chain: value %d of storage %d: %w", t, storage, err)
					}
				}
			}
		}
	}
	return nil
}

// use is one use of a value.
type use struct {
	loop, element int
	access        loop.Access
}

func (u use) String() string {
	return fmt.Sprintf("element %d of loop %d (%s)", u.element, u.loop, u.access)
}

// moment is when an element runs: in which stage, which group, and as which tile of the schedule.
type moment struct{ stage, group, tile int }

// times returns when each element of each loop runs, or an error unless each runs exactly once.
func times(in *Input, s *Schedule) ([][]moment, error) {
	when := make([][]moment, len(in.Loops))
	for l, lp := range in.Loops {
		when[l] = make([]moment, lp.Last)
		for e := range when[l] {
			when[l][e].stage = -1
		}
	}
	tile := 0
	for stage, groups := range s.Stages {
		for group, g := range groups {
			if g.First != tile || g.Last < g.First {
				return nil, fmt.Errorf("chain: group %d of stage %d has the tiles [%d, %d), tile %d is next", group, stage, g.First, g.Last, tile)
			}
			for ; tile < g.Last; tile++ {
				for l := range in.Loops {
					for _, r := range s.Of(l, tile) {
						if int(r[0]) < in.Loops[l].First || int(r[1]) > in.Loops[l].Last {
							return nil, fmt.Errorf("chain: the run %v is not in loop %d", r, l)
						}
						for e := r[0]; e < r[1]; e++ {
							if when[l][e].stage >= 0 {
								return nil, fmt.Errorf("chain: element %d of loop %d runs twice", e, l)
							}
							when[l][e] = moment{stage, group, tile}
						}
					}
				}
			}
		}
	}
	for l := range when {
		for e, m := range when[l] {
			if m.stage < 0 && e >= in.Loops[l].First {
				return nil, fmt.Errorf("chain: element %d of loop %d does not run", e, l)
			}
		}
	}
	return when, nil
}

// compare returns an error if two uses of one value, the first of which comes first in the program, may
// run at the same time or in the wrong order.
func compare(when [][]moment, earlier, later use) error {
	if earlier.access == loop.Read && later.access == loop.Read || earlier.loop == later.loop && earlier.element == later.element {
		return nil
	}
	a, b := when[earlier.loop][earlier.element], when[later.loop][later.element]
	if a.stage == b.stage && a.group != b.group {
		return fmt.Errorf("%s and %s run at the same time", earlier, later)
	}
	free := earlier.loop == later.loop && commutes(earlier.access) && earlier.access == later.access
	if free && a.stage != b.stage {
		return nil
	}
	if earlier.loop == later.loop && earlier.element > later.element {
		a, b = b, a
	}
	if a.stage > b.stage || a.stage == b.stage && a.tile > b.tile {
		return fmt.Errorf("%s runs after %s", earlier, later)
	}
	return nil
}
