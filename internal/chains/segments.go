package chains

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/run"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// segment is loops of a chain that run one after another, or by tiles.
type segment struct {
	loops     []*member
	tiled     *tiled      // nil: loop by loop
	why       string      // it is not tiled
	pending   *inspection // to be made after that many calls
	due       int64
	trial     tried      // of tiles against loop by loop
	inspected *inspected // between inspection and tiled
	queued    *sequence  // nil: one after another
	executed  []int      // on several ranks: the prefixes that the loops execute in a call that repeats
}

// cut splits loops into segments: several that can run by tiles together, as long as possible, and
// those that cannot. On several ranks, starts says which loops need an exchange of messages before them.
func (c *settings) cut(loops []*member, starts []bool) []*segment {
	if why := c.untiled(); why != "" {
		return []*segment{{loops: loops, why: why}}
	}
	var segments []*segment
	var open *segment
	for i, l := range loops {
		if starts != nil && starts[i] {
			open = nil
		}
		why := l.untiled()
		if why == "" && open != nil {
			for _, earlier := range open.loops {
				if apart := apart(earlier, l); apart != "" && why == "" {
					open, why = nil, apart
				}
			}
			if open == nil { // it begins the next one
				open, why = &segment{loops: []*member{l}}, ""
				segments = append(segments, open)
				continue
			}
		}
		switch {
		case why != "":
			segments, open = append(segments, &segment{loops: []*member{l}, why: why}), nil
		case open == nil:
			open = &segment{loops: []*member{l}}
			segments = append(segments, open)
		default:
			open.loops = append(open.loops, l)
		}
	}
	for _, s := range segments {
		if len(s.loops) == 1 && s.why == "" {
			s.why = "it has no neighbor that could share tiles with it"
		}
	}
	return segments
}

// untiled returns why no loops of the chain can be tiled; "" if some can.
func (c *settings) untiled() string {
	rt, choice := c.rt, c.chosen()
	_, tiles := rt.Backend().(backend.Tiler)
	switch {
	case choice == tune.ChainsOff || choice == tune.Fuse:
		return fmt.Sprintf("chains are %s", choice)
	case !tiles:
		return fmt.Sprintf("the backend %s runs no tiles", rt.Name())
	case rt.Config().Static:
		return "the runtime is static"
	case c.oneByOne():
		return oneByOne + c.proved
	case choice == tune.Auto && c.tunes():
		return "its loops are being tuned"
	case rt.Config().Backend.SameBits:
		return "the runtime is reproducible"
	}
	return ""
}

// untiled returns why a loop can only run as a whole; "" if it can be tiled.
func (l *member) untiled() string {
	if l.Rearranged() {
		return "it runs in another order, for threads"
	}
	b := l.Binding()
	for i, d := range b.Data {
		if b.Loop.Data[i].Kind == loop.Mat {
			return fmt.Sprintf("it assembles %s", d.Name())
		}
	}
	return ""
}

// apart returns why a loop cannot share tiles with an earlier one; "" if it can.
func apart(earlier, later *member) string {
	e, l := earlier.Binding(), later.Binding()
	for _, a := range l.Loop.Args {
		for _, b := range e.Loop.Args {
			if a.Data < 0 || b.Data < 0 || l.Data[a.Data].Storage() != e.Data[b.Data].Storage() {
				continue
			}
			d, before := l.Data[a.Data], e.Data[b.Data]
			switch {
			case a.Kind != loop.Global:
				if d.Set() != before.Set() {
					return fmt.Sprintf("%s is used on %s and on %s", d.Name(), before.Set().Besides(d.Set()), d.Set().Besides(before.Set()))
				}
			case b.Access == loop.Read:
			case a.Access == loop.Read:
				return fmt.Sprintf("it reads %s, which %s reduces", d.Name(), earlier.Name())
			case a.Access != loop.Inc || b.Access != loop.Inc:
				return fmt.Sprintf("it reduces %s, as does %s in another way", d.Name(), earlier.Name())
			}
		}
	}
	return ""
}

// ready waits until the loops can run.
func (s *segment) ready() error {
	for _, l := range s.loops {
		loops := []*run.Loop{l.Loop}
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

// run computes the loops of a segment after that many calls, on several ranks with these steps; nil: their own. After
// an error it returns which it concerns.
func (s *segment) run(ran int64, clock func() time.Duration, steps []*run.Step) (Affected, error) {
	if err := s.ready(); err != nil {
		return Affected{0, 1, 0}, err
	}
	if s.tiled != nil && ran >= s.tiled.from && s.tiled.fits(steps) {
		t := Affected{0, len(s.loops), 0}
		err := s.trial.run(clock, func() bool {
			return waits(s.tiled.tiles) || slices.ContainsFunc(s.loops, func(l *member) bool { return waits(l.Runner()) })
		}, func() (err error) {
			t, err = s.runLoops(clock, nil)
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
		at, err := s.queued.run()
		return Affected{at, at + 1, at}, err
	}
	return s.runLoops(clock, steps)
}

// runLoops computes the loops of a segment one after another.
func (s *segment) runLoops(clock func() time.Duration, steps []*run.Step) (Affected, error) {
	for i, l := range s.loops {
		var step *run.Step
		if steps != nil {
			step = steps[i]
		}
		if err := l.compute(clock, step); err != nil {
			return Affected{i, i + 1, i}, err
		}
	}
	return Affected{}, nil
}
