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
	// ErrUnavailable is wrapped by errors about something requested that this machine does not
	// have; the message says what was searched for, where, and what to install.
	ErrUnavailable = backend.ErrUnavailable

	// ErrStatic is returned by Compute, and wherever data is requested, on a runtime that was
	// opened with Static.
	ErrStatic = errors.New("op2: the runtime is static: it generates code and has no data")

	// ErrClosed is returned when a runtime is used after Close.
	ErrClosed = errors.New("op2: the runtime is closed")

	errNoRuntime = errors.New("op2: the runtime is nil, or was not made by Open")

	// ErrConcurrentUse is returned when a goroutine enters a runtime while another one is using it.
	ErrConcurrentUse = errors.New("op2: a runtime belongs to one goroutine, and another one is at work in it")
)

// orEmpty returns p, or a zero value for nil: an undeclared object has no name, size or values.
func orEmpty[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// ShapeError reports a size, number or type that does not fit: of data when it is declared, or of
// an argument when a loop is created.
type ShapeError struct {
	What string // "dat q on cells", "loop res_calc over edges: argument 3 (q)"
	Msg  string // what was expected, and what was found
	Hint string
}

func (e *ShapeError) Error() string { return message(e.What, e.Msg, e.Hint) }

// ArgError reports an argument of a loop that cannot be used, for a reason other than its shape: it
// is on the wrong set, say, or both read and changed.
type ArgError struct {
	What string // "loop res_calc over edges: argument 3 (q)"
	Msg  string
	Hint string
}

func (e *ArgError) Error() string { return message(e.What, e.Msg, e.Hint) }

// ValueError reports an infinite or NaN value in a matrix or a dat.
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

// message formats an error's text in the common form.
func message(what, msg, hint string) string {
	s := "op2: " + what + ": " + msg
	if hint != "" {
		s += "\n  hint: " + hint
	}
	return s
}

// componentRange lists the numbers of n components: "components 0 to 3".
func componentRange(n int) string {
	if n == 1 {
		return "component 0 alone"
	}
	return fmt.Sprintf("components 0 to %d", n-1)
}

// count formats a number of things: "1 argument", "2 arguments".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// were returns the form of "to be" for a number of things.
func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// are returns the form of "to be" for a number of things.
func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// neededValues describes a mismatch between the number of values needed and given.
func neededValues(each int, set *Set, given int) string {
	n := each * set.total()
	return fmt.Sprintf("%s %s needed, %d for each of %d %s; %d %s given", count(n, "value"), are(n), each, set.total(), set.name, given, were(given))
}

// oneOr says that one value or n are accepted.
func oneOr(n int) string {
	if n == 1 {
		return "1 value"
	}
	return fmt.Sprintf("1 value or %d", n)
}

// Position is a position in a kernel's source.
type Position = kernel.Pos

// KernelProblem is one mistake in a kernel.
type KernelProblem = kernel.Problem

// KernelError reports a kernel that cannot be used: it does not parse, uses something kernels may
// not, or breaks the access contract of its arguments.
type KernelError struct {
	Kernel   string
	Problems []KernelProblem // in order of position
	err      error
}

func (e *KernelError) Error() string { return "op2: " + e.err.Error() }

// Unwrap returns the front end's error.
func (e *KernelError) Unwrap() error { return e.err }

// kernelError converts a front end's error to its public form.
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

// CompileError reports generated code that the C compiler rejected. Its text is short; the format
// %+v includes compiler, flags, numbered source and the whole log.
type CompileError = jit.CompileError

// OutOfMemoryError reports that a device does not have the memory that a loop or its data needs.
// Once other dats are unreachable, the same loop can be run again.
type OutOfMemoryError = device.OutOfMemoryError

// DeviceError reports a failed call of a device's library. With Lost, the device is unusable: host
// data is intact, and a new runtime can continue with it.
type DeviceError = device.Error

// errorf is fmt.Errorf for errors that wrap others.
func errorf(format string, args ...any) error { return &wrapped{fmt.Errorf(format, args...)} }

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

// Must returns the value, or panics with the error: for tests. Programs declare their meshes with
// [Declare].
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
