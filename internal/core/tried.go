package core

import (
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/trial"
)

// Which of two forms of a call is faster is found out by the program's own calls.

// tried chooses between two forms of a call; without a trial, it is the first.
type tried struct{ *trial.Trial }

// run runs a call in the plain form or the other one, whichever is to run. Code of the other one that is
// being compiled is not waited for.
func (t tried) run(rt *Runtime, waits func() bool, plain, other func() error) error {
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
	start := rt.clock()
	err := [2]func() error{plain, other}[form]()
	if err == nil {
		t.Note(form, rt.clock()-start)
	}
	return err
}

// waits reports whether the code of something that the backend has prepared is still being compiled.
func waits(prepared any) bool {
	w, ok := prepared.(backend.Waiter)
	return ok && w.Waits()
}

// computeTried computes a loop of a chain, or its parts.
func (l *Loop) computeTried() error {
	if l.trial.Trial == nil {
		return l.compute(l.over, l.keep)
	}
	return l.trial.run(l.rt, func() bool { return waits(l.runner) }, l.computeParts, func() error {
		if err := l.await(); err != nil {
			return err
		}
		return l.compute(l.over, l.keep)
	})
}

// computeParts computes the loops that a fused one stands for.
func (l *Loop) computeParts() error {
	for _, p := range l.parts {
		if err := p.compute(p.over, p.keep); err != nil {
			return err
		}
	}
	return nil
}

// SetClock replaces the clock that times calls, for tests.
func (rt *Runtime) SetClock(clock func() time.Duration) { rt.clock = clock }
