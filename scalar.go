package op2

import (
	"reflect"

	"github.com/go-op2/op2/internal/loop"
)

// Scalar is the type of the values of dats and globals.
type Scalar interface {
	float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8
}

// scalarOf returns T as a loop.Scalar.
func scalarOf[T Scalar]() loop.Scalar {
	return scalarOfKind(reflect.TypeFor[T]().Kind())
}

// scalarOfKind returns the scalar of a reflect.Kind; loop.Invalid if there is none.
func scalarOfKind(k reflect.Kind) loop.Scalar {
	switch k {
	case reflect.Float64:
		return loop.Float64
	case reflect.Float32:
		return loop.Float32
	case reflect.Int64, reflect.Int:
		return loop.Int64
	case reflect.Int32:
		return loop.Int32
	case reflect.Int16:
		return loop.Int16
	case reflect.Int8:
		return loop.Int8
	case reflect.Uint64, reflect.Uint:
		return loop.Uint64
	case reflect.Uint32:
		return loop.Uint32
	case reflect.Uint16:
		return loop.Uint16
	case reflect.Uint8:
		return loop.Uint8
	case reflect.Bool:
		return loop.Bool
	}
	return loop.Invalid
}
