// Package device is what backends that run loops on devices have in common below the
// generated code: what a device can do (Device, which the packages opencl and cuda give),
// and data that is in the host's memory and in a device's (Mirror).
//
// A device has one queue on which everything happens in the order in which it was asked
// for; what is queued goes on while the host does something else. All of it is used by one
// goroutine at a time.
package device

import (
	"fmt"
	"time"
	"unsafe"
)

// Device is an open device.
type Device interface {
	Info() Info

	// Alloc allocates n bytes, at least one, aligned for values of any type; what is in
	// them is undefined. Too many are an *OutOfMemoryError.
	Alloc(n int) (Buffer, error)
	// Free gives a buffer back, once what is queued has been done. Of 0 it does nothing.
	Free(Buffer)

	// Upload copies n bytes from the host's memory, which may be changed once it returns.
	Upload(to Buffer, offset int, from unsafe.Pointer, n int) error
	// Download waits until all that is queued has been done, and copies n bytes.
	Download(to unsafe.Pointer, from Buffer, offset, n int) error
	// Copy queues a copy of the first n bytes of a buffer to another.
	Copy(to, from Buffer, n int) error
	// Clear queues that n bytes from offset become zero.
	Clear(b Buffer, offset, n int) error

	// Build begins to compile a program, unless the cache has it, and returns at once.
	Build(Source) Program

	// Begin and End enclose what is timed; they do not nest, and do not wait.
	Begin() error
	End() (Timing, error)

	// Finish waits until all that is queued has been done. What a device finds wrong with
	// work that is already queued may be told here, or by any later call.
	Finish() error
	// Close gives everything back.
	Close() error
}

// Buffer is memory on a device. 0 is none.
type Buffer uintptr

// Info says what a device is.
type Info struct {
	Name     string // "NVIDIA H200", "pthread-Intel(R) Xeon(R)"
	Driver   string // version, "CUDA 12.4", "OpenCL 3.0 PoCL 3.1"
	CPU      bool   // the host's own processor, where work-items run one after the other
	Units    int    // compute units: multiprocessors, or cores
	Memory   int64  // bytes; 0: not known
	Local    int    // bytes of local (shared) memory that a work-group may have
	MaxGroup int    // work-items in a group
	Float64  bool
	Atomic64 bool   // atomic compare and swap of 64 bits
	Arch     string // what code is compiled for, "sm_90"; empty for OpenCL
}

// Source is the text of a program.
type Source struct {
	Name string // readable, as "res_calc": in messages and names of files
	Text string
	// Flags are the compiler's, beside those that the device's package gives itself.
	Flags []string
}

// Program is being compiled, or was.
type Program interface {
	// Wait waits for the compiler, whose refusal is a *jit.CompileError.
	Wait() error
	// Found reports, after Wait, whether the program was in the cache on disk.
	Found() bool
	// Kernel is a kernel of the program by its name, which each caller has to itself.
	// It is asked for after Wait.
	Kernel(name string) (Kernel, error)
	// Release gives the program back.
	Release()
}

// Kernel is an entry point of a program.
type Kernel interface {
	Figures() Figures
	// Launch queues the kernel for so many groups of so many work-items, both at least 1,
	// which have shared bytes of local memory for each group that is not declared in the
	// text.
	Launch(groups, size, shared int, args []Arg) error
}

// Arg is an argument of a kernel: where its value is, which may change between launches,
// and its size: 4 or 8 bytes, 8 for a Buffer, and any for a struct. An argument of no
// address stands for local memory of that size; it is one of kernels in OpenCL C alone.
type Arg struct {
	Value unsafe.Pointer
	Size  int
}

// Figures are what is known of a compiled kernel; -1 for what is not.
type Figures struct {
	Registers int // of 32 bits, for each work-item
	Spilled   int // bytes of stack for each work-item
	Local     int // bytes of local memory declared in the text
	MaxGroup  int // work-items that a group can have
}

// Timing is how long something takes that has been queued.
type Timing interface {
	// Elapsed waits until it has been done.
	Elapsed() (time.Duration, error)
}

// Cache keeps compiled programs on disk. Keys hold all that decides what a program is
// compiled to.
type Cache interface {
	Load(name string, key ...string) (image []byte, ok bool)
	Keep(name, source string, image []byte, key ...string)
}

// Config is what a device is opened with.
type Config struct {
	Choice   string // which device: a number, or a part of its name; empty: the best
	Cache    Cache  // nil: none
	Progress func(name string, started, done int)
}

// OutOfMemoryError says that a device has not as many bytes as were asked for.
type OutOfMemoryError struct {
	Device   string
	Bytes    int
	Existing int64 // bytes that this process has allocated there already
	Total    int64 // bytes that the device has; 0: not known
}

func (e *OutOfMemoryError) Error() string {
	s := fmt.Sprintf("out of memory on %s: %d bytes were asked for, %d are allocated already", e.Device, e.Bytes, e.Existing)
	if e.Total > 0 {
		s += fmt.Sprintf(", the device has %d", e.Total)
	}
	return s
}

// Error is a call of a device's library that failed.
type Error struct {
	Device string
	Call   string // "clEnqueueNDRangeKernel"
	Code   string // "CL_OUT_OF_RESOURCES", "CUDA_ERROR_ILLEGAL_ADDRESS"
	Lost   bool   // nothing on the device works any more; data on the host is as it was
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s: %s", e.Device, e.Call, e.Code)
	if e.Lost {
		s += "; the device is lost, what was only in its memory too\n  hint: open a new runtime"
	}
	return s
}
