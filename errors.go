package op2

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/kernel"
)

var (
	// ErrUnavailable is wrapped when something that was asked for is not on this
	// machine; the message says what was looked for, where, and what to install.
	ErrUnavailable = backend.ErrUnavailable

	// ErrStatic is returned by Compute, and wherever data is asked for, on a
	// runtime that was opened with Static.
	ErrStatic = errors.New("op2: the runtime is static: it generates code and has no data")

	// ErrClosed is returned when a runtime is used after Close.
	ErrClosed = errors.New("op2: the runtime is closed")

	errNoRuntime = errors.New("op2: the runtime is nil, or was not made by Open")

	// ErrConcurrentUse is returned when a goroutine enters a runtime in which
	// another one is at work.
	ErrConcurrentUse = errors.New("op2: a runtime belongs to one goroutine, and another one is at work in it")
)

// orEmpty is p, or a zero value for nil: what has not been made has no name, size or values.
func orEmpty[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// ShapeError is a size, number or type that does not fit: of data when something
// is declared, or of an argument when a loop is.
type ShapeError struct {
	What string // "dat q on cells", "loop res_calc over edges: argument 3 (q)"
	Msg  string // what was expected, and what was found
	Hint string
}

func (e *ShapeError) Error() string { return message(e.What, e.Msg, e.Hint) }

// ArgError is an argument of a loop that cannot be used as it is, for a reason
// other than its shape: it is on the wrong set, say, or read and changed at once.
type ArgError struct {
	What string // "loop res_calc over edges: argument 3 (q)"
	Msg  string
	Hint string
}

func (e *ArgError) Error() string { return message(e.What, e.Msg, e.Hint) }

// ValueError is a value of a matrix or a dat that is infinite or not a number.
type ValueError struct {
	What     string // "mat mass", "dat q on cells"
	Row, Col int    // of a dat: the element and the component
	Value    float64

	set  string // that a dat is on; "" for a mat
	hint string
}

func (e *ValueError) Error() string {
	msg := fmt.Sprintf("the value in row %d and column %d is %v", e.Row, e.Col, e.Value)
	if e.set != "" {
		msg = fmt.Sprintf("component %d of element %d of %s is %v", e.Col, e.Row, e.set, e.Value)
	}
	return message(e.What, msg, e.hint)
}

// message is an error's text in the form that all of them have.
func message(what, msg, hint string) string {
	s := "op2: " + what + ": " + msg
	if hint != "" {
		s += "\n  hint: " + hint
	}
	return s
}

// count is a number of things: "1 argument", "2 arguments".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// were agrees with a number of things.
func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// are agrees with a number of things.
func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// neededValues says that so many values for each element of a set are another number than were given.
func neededValues(each int, set *Set, given int) string {
	n := each * set.total()
	return fmt.Sprintf("%s %s needed, %d for each of %d %s; %d %s given", count(n, "value"), are(n), each, set.total(), set.name, given, were(given))
}

// oneOr says that one value or n are taken.
func oneOr(n int) string {
	if n == 1 {
		return "1 value"
	}
	return fmt.Sprintf("1 value or %d", n)
}

// Position is a place in a kernel's source.
type Position = kernel.Pos

// KernelProblem is one thing that is wrong with a kernel.
type KernelProblem = kernel.Problem

// KernelError is a kernel that cannot be used: it does not parse, uses what kernels
// may not, or breaks the access contract of its arguments.
type KernelError struct {
	Kernel   string
	Problems []KernelProblem // in order of position
	err      error
}

func (e *KernelError) Error() string { return "op2: " + e.err.Error() }

// Unwrap gives the error as the front end made it.
func (e *KernelError) Unwrap() error { return e.err }

// kernelError brings what a front end says into its public form.
func kernelError(err error) error {
	var k *kernel.Error
	if errors.As(err, new(*KernelError)) {
		return err
	}
	if errors.As(err, &k) {
		return &KernelError{Kernel: k.Kernel, Problems: k.Problems, err: err}
	}
	return errorf("op2: %w", err)
}

// CompileError is generated code that the C compiler refused. Its text is short;
// formatted with %+v it holds compiler, flags, numbered source and the whole log.
type CompileError = jit.CompileError

// OutOfMemoryError is a device that has not as many bytes as a loop or its data needs. Once
// other dats are gone, the same loop can be run again.
type OutOfMemoryError = device.OutOfMemoryError

// DeviceError is a call of a device's library that failed. With Lost, nothing on the device
// works any more: what the host has is as it was, and a new runtime may go on with it.
type DeviceError = device.Error

// errorf is fmt.Errorf for errors that wrap others.
func errorf(format string, args ...any) error { return &wrapped{fmt.Errorf(format, args...)} }

// wrapped is an error that, formatted with %+v, shows those within it so.
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

// plain is a state without the flag that asks for more.
type plain struct{ fmt.State }

func (s plain) Flag(c int) bool { return c != '+' && s.State.Flag(c) }

// inFull is the text of an error in which those within it have theirs in full.
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

// Must gives the value, or panics with the error: for tests. Programs declare their meshes by [Declare].
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
