// Package problem holds the library's errors: the types and values that package op2 documents for
// its users, and the words and the form that their messages share.
package problem

import (
	"errors"
	"fmt"
)

var (
	// ErrStatic is returned by Compute, and wherever data is requested, on a runtime that was
	// opened with Static.
	ErrStatic = errors.New("op2: the runtime is static: it generates code and has no data")

	// ErrClosed is returned when a runtime is used after Close.
	ErrClosed = errors.New("op2: the runtime is closed")

	// ErrNoRuntime is returned by calls of a runtime that Open did not make.
	ErrNoRuntime = errors.New("op2: the runtime is nil, or was not made by Open")

	// ErrConcurrentUse is returned when a goroutine enters a runtime while another one is using it.
	ErrConcurrentUse = errors.New("op2: a runtime belongs to one goroutine, and another one is at work in it")
)

// ShapeError reports a size, number or type that does not fit: of data when it is declared, or of
// an argument when a loop is created.
type ShapeError struct {
	What string // "dat q on cells", "loop res_calc over edges: argument 3 (q)"
	Msg  string // what was expected, and what was found
	Hint string
}

func (e *ShapeError) Error() string { return Message(e.What, e.Msg, e.Hint) }

// ArgError reports an argument of a loop that cannot be used, for a reason other than its shape: it
// is on the wrong set, say, or both read and changed.
type ArgError struct {
	What string // "loop res_calc over edges: argument 3 (q)"
	Msg  string
	Hint string
}

func (e *ArgError) Error() string { return Message(e.What, e.Msg, e.Hint) }

// ValueError reports an infinite or NaN value in a matrix or a dat.
type ValueError struct {
	What     string // "mat mass", "dat q on cells"
	Row, Col int    // of a dat: the element and the component
	Field    string // of the component, if that is a struct or an array: "Velocity[1].X"
	Value    float64

	set  string // that a dat is on; "" for a mat
	hint string
}

func (e *ValueError) Error() string {
	msg := fmt.Sprintf("the value in row %d and column %d is %v", e.Row, e.Col, e.Value)
	if e.set != "" {
		msg = fmt.Sprintf("component %d of element %d of %s is %v", e.Col, e.Row, e.set, e.Value)
		if e.Field != "" {
			msg = e.Field + " of " + msg
		}
	}
	return Message(e.What, msg, e.hint)
}

// NotFinite returns the error for a value of a mat, or of a dat on a set.
func NotFinite(what, set string, row, col int, field string, value float64) *ValueError {
	return &ValueError{What: what, Row: row, Col: col, Field: field, Value: value, set: set}
}

// InLoop makes the error one of a loop, with a hint.
func InLoop(e *ValueError, what, hint string) *ValueError {
	in := *e
	in.What, in.hint = what, hint
	return &in
}
