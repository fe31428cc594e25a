package interp

import (
	"math"
	"reflect"
)

// Bits returns the bits of the scalars in v: in the arrays, structs or numbers that it is or points
// to.
func Bits(v reflect.Value) []uint64 { return appendBits(nil, v) }

func appendBits(to []uint64, v reflect.Value) []uint64 {
	switch v.Kind() {
	case reflect.Pointer:
		return appendBits(to, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			to = appendBits(to, v.Field(i))
		}
		return to
	case reflect.Array:
		for i := range v.Len() {
			to = appendBits(to, v.Index(i))
		}
		return to
	case reflect.Complex64:
		c := v.Complex()
		return append(to, uint64(math.Float32bits(float32(real(c)))), uint64(math.Float32bits(float32(imag(c)))))
	case reflect.Complex128:
		c := v.Complex()
		return append(to, math.Float64bits(real(c)), math.Float64bits(imag(c)))
	case reflect.Bool:
		return append(to, bit(v.Bool()))
	case reflect.Float32:
		return append(to, uint64(math.Float32bits(float32(v.Float()))))
	case reflect.Float64:
		return append(to, math.Float64bits(v.Float()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return append(to, v.Uint())
	}
	return append(to, uint64(v.Int()))
}

// setBits sets a number.
func setBits(v reflect.Value, bits uint64) {
	switch v.Kind() {
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(bits))))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(bits))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(bits)
	default:
		v.SetInt(int64(bits))
	}
}
