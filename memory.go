package op2

import (
	"math"
	"unsafe"
)

// hostValues is the host's memory of a dat or a mat, nil until it is needed. Mirrors and
// prepared loops lead to it, and not to the dat, so that they do not keep that alive.
type hostValues[T any] struct{ values []T }

// allocate makes memory for n values, of zeros, if it is not there yet, and gives its address.
func (h *hostValues[T]) allocate(n int) unsafe.Pointer {
	if h.values == nil {
		h.values = alignedSlice[T](n)
	}
	return unsafe.Pointer(unsafe.SliceData(h.values))
}

// mostBytes is the most that one dat or map may have: more than machines do, and few enough
// for sizes in bytes not to overflow.
const mostBytes = min(1<<44, math.MaxInt)

// alignment of data, in bytes: a cache line, and the widest vector register.
const alignment = 64

// alignedSlice is n zero values, the first at a multiple of alignment.
func alignedSlice[T any](n int) []T {
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

// hugePage is the size of the pages that large data is best kept in: scattered reads
// then find their addresses translated more often.
const hugePage = 2 << 20
