package entity

import (
	"errors"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
)

// Called adds to an error where the program has called the library: the caller's own verb.
func Called(err error) error {
	if err == nil {
		return nil
	}
	return Located(err, "called", callsite.Find())
}

// Located adds a place to an error that has none, unless ranks have told each other of it.
func Located(err error, done string, s callsite.Site) error {
	var failed *comm.Failure
	if s.At == "" || errors.As(err, &failed) || problem.HasPlace(err) {
		return err
	}
	return problem.At(err, done+" at "+s.At)
}

// declaredHere adds to an error where the program has made the declaration.
func declaredHere(err error) error {
	if err == nil {
		return nil
	}
	return Located(err, "declared", callsite.Find())
}
