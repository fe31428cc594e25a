package chains

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
)

// Repeated is a group of operations that a program calls again and again. It is ready, and keeps no sets, maps and data
// alive.
type Repeated struct {
	group   *group
	objects entity.Objects // that its loops use
}

// Repeat returns the group of operations, loops and assignments, that have run that often one by one; nil unless it is
// more than that, and all that they use is reachable. It also returns after how many calls there may be another one, with
// tiles; 0: never.
func Repeat(rt *entity.Runtime, operations []run.Operation, ran int64) (r *Repeated, again int64, err error) {
	c := &group{settings: settings{rt: rt, repeated: true, tests: testsOf(rt)}, ran: ran}
	r = &Repeated{c, entity.Objects{}}
	if !c.take(operations, r.objects) {
		return nil, 0, nil
	}
	if err := c.translate(); err != nil {
		return nil, 0, err
	}
	if err := c.postpone(); err != nil || c.plain {
		return nil, c.due, err
	}
	if err := c.prepare(); err != nil {
		return nil, 0, err
	}
	again = c.matures()
	if !c.gains() {
		return nil, again, nil
	}
	for _, s := range c.segments {
		if err := s.ready(); err != nil {
			return nil, again, err
		}
	}
	c.detach()
	return r, again, nil
}

// UsesAny reports whether the chain uses any of the objects.
func (r *Repeated) UsesAny(objects entity.Objects) bool {
	for id := range objects {
		if r.objects[id] {
			return true
		}
	}
	return false
}

// Run runs operations that are like the group's but for the values of assignments. After an error it returns which it
// concerns.
func (r *Repeated) Run(operations []run.Operation) (Affected, error) {
	return r.group.compute(operations)
}

// matures returns the number of calls after which some segment is inspected; 0 if none is.
func (c *group) matures() int64 {
	least := int64(0)
	for _, s := range c.segments {
		if s.pending != nil && (least == 0 || s.due < least) {
			least = s.due
		}
	}
	return least
}

// gains reports whether the group is more than its loops one after another.
func (c *group) gains() bool {
	return len(c.all()) < len(c.places) || slices.ContainsFunc(c.segments, func(s *segment) bool { return s.tiled != nil })
}

// detach makes the group, which is ready, keep no sets, maps and data alive. It cannot be prepared
// again.
func (c *group) detach() {
	c.places = nil
	for _, s := range c.segments {
		s.pending = nil
		for _, l := range s.loops {
			l.Detach()
		}
	}
}
