// Package chains computes sequences of loops as one. Neighbors are fused where that is possible, the others run by
// tiles where that pays off, and on several ranks with fewer messages; a device queues them together. Each chain
// has loops of its own, which it binds as a program's are bound: what the package knows of them is what they are bound to.
package chains

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/tune"
)

// Chain is a sequence of loops that are computed as one: neighbors may be fused, and several loops cut
// into tiles. It has loops of its own, one for each place: a loop that occurs twice has partial
// results for both.
type Chain struct {
	rt       *core.Runtime
	places   []*core.Loop // the program's loops
	choice   tune.Chains
	segments []*segment      // in order; nil until they are needed
	ranks    *core.Exchanges // nil if each loop has its own
	changes  int             // number of changes of maps when the segments were made
	calls    int64
	ran      int64 // calls since the segments were made
	repeated bool  // found among repeated calls: the figures of its loops are those of the program's
	tests    *tests

	temporaries []*core.Storage // of dats that nobody reads after a call
	apart       []string        // why neighbors are not fused

	// With diagnostics, loops run one by one. A chain for a proof is what would run without.
	proof  bool
	proved string // what has been proved
}

// member is a loop of a chain, which stands for one or several of the program's.
type member struct {
	*core.Loop
	sameBits bool  // its parts one after another leave the same bits
	trial    tried // of the loop against its parts
	failing  int   // the part that failed
}

// segment is loops of a chain that run one after another, or by tiles.
type segment struct {
	loops     []*member
	tiled     *tiled      // nil: loop by loop
	why       string      // it is not tiled
	pending   *inspection // to be made after that many calls
	due       int64
	trial     tried            // of tiles against loop by loop
	inspected *inspected       // between inspection and tiled
	queued    backend.Sequence // on a device; nil: loop by loop
	executed  []int            // on several ranks: the prefixes that the loops execute in a call that repeats
}

// New returns the chain of loops in that order.
func New(loops []*core.Loop) (*Chain, error) {
	if len(loops) == 0 {
		return nil, fmt.Errorf("op2: NewChain: it has no loops")
	}
	for i, l := range loops {
		if l.Made() != nil {
			return nil, fmt.Errorf("op2: NewChain: loop %d of %d is nil, or was not made by NewLoop", i+1, len(loops))
		}
		if err := core.CheckDeclared(fmt.Sprintf("NewChain: loop %d", i+1), l.Runtime()); err != nil {
			return nil, err
		}
		if first := loops[0]; l.Runtime() != first.Runtime() {
			return nil, fmt.Errorf("op2: NewChain: its loops belong to two runtimes: %s to %s, %s to %s", first.Name(), first.Runtime().Describe(), l.Name(), l.Runtime().Describe())
		}
	}
	rt := loops[0].Runtime()
	return &Chain{rt: rt, places: slices.Clone(loops), tests: testsOf(rt)}, nil
}

// Made returns an error for a chain that New did not make.
func (c *Chain) Made() error {
	if c == nil || c.rt == nil {
		return fmt.Errorf("op2: the chain is nil, or was not made by NewChain")
	}
	return nil
}

// With returns the chain with a choice of its own, 0 for the runtime's.
func (c *Chain) With(choice tune.Chains) *Chain {
	return &Chain{rt: c.rt, places: c.places, choice: choice, temporaries: c.temporaries, tests: c.tests}
}

// Temporary returns the chain with dats that nobody reads after it. They may not be in memory at all.
func (c *Chain) Temporary(dats []*core.Data) (*Chain, error) {
	with := c.With(c.choice)
	with.temporaries = slices.Clone(c.temporaries)
	for _, d := range dats {
		switch {
		case d.Runtime() != c.rt:
			return nil, fmt.Errorf("op2: Chain.Temporary: dat %s belongs to %s, the chain's loops to %s", d.Name(), d.Runtime().Describe(), c.rt.Describe())
		case !slices.ContainsFunc(c.places, func(l *core.Loop) bool { return takes(l, d) }):
			return nil, errors.New(problem.Message("Chain.Temporary: dat "+d.Name(), "no loop of the chain uses it", "pass the dats that the chain's loops leave for each other"))
		}
		with.temporaries = append(with.temporaries, d.Storage())
	}
	return with, nil
}

// takes reports whether values of the data are among a loop's arguments.
func takes(l *core.Loop, d *core.Data) bool {
	return slices.ContainsFunc(l.Uses(), func(u core.Use) bool { return u.Storage == d.Storage() })
}

// Runtime returns the runtime that the chain belongs to.
func (c *Chain) Runtime() *core.Runtime { return c.rt }

// chosen returns what the chain is to be turned into.
func (c *Chain) chosen() tune.Chains { return cmp.Or(c.choice, c.rt.Config().Chains, tune.Auto) }

// prepare makes the segments, unless there are some and no map has changed since.
func (c *Chain) prepare() error {
	if c.segments != nil && !c.stale() {
		return nil
	}
	c.rt.DropUnreachable()
	if err := c.prove(); err != nil {
		return err
	}
	before := c.all()
	loops, why, err := c.bind()
	if err != nil {
		return err
	}
	for i, l := range loops {
		if i < len(before) && before[i].Name() == l.Name() {
			l.Continue(before[i].Loop)
		}
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
		c.queue(s)
	}
	if err := c.rt.ShareCode(); err != nil {
		return err
	}
	c.recordChain(segments)
	c.segments, c.ranks, c.changes, c.apart = segments, ranks, c.rt.MapChanges(), why
	if before != nil {
		c.ran = 0
	}
	return nil
}

// mature inspects the segments that have run often enough for that.
func (c *Chain) mature() error {
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
	}
	return nil
}

// bind binds the loops of the places, and fuses those that are to be fused. apart says why others are
// not.
func (c *Chain) bind() (loops []*member, apart []string, err error) {
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
	return c.fuse(all)
}

// arrange divides loops that have been bound into segments, and inspects those that may run by tiles. On
// several ranks it returns their exchanges, if these are those of the chain.
func (c *Chain) arrange(loops []*member) ([]*segment, *core.Exchanges, error) {
	ranks := c.exchanges(loops)
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
		case c.rt.Comm() != nil && ranks == nil:
			s.why = "ranks exchange messages less often loop by loop"
		default:
			s.executed = ranks.Executed(first, len(s.loops))
			if err := c.consider(s); err != nil {
				return nil, nil, err
			}
		}
		first += len(s.loops)
	}
	return segments, ranks, nil
}

// saves reports whether a call that repeats has fewer exchanges than loop by loop, or none more if some loops may be
// tiled between them.
func saves(x *core.Exchanges, tiles bool) bool {
	if x == nil {
		return false
	}
	together, apart := x.Calls()
	return together < apart || tiles && together == apart
}

// exchanges returns the exchanges of the loops; nil if there are none.
func (c *Chain) exchanges(loops []*member) *core.Exchanges {
	if c.chosen() == tune.ChainsOff || c.rt.Config().Static || c.oneByOne() {
		return nil
	}
	return core.NewExchanges(coreLoops(loops))
}

// stale reports whether values of maps have changed since the segments were made.
func (c *Chain) stale() bool {
	if c.changes == c.rt.MapChanges() {
		return false
	}
	if slices.ContainsFunc(c.places, func(l *core.Loop) bool { return l.StaleSince(c.changes) }) {
		return true
	}
	c.changes = c.rt.MapChanges()
	return false
}

// coreLoops returns the loops of members.
func coreLoops(members []*member) []*core.Loop {
	loops := make([]*core.Loop, len(members))
	for i, m := range members {
		loops[i] = m.Loop
	}
	return loops
}

// all returns the loops of all segments.
func (c *Chain) all() []*member {
	var all []*member
	for _, s := range c.segments {
		all = append(all, s.loops...)
	}
	return all
}

// Run computes the loops. The first call waits for the compiler.
func (c *Chain) Run() error {
	if c.rt.Config().Static {
		return problem.ErrStatic
	}
	if err := c.prepare(); err != nil {
		return err
	}
	if err := c.rt.Queue().Admit(c.places...); err != nil {
		return err
	}
	_, err := c.run()
	return err
}

// run computes the loops. After an error it returns which places it concerns.
func (c *Chain) run() (Affected, error) {
	if err := c.mature(); err != nil {
		return Affected{0, 1, 0}, err
	}
	steps, err := c.ranks.Next()
	if err != nil {
		return Affected{0, 1, 0}, err
	}
	place := 0
	for _, s := range c.segments {
		var own []*core.Step
		if steps != nil {
			own, steps = steps[:len(s.loops)], steps[len(s.loops):]
		}
		if t, err := c.runSegment(s, own); err != nil {
			return t.places(place, s.loops), err
		}
		place += width(s.loops)
	}
	c.calls++
	c.ran++
	return Affected{}, nil
}

// Affected says which loops of a sequence an error concerns that ends it: those from First up to Last may have run in
// part, and the one at At has failed. Earlier ones have run, later ones have not.
type Affected struct{ First, Last, At int }

// places returns the same among the places of a chain, given loops, the first of which has that place.
func (a Affected) places(first int, loops []*member) Affected {
	before := first + width(loops[:a.First])
	return Affected{before, first + width(loops[:a.Last]), first + width(loops[:a.At]) + loops[a.At].failing}
}

// width returns the number of places that loops have in a chain: a fused one has several.
func width(loops []*member) int {
	n := 0
	for _, l := range loops {
		n += max(1, len(l.Parts()))
	}
	return n
}

// ready waits until the loops can run.
func (s *segment) ready() error {
	for _, l := range s.loops {
		loops := []*core.Loop{l.Loop}
		if l.trial.Trial != nil && (s.tiled == nil || s.trial.Trial != nil) { // begins with its parts
			loops = l.Parts()
		}
		for _, l := range loops {
			if err := l.Ready(); err != nil {
				return err
			}
		}
	}
	return nil
}

// runSegment computes the loops of a segment, on several ranks with these steps; nil: their own. After an
// error it returns which it concerns.
func (c *Chain) runSegment(s *segment, steps []*core.Step) (Affected, error) {
	if err := s.ready(); err != nil {
		return Affected{0, 1, 0}, err
	}
	if s.tiled != nil && s.tiled.fits(steps) {
		t := Affected{0, len(s.loops), 0}
		err := s.trial.run(c.tests.clock, func() bool {
			return waits(s.tiled.tiles) || slices.ContainsFunc(s.loops, func(l *member) bool { return waits(l.Runner()) })
		}, func() (err error) {
			t, err = c.runLoops(s, nil)
			return err
		}, func() (err error) {
			for _, l := range s.loops {
				if err := l.Ready(); err != nil {
					return err
				}
			}
			t.At, err = s.tiled.run(s.loops, steps)
			return err
		})
		return t, err
	}
	if s.queued != nil {
		at, err := s.runQueued()
		return Affected{at, at + 1, at}, err
	}
	return c.runLoops(s, steps)
}

// runLoops computes the loops of a segment one after another.
func (c *Chain) runLoops(s *segment, steps []*core.Step) (Affected, error) {
	for i, l := range s.loops {
		var step *core.Step
		if steps != nil {
			step = steps[i]
		}
		if err := l.compute(c.tests.clock, step); err != nil {
			return Affected{i, i + 1, i}, err
		}
	}
	return Affected{}, nil
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
	add := func(l *core.Loop) {
		s := l.Stats()
		loops = append(loops, s)
		names = append(names, s.Kernel)
		whole.Add(&s)
	}
	for _, l := range c.all() {
		add(l.Loop)
		for _, p := range l.Parts() {
			if p.Stats().Calls > 0 && !c.repeated { // tried
				add(p)
			}
		}
	}
	whole.Kernel, whole.Calls = strings.Join(names, ", "), c.calls
	return loops, whole
}
