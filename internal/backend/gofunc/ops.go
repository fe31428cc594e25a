package gofunc

import (
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// ops are the movers of values of one type.
type ops struct {
	moving
	adding
	min, max mover
}

// moving is the movers of values of one size.
type moving struct {
	fetches, puts                          []mover // by dim; larger dims use the general ones
	anyFetch, anyPut, poison, poisonCopies mover
}

// adding is the movers that add values of one type; integers are added as unsigned ones.
type adding struct {
	adds    []mover // by dim; larger dims use the general one
	sums    []mover // by dim; for no more values
	anyAdd  mover
	scatter func(m *mat, at []int32, local P)
}

// fetch returns the mover of rows of dim values into copies.
func (o *ops) fetch(dim int) mover { return pick(o.fetches, dim, o.anyFetch) }

// leave returns the mover that stores what a kernel left in copies.
func (o *ops) leave(op lower.Op, dim int) mover {
	switch op {
	case lower.Store:
		return pick(o.puts, dim, o.anyPut)
	case lower.Add:
		return pick(o.adds, dim, o.anyAdd)
	case lower.Min:
		return o.min
	}
	return o.max
}

// pick returns the mover for rows of dim values from list, if it has one.
func pick(list []mover, dim int, otherwise mover) mover {
	if dim < len(list) && list[dim] != nil {
		return list[dim]
	}
	return otherwise
}

// dynamicDim stands for rows of a dim that is only known at run time.
const dynamicDim = 0

var opsFor = [...]ops{
	loop.Bool:    opsOf[uint8, uint8, uint8](1), // true
	loop.Int8:    opsOf[int8, uint8, uint8](poisonBits),
	loop.Int16:   opsOf[int16, uint16, uint16](poisonBits),
	loop.Int32:   opsOf[int32, uint32, uint32](poisonBits),
	loop.Int64:   opsOf[int64, uint64, uint64](poisonBits),
	loop.Uint8:   opsOf[uint8, uint8, uint8](poisonBits),
	loop.Uint16:  opsOf[uint16, uint16, uint16](poisonBits),
	loop.Uint32:  opsOf[uint32, uint32, uint32](poisonBits),
	loop.Uint64:  opsOf[uint64, uint64, uint64](poisonBits),
	loop.Float32: opsOf[float32, float32, uint32](uint64(math.Float32bits(float32(math.NaN())))),
	loop.Float64: opsOf[float64, float64, uint64](math.Float64bits(math.NaN())),
}

// poisonBits make conspicuous integers.
const poisonBits = 0x7ff87ff87ff87ff8

// opsOf returns the movers of values of type T, which are added as values of type A and moved as words W.
func opsOf[T, A, W number](poison uint64) ops {
	return ops{movingOf[W](W(poison)), addingOf[A](), minRows[T], maxRows[T]}
}

func addingOf[T number]() adding {
	return adding{
		adds:    []mover{1: addOnes[T], addTwos[T], addThrees[T], addFours[T]},
		sums:    []mover{1: sumOnes[T], sumTwos[T], sumThrees[T], sumFours[T]},
		anyAdd:  addRows[T],
		scatter: scatter[T],
	}
}

func movingOf[W number](bad W) moving {
	fill := func(words []W) {
		for i := range words {
			words[i] = bad
		}
	}
	fetches, puts := copyMovers[W]()
	return moving{
		fetches: fetches, puts: puts,
		anyFetch: eachRow(func(place, local []W) { copy(local, place) }),
		anyPut:   eachRow(func(place, local []W) { copy(place, local) }),
		poison: func(base, _, targets P, step uintptr, rows, dim int) {
			size := uintptr(dim) * unsafe.Sizeof(*new(W))
			for i := range uintptr(rows) {
				fill(unsafe.Slice((*W)(rowAt(base, targets, i, step, size)), dim))
			}
		},
		poisonCopies: func(_, local, _ P, _ uintptr, rows, dim int) {
			fill(unsafe.Slice((*W)(local), rows*dim))
		},
	}
}
