package lazy

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
)

// If a pending call fails, its results are lost, and so are those of the pending calls that depend on
// them. Using lost values is an error until they are computed anew.

// lostError is the error of an access to lost values.
type lostError struct {
	name  string // of the data
	first error
}

func (e *lostError) Error() string {
	return fmt.Sprintf("%s was not computed, because of an earlier error: %v", e.name, e.first)
}

func (e *lostError) Unwrap() error { return e.first }

// lose marks the results of a call as lost.
func (c *queued) lose(err error) {
	for _, u := range c.Uses() {
		if u.Changes {
			markOf(u.Storage).lost = &lostError{u.Name, problem.Bare(err)}
		}
	}
}

// depends reports whether a call depends on lost values.
func (c *queued) depends() bool {
	return slices.ContainsFunc(c.Uses(), func(u run.Use) bool { return markOf(u.Storage).lost != nil && !u.Whole })
}

// Admit implements run.Queue: it returns an error if the operations, run in this order, depend on lost
// values. Storages that they overwrite as a whole are then no longer lost.
func (q *Queue) Admit(operations ...run.Operation) error {
	var renewed []*mark
	for _, o := range operations {
		for _, u := range o.Uses() {
			m := markOf(u.Storage)
			if m == nil || m.lost == nil || slices.Contains(renewed, m) {
				continue
			}
			if !u.Whole {
				return problem.Errorf("op2: %s: %w", o.User(u), m.lost)
			}
			renewed = append(renewed, m)
		}
	}
	for _, m := range renewed {
		m.lost = nil
	}
	return nil
}
