package op2

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/problem"
)

var (
	// ErrUnavailable is wrapped by errors about something requested that this machine does not
	// have; the message says what was searched for, where, and what to install.
	ErrUnavailable = backend.ErrUnavailable

	// ErrStatic is returned by Compute, and wherever data is requested, on a runtime that was
	// opened with Static.
	ErrStatic = problem.ErrStatic

	// ErrClosed is returned when a runtime is used after Close.
	ErrClosed = problem.ErrClosed

	// ErrConcurrentUse is returned when a goroutine enters a runtime while another one is using it.
	ErrConcurrentUse = problem.ErrConcurrentUse
)

// orEmpty returns p, or a zero value for nil: an undeclared object has no name, size or values.
func orEmpty[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// ShapeError reports a size, number or type that does not fit: of data when it is declared, or of
// an argument when a loop is created. Its fields:
//
//	What string // "dat q on cells", "loop res_calc over edges: argument 3 (q)"
//	Msg  string // what was expected, and what was found
//	Hint string
type ShapeError = problem.ShapeError

// ArgError reports an argument of a loop that cannot be used, for a reason other than its shape: it
// is on the wrong set, say, or both read and changed. Its fields:
//
//	What string // "loop res_calc over edges: argument 3 (q)"
//	Msg  string
//	Hint string
type ArgError = problem.ArgError

// ValueError reports an infinite or NaN value in a matrix or a dat. Its fields:
//
//	What     string // "mat mass", "dat q on cells"
//	Row, Col int    // of a dat: the element and the component
//	Field    string // of the component, if that is a struct or an array: "Velocity[1].X"
//	Value    float64
type ValueError = problem.ValueError

// KernelError reports a kernel that cannot be used: it does not parse, uses something kernels may
// not, or breaks the access contract of its arguments. It wraps the error that was found. Its
// fields:
//
//	Kernel   string
//	Problems []Problem // in order of position: each has Pos, Line (the text there), Msg and Hint
type KernelError = problem.KernelError

// FaultError reports a kernel that failed while it ran, for example by dividing an integer by zero:
// what panics in Go. What the loop writes is then partly written. Its fields:
//
//	Loop   string // "loop resCalc over edges"
//	Kernel string
//	Pos    Pos // has File, Line and Col
//	Msg    string // "index out of range [5] with length 4"
//
//	// Of is what an out-of-range subscript indexes: "argument 2 (q, read)", or "table" for
//	// something that is not an argument. Argument is its number, from 1; 0 if it is none, or
//	// unknown.
//	Of       string
//	Argument int
//
//	// The kernel was called for Element of Set, or for one of the Elements from there on, which ran
//	// together. Elements is 0 if unknown. Declared has the declared numbers of all of them, Element the
//	// first one, where they are not those from Element on.
//	Set      string
//	Element  int
//	Elements int
//	Declared []int
//
//	// Source is the line of a C kernel in which it failed, with a caret below the place, ready to be printed; "" if unknown.
//	Source string
type FaultError = problem.FaultError

// CompileError reports generated code that the C compiler rejected. Its text is short; the format
// %+v includes compiler, flags, numbered source and the whole log.
type CompileError = jit.CompileError

// OutOfMemoryError reports that a device does not have the memory that a loop or its data needs.
// Once other dats are unreachable, the same loop can be run again.
type OutOfMemoryError = device.OutOfMemoryError

// DeviceError reports a failed call of a device's library. With Lost, the device is unusable: host
// data is intact, and a new runtime can continue with it.
type DeviceError = device.Error

// RankError reports that a rank has failed, of several that run the program together: on that rank,
// and on those that were told. On the rank itself it wraps the error, so that errors.As finds a
// *CompileError or *FaultError. Its fields:
//
//	Rank int
//	Why  string // the text of the error
type RankError = comm.Failure
