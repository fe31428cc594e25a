package comm

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Each runs body on n connected ranks, a goroutine each, as Local connects them, waits for all, and
// returns their errors, by ranks. A rank has failed if its body returns an error, panics, or ends
// its goroutine: the calls of others return a *Failure. The error of a panic is a *PanicError.
func Each(n int, delay time.Duration, body func(Comm) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i, c := range Local(n, delay) {
		all.Go(func() {
			defer c.(*local).leave()
			errs[i] = errors.New("its goroutine has ended") // without a return
			defer func() {
				if p := recover(); p != nil {
					errs[i] = &PanicError{p, debug.Stack()}
				}
				if errs[i] != nil {
					c.Fail(errs[i])
				}
			}()
			errs[i] = body(c)
		})
	}
	all.Wait()
	return errs
}

// PanicError is a panic of a rank.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// Run runs body on n ranks as Each does, and returns the errors of ranks that have failed. It panics
// with the panic of a rank.
func Run(n int, delay time.Duration, body func(Comm) error) error {
	errs := Each(n, delay, body)
	for rank, err := range errs {
		if errors.As(err, new(*PanicError)) {
			panic(Fails(rank, err).Error())
		}
	}
	return Join(Own(errs))
}

// Own returns each rank's own failure, given the errors that ranks have returned. It leaves out
// failures of others that a rank has been told of, and the end of ranks that have failed.
func Own(errs []error) []*Failure {
	if all := own(errs, true); len(all) > 0 {
		return all
	}
	return own(errs, false) // all because of each other
}

func own(errs []error, causes bool) []*Failure {
	var all []*Failure
	for rank, err := range errs {
		if err == nil || causes && follows(err, rank, errs) {
			continue
		}
		in := failuresIn(err)
		switch i := slices.IndexFunc(in, func(f *Failure) bool { return f.Rank == rank }); {
		case i >= 0 && err.Error() == Join(in).Error(): // nothing has been added to it
			all = append(all, in[i])
		case i < 0 && len(in) > 0 && !slices.ContainsFunc(in, func(f *Failure) bool { return f.inferred || errs[f.Rank] == nil }):
		default:
			all = append(all, Fails(rank, err))
		}
	}
	return all
}

// follows reports whether the error of a rank is that another, which has failed itself, has ended.
func follows(err error, rank int, errs []error) bool {
	switch e := err.(type) {
	case *Failure:
		return e.inferred && e.Rank != rank && errs[e.Rank] != nil || follows(e.err, rank, errs)
	case interface{ Unwrap() error }:
		return follows(e.Unwrap(), rank, errs)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(e error) bool { return follows(e, rank, errs) })
	}
	return false
}

// failuresIn returns the failures that an error wraps.
func failuresIn(err error) []*Failure {
	if f, ok := err.(*Failure); ok {
		return []*Failure{f}
	}
	var in []*Failure
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		in = failuresIn(err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range err.Unwrap() {
			in = append(in, failuresIn(e)...)
		}
	}
	return in
}
