package core

import (
	"slices"
	"time"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/trial"
	"github.com/go-op2/op2/internal/tune"
)

// Where two forms of a call have the same bits, the chain finds out by the program's own calls which of
// them is faster. Where they have not, estimates decide, which are the same in each run.

// tried chooses between two forms of a call; without a trial, it is the first.
type tried struct{ *trial.Trial }

// run runs the form whose turn it is.
func (t tried) run(rt *Runtime, forms ...func() error) error {
	if t.Trial == nil {
		return forms[0]()
	}
	start := rt.clock()
	err := forms[t.Form()]()
	if err == nil {
		t.Note(rt.clock() - start)
	}
	return err
}

// tries reports whether the chain tries forms of its calls. On several ranks it does not: these would have to
// choose alike.
func (c *Chain) tries() bool {
	return c.chosen() == tune.ChainsAuto && c.rt.device == nil && !c.rt.several() && !c.rt.config.Static
}

// tryApart makes a fused loop try its parts one after another, if they leave the same bits.
func (c *Chain) tryApart(l bound) error {
	if !l.alike || !c.tries() {
		return nil
	}
	for i, p := range l.parts {
		if err := p.order(l.memory.Parts[i]); err != nil {
			return err
		}
	}
	l.trial = tried{trial.New("fused", "apart")}
	return nil
}

// computeTried computes a loop of a chain, or its parts.
func (l *Loop) computeTried() error {
	return l.trial.run(l.rt, func() error { return l.compute(l.over, l.keep) }, func() error {
		for _, p := range l.parts {
			if err := p.compute(p.over, p.keep); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetClock replaces the clock that times calls, for tests.
func (rt *Runtime) SetClock(clock func() time.Duration) { rt.clock = clock }

// triesTiles reports whether the chain tries tiles against loop by loop.
func (c *Chain) triesTiles(t *tiling) bool {
	return c.tries() && c.rt.name == "sequential" && t.sameBits()
}

// sameBits reports whether tiles leave the bits of loop by loop: one core goes through them in an order that
// keeps that of what elements add to a value, in packs that are the same, and no sum of floats is one of
// partial sums by tile.
func (t *tiling) sameBits() bool {
	if t.Parts > 1 || t.Border > 0 || len(t.beyond) > 0 {
		return false
	}
	return !slices.ContainsFunc(t.by, func(l *Loop) bool {
		return slices.ContainsFunc(l.spec.Loop.Args, func(a loop.Arg) bool {
			if a.Data < 0 {
				return false
			}
			d := l.spec.Loop.Data[a.Data]
			adds := (a.Access == loop.Inc || a.Access == loop.Reduce) && d.Type.Float()
			return adds && d.Kind == loop.Global || a.Access == loop.Reduce || adds && d.Type.Size() < 8
		})
	})
}
