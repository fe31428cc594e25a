package given

import (
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Const is a const as a kernel reads it: a variable of the program.
type Const struct {
	Name string
	Type kernel.Type
	Ptr  unsafe.Pointer
}

// bits returns the bits of the const's scalars.
func (c Const) bits() []uint64 {
	s, n := kernel.Leaf(c.Type), kernel.Count(c.Type)
	bits := make([]uint64, n)
	for i := range bits {
		bits[i] = scalarBits(s, unsafe.Add(c.Ptr, i*s.Size()))
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
	if t.Kind() == reflect.Array && t.Len() > 0 {
		elem := TypeOf(t.Elem())
		if elem == nil {
			return nil
		}
		return &kernel.Array{Len: t.Len(), Elem: elem}
	}
	s := loop.ScalarOf(t.Kind())
	if s == loop.Invalid {
		return nil
	}
	return kernel.Basic(s)
}
