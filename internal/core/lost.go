package core

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
)

// Values are lost that a queued call should have computed, if it failed or depends on one that did.
// Using them is an error until they are computed anew.

// lostError is returned for values that are lost.
type lostError struct {
	name  string // of the data
	first error
}

func (e *lostError) Error() string {
	return fmt.Sprintf("%s was not computed, because of an earlier error: %v", e.name, e.first)
}

func (e *lostError) Unwrap() error { return e.first }

// lose records that a call's results are lost.
func (c *queued) lose(err error) {
	for _, u := range c.uses() {
		if u.changes {
			u.storage.lost = &lostError{u.name, problem.Bare(err)}
		}
	}
}

// depends reports whether a call depends on values that are lost.
func (c *queued) depends() bool {
	return slices.ContainsFunc(c.uses(), func(u use) bool { return u.storage.lost != nil && !u.whole })
}

// admit returns an error if loops, computed one after another, depend on values that are lost. Those
// all of which they replace are then lost no more.
func admit(loops ...*Loop) error {
	var renewed []*Storage
	for _, l := range loops {
		for i := range l.uses {
			u := &l.uses[i]
			if u.storage.lost == nil || slices.Contains(renewed, u.storage) {
				continue
			}
			if !u.whole {
				return problem.Errorf("op2: %s: argument %d (%s): %w", l.name, u.param, l.params[u.param-1], u.storage.lost)
			}
			renewed = append(renewed, u.storage)
		}
	}
	for _, s := range renewed {
		s.lost = nil
	}
	return nil
}
