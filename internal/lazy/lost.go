package lazy

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/core"
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
		if u.Changes {
			markOf(u.Storage).lost = &lostError{u.Name, problem.Bare(err)}
		}
	}
}

// depends reports whether a call depends on values that are lost.
func (c *queued) depends() bool {
	return slices.ContainsFunc(c.uses(), func(u core.Use) bool { return markOf(u.Storage).lost != nil && !u.Whole })
}

// Admit implements core.Queue: it returns an error if loops, computed one after another, depend on
// values that are lost. Those all of which they replace are then lost no more.
func (q *Queue) Admit(loops ...*core.Loop) error {
	var renewed []*mark
	for _, l := range loops {
		for _, u := range l.Uses() {
			m := markOf(u.Storage)
			if m == nil || m.lost == nil || slices.Contains(renewed, m) {
				continue
			}
			if !u.Whole {
				return problem.Errorf("op2: %s: %w", l.Argument(u), m.lost)
			}
			renewed = append(renewed, m)
		}
	}
	for _, m := range renewed {
		m.lost = nil
	}
	return nil
}
