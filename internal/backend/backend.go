// Package backend is what the library asks of a way to run loops: a Driver says
// what the machine has for it, and opens a Backend, which prepares loops as Runners.
//
// Each backend is a folder below this one; none knows another. The root package
// lists the drivers, validates loops before they come here, and calls.
package backend

import (
	"cmp"
	"errors"
	"io"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// ErrUnavailable is wrapped by errors that say what of a backend is missing.
var ErrUnavailable = errors.New("not available")

// Driver is one backend as the registry lists it.
type Driver struct {
	Name    string
	Summary string // what it is, in a line
	// Probe looks for what the backend needs; it changes nothing.
	Probe func(Config) Report
	// Open makes a backend, or an error that wraps ErrUnavailable.
	Open func(Config) (Backend, error)
}

// Config is what a backend may be told; each looks at what concerns it.
type Config struct {
	Threads  int      // at most so many at once
	CC       string   // name or path of the C compiler; empty: the first found
	CFlags   []string // for the C compiler, after the backend's own
	CacheDir string   // of compiled code; empty: the user's
	// KeepSource is a folder for generated C, which debuggers then find; empty: it is not kept.
	KeepSource string
	Poison     bool   // fill what a kernel is to write with NaN before it does
	Block      int    // elements in a block of a plan; 0: what the backend thinks best
	SIMD       string // "auto", "on" or "off": whether packs of elements run at once
	Dynamic    bool   // hand out blocks to threads one by one, rather than in equal shares
	Static     bool   // only Generate will be called: nothing need be there

	// For devices.
	Strategy      string            // how loops that collide run: "staged" and so on; "" and "auto": what the backend thinks best
	Deterministic bool              // only strategies whose results are the same, bit for bit, each time
	Layout        string            // of dats on the device: "aos", "soa"; "" and "auto": as the backend's AutoSoA says
	Device        string            // which device: a number, or a part of its name; empty: as Devices says
	Devices       map[string]string // the same by the name of the backend

	Warn     func(string)
	Progress func(name string, started, done int) // compilations
}

// DeviceOf is which device a backend of that name is to open; empty for the best.
func (c *Config) DeviceOf(name string) string { return cmp.Or(c.Device, c.Devices[name]) }

// Report is what a Probe found.
type Report struct {
	Found   []Item
	Missing []Item
}

// Item is one thing that a backend needs.
type Item struct {
	What   string // "C compiler"
	Detail string // path and version; or what was looked for, and where
	Hint   string // how to install it
}

// Backend prepares loops. It is used by one goroutine at a time.
type Backend interface {
	// Generate is the text that the loop compiles to.
	Generate(Spec) (string, error)
	// Prepare binds a loop to memory. What takes long goes on after it returns.
	Prepare(Spec, Memory) (Runner, error)
	// Check makes sure that the backend really works here, as far as that can be
	// known in a few milliseconds. Who asks for a backend by name finds out by
	// using it.
	Check() error
	io.Closer
}

// DeviceBackend is a Backend that runs loops on a device, and keeps data there.
type DeviceBackend interface {
	Backend
	// Device is the device; nil when static.
	Device() device.Device
	// AutoSoA reports whether a dat of dim values for each element, 2 or more, is better kept
	// component by component.
	AutoSoA(dim int) bool
	// Garbage is where data goes, too, that nobody has any more.
	Garbage() *device.Garbage
	// Settle waits until all loops have been done, and has told ReportTime of all of them.
	Settle() error
}

// Multiplier is a Backend that multiplies sparse matrices with vectors where its loops
// run. Without one it is done by goroutines.
type Multiplier interface {
	Backend
	PrepareProduct(Matrix) (Product, error)
}

// Matrix is a sparse matrix in compressed rows of blocks, the values of a block stored by
// columns.
type Matrix struct {
	Scalar         loop.Scalar
	RowDim, ColDim int     // of a block
	RowPtr         []int32 // the first block of each row, and the one after the last
	ColIdx         []int32 // the column of each block
	Cols           int     // of blocks
	Values         unsafe.Pointer
	Mirror         *device.Mirror // of the values; nil where the backend is no DeviceBackend
	// ReportTime is to be called with the time that a product took on a device, and ReportHow with
	// how the device multiplies, in a few words.
	ReportTime func(time.Duration)
	ReportHow  func(how string)
}

// Vector is a dat that a matrix is multiplied with, or the product.
type Vector struct {
	Host   unsafe.Pointer // nil with a Mirror
	Mirror *device.Mirror // nil where the backend is no DeviceBackend
	SoA    bool           // the device is to have it component by component
}

// Product is a prepared product.
type Product interface {
	// Ready waits until the product can run.
	Ready() error
	// Run sets y to the product with x.
	Run(y, x Vector) error
}

// PlanRequest is what a backend wants of a loop's plan.
type PlanRequest struct {
	BlockSize     int  // elements in a block; 0: no plan at all
	Stage         bool // local tables of all dats that are reached through maps
	ElementColors bool // colors of the elements in each block, too
}

// Runner is one prepared loop.
type Runner interface {
	// Ready waits until the loop can run.
	Ready() error
	// Run runs the loop once over all its elements. It allocates at most a few
	// bytes. A kernel's fault is a *Fault.
	Run() error
}

// Generator is a Runner that chose what its loop compiles to.
type Generator interface {
	Runner
	// Generate is that text.
	Generate() string
}

// Spec is a loop and its kernel.
type Spec struct {
	Loop   *loop.Loop
	Kernel *kernel.Kernel
	// Func is the kernel as Go calls it: the word that a func value is. Nil for C.
	Func unsafe.Pointer
	// Subset says that the loop runs over some elements of the set, which are listed.
	Subset bool
}

// Memory is where a loop finds its data: which elements it runs over, and addresses by
// loop.Data, loop.Maps and kernel.Consts.
type Memory struct {
	First, Last int // the elements from First to before Last
	// Subset, if it is not nil, lists the elements instead, ascending; First, Last and
	// the plan are then about places in it.
	Subset  []int32
	SetSize int // elements of the set, of which maps and entries have a row each

	Data     []unsafe.Pointer // on the host, where it may be nil for dats and mats that have Mirrors
	Mirrors  []*device.Mirror // by loop.Data; nil where the backend is no DeviceBackend
	Elements []int            // by loop.Data: of a dat's set; blocks of a mat; 1 for a global
	Maps     []unsafe.Pointer
	Consts   []unsafe.Pointer

	// NewPlan makes a plan, or finds it, as often as a backend likes while it prepares the
	// loop; and what it is made from, where each of loop.Data has its own entry. Both are
	// nil if the wish is for none.
	NewPlan func(PlanRequest) (*plan.Plan, *plan.Input, error)
	// Plan is what Runs goes by: the backend sets it.
	Plan *plan.Plan

	// ReportTime is to be called with the time that a call took on a device, once it is known;
	// ReportHow with how the loop runs, in a few words, and where its machine code came from:
	// what Stats have in How and Code.
	ReportTime func(time.Duration)
	ReportHow  func(how, code string)
	// ReportWait is to be called with the time that a call waited for other threads.
	ReportWait func(time.Duration)

	Entries []Entries // by loop.Entries
}

// Entries leads to the entries of sparse matrices: by the table of an element's entries,
// the blocks of its local matrix row by row, -1 for none, or else by the pattern.
type Entries struct {
	Table          []int32 // [set][rows arity][cols arity]; nil: search
	RowPtr, ColIdx []int32
}

// Fault is what ended a loop in the middle: what Go panics on.
type Fault struct {
	Pos kernel.Pos
	Msg string
	// Element is the one that the kernel was called for, the first of so many Elements of which it
	// was one. Elements is 0 if that is not known.
	Element, Elements int
}

func (f *Fault) Error() string {
	if f.Pos.Known() {
		return f.Pos.String() + ": " + f.Msg
	}
	return f.Msg
}
