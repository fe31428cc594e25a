package problem

import (
	"errors"
	"fmt"
	"strings"
)

// Errorf returns the error of fmt.Errorf, for errors that wrap others.
func Errorf(format string, args ...any) error { return &wrapped{fmt.Errorf(format, args...)} }

// At returns an error with a line that says where in the program something is: "called at main.go:31".
func At(err error, line string) error { return &placed{Errorf("%w\n  %s", err, line).(*wrapped)} }

// HasPlace reports whether an error has a line of At.
func HasPlace(err error) bool { return errors.As(err, new(*placed)) }

// placed is an error with a place in the program.
type placed struct{ *wrapped }

// wrapped is an error whose %+v format includes that of the errors it wraps.
type wrapped struct{ error }

func (e *wrapped) Unwrap() error { return e.error }

// Format implements fmt.Formatter.
func (e *wrapped) Format(s fmt.State, verb rune) {
	text := e.Error()
	if verb == 'v' && s.Flag('+') {
		text, verb = inFull(e.error), 's'
	}
	_, _ = fmt.Fprintf(s, fmt.FormatString(plain{s}, verb), text)
}

// plain is a state without the plus flag.
type plain struct{ fmt.State }

func (s plain) Flag(c int) bool { return c != '+' && s.State.Flag(c) }

// inFull returns the text of an error in which those it wraps are formatted with %+v.
func inFull(err error) string {
	if f, ok := err.(fmt.Formatter); ok {
		if _, ours := f.(*wrapped); !ours {
			return fmt.Sprintf("%+v", err)
		}
	}
	var within []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		within = append(within, e.Unwrap())
	case interface{ Unwrap() []error }:
		within = e.Unwrap()
	}
	text := err.Error()
	for _, e := range within {
		if e != nil {
			text = strings.Replace(text, e.Error(), inFull(e), 1)
		}
	}
	return text
}

// prefix begins the texts of the library's errors.
const prefix = "op2: "

// In returns an error that happened in something: its text is "op2: what: " and that of err, which
// loses an "op2: " of its own, since operators of solvers are functions of the program, and mostly
// run loops. An error that names it already is returned as it is.
func In(what string, err error) error {
	if strings.HasPrefix(err.Error(), prefix+what+": ") {
		return err
	}
	return &within{what, err}
}

type within struct {
	what string
	err  error
}

func (e *within) Error() string {
	return prefix + e.what + ": " + strings.TrimPrefix(e.err.Error(), prefix)
}

func (e *within) Unwrap() error { return e.err }

// Format implements fmt.Formatter.
func (e *within) Format(s fmt.State, verb rune) {
	text := e.Error()
	if verb == 'v' && s.Flag('+') {
		text, verb = prefix+e.what+": "+strings.TrimPrefix(inFull(e.err), prefix), 's'
	}
	_, _ = fmt.Fprintf(s, fmt.FormatString(plain{s}, verb), text)
}

// Bare returns an error without the "op2: " of its text, to be a part of another message.
func Bare(err error) error { return &bare{err} }

type bare struct{ err error }

func (e *bare) Error() string { return strings.TrimPrefix(e.err.Error(), prefix) }

func (e *bare) Unwrap() error { return e.err }

// Format implements fmt.Formatter.
func (e *bare) Format(s fmt.State, verb rune) {
	text := e.Error()
	if verb == 'v' && s.Flag('+') {
		text, verb = strings.TrimPrefix(inFull(e.err), prefix), 's'
	}
	_, _ = fmt.Fprintf(s, fmt.FormatString(plain{s}, verb), text)
}
