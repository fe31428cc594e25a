package mpi

import (
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// A form is how values travel through a reduction of MPI.
type form struct {
	sent   loop.Reduction
	encode func(sent, given unsafe.Pointer)
	decode func(given, sent unsafe.Pointer)
}

// formOf returns the form of a reduction, which is the values themselves only where all libraries
// agree with Go and all ranks get the same bits.
//
// The minimum of two floating-point numbers may depend on their order in MPI, and so on the rank, if
// one is NaN or they are zeros of both signs. They travel as integers with the same order.
//
// Open MPI 4 saturates sums of small integers where the processor has instructions for that, and
// MPICH 4.0 compares unsigned integers as signed ones. They travel as larger and as signed ones.
func formOf(r loop.Reduction) form {
	switch compares := r.Access != loop.Inc; {
	case compares && r.Type == loop.Float64:
		return inOrder[float64, int64](r, loop.Int64, math.MinInt64, math.MaxInt64)
	case compares && r.Type == loop.Float32:
		return inOrder[float32, int32](r, loop.Int32, math.MinInt32, math.MaxInt32)
	case compares && r.Type == loop.Uint64:
		return signed[uint64](r, loop.Int64, 1<<63)
	case compares && r.Type == loop.Uint32:
		return signed[uint32](r, loop.Int32, 1<<31)
	case r.Type == loop.Int8:
		return wide[int8](r)
	case r.Type == loop.Int16:
		return wide[int16](r)
	case r.Type == loop.Uint8:
		return wide[uint8](r)
	case r.Type == loop.Uint16:
		return wide[uint16](r)
	}
	same := func(to, from unsafe.Pointer) {
		copy(unsafe.Slice((*byte)(to), r.Bytes()), unsafe.Slice((*byte)(from), r.Bytes()))
	}
	return form{r, same, same}
}

// signed returns the form of unsigned integers that travel as signed ones, in the same order.
func signed[T uint32 | uint64](r loop.Reduction, kind loop.Scalar, sign T) form {
	sent := r
	sent.Type = kind
	flip := func(to, from unsafe.Pointer) {
		values := unsafe.Slice((*T)(to), r.Dim)
		for i, v := range unsafe.Slice((*T)(from), r.Dim) {
			values[i] = v ^ sign
		}
	}
	return form{sent, flip, flip}
}

// wide returns the form of integers that travel as int32.
func wide[T int8 | int16 | uint8 | uint16](r loop.Reduction) form {
	sent := r
	sent.Type = loop.Int32
	return form{sent,
		func(sent, given unsafe.Pointer) {
			to := unsafe.Slice((*int32)(sent), r.Dim)
			for i, v := range unsafe.Slice((*T)(given), r.Dim) {
				to[i] = int32(v)
			}
		},
		func(given, sent unsafe.Pointer) {
			to := unsafe.Slice((*T)(given), r.Dim)
			for i, v := range unsafe.Slice((*int32)(sent), r.Dim) {
				to[i] = T(v)
			}
		}}
}

// inOrder returns the form of floating-point numbers that travel as integers of the same size and
// order, from low to high. NaN becomes the one that is the result, as in Go.
func inOrder[F float32 | float64, I int32 | int64](r loop.Reduction, kind loop.Scalar, low, high I) form {
	sent := r
	sent.Type = kind
	nan := low
	if r.Access == loop.Max {
		nan = high
	}
	// Of negative numbers, the larger is the one with the smaller magnitude, in the bits below the
	// sign.
	flip := func(v I) I {
		if v < 0 {
			return v ^ high
		}
		return v
	}
	return form{sent,
		func(sent, given unsafe.Pointer) {
			to, bits := unsafe.Slice((*I)(sent), r.Dim), unsafe.Slice((*I)(given), r.Dim)
			for i, v := range unsafe.Slice((*F)(given), r.Dim) {
				if to[i] = nan; v == v {
					to[i] = flip(bits[i])
				}
			}
		},
		func(given, sent unsafe.Pointer) {
			to := unsafe.Slice((*I)(given), r.Dim)
			for i, v := range unsafe.Slice((*I)(sent), r.Dim) {
				to[i] = flip(v)
			}
		}}
}
