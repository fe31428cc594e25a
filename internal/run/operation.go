package run

import (
	"bytes"
	"fmt"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/store"
)

// Operation is a call of the program that need not run at once: of a loop, an assignment to a global, or a task. Lists
// of operations are what waits with lazy evaluation, where tasks do not, and what chains compute.
type Operation struct {
	Loop *Loop
	Set  *Assignment // that lasts; with a loop, for this call of it alone
	Task *Task       // without a loop and an assignment
}

// Assignment sets the values of a global.
type Assignment struct {
	uses   [1]Use
	values []byte
}

// Storage returns the storage of the global.
func (a *Assignment) Storage() *store.Storage { return a.uses[0].Storage }

// To stores the values in a storage like the global's.
func (a *Assignment) To(s *store.Storage) {
	s.Discard()
	copy(store.Values[byte](s), a.values)
}

// In reports whether the host has the values in a storage like the global's.
func (a *Assignment) In(s *store.Storage) bool { return bytes.Equal(store.Values[byte](s), a.values) }

// Task is an operation that is no loop: a product of a matrix, say.
type Task struct {
	Of, What string      // "mat A", "Mul"
	Uses     func() Uses // of data
	Do       func() error

	uses []Use
	Site callsite.Calls // where the program has called it
}

// Uses is what a task does with data. What it changes, and does not replace, it reads.
type Uses struct{ Reads, Changes, Replaces []*entity.Data }

// String returns "mat A: Mul".
func (t *Task) String() string { return t.Of + ": " + t.What }

// Uses returns what the operation does with storages.
func (o *Operation) Uses() []Use {
	switch {
	case o.Loop != nil:
		return o.Loop.uses
	case o.Set != nil:
		return o.Set.uses[:]
	}
	return o.Task.uses
}

// User describes what uses a storage, for messages: a task, or a loop with its argument.
func (o *Operation) User(u Use) string {
	if o.Task != nil {
		return o.Task.String()
	}
	return fmt.Sprintf("%s: argument %d (%s)", o.Loop.name, u.param, o.Loop.params[u.param-1])
}
