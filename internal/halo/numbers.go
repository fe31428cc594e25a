package halo

import (
	"math"

	"github.com/go-op2/op2/internal/comm"
)

// Numbers are numbers of elements of the whole mesh. They take half the memory where those of a set
// are int32s.
type Numbers struct {
	narrow []int32
	wide   []int64
}

// NewNumbers returns n numbers of elements of a set of that size.
func NewNumbers(n int, size int64) Numbers {
	if size <= math.MaxInt32 {
		return Numbers{narrow: make([]int32, n)}
	}
	return Numbers{wide: make([]int64, n)}
}

// NumbersOf returns numbers that are these values.
func NumbersOf(values []int32) Numbers { return Numbers{narrow: values} }

// Len returns how many there are.
func (n *Numbers) Len() int { return len(n.narrow) + len(n.wide) }

// At returns a number.
func (n *Numbers) At(i int) int64 {
	if n.wide != nil {
		return n.wide[i]
	}
	return int64(n.narrow[i])
}

// Set changes a number.
func (n *Numbers) Set(i int, number int64) {
	if n.wide != nil {
		n.wide[i] = number
	} else {
		n.narrow[i] = int32(number)
	}
}

// Bytes returns the memory of the numbers, and how much each has.
func (n *Numbers) Bytes() (memory []byte, each int) {
	if n.wide != nil {
		return comm.Bytes(n.wide), 8
	}
	return comm.Bytes(n.narrow), 4
}
