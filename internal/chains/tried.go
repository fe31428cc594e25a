package chains

import (
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/internal/trial"
)

// Which of two forms of a call is faster is found out by the program's own calls.

// tried chooses between two forms of a call; without a trial, it is the second.
type tried struct{ *trial.Trial }

// run runs a call in the plain form or the other one, whichever is to run. Code of the other one that is
// being compiled is not waited for.
func (t tried) run(clock func() time.Duration, waits func() bool, plain, other func() error) error {
	if t.Trial == nil {
		return other()
	}
	form, timed := t.Next()
	switch {
	case !timed && form == 0, timed && form == 1 && waits():
		return plain()
	case !timed:
		return other()
	}
	start := clock()
	err := [2]func() error{plain, other}[form]()
	if err == nil {
		t.Note(form, clock()-start)
	}
	return err
}

// waits reports whether the code of something that the backend has prepared is still being compiled.
func waits(prepared any) bool {
	w, ok := prepared.(backend.Waiter)
	return ok && w.Waits()
}

// compute computes the loop, or its parts.
func (m *member) compute(clock func() time.Duration, step *core.Step) error {
	if m.trial.Trial == nil {
		return m.blame(m.ComputeStep(step))
	}
	return m.trial.run(clock, func() bool { return waits(m.Runner()) }, m.computeParts, func() error {
		if err := m.Ready(); err != nil {
			return err
		}
		return m.blame(m.Compute())
	})
}

// computeParts computes the loops that a fused one stands for.
func (m *member) computeParts() error {
	for i, p := range m.Parts() {
		if err := p.Compute(); err != nil {
			m.failing = i
			return err
		}
	}
	return nil
}

// blame notes which part an error of a call was in.
func (m *member) blame(err error) error {
	if err != nil {
		m.failing = m.Failing()
	}
	return err
}

// tests are what tests change about the chains of a runtime.
type tests struct {
	clock func() time.Duration   // of trials
	spoil func(*tiling.Schedule) // changes every schedule; nil: none
}

type testsKey struct{}

func testsOf(rt *core.Runtime) *tests {
	start := time.Now()
	t, _ := core.Keep(rt, testsKey{}, func() (*tests, error) {
		return &tests{clock: func() time.Duration { return time.Since(start) }}, nil
	})
	return t
}

// SetClock replaces the clock that times calls, for tests.
func SetClock(rt *core.Runtime, clock func() time.Duration) { testsOf(rt).clock = clock }

// SpoilTiles makes f change every schedule of a chain from now on, for tests of the proof.
func SpoilTiles(rt *core.Runtime, f func(*tiling.Schedule)) { testsOf(rt).spoil = f }
