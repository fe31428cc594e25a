package core

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend"
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
	ranks    *exchanges // on several ranks, if the loops' messages are those of the chain
	changes  int        // number of changes of maps when the segments were made
	calls    int64
	ran      int64 // calls since the segments were made
	found    bool  // among repeated calls: the figures of its loops are those of the program's

	temporaries []*Storage // of dats that nobody reads after a call
	apart       []string   // why neighbors are not fused

	// With diagnostics, loops run one by one. A chain for a proof is what would run without.
	proof  bool
	proved string // what has been proved
}

// segment is loops of a chain that run one after another, or by tiles.
type segment struct {
	loops     []*Loop
	tiled     *tiled      // nil: loop by loop
	why       string      // it is not tiled
	pending   *inspection // to be inspected after that many calls
	due       int64
	trial     tried            // of tiles against loop by loop
	inspected *inspected       // between inspection and tiled
	queued    backend.Sequence // on a device; nil: loop by loop
	executed  []int            // on several ranks: the prefixes that the loops execute in a call that repeats
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
	return &Chain{rt: c.rt, places: c.places, choice: choice, temporaries: c.temporaries}
}

// Temporary returns the chain with dats that nobody reads after it. They may not be in memory at all.
func (c *Chain) Temporary(dats []*Data) (*Chain, error) {
	with := c.With(c.choice)
	with.temporaries = slices.Clone(c.temporaries)
	for _, d := range dats {
		switch {
		case d.rt != c.rt:
			return nil, fmt.Errorf("op2: Chain.Temporary: dat %s belongs to %s, the chain's loops to %s", d.name, d.rt.what(), c.rt.what())
		case !slices.ContainsFunc(c.places, func(l *Loop) bool { return l.takes(d) }):
			return nil, errors.New(problem.Message("Chain.Temporary: dat "+d.name, "no loop of the chain uses it", "pass the dats that the chain's loops leave for each other"))
		}
		with.temporaries = append(with.temporaries, d.storage)
	}
	return with, nil
}

// takes reports whether values of the data are among the loop's arguments.
func (l *Loop) takes(d *Data) bool {
	return slices.ContainsFunc(l.keep, func(a Arg) bool { return a.data != nil && a.data.storage == d.storage })
}

// Runtime returns the runtime that the chain belongs to.
func (c *Chain) Runtime() *Runtime { return c.rt }

// chosen returns what the chain is to be turned into.
func (c *Chain) chosen() tune.Chains { return cmp.Or(c.choice, c.rt.config.Chains, tune.ChainsAuto) }

// prepare makes the segments, unless there are some and no map has changed since.
func (c *Chain) prepare() error {
	if c.segments != nil && !c.stale() {
		return nil
	}
	c.rt.dropUnreachable()
	if err := c.prove(); err != nil {
		return err
	}
	before := c.all()
	fused, why, err := c.bind()
	if err != nil {
		return err
	}
	loops := make([]*Loop, len(fused))
	for i, l := range fused {
		if i < len(before) && before[i].name == l.name { // its figures go on
			l.meter = before[i].meter
			l.across = l.binder.newAcross(l.meter)
		}
		if err := l.order(l.memory); err != nil {
			return err
		}
		if err := c.tryApart(l); err != nil {
			return err
		}
		loops[i] = l.Loop
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
	c.segments, c.ranks, c.changes, c.apart = segments, ranks, c.rt.changes, why
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
func (c *Chain) bind() (loops []bound, apart []string, err error) {
	all := make([]bound, len(c.places))
	for i, given := range c.places {
		var m *meter
		if c.found {
			m = given.meter
		}
		if all[i], err = given.again(m, c.chosen() == tune.Fuse || c.chosen() == tune.Tile); err != nil {
			return nil, nil, err
		}
	}
	return c.fuse(all)
}

// arrange divides loops that have been bound into segments, and inspects those that may run by tiles. On
// several ranks it returns their exchanges, if these are those of the chain.
func (c *Chain) arrange(loops []*Loop) ([]*segment, *exchanges, error) {
	ranks := c.exchanges(loops)
	segments := c.cut(loops, ranks.starts())
	// The same on all ranks, as what is tiled need not be:
	candidates, err := c.rt.AnyRank(slices.ContainsFunc(segments, func(s *segment) bool { return s.why == "" }))
	if err != nil {
		return nil, nil, err
	}
	if !ranks.worth(candidates) {
		ranks = nil
	}
	first := 0
	for _, s := range segments {
		switch {
		case s.why != "":
		case c.rt.several() && ranks == nil:
			s.why = "ranks exchange messages less often loop by loop"
		default:
			s.executed = ranks.executed(first, len(s.loops))
			if err := c.consider(s); err != nil {
				return nil, nil, err
			}
		}
		first += len(s.loops)
	}
	return segments, ranks, nil
}

// again returns a loop like this one, with partial results of its own. Its figures go on those of a
// meter; nil: its own. The elements of a colored one run in their own order.
func (l *Loop) again(m *meter, colored bool) (bound, error) {
	other := bound{Loop: &Loop{rt: l.rt, name: l.name, kernel: l.kernel, over: l.over, keep: slices.Clone(l.keep), parts: l.parts, meter: m, colored: colored}}
	var err error
	if l.parts == nil {
		other.memory, err = other.check()
		return other, err
	}
	b := *l.binder
	if other.memory, err = b.fusedMemory(l.spec.Kernel, l.parts); err == nil {
		other.adopt(&b, l.spec)
	}
	return other, err
}

// exchanges returns the exchanges of the loops; nil if there are none.
func (c *Chain) exchanges(loops []*Loop) *exchanges {
	if !c.rt.several() || c.chosen() == tune.ChainsOff || c.rt.config.Static || c.oneByOne() {
		return nil
	}
	return newExchanges(c.rt, loops)
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
	if err := c.rt.queue.Admit(c.places...); err != nil {
		return err
	}
	_, err := c.run()
	return err
}

// run computes the loops. After an error it returns which places it concerns.
func (c *Chain) run() (Torn, error) {
	if err := c.mature(); err != nil {
		return Torn{0, 1, 0}, err
	}
	steps, err := c.ranks.next()
	if err != nil {
		return Torn{0, 1, 0}, err
	}
	place := 0
	for _, s := range c.segments {
		var own []*step
		if steps != nil {
			own, steps = steps[:len(s.loops)], steps[len(s.loops):]
		}
		if t, err := s.run(own); err != nil {
			return t.places(place, s.loops), err
		}
		place += width(s.loops)
	}
	c.calls++
	c.ran++
	return Torn{}, nil
}

// width returns the number of places that loops have in a chain: a fused one has several.
func width(loops []*Loop) int {
	n := 0
	for _, l := range loops {
		n += max(1, len(l.parts))
	}
	return n
}

// ready waits until the loops can run.
func (s *segment) ready() error {
	for _, l := range s.loops {
		loops := []*Loop{l}
		if l.trial.Trial != nil && (s.tiled == nil || s.trial.Trial != nil) { // begins with its parts
			loops = l.parts
		}
		for _, l := range loops {
			if err := l.await(); err != nil {
				return err
			}
		}
	}
	return nil
}

// run computes the loops of a segment, on several ranks with these steps; nil: their own. After an
// error it returns which it concerns.
func (s *segment) run(steps []*step) (Torn, error) {
	if err := s.ready(); err != nil {
		return Torn{0, 1, 0}, err
	}
	if s.tiled != nil && s.tiled.fits(steps) {
		t := Torn{0, len(s.loops), 0}
		err := s.trial.run(s.loops[0].rt, func() bool {
			return waits(s.tiled.tiles) || slices.ContainsFunc(s.loops, func(l *Loop) bool { return waits(l.runner) })
		}, func() (err error) {
			t, err = s.runLoops(nil)
			return err
		}, func() (err error) {
			for _, l := range s.loops {
				if err := l.await(); err != nil {
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
		return Torn{at, at + 1, at}, err
	}
	return s.runLoops(steps)
}

// runLoops computes the loops of a segment one after another.
func (s *segment) runLoops(steps []*step) (Torn, error) {
	for i, l := range s.loops {
		if steps != nil {
			l.across.given = steps[i]
		}
		err := l.computeTried()
		if steps != nil {
			l.across.given = nil
		}
		if err != nil {
			return Torn{i, i + 1, i}, err
		}
	}
	return Torn{}, nil
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
	add := func(l *Loop) {
		s := l.own
		loops = append(loops, s)
		names = append(names, s.Kernel)
		whole.Add(&s)
	}
	for _, l := range c.all() {
		add(l)
		for _, p := range l.parts {
			if p.own.Calls > 0 && !c.found { // tried
				add(p)
			}
		}
	}
	whole.Kernel, whole.Calls = strings.Join(names, ", "), c.calls
	return loops, whole
}
