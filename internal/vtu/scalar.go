package vtu

import (
	"fmt"
	"unsafe"
)

// scalar describes a type of values.
type scalar struct {
	name  string                            // in files
	size  int                               // bytes
	level int                               // of compression
	count func(values any) (n int, ok bool) // ok: they have this type
	bytes func(values any) []byte
	make  func(n int) any
	text  func(values any, to []byte) []byte
	parse func(text []byte) (any, int)
}

// Levels of compression by zlib, from 1, fast, to 9, small. More work does next to nothing for the digits of
// floating-point numbers, and finds the patterns of meshes in their indices.
const (
	floatLevel = 1
	intLevel   = 4
)

func describe[T Scalar](name string, level int, format func([]byte, T) []byte, parse func([]byte) (T, bool)) scalar {
	return scalar{
		name:  name,
		size:  int(unsafe.Sizeof(T(0))),
		level: level,
		count: func(values any) (int, bool) {
			v, ok := values.([]T)
			return len(v), ok
		},
		bytes: func(values any) []byte { return view(values.([]T)) },
		make:  func(n int) any { return make([]T, n) },
		text:  func(values any, to []byte) []byte { return appendText(to, values.([]T), format) },
		parse: func(text []byte) (any, int) { return parseText(text, parse) },
	}
}

// scalars lists the types of values.
var scalars = []scalar{
	describe("Float64", floatLevel, appendFloat[float64], parseFloat[float64]),
	describe("Float32", floatLevel, appendFloat[float32], parseFloat[float32]),
	describe("Int64", intLevel, appendInt[int64], parseInt[int64]),
	describe("Int32", intLevel, appendInt[int32], parseInt[int32]),
	describe("Int16", intLevel, appendInt[int16], parseInt[int16]),
	describe("Int8", intLevel, appendInt[int8], parseInt[int8]),
	describe("UInt64", intLevel, appendUint[uint64], parseUint[uint64]),
	describe("UInt32", intLevel, appendUint[uint32], parseUint[uint32]),
	describe("UInt16", intLevel, appendUint[uint16], parseUint[uint16]),
	describe("UInt8", intLevel, appendUint[uint8], parseUint[uint8]),
}

// scalarOf returns the description of the type of values, and their number.
func scalarOf(values any) (*scalar, int, error) {
	for i := range scalars {
		if n, ok := scalars[i].count(values); ok {
			return &scalars[i], n, nil
		}
	}
	return nil, 0, fmt.Errorf("values of type %T", values)
}

// scalarNamed returns the description of the type that files call by a name, or nil.
func scalarNamed(name string) *scalar {
	for i := range scalars {
		if scalars[i].name == name {
			return &scalars[i]
		}
	}
	return nil
}

// view returns the memory of values.
func view[T Scalar](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0])))
}
