package lazy

import (
	"slices"

	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/store"
)

// The chain of a group runs all loops of the group at once, so a global can have only one value in it.
// If the group assigns to a global between two loops, or for one loop alone, the loops that need the
// other values use a stand-in: a global of the chain's own.

// makeChain makes the chain of a group of calls, unless running its loops one by one is as good, or one
// of their objects is unreachable.
func (s *sequence) makeChain(rt *entity.Runtime, calls []queued) error {
	chain := chains.NewRepeated(rt, int64(s.seen)-1)
	var standIns []*entity.Data
	later := map[*store.Storage]int{} // stand-ins of the globals that later calls assign to
	for i := range slices.Backward(calls) {
		c := &calls[i]
		assigned := -1
		if c.standsIn() {
			assigned = len(standIns)
			standIns = append(standIns, nil)
		}
		if c.loop == nil {
			if assigned >= 0 {
				later[c.assign.storage()] = assigned
			}
			continue
		}
		reachable := chain.Precede(c.loop, func(g *entity.Data) *entity.Data {
			n, standsIn := later[g.Storage()]
			if assigned >= 0 && g.Storage() == c.assign.storage() {
				n, standsIn = assigned, true
			}
			if !standsIn {
				return g
			}
			if standIns[n] == nil {
				standIns[n] = g.StandIn()
			}
			return standIns[n]
		})
		if !reachable {
			return nil
		}
	}
	slices.Reverse(standIns)
	gains, again, err := chain.Prepare()
	if err != nil {
		return err
	}
	if s.again = again; gains {
		s.chain, s.standIns = chain, standIns
	}
	return nil
}

// standsIn reports whether the assignment of a call needs a stand-in: for the values from before the
// assignment, or for those that are for the call alone.
func (c *queued) standsIn() bool { return c.assign != nil && (c.loop != nil || c.when == between) }

// run runs a group of calls as a chain. With an error it returns the interrupted calls.
func (s *sequence) run(calls []queued) (chains.Affected, error) {
	standIns := s.standIns
	for i := range calls {
		c := &calls[i]
		if c.assign == nil || c.when == after {
			continue
		}
		to := c.assign.storage()
		if c.standsIn() {
			g := standIns[0]
			standIns = standIns[1:]
			switch {
			case g == nil:
			case c.loop != nil:
				to = g.Storage()
			default:
				if err := g.Storage().Take(to); err != nil {
					return chains.Affected{Last: len(calls), At: i}, err
				}
			}
		}
		c.assign.to(to)
	}
	t, err := s.chain.Run()
	if err == nil {
		t.Last = len(calls)
	} else {
		t = among(t, calls)
		s.restore(calls[t.Last:])
	}
	for i := range calls[:t.Last] {
		if c := &calls[i]; c.loop == nil && c.when == after {
			c.assign.to(c.assign.storage())
		}
	}
	return t, err
}

// restore undoes the assignments of the last calls of the sequence, which have not run.
func (s *sequence) restore(calls []queued) {
	n := len(s.standIns)
	for i := range slices.Backward(calls) {
		c := &calls[i]
		if !c.standsIn() {
			continue
		}
		n--
		if g := s.standIns[n]; c.loop == nil && g != nil {
			if err := c.assign.storage().Take(g.Storage()); err != nil {
				c.lose(err)
			}
		}
	}
}

// among translates a range of loops to one of calls.
func among(t chains.Affected, calls []queued) chains.Affected {
	var places []int
	for i := range calls {
		if calls[i].loop != nil {
			places = append(places, i)
		}
	}
	return chains.Affected{First: places[t.First], Last: places[t.Last-1] + 1, At: places[t.At]}
}
