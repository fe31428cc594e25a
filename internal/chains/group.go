package chains

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tune"
)

// group is loops, with the assignments to globals among them, that are computed as one: neighbors may be fused, and
// several loops cut into tiles. It has loops of its own, one for each place: a loop that occurs twice has partial
// results for both.
type group struct {
	settings
	places   []*run.Loop    // the program's loops, with stand-ins
	standIns []*entity.Data // one for each assignment that needs one; nil where no loop uses it
	arranged
	changes int   // number of changes of maps when the segments were made
	ran     int64 // calls since the maps have changed

	// With auto, calls run loop by loop at first.
	due   int64     // calls before neighbors are fused and tiles considered
	plain bool      // what is arranged, or next, is for these calls
	next  *arranged // once from calls have run, as its code is being compiled; nil if there is nothing else
	from  int64

	temporaries []*store.Storage // of dats that nobody reads after a call

	decided bool  // what wisdom says is known
	ways    *ways // that are tried; nil for none
}

// arranged is how the loops of a group run.
type arranged struct {
	segments []*segment     // in order; nil until they are needed
	ranks    *run.Exchanges // nil if each loop has its own
	apart    []string       // why neighbors are not fused
}

// with returns the group with a choice of its own, 0 for the runtime's, and dats that nobody reads after it.
func (c *group) with(choice tune.Chains, temporaries []*store.Storage) *group {
	with := &group{settings: c.settings, places: c.places, standIns: c.standIns, temporaries: temporaries}
	with.choice, with.learned, with.proved = choice, noChoices, ""
	return with
}

// prepare makes the segments, unless there are some, no map has changed since, and neighbors are not to be fused now.
func (c *group) prepare() error {
	if !c.decided {
		if err := c.decide(); err != nil {
			return err
		}
	}
	if c.segments != nil {
		switch {
		case c.stale():
			c.ran, c.next = 0, nil
		case c.next != nil && c.ran >= c.from:
			c.arranged, c.next = *c.next, nil
			return nil
		case !c.plain || c.ran < c.due:
			return nil
		}
	}
	c.rt.DropUnreachable()
	if err := c.prove(); err != nil {
		return err
	}
	if err := c.translate(); err != nil {
		return err
	}
	if err := c.postpone(); err != nil {
		return err
	}
	before := byPlace(c.all())
	loops, why, err := c.bind()
	if err != nil {
		return err
	}
	continueAll(before, loops)
	for _, l := range loops {
		if err := l.Order(); err != nil {
			return err
		}
		if err := c.tryApart(l); err != nil {
			return err
		}
	}
	segments, ranks, err := c.arrange(loops)
	if err != nil {
		return err
	}
	for _, s := range segments {
		if err := c.tile(s); err != nil {
			return err
		}
		if s.tiled == nil {
			s.queued = c.sequence(s.loops)
		}
	}
	if err := run.ShareOrdered(c.rt); err != nil {
		return err
	}
	c.recordChain(segments)
	c.changes = c.rt.Changes()
	if as := (arranged{segments, ranks, why}); c.segments == nil || untilCompiled(c.ran) == c.ran {
		c.arranged = as
	} else {
		c.next, c.from = &as, untilCompiled(c.ran)
	}
	return nil
}

// untilCompiled returns the number of calls after which what has been prepared in call ran runs where it is not tried,
// so that few wait for the compiler: not when it has ended, since the digits must not depend on it.
func untilCompiled(ran int64) int64 { return ran + ran/8 }

// mature inspects the segments that have run often enough for that.
func (c *group) mature() error {
	for _, s := range c.segments {
		if s.pending == nil || c.ran < s.due {
			continue
		}
		in := s.pending
		s.pending = nil
		if err := c.inspect(s, in); err != nil {
			return err
		}
		if err := c.tile(s); err != nil {
			return err
		}
		if s.tiled != nil && s.trial.Trial == nil {
			s.tiled.from = untilCompiled(c.ran)
		}
	}
	return nil
}

// bind binds the loops of the places, and fuses those that are to be fused. apart says why others are
// not.
func (c *group) bind() (loops []*member, apart []string, err error) {
	all := make([]*member, len(c.places))
	for i, place := range c.places {
		l, err := place.Copy(c.chosen() == tune.Fuse || c.chosen() == tune.Tile)
		if err != nil {
			return nil, nil, err
		}
		if c.repeated {
			l.Continue(place)
		}
		all[i] = &member{Loop: l}
	}
	if c.plain {
		return all, nil, nil
	}
	return c.fuse(all, c.temporaries)
}

// arrange divides loops that have been bound into segments, and inspects those that may run by tiles. On
// several ranks it returns their exchanges, if these are those of the chain.
func (c *group) arrange(loops []*member) ([]*segment, *run.Exchanges, error) {
	ranks := c.exchanges(loops)
	if c.plain {
		if !saves(ranks, false) {
			ranks = nil
		}
		return []*segment{{loops: loops, why: fmt.Sprintf("neighbors are fused, and tiles considered, in call %d", c.due+1)}}, ranks, nil
	}
	segments := c.cut(loops, ranks.Starts())
	// The same on all ranks, as what is tiled need not be:
	candidates, err := c.rt.AnyRank(slices.ContainsFunc(segments, func(s *segment) bool { return s.why == "" }))
	if err != nil {
		return nil, nil, err
	}
	if !saves(ranks, candidates) {
		ranks = nil
	}
	first := 0
	for _, s := range segments {
		switch {
		case s.why != "":
		case c.rt.Several() && ranks == nil:
			s.why = "ranks exchange messages less often loop by loop"
		default:
			s.executed = ranks.Executed(first, len(s.loops))
			if err := c.consider(s, c.ran); err != nil {
				return nil, nil, err
			}
		}
		first += len(s.loops)
	}
	return segments, ranks, nil
}

// saves reports whether a call that repeats has fewer exchanges than loop by loop, or none more if some loops may be
// tiled between them.
func saves(x *run.Exchanges, tiles bool) bool {
	if x == nil {
		return false
	}
	together, apart := x.Calls()
	return together < apart || tiles && together == apart
}

// exchanges returns the exchanges of the loops; nil if there are none.
func (c *group) exchanges(loops []*member) *run.Exchanges {
	if c.chosen() == tune.ChainsOff || c.rt.Config().Static || c.oneByOne() {
		return nil
	}
	return run.NewExchanges(coreLoops(loops))
}

// stale reports whether values of maps have changed since the segments were made.
func (c *group) stale() bool {
	if c.changes == c.rt.Changes() {
		return false
	}
	if slices.ContainsFunc(c.places, func(l *run.Loop) bool { return l.StaleSince(c.changes) }) {
		return true
	}
	c.changes = c.rt.Changes()
	return false
}

// all returns the loops of all segments.
func (c *group) all() []*member {
	var all []*member
	for _, s := range c.segments {
		all = append(all, s.loops...)
	}
	return all
}

// run computes the loops. After an error it returns which places it concerns.
func (c *group) run() (Affected, error) {
	if err := c.mature(); err != nil {
		return Affected{0, 1, 0}, err
	}
	steps, err := c.ranks.Next()
	if err != nil {
		return Affected{0, 1, 0}, err
	}
	place := 0
	for _, s := range c.segments {
		var own []*run.Step
		if steps != nil {
			own, steps = steps[:len(s.loops)], steps[len(s.loops):]
		}
		if t, err := s.run(c.ran, c.tests.clock, own); err != nil {
			return t.places(place, s.loops), err
		}
		place += width(s.loops)
	}
	c.ran++
	return Affected{}, nil
}

// stats returns the figures of each loop. Those on a device may be incomplete until it has settled.
func (c *group) stats() (loops []profile.Stats) {
	for _, l := range c.all() {
		loops = append(loops, l.Stats())
		for _, p := range l.Parts() {
			if s := p.Stats(); s.Calls > 0 { // tried
				loops = append(loops, s)
			}
		}
	}
	return loops
}
