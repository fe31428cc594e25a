package commtest

import (
	"fmt"

	"github.com/go-op2/op2/internal/comm"
)

// split tests parts of the ranks beside all of them: what each computes stays its own, whatever the other parts do in the
// meantime.
func split(c comm.Comm) error {
	rank, size := c.Rank(), c.Size()
	if same, err := comm.Team(c, "all"); err != nil || same != c {
		return fmt.Errorf("a team of all ranks: %v, %v", same, err)
	}
	for parts := 1; parts <= min(size, 3); parts++ {
		number := rank % parts
		part, err := comm.Team(c, fmt.Sprintf("%d of %d", number, parts))
		if err != nil {
			return err
		}
		if part.Rank() != rank/parts || part.Size() != (size-number+parts-1)/parts || part.Name() != c.Name() {
			return fmt.Errorf("rank %d of %d parts is %d of %d on %q", rank, parts, part.Rank(), part.Size(), part.Name())
		}
		for range 2 + 3*number { // parts make as many calls as they like
			for _, test := range []func(comm.Comm) error{exchange, consensus, reduceAll, operations, functions} {
				if err := test(part); err != nil {
					return fmt.Errorf("part %d of %d: %w", number, parts, err)
				}
			}
		}
		if err := operations(c); err != nil {
			return err
		}
		if parts > 1 { // else it is c
			if err := part.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}
