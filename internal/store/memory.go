package store

import (
	"math"
	"unsafe"
)

// MostBytes is the largest size of a dat or map: more than machines have, and small enough for
// sizes in bytes not to overflow.
const MostBytes = min(1<<44, math.MaxInt)

// alignment of data, in bytes: a cache line, and the widest vector register.
const alignment = 64

// Aligned returns n zero values, the first at a multiple of alignment.
func Aligned[T any](n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	extra := alignment / size
	s := make([]T, n+extra)
	skip := 0
	if off := int(uintptr(unsafe.Pointer(unsafe.SliceData(s))) % alignment); off != 0 {
		skip = (alignment - off) / size
	}
	s = s[skip : skip+n : skip+n]
	if size*n >= hugePage {
		adviseHuge(unsafe.Pointer(unsafe.SliceData(s)), size*n)
	}
	return s
}

// Room returns n bytes for values of any plain type.
func Room(n int) []byte { return Bytes(make([]uint64, (n+7)/8))[:n:n] }

// Bytes returns the memory of values of a plain type.
func Bytes[T any](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}

// As returns the values of a plain type that are in memory.
func As[T any](memory []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/int(unsafe.Sizeof(*new(T))))
}

// hugePage is the page size that is best for large data: scattered reads then cause fewer TLB
// misses.
const hugePage = 2 << 20
