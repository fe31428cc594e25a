package interp

import (
	"errors"
	"math"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func number(s loop.Scalar, bits uint64) float64 {
	if s == loop.Float32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// float returns the bits of v, rounded to s.
func float(s loop.Scalar, v float64) uint64 {
	if s == loop.Float32 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// convert performs Go's conversion between scalars.
func convert(from, to loop.Scalar, bits uint64) uint64 {
	switch {
	case from.Float() && to.Float():
		return float(to, number(from, bits))
	case from.Float() && to == loop.Uint64:
		return uint64(number(from, bits))
	case from.Float():
		return wrap(to, uint64(int64(number(from, bits))))
	case to == loop.Float32 && from.Signed(): // rounded once
		return uint64(math.Float32bits(float32(int64(bits))))
	case to == loop.Float32:
		return uint64(math.Float32bits(float32(bits)))
	case to.Float() && from.Signed():
		return math.Float64bits(float64(int64(bits)))
	case to.Float():
		return math.Float64bits(float64(bits))
	}
	return wrap(to, bits)
}

// wrap reduces x to the bits of s, and extends them to 64 as s does.
func wrap(s loop.Scalar, x uint64) uint64 {
	if s == loop.Bool {
		return x
	}
	spare := 64 - 8*uint(s.Size())
	if s.Signed() {
		return uint64(int64(x<<spare) >> spare)
	}
	return x << spare >> spare
}

func unary(op kernel.Op, s loop.Scalar, x uint64) uint64 {
	switch {
	case op == kernel.Not:
		return 1 - x
	case op == kernel.Flip:
		return wrap(s, ^x)
	case s.Float():
		return float(s, -number(s, x))
	}
	return wrap(s, -x)
}

// operate computes x op y for values of type s; count is the type of y if op shifts.
func operate(op kernel.Op, s, count loop.Scalar, x, y uint64) uint64 {
	switch {
	case op == kernel.Shl || op == kernel.Shr:
		if count.Signed() && int64(y) < 0 {
			panic(errors.New("negative shift amount"))
		}
		return shift(op, s, x, y)
	case s.Float():
		return floats(op, s, number(s, x), number(s, y))
	case op.Compares():
		return compare(op, s, x, y)
	}
	return wrap(s, integers(op, s, x, y))
}

// shift shifts in 64 bits: of extended operands, the result in s is the same for any count.
func shift(op kernel.Op, s loop.Scalar, x, y uint64) uint64 {
	switch {
	case op == kernel.Shl:
		return wrap(s, x<<y)
	case s.Signed():
		return uint64(int64(x) >> y)
	}
	return x >> y
}

// integers computes in 64 bits. The low bits of sums and products depend on no others, and divisions have
// operands that are extended as their type is.
func integers(op kernel.Op, s loop.Scalar, x, y uint64) uint64 {
	switch divides := op == kernel.Div || op == kernel.Rem; {
	case divides && y == 0:
		panic(errors.New("integer divide by zero"))
	case divides && s.Unsigned() && op == kernel.Div:
		return x / y
	case divides && s.Unsigned():
		return x % y
	}
	v, _ := kernel.Fold(op, int64(x), int64(y))
	return uint64(v)
}

func floats(op kernel.Op, s loop.Scalar, x, y float64) uint64 {
	switch op {
	case kernel.Add:
		return float(s, x+y)
	case kernel.Sub:
		return float(s, x-y)
	case kernel.Mul:
		return float(s, x*y)
	case kernel.Div:
		return float(s, x/y)
	}
	return truth(op, x == y, x < y, x > y)
}

func compare(op kernel.Op, s loop.Scalar, x, y uint64) uint64 {
	less := x < y
	if s.Signed() {
		less = int64(x) < int64(y)
	}
	return truth(op, x == y, less, !less && x != y)
}

// truth returns a comparison by the relations of its operands, none of which holds if one is NaN.
func truth(op kernel.Op, equal, less, greater bool) uint64 {
	switch op {
	case kernel.Eq:
		return bit(equal)
	case kernel.Ne:
		return bit(!equal)
	case kernel.Lt:
		return bit(less)
	case kernel.Le:
		return bit(less || equal)
	case kernel.Gt:
		return bit(greater)
	}
	return bit(greater || equal)
}
