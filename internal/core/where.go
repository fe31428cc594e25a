package core

import (
	"errors"
	"strings"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
)

// Called adds to an error where the program has called the library: the caller's own verb.
func Called(err error) error {
	if err == nil {
		return nil
	}
	return located(err, "called", callsite.Find())
}

// declared adds to an error of a call where the loop was declared.
func (l *Loop) declared(err error) error {
	if err == nil {
		return nil
	}
	return located(err, "declared", l.site.Site())
}

// located adds a place to an error that has none, unless it is that of an earlier declaration, or one that ranks have
// told each other.
func located(err error, done string, s callsite.Site) error {
	var inert *inertError
	var failed *comm.Failure
	if text := err.Error(); s.At == "" || errors.As(err, &inert) || errors.As(err, &failed) || strings.Contains(text, "\n  called at ") || strings.Contains(text, "\n  declared at ") {
		return err
	}
	return problem.Errorf("%w\n  %s at %s", err, done, s.At)
}
