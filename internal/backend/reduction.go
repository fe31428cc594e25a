package backend

import (
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Reduction is how an argument reduces into a global, on the host.
type Reduction struct {
	Access loop.Access // Inc, Min or Max
	Type   loop.Scalar
	Dim    int
}

// ReductionOf returns how an argument reduces.
func ReductionOf(l *loop.Loop, a loop.Arg) Reduction {
	return Reduction{a.Access, l.Type(a), l.Dim(a)}
}

// New returns memory for a result.
func (r Reduction) New() unsafe.Pointer { return words(r.bytes()) }

func (r Reduction) bytes() int { return r.Dim * r.Type.Size() }

// Begin initializes a partial result: a sum with zero, a minimum or maximum with the global.
func (r Reduction) Begin(partial, global unsafe.Pointer) {
	values := unsafe.Slice((*byte)(partial), r.bytes())
	if r.Access == loop.Inc {
		clear(values)
	} else {
		copy(values, unsafe.Slice((*byte)(global), len(values)))
	}
}

// Combine combines a result with another one.
func (r Reduction) Combine(to, from unsafe.Pointer) { combines[r.Type](r.Access, to, from, r.Dim) }

var combines = [...]func(a loop.Access, to, from unsafe.Pointer, n int){
	loop.Int8: combine[int8], loop.Int16: combine[int16], loop.Int32: combine[int32], loop.Int64: combine[int64],
	loop.Uint8: combine[uint8], loop.Uint16: combine[uint16], loop.Uint32: combine[uint32], loop.Uint64: combine[uint64],
	loop.Float32: combine[float32], loop.Float64: combine[float64],
}

func combine[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](a loop.Access, to, from unsafe.Pointer, n int) {
	values := unsafe.Slice((*T)(to), n)
	for i, v := range unsafe.Slice((*T)(from), n) {
		switch a {
		case loop.Inc:
			values[i] += v
		case loop.Min:
			values[i] = min(values[i], v)
		case loop.Max:
			values[i] = max(values[i], v)
		}
	}
}
