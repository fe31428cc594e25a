package chains

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
)

// Repeated is a chain of loops that a program calls again and again. Once it is ready, it keeps no sets, maps
// and data alive.
type Repeated struct {
	chain   *Chain
	objects entity.Objects // that its loops use
}

// NewRepeated returns a chain without loops, whose calls have run that often loop by loop.
func NewRepeated(rt *entity.Runtime, ran int64) *Repeated {
	return &Repeated{&Chain{settings: settings{rt: rt, repeated: true, tests: testsOf(rt)}, ran: ran}, entity.Objects{}}
}

// Precede puts a loop before those that the chain has, with what instead returns for its data. It reports
// whether all that the loop uses is reachable; otherwise, there is no chain.
func (r *Repeated) Precede(l *run.Loop, instead func(*entity.Data) *entity.Data) bool {
	place, ok := l.Substitute(instead, r.objects)
	if ok {
		r.chain.places = slices.Insert(r.chain.places, 0, place)
	}
	return ok
}

// Prepare makes the chain ready, if it is more than its loops one after another. It returns after how
// many calls a new one may have tiles; 0: never.
func (r *Repeated) Prepare() (gains bool, again int64, err error) {
	c := r.chain
	if err := c.translate(); err != nil {
		return false, 0, err
	}
	if err := c.postpone(); err != nil || c.plain {
		return false, c.due, err
	}
	if err := c.prepare(); err != nil {
		return false, 0, err
	}
	again = c.matures()
	if !c.gains() {
		return false, again, nil
	}
	for _, s := range c.segments {
		if err := s.ready(); err != nil {
			return false, again, err
		}
	}
	c.detach()
	return true, again, nil
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

// Run computes the loops. After an error it returns which it concerns.
func (r *Repeated) Run() (Affected, error) { return r.chain.run() }

// matures returns the number of calls after which some segment is inspected; 0 if none is.
func (c *Chain) matures() int64 {
	least := int64(0)
	for _, s := range c.segments {
		if s.pending != nil && (least == 0 || s.due < least) {
			least = s.due
		}
	}
	return least
}

// gains reports whether the chain is more than its loops one after another.
func (c *Chain) gains() bool {
	return len(c.all()) < len(c.places) || slices.ContainsFunc(c.segments, func(s *segment) bool { return s.tiled != nil })
}

// detach makes the chain, which is ready, keep no sets, maps and data alive. It cannot be prepared
// again.
func (c *Chain) detach() {
	c.places = nil
	for _, s := range c.segments {
		s.pending = nil
		for _, l := range s.loops {
			l.Detach()
		}
	}
}
