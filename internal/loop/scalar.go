package loop

import (
	"fmt"
	"reflect"
)

// Scalar is the type of one value.
// Dats and globals hold every one of these but Bool, which only kernels use.
type Scalar uint8

// The scalars.
const (
	Invalid Scalar = iota
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
)

var scalars = [...]struct {
	name string
	c    string
	size int
	t    Type
}{
	Invalid: {"invalid", "void", 0, nil},
	Bool:    {"bool", "bool", 1, TypeFor[bool]()},
	Int8:    {"int8", "int8_t", 1, TypeFor[int8]()},
	Int16:   {"int16", "int16_t", 2, TypeFor[int16]()},
	Int32:   {"int32", "int32_t", 4, TypeFor[int32]()},
	Int64:   {"int64", "int64_t", 8, TypeFor[int64]()},
	Uint8:   {"uint8", "uint8_t", 1, TypeFor[uint8]()},
	Uint16:  {"uint16", "uint16_t", 2, TypeFor[uint16]()},
	Uint32:  {"uint32", "uint32_t", 4, TypeFor[uint32]()},
	Uint64:  {"uint64", "uint64_t", 8, TypeFor[uint64]()},
	Float32: {"float32", "float", 4, TypeFor[float32]()},
	Float64: {"float64", "double", 8, TypeFor[float64]()},
}

// String returns the Go name: "float64".
func (s Scalar) String() string {
	if int(s) >= len(scalars) {
		return fmt.Sprintf("Scalar(%d)", uint8(s))
	}
	return scalars[s].name
}

// C returns the C99 name: "double", "int32_t".
func (s Scalar) C() string { return scalars[s].c }

// Size returns the size of a value in bytes.
func (s Scalar) Size() int { return scalars[s].size }

// Type returns the Go type.
func (s Scalar) Type() Type { return scalars[s].t }

// Signed reports whether s is a signed integer.
func (s Scalar) Signed() bool { return Int8 <= s && s <= Int64 }

// Unsigned reports whether s is an unsigned integer.
func (s Scalar) Unsigned() bool { return Uint8 <= s && s <= Uint64 }

// Integer reports whether s is an integer.
func (s Scalar) Integer() bool { return s.Signed() || s.Unsigned() }

// Float reports whether s is a floating-point type.
func (s Scalar) Float() bool { return s == Float32 || s == Float64 }

// kinds are the scalars of Go's kinds of types.
var kinds = [...]Scalar{
	reflect.Bool: Bool, reflect.Int: Int64, reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64,
	reflect.Uint: Uint64, reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64,
}

// ScalarOf returns the scalar of a reflect.Kind; Invalid if there is none.
func ScalarOf(k reflect.Kind) Scalar {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return Invalid
}

// Number is the types of values that data can have.
type Number interface {
	float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8
}

// Of returns the scalar for T.
func Of[T Number]() Scalar {
	var zero T
	return of(zero)
}

// of returns the scalar of a number, without package reflect for the reason that Type tells.
func of(number any) Scalar {
	switch number.(type) {
	case float64:
		return Float64
	case float32:
		return Float32
	case int64:
		return Int64
	case int32:
		return Int32
	case int16:
		return Int16
	case int8:
		return Int8
	case uint64:
		return Uint64
	case uint32:
		return Uint32
	case uint16:
		return Uint16
	case uint8:
		return Uint8
	}
	return Invalid
}
