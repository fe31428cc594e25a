package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/tune"
)

// Chain is a sequence of loops that are computed as one: neighbors may be fused, and several loops cut
// into tiles. It has loops of its own, one for each place: a loop that occurs twice has partial
// results for both.
type Chain struct {
	rt       *Runtime
	places   []*Loop // the program's loops
	choice   tune.Chains
	segments []*segment // in order; nil until they are needed
	changes  int        // number of changes of maps when the segments were made
	calls    int64
}

// segment is loops of a chain that run one after another, or by tiles.
type segment struct {
	loops     []*Loop
	tiled     *tiled     // nil: loop by loop
	exchanges *exchanges // on several ranks, if they save messages
	why       string     // it is not tiled
}

// NewChain returns the chain of loops in that order.
func NewChain(loops []*Loop) (*Chain, error) {
	if len(loops) == 0 {
		return nil, fmt.Errorf("op2: NewChain: it has no loops")
	}
	for i, l := range loops {
		if l == nil || l.rt == nil {
			return nil, fmt.Errorf("op2: NewChain: loop %d of %d is nil, or was not made by NewLoop", i+1, len(loops))
		}
		if err := CheckDeclared(fmt.Sprintf("NewChain: loop %d", i+1), l.rt); err != nil {
			return nil, err
		}
		if first := loops[0]; l.rt != first.rt {
			return nil, fmt.Errorf("op2: NewChain: its loops belong to two runtimes: %s to %s, %s to %s", first.name, first.rt.what(), l.name, l.rt.what())
		}
	}
	return &Chain{rt: loops[0].rt, places: slices.Clone(loops)}, nil
}

// Made returns an error for a chain that NewChain did not make.
func (c *Chain) Made() error {
	if c == nil || c.rt == nil {
		return fmt.Errorf("op2: the chain is nil, or was not made by NewChain")
	}
	return nil
}

// With returns the chain with a choice of its own, 0 for the runtime's.
func (c *Chain) With(choice tune.Chains) *Chain {
	return &Chain{rt: c.rt, places: c.places, choice: choice}
}

// Runtime returns the runtime that the chain belongs to.
func (c *Chain) Runtime() *Runtime { return c.rt }

// chosen returns what the chain is to be turned into.
func (c *Chain) chosen() tune.Chains {
	for _, choice := range []tune.Chains{c.choice, c.rt.config.Chains} {
		if choice != 0 {
			return choice
		}
	}
	return tune.ChainsAuto
}

// prepare makes the segments, unless there are some and no map has changed since.
func (c *Chain) prepare() error {
	if c.segments != nil && !c.stale() {
		return nil
	}
	c.rt.dropUnreachable()
	loops := make([]*Loop, len(c.places))
	for i, given := range c.places {
		l := &Loop{rt: c.rt, name: given.name, kernel: given.kernel, over: given.over, keep: slices.Clone(given.keep)}
		if c.segments != nil {
			l.meter = c.meterOf(i)
		}
		if err := l.bind(); err != nil {
			return err
		}
		loops[i] = l
	}
	loops, err := c.fuse(loops)
	if err != nil {
		return err
	}
	segments := c.cut(loops)
	for _, s := range segments {
		if s.why == "" {
			if err := c.tile(s); err != nil {
				return err
			}
		}
	}
	if c.rt.several() && c.chosen() != tune.ChainsOff && !c.rt.config.Backend.Poison {
		for _, s := range segments {
			s.exchanges = newExchanges(c.rt, s.loops)
		}
	}
	c.recordChain(segments)
	c.segments, c.changes = segments, c.rt.changes
	return nil
}

// stale reports whether values of maps have changed since the segments were made.
func (c *Chain) stale() bool {
	if c.changes == c.rt.changes {
		return false
	}
	for _, l := range c.places {
		if l.outdated(c.changes) {
			return true
		}
	}
	c.changes = c.rt.changes
	return false
}

// fuse returns the loops with neighbors fused where that is possible and chosen.
func (c *Chain) fuse(loops []*Loop) ([]*Loop, error) { return loops, nil }

// meterOf returns the meter of loop i, so that its figures go on; nil if fusion has made other loops.
func (c *Chain) meterOf(i int) *meter {
	if all := c.all(); len(all) == len(c.places) {
		return all[i].meter
	}
	return nil
}

// all returns the loops of all segments.
func (c *Chain) all() []*Loop {
	var all []*Loop
	for _, s := range c.segments {
		all = append(all, s.loops...)
	}
	return all
}

// Run computes the loops. The first call waits for the compiler.
func (c *Chain) Run() error {
	if c.rt.config.Static {
		return problem.ErrStatic
	}
	if err := c.prepare(); err != nil {
		return err
	}
	for _, s := range c.segments {
		if err := s.run(); err != nil {
			return err
		}
	}
	c.calls++
	return nil
}

// run computes the loops of a segment.
func (s *segment) run() error {
	for _, l := range s.loops {
		if err := l.prepare(); err != nil {
			return err
		}
	}
	if s.tiled != nil {
		return s.tiled.run(s.loops)
	}
	if s.exchanges != nil {
		return s.exchanges.run()
	}
	for _, l := range s.loops {
		if err := l.compute(l.over, l.keep); err != nil {
			return err
		}
	}
	return nil
}

// Generate returns the sources that the loops compile to on the runtime's backend, each once.
func (c *Chain) Generate() (string, error) {
	if err := c.prepare(); err != nil {
		return "", err
	}
	var texts []string
	for _, l := range c.all() {
		text, err := l.Generate()
		if err != nil {
			return "", err
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n"), nil
}

// Stats returns the figures of each loop, and those of the whole. Those on a device may be incomplete
// until it has settled.
func (c *Chain) Stats() (loops []profile.Stats, whole profile.Stats) {
	var names []string
	for _, l := range c.all() {
		s := l.own
		loops = append(loops, s)
		names = append(names, s.Kernel)
		whole.Time += s.Time
		whole.Bytes += s.Bytes
		whole.Compile += s.Compile
		whole.Waited += s.Waited
		whole.Messages += s.Messages
		whole.Sent += s.Sent
		whole.Awaited += s.Awaited
	}
	whole.Kernel, whole.Calls = strings.Join(names, ", "), c.calls
	return loops, whole
}
