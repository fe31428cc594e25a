package gpu

import (
	"bytes"
	"unsafe"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/kernel"
)

// consts holds the values of a loop's consts as the device has them.
type consts struct {
	engine *engine
	fields []codegen.ConstField
	value  []byte        // the struct that the kernel receives
	now    []byte        // the same with the current values
	buffer device.Buffer // the device's copy, unless the struct is passed by value
}

func newConsts(e *engine, k *kernel.Kernel, from []unsafe.Pointer, p *codegen.DeviceProgram) (*consts, error) {
	c := &consts{engine: e, fields: p.Consts, value: make([]byte, p.ConstsSize), now: make([]byte, p.ConstsSize)}
	for _, i := range p.Defined {
		size := kernel.LayoutOf(k.Consts[i].Type).Size
		c.fields = append(c.fields[:len(c.fields):len(c.fields)], codegen.ConstField{Const: i, Offset: len(c.value), Size: size})
		c.value, c.now = append(c.value, make([]byte, size)...), append(c.now, make([]byte, size)...)
	}
	if len(p.Consts) > 0 && !p.ConstsByValue {
		var err error
		if c.buffer, err = e.alloc(len(c.value)); err != nil {
			return nil, err
		}
	}
	_, err := c.update(from, true)
	return c, err
}

// update reads the values at these addresses, by kernel.Consts, and reports whether any has changed.
func (c *consts) update(from []unsafe.Pointer, always bool) (changed bool, err error) {
	if len(c.fields) == 0 {
		return false, nil
	}
	for _, f := range c.fields {
		copy(c.now[f.Offset:], unsafe.Slice((*byte)(from[f.Const]), f.Size))
	}
	if !always && bytes.Equal(c.now, c.value) {
		return false, nil
	}
	copy(c.value, c.now)
	if c.buffer != 0 {
		err = c.engine.device.Upload(c.buffer, 0, unsafe.Pointer(unsafe.SliceData(c.value)), len(c.value))
	}
	return true, err
}

// arg returns the kernel's argument.
func (c *consts) arg(p *codegen.DeviceProgram) device.Arg {
	if p.ConstsByValue {
		return device.Arg{Value: unsafe.Pointer(unsafe.SliceData(c.value)), Size: p.ConstsSize}
	}
	return device.ArgOf(&c.buffer)
}
