package entity

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
)

// On several ranks, an error of one must end on all, since the others would wait for that rank for
// ever. Either all agree on whether there is one, at the end of calls that are collective anyway, and
// return it together, or the rank that has it fails the others, whose next communication returns it.

// Report fails the other ranks with an error that only this one has, and returns it, with the number
// of the rank. Errors that all ranks have are returned as they are, as all are on one process. It may
// be called at any time.
func (rt *Runtime) Report(err error) error {
	if rt == nil || err == nil || !rt.Several() || known(err) {
		return err
	}
	return broken(rt.Comm().Fail(problem.Bare(err)))
}

// Agree returns an error on all ranks if there is one on any: the text of each, with its ranks,
// unless all ranks have the same. It is collective, and does nothing on one process.
func (rt *Runtime) Agree(own error) error { return Agree(rt.Comm(), own) }

// Agree is Runtime.Agree before there is a runtime.
func Agree(c comm.Comm, own error) error {
	if c.Size() == 1 || known(own) {
		return own
	}
	if own != nil {
		own = problem.Bare(own)
	}
	failures, err := comm.Agree(c, own)
	if err != nil {
		return broken(err)
	}
	if len(failures) > 0 && failures[0].Rank != c.Rank() {
		comm.Yield(c)
	}
	if len(failures) == c.Size() && failures.Alike() {
		return &agreed{problem.Errorf("op2: %w", own)}
	}
	if len(failures) > 0 {
		return &agreed{broken(comm.Join(failures))}
	}
	return nil
}

// OnAll returns an error as one that all ranks return.
func OnAll(err error) error { return &agreed{err} }

// agreed is an error that all ranks return.
type agreed struct{ error }

func (e *agreed) Unwrap() error { return e.error }

// Format implements fmt.Formatter.
func (e *agreed) Format(s fmt.State, verb rune) {
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), e.error)
}

// known reports whether all ranks have the error, or are told of it.
func known(err error) bool { return errors.As(err, new(*agreed)) || comm.Reported(err) }

// CheckDeclared returns an error if one of the runtimes, of the arguments of a call, has failed. It says what was
// attempted, and includes the error of the declaration.
func CheckDeclared(what string, runtimes ...*Runtime) error {
	for _, rt := range runtimes {
		if err := rt.Failed(); err != nil {
			return notDeclared(what, err)
		}
	}
	return nil
}

// notDeclared returns the error of an attempt with something whose declaration has failed with an error.
func notDeclared(what string, err error) error {
	if errors.As(err, new(noDat)) {
		return problem.Errorf("op2: %s: %w", what, problem.Bare(err))
	}
	return problem.Errorf("op2: %s: not declared, because of an earlier error: %w", what, problem.Bare(err))
}

// NotMade returns the error of a call of something that no constructor made, with its place.
func NotMade(what, constructor string) error {
	return Called(fmt.Errorf("op2: the %s is nil, or was not made by %s", what, constructor))
}
