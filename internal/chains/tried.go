package chains

import (
	"time"

	"github.com/go-op2/op2/internal/backend"
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
	form, timed := t.Next(func(int) bool { return waits() })
	call := [2]func() error{plain, other}[form]
	if !timed {
		return call()
	}
	start := clock()
	err := call()
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
