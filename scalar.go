package op2

import (
	"github.com/go-op2/op2/internal/loop"
)

// Scalar is the type of the values of dats and globals.
type Scalar interface {
	float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8
}

// scalarOf returns T as a loop.Scalar.
func scalarOf[T Scalar]() loop.Scalar {
	return loop.Of[T]()
}
