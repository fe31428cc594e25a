// Package device is the common basis of the backends that run loops on devices, below the generated
// code: the interface of a device (Device, which the packages opencl and cuda implement), and data
// shared by host and device memory (Mirror).
//
// A device has one in-order queue; queued work runs while the host does something else. Only one
// goroutine may use a device at a time.
package device

import (
	"fmt"
	"time"
	"unsafe"
)

// Device is an open device.
type Device interface {
	Info() Info

	// Alloc allocates n bytes, at least one, aligned for values of any type, with undefined
	// contents. If there is not enough memory, the error is an *OutOfMemoryError.
	Alloc(n int) (Buffer, error)
	// Free frees a buffer once queued work is done. Freeing 0 does nothing.
	Free(Buffer)

	// Upload copies n bytes from the host's memory, which may change once it returns.
	Upload(to Buffer, offset int, from unsafe.Pointer, n int) error
	// Download waits until all queued work is done, and copies n bytes.
	Download(to unsafe.Pointer, from Buffer, offset, n int) error
	// PrepareFetch prepares to copy the first bytes of a buffer, as many as to has, which is at least
	// one, while the host does something else.
	PrepareFetch(to []byte, from Buffer) (Fetch, error)
	// Copy queues a copy of n bytes from one buffer to another.
	Copy(to Buffer, toOffset int, from Buffer, fromOffset, n int) error
	// Clear queues zeroing of n bytes from offset.
	Clear(b Buffer, offset, n int) error

	// Build starts to compile a program, unless it is in the cache, and returns at once.
	Build(Source) Program

	// Begin and End delimit a timing; they do not nest, and do not wait.
	Begin() error
	End() (Timing, error)

	// Finish waits until all queued work is done. Errors of queued work may be returned here, or by
	// any later call.
	Finish() error
	// Close releases everything.
	Close() error
}

// Buffer is memory on a device. 0 means none.
type Buffer uintptr

// Info describes a device.
type Info struct {
	Name     string // "NVIDIA H200", "pthread-Intel(R) Xeon(R)"
	Driver   string // version, "CUDA 12.4", "OpenCL 3.0 PoCL 3.1"
	CPU      bool   // the host's own processor, where work-items run one after another
	Units    int    // compute units: multiprocessors, or cores
	Memory   int64  // bytes; 0: unknown
	Local    int    // bytes of local (shared) memory available to a work-group
	MaxGroup int    // work-items in a group
	Float64  bool
	Atomic64 bool   // 64-bit atomic compare and swap
	Arch     string // the target of compilation, "sm_90"; empty for OpenCL
}

// Source is the source of a program.
type Source struct {
	Name string // readable, such as "res_calc": used in messages and file names
	Text string
	// Flags are for the compiler, in addition to those of the device's package.
	Flags []string
	// PTX is what NVIDIA's compiler made of the source ahead of time; nil: nothing, or for another device.
	PTX *PTX
}

// PTX is code that the driver translates for a device.
type PTX struct {
	Text string
	For  string // the least compute capability: "compute_70"
}

// Program is a running or finished compilation.
type Program interface {
	// Wait waits for the compiler, whose failure is a *jit.CompileError.
	Wait() error
	// Found reports, after Wait, whether the program was in the cache on disk.
	Found() bool
	// Translated returns, after Kernel, what the source's PTX is for, if that is what the driver took; or "".
	Translated() string
	// Kernel waits as Wait does, and returns a kernel of the program by name; each caller gets its own.
	Kernel(name string) (Kernel, error)
	// Release releases the program.
	Release()
}

// Fetch is a prepared copy to the host, which can be repeated. The host's memory must not be on a stack.
type Fetch interface {
	// Start queues the copy. The host's memory must not be used until Wait has returned.
	Start() error
	// Wait waits for the copy, but for nothing that was queued after it. Without Start it does nothing.
	Wait() error
	// Free waits for the copy, too, and releases its resources. Closing the device does the same.
	Free()
}

// Kernel is an entry point of a program.
type Kernel interface {
	Figures() Figures
	// Launch queues the kernel for the given numbers of groups and of work-items per group, both at
	// least 1, with shared bytes of local memory per group in addition to what the source declares.
	Launch(groups, size, shared int, args []Arg) error
}

// Arg is an argument of a kernel: the address of its value, which may change between launches, and
// its size: 4 or 8 bytes, 8 for a Buffer, and any for a struct. An argument without an address
// stands for local memory of that size, in OpenCL C only.
type Arg struct {
	Value unsafe.Pointer
	Size  int
}

// ArgOf returns the argument whose value is at that address.
func ArgOf[T int32 | int64 | Buffer](value *T) Arg {
	return Arg{Value: unsafe.Pointer(value), Size: int(unsafe.Sizeof(*value))}
}

// Figures describe a compiled kernel; -1 for unknown ones.
type Figures struct {
	Registers int // 32-bit registers per work-item
	Spilled   int // bytes of stack per work-item
	Local     int // bytes of local memory declared in the source
	MaxGroup  int // maximum number of work-items in a group
}

// Timing measures how long queued work takes.
type Timing interface {
	// Elapsed waits until the work is done.
	Elapsed() (time.Duration, error)
}

// Cache stores compiled programs on disk. Keys contain everything that determines the compiled
// program.
type Cache interface {
	Load(name string, key ...string) (image []byte, ok bool)
	Keep(name, source string, image []byte, key ...string)
}

// Config is the configuration for opening a device.
type Config struct {
	Choice   string // selects a device by number or by part of its name; empty: the best
	Cache    Cache  // nil: none
	WithPTX  bool   // programs come with their PTX, or some: the device opens without a compiler
	Progress func(name string, started, done int)
}

// OutOfMemoryError reports that a device does not have the requested memory.
type OutOfMemoryError struct {
	Device   string
	Bytes    int
	Existing int64 // bytes that this process has already allocated there
	Total    int64 // the device's memory in bytes; 0: unknown
}

func (e *OutOfMemoryError) Error() string {
	s := fmt.Sprintf("out of memory on %s: %d bytes requested, %d already allocated", e.Device, e.Bytes, e.Existing)
	if e.Total > 0 {
		s += fmt.Sprintf(", the device has %d", e.Total)
	}
	return s
}

// Error is a failed call of a device's library.
type Error struct {
	Device string
	Call   string // "clEnqueueNDRangeKernel"
	Code   string // "CL_OUT_OF_RESOURCES", "CUDA_ERROR_ILLEGAL_ADDRESS"
	Lost   bool   // the device is unusable; host data is intact
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s: %s", e.Device, e.Call, e.Code)
	if e.Lost {
		s += "; the device is lost, what was only in its memory too\n  hint: open a new runtime, or, if the driver refuses this process, start the program again"
	}
	return s
}
