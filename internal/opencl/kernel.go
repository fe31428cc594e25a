package opencl

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// A kernel remembers its current arguments, since setting one takes a call.
type kernel struct {
	device  *opened
	name    string
	handle  uintptr // 0 once released
	figures device.Figures
	args    []argument
	freed   int // opened.freed when args were set

	// OpenCL reads from these fields, so that a launch allocates nothing.
	global, size uintptr
	launch       [9]uintptr // arguments of clEnqueueNDRangeKernel
	set          [4]uintptr // of clSetKernelArg
}

// An argument records the value that an argument was set to.
type argument struct {
	state argumentState
	size  int
	word  uint64 // a value of 4 or 8 bytes
	bytes []byte // of any other size
}

type argumentState uint8

const (
	isUnset argumentState = iota
	isValue
	isLocal
)

func newKernel(d *opened, name string, handle uintptr) *kernel {
	number := func(what uintptr) int {
		return int(askNumber(d.clGetKernelWorkGroupInfo, what, handle, d.unit.id))
	}
	k := &kernel{
		device: d, name: name, handle: handle,
		figures: device.Figures{
			Registers: -1,
			Spilled:   number(kernelPrivateMemSize),
			Local:     number(kernelLocalMemSize),
			MaxGroup:  number(kernelWorkGroupSize),
		},
		args: make([]argument, askNumber(d.clGetKernelInfo, kernelNumArgs, handle)),
	}
	k.launch = [9]uintptr{
		d.handle.queue, handle, 1, 0,
		uintptr(unsafe.Pointer(&k.global)), uintptr(unsafe.Pointer(&k.size)), 0, 0, 0,
	}
	k.set[0] = handle
	return k
}

func (k *kernel) release() {
	k.device.clReleaseKernel.Call(k.handle)
	k.handle = 0
}

func (k *kernel) Figures() device.Figures { return k.figures }

// Launch ignores shared: in OpenCL, an argument without an address sets the amount of local memory.
func (k *kernel) Launch(groups, size, shared int, args []device.Arg) error {
	d := k.device
	if k.handle == 0 {
		if d.handle.queue == 0 {
			return errClosed
		}
		return fmt.Errorf("kernel %s: %w", k.name, errReleased)
	}
	if len(args) != len(k.args) || groups < 1 || size < 1 {
		return fmt.Errorf("kernel %s: %d groups of %d with %d arguments: at least 1 of each are expected, and %d arguments",
			k.name, groups, size, len(args), len(k.args))
	}
	if k.freed != d.freed {
		k.forget()
	}
	for i := range args {
		if known := &k.args[i]; !known.is(args[i]) {
			if err := k.setArg(i, args[i]); err != nil {
				return err
			}
		}
	}
	k.size, k.global = uintptr(size), uintptr(groups)*uintptr(size)
	k.launch[8] = d.event()
	c := code(d.clEnqueueNDRangeKernel.Call(k.launch[:]...))
	runtime.KeepAlive(k)
	return d.queued("clEnqueueNDRangeKernel", c)
}

// forget makes the next launch set all arguments: one may be a freed buffer whose handle has been
// reused.
func (k *kernel) forget() {
	for i := range k.args {
		k.args[i].state = isUnset
	}
	k.freed = k.device.freed
}

// is reports whether the argument is set to that value.
func (known *argument) is(a device.Arg) bool {
	if known.size != a.Size {
		return false
	}
	if a.Value == nil {
		return known.state == isLocal
	}
	if known.state != isValue {
		return false
	}
	switch a.Size {
	case 4:
		return *(*uint32)(unsafe.Pointer(&known.word)) == *(*uint32)(a.Value)
	case 8:
		return known.word == *(*uint64)(a.Value)
	}
	return bytes.Equal(known.bytes, unsafe.Slice((*byte)(a.Value), a.Size))
}

func (k *kernel) setArg(i int, a device.Arg) error {
	known := &k.args[i]
	k.set[1], k.set[2], k.set[3] = uintptr(i), uintptr(a.Size), known.remember(a)
	c := code(k.device.clSetKernelArg.Call(k.set[:]...))
	runtime.KeepAlive(k)
	if c != 0 {
		known.state = isUnset
		return fmt.Errorf("kernel %s: argument %d of %d bytes: %w", k.name, i, a.Size, k.device.failed("clSetKernelArg", c))
	}
	return nil
}

// remember stores a value and returns its address; 0 for local memory.
func (known *argument) remember(a device.Arg) uintptr {
	known.size = a.Size
	if a.Value == nil {
		known.state = isLocal
		return 0
	}
	known.state = isValue
	switch a.Size {
	case 4:
		*(*uint32)(unsafe.Pointer(&known.word)) = *(*uint32)(a.Value)
		return uintptr(unsafe.Pointer(&known.word))
	case 8:
		known.word = *(*uint64)(a.Value)
		return uintptr(unsafe.Pointer(&known.word))
	}
	known.bytes = append(known.bytes[:0], unsafe.Slice((*byte)(a.Value), a.Size)...)
	return uintptr(unsafe.Pointer(unsafe.SliceData(known.bytes)))
}
