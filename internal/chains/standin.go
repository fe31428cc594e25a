package chains

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
)

// All loops of a group run together, so a global can have only one value meanwhile. If the operations assign to a global
// between two loops, or for one loop alone, the loops that need the other values use a stand-in: a global of the group's
// own.

// Moment is the place of an assignment among the loops of a group.
type Moment uint8

const (
	Before  Moment = iota // no earlier loop uses the global
	Between               // earlier and later loops use the global
	After                 // no later loop uses the global
)

// MomentOf returns the place of assignment i, which is no loop's, among operations.
func MomentOf(operations []run.Operation, i int) Moment {
	s := operations[i].Set.Storage()
	uses := func(o run.Operation) bool { return o.Loop != nil && uses(&o, s) }
	switch {
	case !slices.ContainsFunc(operations[:i], uses):
		return Before
	case slices.ContainsFunc(operations[i:], uses):
		return Between
	}
	return After
}

// uses reports whether an operation uses a storage.
func uses(o *run.Operation, s *store.Storage) bool {
	return slices.ContainsFunc(o.Uses(), func(u run.Use) bool { return u.Storage == s })
}

// standsIn reports whether operation i needs a stand-in: for the values from before an assignment, or for those that are
// for one loop alone.
func standsIn(operations []run.Operation, i int) bool {
	o := &operations[i]
	return o.Set != nil && (o.Loop != nil || MomentOf(operations, i) == Between)
}

// take makes the loops of operations those of the group, unless objects that they use have become unreachable. It adds
// these objects to uses.
func (c *group) take(operations []run.Operation, uses entity.Objects) (reachable bool) {
	later := map[*store.Storage]int{} // stand-ins of the globals that later operations assign to
	for i, o := range slices.Backward(operations) {
		assigned := -1
		if standsIn(operations, i) {
			assigned = len(c.standIns)
			c.standIns = append(c.standIns, nil)
		}
		if o.Loop == nil {
			if assigned >= 0 {
				later[o.Set.Storage()] = assigned
			}
			continue
		}
		place, ok := o.Loop.Substitute(func(g *entity.Data) *entity.Data {
			n, standsIn := later[g.Storage()]
			if assigned >= 0 && g.Storage() == o.Set.Storage() {
				n, standsIn = assigned, true
			}
			if !standsIn {
				return g
			}
			if c.standIns[n] == nil {
				c.standIns[n] = g.StandIn()
			}
			return c.standIns[n]
		}, uses)
		if !ok {
			return false
		}
		c.places = append(c.places, place)
	}
	slices.Reverse(c.places)
	slices.Reverse(c.standIns)
	return true
}

// compute runs the operations of the group, whose assignments may have other values by now. After an error it returns
// which operations it concerns.
func (c *group) compute(operations []run.Operation) (Affected, error) {
	standIns := c.standIns
	for i, o := range operations {
		if o.Set == nil || o.Loop == nil && MomentOf(operations, i) == After {
			continue
		}
		to := o.Set.Storage()
		if standsIn(operations, i) {
			g := standIns[0]
			standIns = standIns[1:]
			switch {
			case o.Loop != nil:
				to = g.Storage()
			case g != nil:
				if err := g.Storage().Take(to); err != nil {
					return Affected{Last: len(operations), At: i}, err
				}
			}
		}
		if o.Loop == nil || !o.Set.In(to) {
			o.Set.To(to)
		}
	}
	t, err := c.ways.run(c)
	if err == nil {
		t.Last = len(operations)
	} else if t = among(t, operations); c.restore(operations, t.Last) != nil {
		t.Last = len(operations)
	}
	for i, o := range operations[:t.Last] {
		if o.Set != nil && o.Loop == nil && MomentOf(operations, i) == After {
			o.Set.To(o.Set.Storage())
		}
	}
	return t, err
}

// restore undoes the assignments of operations from first on, which have not run.
func (c *group) restore(operations []run.Operation, first int) error {
	n := len(c.standIns)
	for i := len(operations) - 1; i >= first; i-- {
		if !standsIn(operations, i) {
			continue
		}
		n--
		if g, o := c.standIns[n], &operations[i]; o.Loop == nil && g != nil {
			if err := o.Set.Storage().Take(g.Storage()); err != nil {
				return err
			}
		}
	}
	return nil
}

// among translates a range of loops to one of operations.
func among(t Affected, operations []run.Operation) Affected {
	var places []int
	for i := range operations {
		if operations[i].Loop != nil {
			places = append(places, i)
		}
	}
	return Affected{places[t.First], places[t.Last-1] + 1, places[t.At]}
}
