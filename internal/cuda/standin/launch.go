package standin

import (
	"runtime"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

type kernel struct {
	device *Device
	name   string
	run    uintptr
	bound  int     // __launch_bounds__
	local  int     // bytes of all shared memory that the program declares
	sizes  []int64 // of the parameters
	values []unsafe.Pointer
	launch launch
	args   [1]uintptr // arguments of run
}

// launch is the input and output of a run. The layout matches csrc/standin.h.
type launch struct {
	groups, size, shared int64
	args                 unsafe.Pointer
	stacks               unsafe.Pointer
	stack                int64
	spans                unsafe.Pointer
	nspans               int64

	kind, group, thread, line, other, otherLine, bytes int64
	address, base                                      uintptr
	extent                                             int64
	name                                               [64]byte
}

// stackBytes is the size of a thread's stack. It is no power of two, so that the ends of a block's stacks do not
// share sets of the processor's caches.
const stackBytes = 64<<10 + 320

// Figures returns the declared shared memory, of the whole program, and the launch bounds.
func (k *kernel) Figures() device.Figures {
	return device.Figures{Registers: -1, Spilled: -1, Local: k.local, MaxGroup: min(k.bound, k.device.limits.MaxGroup)}
}

// Launch runs the kernel.
func (k *kernel) Launch(groups, size, shared int, args []device.Arg) error {
	d := k.device
	if d.fault != nil {
		return d.fault
	}
	if err := k.check(groups, size, shared, args); err != nil {
		return err
	}
	if need := size * stackBytes; len(d.stacks) < need {
		d.stacks = make([]byte, need)
	}
	k.launch = launch{
		groups: int64(groups), size: int64(size), shared: int64(shared),
		args:   unsafe.Pointer(&k.values[0]),
		stacks: unsafe.Pointer(&d.stacks[0]), stack: stackBytes,
		spans: unsafe.Pointer(unsafe.SliceData(d.spans)), nspans: int64(len(d.spans)),
	}
	k.args[0] = uintptr(unsafe.Pointer(&k.launch))
	native.Call(k.run, k.args[:]...)
	runtime.KeepAlive(d)
	clear(k.values)
	if text, found := k.describe(&k.launch); found {
		d.fail(&FaultError{Kernel: k.name, Group: int(k.launch.group), Thread: int(k.launch.thread), Text: text})
	} else if text, found := d.overwritten(); found {
		d.fail(&FaultError{Kernel: k.name, Group: -1, Thread: -1, Text: text})
	}
	return nil
}

// check rejects launches that a driver rejects, and arguments that it would read out of bounds.
func (k *kernel) check(groups, size, shared int, args []device.Arg) error {
	const call = "cuLaunchKernel"
	limits := k.device.limits
	switch {
	case groups < 1 || size < 1 || shared < 0 || groups > 1<<31-1:
		return misuse(call, "%s: %d groups of %d with %d bytes of shared memory", k.name, groups, size, shared)
	case size > k.Figures().MaxGroup:
		return misuse(call, "%s: groups of %d, which may have %d", k.name, size, k.Figures().MaxGroup)
	case shared+k.local > limits.Local:
		return misuse(call, "%s: %d bytes of shared memory and %d declared, a group may have %d", k.name, shared, k.local, limits.Local)
	}
	n := 0
	for _, a := range args {
		if a.Value == nil {
			continue
		}
		if n < len(k.sizes) && int64(a.Size) != k.sizes[n] {
			return misuse(call, "%s: argument %d has %d bytes, the parameter %d", k.name, n+1, a.Size, k.sizes[n])
		}
		if n < len(k.sizes) {
			k.values[n] = a.Value
		}
		n++
	}
	if n != len(k.sizes) {
		return misuse(call, "%s: %d arguments, the kernel has %d parameters", k.name, n, len(k.sizes))
	}
	return nil
}
