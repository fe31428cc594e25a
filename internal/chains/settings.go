package chains

import (
	"cmp"
	"time"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/internal/tune"
)

// settings decide what the loops of a chain are turned into.
type settings struct {
	rt       *entity.Runtime
	choice   tune.Chains // 0: the runtime's
	repeated bool        // found among repeated calls: the figures of its loops are those of the program's
	tests    *tests
	learned  choice.Choices // by wisdom, or to be tried, where nobody has chosen

	// With diagnostics, loops run one by one. A chain for a proof is what would run without.
	proof  bool
	proved string // what has been proved
}

// chosen returns what the chain is to be turned into.
func (c *settings) chosen() tune.Chains {
	if chosen := cmp.Or(c.choice, c.rt.Config().Chains, tune.Auto); chosen != tune.Auto {
		return chosen
	}
	return cmp.Or(c.learned.Chains, tune.Auto)
}

// noChoices says that nothing has been chosen.
var noChoices choice.Choices

// exact reports whether the choice is one of wisdom or to be tried, with which no bits may change.
func (c *settings) exact() bool {
	return c.learned != noChoices && !c.rt.Config().Tuner.Mode.Blocks
}

// oneByOne reports whether diagnostics keep the loops apart.
func (c *settings) oneByOne() bool { return c.rt.Config().Backend.Poison && !c.proof }

const oneByOne = "diagnostics check each loop"

// tries reports whether the chain tries forms of its calls. On several ranks it does not: these would have to
// choose alike.
func (c *settings) tries() bool {
	return c.chosen() == tune.Auto && !c.rt.OnDevice() && !c.rt.Several() && !c.rt.Config().Static
}

// tunes reports whether loops are tuned whatever that costs: then they run by themselves, so that their forms are compared.
func (c *settings) tunes() bool {
	t := c.rt.Config().Tuner
	return t != nil && t.Mode.Learn && t.Patient() && !c.rt.Several()
}

// tests are what tests change about the chains of a runtime.
type tests struct {
	clock func() time.Duration   // of trials
	spoil func(*tiling.Schedule) // changes every schedule; nil: none
	due   func(int64) int64      // replaces the number of calls before neighbors are fused
}

type testsKey struct{}

func testsOf(rt *entity.Runtime) *tests {
	start := time.Now()
	t, _ := entity.Keep(rt, testsKey{}, func() (*tests, error) {
		return &tests{clock: func() time.Duration { return time.Since(start) }, due: func(n int64) int64 { return n }}, nil
	})
	return t
}

// SetClock replaces the clock that times calls, for tests.
func SetClock(rt *entity.Runtime, clock func() time.Duration) { testsOf(rt).clock = clock }

// FuseAfter makes neighbors be fused after that many calls, for tests.
func FuseAfter(rt *entity.Runtime, calls int64) {
	testsOf(rt).due = func(int64) int64 { return calls }
}

// SpoilTiles makes f change every schedule of a chain from now on, for tests of the proof.
func SpoilTiles(rt *entity.Runtime, f func(*tiling.Schedule)) { testsOf(rt).spoil = f }
