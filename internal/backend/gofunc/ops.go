package gofunc

import (
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// ops are the moves of n values of one type between a place and a local.
type ops struct {
	fetch, put, zeroLocal    func(place, local P, n int)
	add, min, max            func(place, local P, n int)
	poisonLocal, poisonPlace func(place, local P, n int)

	scatter func(m *mat, at []int32, local P)
}

// combine is the move that brings what a kernel left in a local into the place.
func (o ops) combine(a loop.Access) func(place, local P, n int) {
	switch a {
	case loop.Inc:
		return o.add
	case loop.Min:
		return o.min
	}
	return o.max
}

var opsFor = [...]ops{
	loop.Int8:    opsOf[int8](poisonBits),
	loop.Int16:   opsOf[int16](poisonBits),
	loop.Int32:   opsOf[int32](poisonBits),
	loop.Int64:   opsOf[int64](poisonBits),
	loop.Uint8:   opsOf[uint8](poisonBits),
	loop.Uint16:  opsOf[uint16](poisonBits),
	loop.Uint32:  opsOf[uint32](poisonBits),
	loop.Uint64:  opsOf[uint64](poisonBits),
	loop.Float32: opsOf[float32](uint64(math.Float32bits(float32(math.NaN())))),
	loop.Float64: opsOf[float64](math.Float64bits(math.NaN())),
}

// poisonBits make integers that show in a result.
const poisonBits = 0x7ff87ff87ff87ff8

// number is the type of a value.
type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

func opsOf[T number](poison uint64) ops {
	values := func(at P, n int) []T { return unsafe.Slice((*T)(at), n) }
	bad := *(*T)(P(&poison)) // its low bytes: Go's platforms with more than one order are not ours
	fill := func(at P, n int) {
		for i := range values(at, n) {
			values(at, n)[i] = bad
		}
	}
	return ops{
		fetch:     func(place, local P, n int) { copy(values(local, n), values(place, n)) },
		put:       func(place, local P, n int) { copy(values(place, n), values(local, n)) },
		zeroLocal: func(_, local P, n int) { clear(values(local, n)) },
		add: func(place, local P, n int) {
			p, l := values(place, n), values(local, n)
			for i := range p {
				p[i] += l[i]
			}
		},
		min: func(place, local P, n int) {
			p, l := values(place, n), values(local, n)
			for i := range p {
				p[i] = min(p[i], l[i])
			}
		},
		max: func(place, local P, n int) {
			p, l := values(place, n), values(local, n)
			for i := range p {
				p[i] = max(p[i], l[i])
			}
		},
		scatter:     scatter[T],
		poisonLocal: func(_, local P, n int) { fill(local, n) },
		poisonPlace: func(place, _ P, n int) { fill(place, n) },
	}
}
