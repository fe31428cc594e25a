package cuda

import (
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

type kernel struct {
	device   *Device
	function uintptr
	figures  device.Figures
	module   *module

	params []unsafe.Pointer // addresses of the arguments
	words  [11]uintptr      // arguments of cuLaunchKernel
}

// The function attributes that are queried, and the one that is set.
const (
	functionMaxThreads    = 0
	functionShared        = 1
	functionStack         = 3
	functionRegisters     = 4
	functionDynamicShared = 8
)

// measure queries the driver for the figures.
func (k *kernel) measure() error {
	d := k.device
	for _, a := range []struct {
		which uintptr
		to    *int
	}{
		{functionMaxThreads, &k.figures.MaxGroup}, {functionShared, &k.figures.Local},
		{functionStack, &k.figures.Spilled}, {functionRegisters, &k.figures.Registers},
	} {
		var value int32
		if err := d.call(d.driver.cuFuncGetAttribute, uintptr(unsafe.Pointer(&value)), a.which, k.function); err != nil {
			return err
		}
		*a.to = int(value)
	}
	return nil
}

// Figures returns the driver's figures; spilled counts all of the kernel's local memory, including
// arrays that are indexed at run time.
func (k *kernel) Figures() device.Figures { return k.figures }

// Launch queues the kernel. It allocates nothing.
func (k *kernel) Launch(groups, size, shared int, args []device.Arg) error {
	d := k.device
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	if need := shared + k.figures.Local; need > max(usualShared, k.module.allowed[k.function]) {
		if err := d.call(d.driver.cuFuncSetAttribute, k.function, functionDynamicShared, uintptr(shared)); err != nil {
			return err
		}
		k.module.allowed[k.function] = need // of all loops with that text
	}
	k.params = k.params[:0]
	for _, a := range args {
		if a.Value != nil {
			k.params = append(k.params, a.Value)
		}
	}
	k.words = [11]uintptr{
		k.function, uintptr(groups), 1, 1, uintptr(size), 1, 1, uintptr(shared), d.stream,
		uintptr(unsafe.Pointer(unsafe.SliceData(k.params))), 0,
	}
	return d.call(d.driver.cuLaunchKernel, k.words[:]...)
}
