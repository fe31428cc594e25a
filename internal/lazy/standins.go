package lazy

import (
	"slices"

	"github.com/go-op2/op2/internal/core"
)

// A chain that has been found among queued calls has the loops of a group. What is assigned to a global
// between two of them, or for one of them alone, must not keep them apart: loops that need other values
// than the global has after the group get a stand-in for it.

// makeChain makes the chain of the loops that are called, if it is more than its loops one after
// another, and if all of their objects are reachable.
func (s *sequence) makeChain(rt *core.Runtime, calls []queued) error {
	chain := core.NewFound(rt, int64(s.seen)-1)
	var standIns []*core.Data
	later := map[*core.Storage]int{} // the stand-ins for globals to which later calls assign
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
		reachable := chain.Precede(c.loop, func(g *core.Data) *core.Data {
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

// standsIn reports whether there is a stand-in for the global that the call assigns to: with its values
// from before the call, or those for the call alone.
func (c *queued) standsIn() bool { return c.assign != nil && (c.loop != nil || c.when == between) }

// run computes calls of the sequence as a chain. After an error it returns which calls it concerns.
func (s *sequence) run(calls []queued) (core.Torn, error) {
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
					return core.Torn{Last: len(calls), At: i}, err
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

// restore gives globals the values from before the last calls of the sequence.
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

// among returns what an error concerns among calls, given places among their loops.
func among(t core.Torn, calls []queued) core.Torn {
	var places []int
	for i := range calls {
		if calls[i].loop != nil {
			places = append(places, i)
		}
	}
	return core.Torn{First: places[t.First], Last: places[t.Last-1] + 1, At: places[t.At]}
}
