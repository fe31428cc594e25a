// Package backend is the interface between the library and the ways to run loops: a Driver reports
// what the machine has for a backend, and opens it, and a Backend prepares loops as Runners.
//
// Each backend is a folder below this one, and none knows another. Package registry lists the
// drivers; package bind validates loops, package run calls the backends.
package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tune"
)

// ErrUnavailable is wrapped by errors that say what a backend lacks.
var ErrUnavailable = errors.New("not available")

// Unavailable marks an error as one about something that is missing: a library, a compiler, a device.
func Unavailable(err error) error {
	var missing *native.NotFoundError
	if errors.As(err, &missing) || errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// Driver describes a registered backend.
type Driver struct {
	Name    string
	Summary string // one-line description
	// Probe looks for what the backend needs, without side effects.
	Probe func(Config) Report
	// Open opens the backend; its error wraps ErrUnavailable if something is missing.
	Open func(Config) (Backend, error)
}

// Config is the configuration of all backends; each reads what concerns it.
type Config struct {
	Threads  int    // upper limit
	CacheDir string // of compiled code; empty: the user's cache folder
	// KeepSource is a folder that generated C is kept in, for debuggers; empty: none.
	KeepSource     string
	Poison         bool           // fill arguments with NaN before a kernel writes them
	Choices        choice.Choices // the user's, for loops without choices of their own; an empty compiler is the first found
	Stop           *stop.Flag     // raised when long-running work should stop
	Rank           int            // of Ranks, which share compiled code; of 0, there are no others
	Ranks          int
	SameBits       bool                             // of results, whatever the number of threads and the order of elements in memory
	Static         bool                             // only Generate will be called: no compiler or device is needed
	Translate      string                           // a folder in which generated C is left for op2 translate; empty: none
	Variants       func(loop.Hash) []choice.Choices // for which code is left there, too; may be nil
	OnlyTranslated bool                             // code that was not translated ahead of time is an error

	// For devices.
	Device  string            // selects a device by number or by part of its name; empty: see Devices
	Devices map[string]string // device by backend name

	Warn     func(string)
	Progress func(name string, started, done int) // compilations
}

// DeviceOf returns the device to open for the backend of that name; empty for the best.
func (c *Config) DeviceOf(name string) string { return cmp.Or(c.Device, c.Devices[name]) }

// Report is the result of a Probe.
type Report struct {
	Found   []Item
	Missing []Item
}

// Item is something that a backend needs.
type Item struct {
	What   string // "C compiler"
	Detail string // path and version; or what was searched for, and where
	Hint   string // how to install it
}

// Backend prepares loops. Only one goroutine may use it at a time.
type Backend interface {
	// Generate returns the source that the loop compiles to.
	Generate(Spec) (string, error)
	// Prepare binds a loop to memory. Compilation continues in the background after it returns.
	Prepare(Spec, Memory) (Runner, error)
	// CallsKernels reports whether the backend calls kernels one by one, instead of generating code for
	// loops.
	CallsKernels() bool
	// Check verifies that the backend works on this machine, as far as that is possible in a few
	// milliseconds, and may change to another compiler. It is skipped when a backend is requested by name,
	// together with a compiler or flags.
	Check() error
	io.Closer
}

// Placed is a Backend that says where its loops run, and what compiles them: what measured times depend on.
type Placed interface {
	Backend
	// Place returns the processor or device, and the compiler of a loop with its version, or choice.Translated; "" if there
	// is none.
	Place(Spec) (machine, compiler string)
}

// Translated is a Backend that runs code which the program contains, and may have no compiler for other code.
type Translated interface {
	Backend
	// HasCode reports whether the code of a loop is there, or can be compiled.
	HasCode(Spec) bool
}

// Strategist is a Backend whose loops may run with one of several strategies.
type Strategist interface {
	Backend
	// Strategies returns those to compare for a loop.
	Strategies(Spec) []tune.Strategy
}

// DeviceBackend is a Backend that runs loops on a device, and keeps data there.
type DeviceBackend interface {
	Backend
	// Device returns the device; nil for a static runtime.
	Device() device.Device
	// AutoSoA reports whether a dat of dim values per element, 2 or more, should by default be
	// stored component by component.
	AutoSoA(dim int) bool
	// Garbage returns the collector of device memory whose owners have become unreachable.
	Garbage() *device.Garbage
	// PrepareRows prepares to copy rows of values between a mirror's device memory and buffers.
	PrepareRows(Rows) (RowCopies, error)
	// Settle waits until all loops have finished, and their times have been passed to ReportTime.
	Settle() error
}

// Rows are the values of some elements, all components of each, and their places in a buffer that
// holds values of the same size, row by row.
type Rows struct {
	Mirror   *device.Mirror
	Elements []int32
	Places   []int32 // of the first values of the rows
}

// RowCopies copies rows whose values are valid on the device. Each call queues one copy of all rows.
type RowCopies interface {
	Gather(to device.Buffer) error
	Scatter(from device.Buffer) error
}

// Multiplier is a Backend that multiplies sparse matrices with vectors where its loops run. For
// other backends, goroutines do it.
type Multiplier interface {
	Backend
	PrepareProduct(Matrix) (Product, error)
}

// DotMultiplier is a Multiplier that can compute an inner product along with a product.
type DotMultiplier interface {
	Multiplier
	// PrepareDotProduct prepares the product of a square matrix, whose Run also sets dot to the inner
	// product of x and y in the rows that are multiplied. That does not depend on the number of threads.
	PrepareDotProduct(m Matrix, dot *float64) (Product, error)
}

// Matrix is a sparse matrix of blocks in CSR format, the values of a block stored column by column.
type Matrix struct {
	Scalar         loop.Scalar
	RowDim, ColDim int          // of a block
	RowPtr         []int32      // first block of each row, and the end of the last row
	ColIdx         []int32      // column of each block
	Cols           int          // of blocks
	Rows           []sparse.Run // those to multiply, in ascending order; nil: all, as on devices
	Values         unsafe.Pointer
	Mirror         *device.Mirror // of the values; nil unless the backend is a DeviceBackend
	// ReportTime is called with the time that a product took on a device, and ReportHow with a
	// short description of how the device multiplies.
	ReportTime func(time.Duration)
	ReportHow  func(how string)
}

// Vector is an operand or the result of a product.
type Vector struct {
	Host   unsafe.Pointer // nil with a Mirror
	Mirror *device.Mirror // nil unless the backend is a DeviceBackend
	SoA    bool           // stored component by component on the device
}

// Product is a prepared product.
type Product interface {
	// Ready waits until the product can run.
	Ready() error
	// Run sets y to the product with x.
	Run(y, x Vector) error
}

// PlanRequest specifies the plan that a backend needs for a loop.
type PlanRequest struct {
	BlockSize     int   // elements in a block; 0, without Size: no plan
	Boundaries    []int // elements at which a block starts in any case
	Stage         bool  // local tables of all dats that are reached through maps
	ElementColors bool  // color the elements within each block, too
	ByColor       bool  // list the elements of each block by color
	// Size, if not nil, returns the block size for the plan's input.
	Size func(*plan.Input) (int, error)
}

// Same reports whether two requests are sure to have the same plan.
func (r PlanRequest) Same(o PlanRequest) bool {
	return r.Size == nil && o.Size == nil && r.BlockSize == o.BlockSize && r.Stage == o.Stage && r.ElementColors == o.ElementColors &&
		r.ByColor == o.ByColor && slices.Equal(r.Boundaries, o.Boundaries)
}

// SetSize sets the block size of the plan's input as requested.
func (r PlanRequest) SetSize(in *plan.Input) (err error) {
	in.BlockSize = r.BlockSize
	if r.Size != nil {
		in.BlockSize, err = r.Size(in)
	}
	return err
}

// Runner is one prepared loop. It is called in one of two ways: by Run, which runs all elements, or
// in parts, by Begin, RunPart for each part, and Finish.
type Runner interface {
	// Ready waits until the loop can run.
	Ready() error
	// Run runs the loop once over all its elements. It allocates at most a few bytes. If a kernel
	// faults, the error is a *Fault.
	Run() error
	Parts
}

// Waiter is a Runner or Tiles that may wait for a compiler.
type Waiter interface {
	// Waits reports whether Ready would wait now.
	Waits() bool
}

// Compiled is a Runner whose code may have been compiled by this process.
type Compiled interface {
	// Took returns, after Ready, the processor time of the compiler.
	Took() time.Duration
}

// Generator is a Runner that decides what its loop compiles to.
type Generator interface {
	Runner
	// Generate returns the source that the loop compiles to.
	Generate() string
}

// Spec is a loop and its kernel.
type Spec struct {
	Loop   *loop.Loop
	Kernel *kernel.Kernel
	Ops    []*kernel.Kernel // by loop.Ops
	// Func is the kernel as a Go function: the word of a func value. Nil for C.
	Func unsafe.Pointer
	// Subset reports that the loop runs over a list of some elements of the set.
	Subset bool
	Chosen choice.Made // what the loop's user and others have chosen, and the runtime's user for all loops
	Cost   int         // of an element, estimated in additions of floats; 0: unknown
	Bytes  int         // that an element moves at least; 0: unknown
	// Parts are the loops that a fused one stands for, in order, for backends that call their functions.
	// Nil for other loops.
	Parts []Spec
}

// Hash returns the key of everything that depends only on what the loop means.
func (s *Spec) Hash() loop.Hash { return s.Loop.Hash(s.Subset, s.Kernel.Meaning()) }

// Place returns where the kernel is, alike on all machines: "example.com/flow/kernels.go:22:6".
func (s *Spec) Place() string {
	at := s.Kernel.Entry().Pos
	at.File = filepath.Base(at.File)
	function := s.Func
	if len(s.Parts) > 0 {
		function = s.Parts[0].Func
	}
	if function != nil {
		at.File = path.Join(callsite.PackageOf(runtime.FuncForPC(*(*uintptr)(function)).Name()), at.File)
	}
	return at.String()
}

// Memory holds the elements and the data of a loop, the addresses indexed as loop.Data, loop.Maps
// and kernel.Consts.
type Memory struct {
	First, Last int // the elements [First, Last)
	// Boundaries are the elements, in ascending order, at which parts of the loop may start and
	// end. For a subset they are indices, as First and Last are.
	Boundaries []int
	// Subset, if not nil, lists the elements in ascending order; First, Last and the plan then
	// refer to indices into it.
	Subset  []int32
	SetSize int // elements of the set; maps and tables of nonzeros have a row for each

	Data     []unsafe.Pointer // on the host; may be nil for dats and mats that have Mirrors
	Mirrors  []*device.Mirror // by loop.Data; nil unless the backend is a DeviceBackend
	Elements []int            // by loop.Data: of a dat's set; blocks of a mat; 1 for a global
	Maps     []unsafe.Pointer
	Consts   []unsafe.Pointer
	Names    Names

	// NewPlan returns a plan, new or cached, and its input, which has one element for each of
	// loop.Data. A backend may call it several times while it prepares the loop. Both results are
	// nil if the request is for no plan.
	NewPlan func(PlanRequest) (*plan.Plan, *plan.Input, error)
	// Plan is the plan that the loop runs with, as Runs reads it: the backend sets it.
	Plan *plan.Plan

	// ReportTime is called with the time that a call took on a device, once it is known; ReportHow
	// with a short description of how the loop runs, and the origin of its machine code: the How
	// and Code of Stats.
	ReportTime func(time.Duration)
	ReportHow  func(how, code string)
	// ReportChoices is called with the choices that the loop runs with; nil if nobody wants to know.
	ReportChoices func(choice.Made)
	// ReportWait is called with the time that a call spent waiting for other threads.
	ReportWait func(time.Duration)
	// Labels has the labels of goroutines that help to run the loop, in CPU profiles; nil: none.
	Labels context.Context

	Nonzeros []Nonzeros // by loop.Nonzeros

	Parts []Memory // by Spec.Parts: the data of each; nil for loops that are not fused
}

// Names are the program's names for what a loop uses, indexed as loop.Data and loop.Maps.
type Names struct {
	Set        string
	Data, Maps []string
}

// Nonzeros locates the nonzeros of sparse matrices: by the table of an element's nonzeros, the
// blocks of its local matrix row by row, -1 for none, or else by the pattern.
type Nonzeros struct {
	Table          []int32 // [set][rows arity][cols arity]; nil: search the pattern
	RowPtr, ColIdx []int32
}

// Fault is a failure in a kernel that ended a loop: what panics in Go.
type Fault struct {
	Pos kernel.Pos
	Msg string
	// Element is the element that the kernel was called for, or the first of a group of Elements
	// that contains it. Elements is 0 if that is not known.
	Element, Elements int
	Loop              int // which loop of several that run in tiles
	Part              int // which part of a fused loop, counted from 1, where kernels are called as functions; otherwise Pos says it
}

func (f *Fault) Error() string {
	if f.Pos.Known() {
		return f.Pos.String() + ": " + f.Msg
	}
	return f.Msg
}
