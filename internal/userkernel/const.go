package userkernel

import (
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Const is a const as a kernel reads it: a variable of the program.
type Const struct {
	Name   string
	Layout *loop.Layout
	Ptr    unsafe.Pointer
}

func (c Const) bits() []uint64 {
	leaves := c.Layout.Leaves()
	bits := make([]uint64, len(leaves))
	for i, leaf := range leaves {
		bits[i] = scalarBits(leaf.Scalar, unsafe.Add(c.Ptr, leaf.Offset))
	}
	return bits
}

// scalarBits returns the bits of a scalar in memory, an integer's extended to 64.
func scalarBits(s loop.Scalar, p unsafe.Pointer) uint64 {
	switch s {
	case loop.Int8:
		return uint64(*(*int8)(p))
	case loop.Int16:
		return uint64(*(*int16)(p))
	case loop.Int32:
		return uint64(*(*int32)(p))
	case loop.Uint8, loop.Bool:
		return uint64(*(*uint8)(p))
	case loop.Uint16:
		return uint64(*(*uint16)(p))
	case loop.Uint32, loop.Float32:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// TypeOf returns the type as a kernel sees it; nil if it cannot.
func TypeOf(t reflect.Type) kernel.Type {
	l, err := loop.LayoutOf(t)
	if err != nil {
		return nil
	}
	return kernel.TypeOf(l)
}
