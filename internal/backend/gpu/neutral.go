package gpu

import (
	"encoding/binary"
	"math"

	"github.com/go-op2/op2/internal/loop"
)

// neutralOf returns the bytes that, over and over, are results of an argument that change nothing.
func neutralOf(l *loop.Loop, a loop.Arg) []byte {
	if a.Access == loop.Reduce {
		return l.Ops[a.Op].Identity
	}
	return neutral(l.Type(a), a.Access)
}

// neutral returns the bytes of the value of type t that changes nothing: zero in sums, the largest
// value in minima, the smallest in maxima.
func neutral(t loop.Scalar, access loop.Access) []byte {
	v := binary.LittleEndian.AppendUint64(nil, neutralBits(t, access))
	return v[:t.Size()]
}

func neutralBits(t loop.Scalar, access loop.Access) uint64 {
	sign := 1
	switch access {
	case loop.Inc:
		return 0
	case loop.Max:
		sign = -1
	}
	sized := uint(8 * t.Size())
	switch {
	case t == loop.Float64:
		return math.Float64bits(math.Inf(sign))
	case t == loop.Float32:
		return uint64(math.Float32bits(float32(math.Inf(sign))))
	case t.Unsigned() && sign > 0:
		return math.MaxUint64
	case t.Unsigned():
		return 0
	case sign > 0:
		return 1<<(sized-1) - 1
	}
	return 1 << (sized - 1)
}
