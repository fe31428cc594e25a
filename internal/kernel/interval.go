package kernel

import (
	"go/constant"
	"math"

	"github.com/go-op2/op2/internal/loop"
)

// interval bounds an integer or a bool (0 or 1): lo <= value <= hi. Operations on intervals are those of
// interval arithmetic, and return all values of the type where a result may wrap.
//
// A uint64 may exceed an int64; for one, hi == unbounded stands for all values from there on, and
// lo is always less.
type interval struct{ lo, hi int64 }

const unbounded = math.MaxInt64

var scalarRanges = [...]interval{
	loop.Invalid: {math.MinInt64, unbounded},
	loop.Bool:    {0, 1},
	loop.Int8:    {math.MinInt8, math.MaxInt8},
	loop.Int16:   {math.MinInt16, math.MaxInt16},
	loop.Int32:   {math.MinInt32, math.MaxInt32},
	loop.Int64:   {math.MinInt64, math.MaxInt64},
	loop.Uint8:   {0, math.MaxUint8},
	loop.Uint16:  {0, math.MaxUint16},
	loop.Uint32:  {0, math.MaxUint32},
	loop.Uint64:  {0, unbounded},
	loop.Float32: {math.MinInt64, unbounded},
	loop.Float64: {math.MinInt64, unbounded},
}

// rangeOf returns all values of type t.
func rangeOf(t loop.Scalar) interval { return scalarRanges[t] }

// counts reports whether values of type t are tracked by the analysis.
func counts(t loop.Scalar) bool { return t.Integer() || t == loop.Bool }

// boolean returns the values of a bool: both unless it is known.
func boolean(value, known bool) interval {
	switch {
	case !known:
		return rangeOf(loop.Bool)
	case value:
		return interval{1, 1}
	}
	return interval{0, 0}
}

func (x interval) known() bool { return x.lo == x.hi }

func (x interval) hull(y interval) interval {
	return interval{min(x.lo, y.lo), max(x.hi, y.hi)}
}

func (x interval) contains(y interval) bool { return x.lo <= y.lo && y.hi <= x.hi }

// endless reports whether x is of type uint64 and has no upper bound.
func (x interval) endless(t loop.Scalar) bool { return t == loop.Uint64 && x.hi == unbounded }

// fit returns x if all its values are of type t, and otherwise, since values wrap, all values of t.
func fit(t loop.Scalar, x interval) interval {
	if all := rangeOf(t); !all.contains(x) || x.endless(t) {
		return all
	}
	return x
}

// wrapped returns the value of type t that has the low bits of v.
func wrapped(t loop.Scalar, v int64) interval {
	switch high := 64 - 8*t.Size(); {
	case t.Signed():
		v = v << high >> high
	case t.Unsigned():
		v = int64(uint64(v) << high >> high)
	}
	return fit(t, interval{v, v})
}

// literal returns the value of a constant of type t.
func literal(t loop.Scalar, v constant.Value) interval {
	if !counts(t) || v == nil {
		return rangeOf(t)
	}
	switch v.Kind() {
	case constant.Bool:
		return boolean(constant.BoolVal(v), true)
	case constant.Int, constant.Float:
		if n, exact := constant.Int64Val(constant.ToInt(v)); exact {
			return fit(t, interval{n, n})
		}
	}
	return rangeOf(t)
}

// convertInterval returns the values of type to that those of x, of type from, convert to.
func convertInterval(to, from loop.Scalar, x interval) interval {
	switch {
	case !counts(from) || !counts(to):
		return rangeOf(to)
	case x.known():
		return wrapped(to, x.lo)
	case x.endless(from):
		return rangeOf(to)
	}
	return fit(to, x)
}

// unaryInterval returns op x for x of type t.
func unaryInterval(op Op, t loop.Scalar, x interval) interval {
	if !counts(t) {
		return rangeOf(t)
	}
	switch op {
	case Not:
		return interval{1 - x.hi, 1 - x.lo}
	case Neg:
		return binaryInterval(Sub, t, interval{}, x)
	case Flip:
		if x.known() {
			return wrapped(t, ^x.lo)
		}
		return fit(t, interval{^x.hi, ^x.lo})
	}
	return rangeOf(t)
}

// binaryInterval returns x op y for x, and y unless op shifts, of type t. It does not handle
// comparisons.
func binaryInterval(op Op, t loop.Scalar, x, y interval) interval {
	if !counts(t) {
		return rangeOf(t)
	}
	if x.known() && y.known() {
		if v, ok := Fold(op, x.lo, y.lo); ok {
			return wrapped(t, v)
		}
		return rangeOf(t)
	}
	switch op {
	case And:
		return bitAnd(t, x, y)
	case Shr:
		return shiftRight(t, x, y)
	case Rem:
		return remainder(t, x, y)
	}
	if x.endless(t) || y.endless(t) {
		return rangeOf(t)
	}
	var z interval
	ok := false
	switch op {
	case Add:
		z, ok = corners(x, y, addExact)
	case Sub:
		z, ok = corners(x, y, subExact)
	case Mul:
		z, ok = corners(x, y, mulExact)
	case Div:
		if y.lo > 0 {
			z, ok = corners(x, y, func(a, b int64) (int64, bool) { return a / b, true })
		}
	case Shl:
		if y.known() && 0 <= y.lo && y.lo < 63 {
			factor := int64(1) << y.lo
			z, ok = corners(x, interval{factor, factor}, mulExact)
		}
	case Or, Xor:
		if x.lo >= 0 && y.lo >= 0 {
			z, ok = interval{0, allBits(max(x.hi, y.hi))}, true
		}
	case AndNot:
		if x.lo >= 0 {
			z, ok = interval{0, x.hi}, true
		}
	}
	if !ok {
		return rangeOf(t)
	}
	return fit(t, z)
}

// wraps reports whether x op y, of type t, may wrap.
func wraps(op Op, t loop.Scalar, x, y interval) bool {
	if op == Div || op == Rem {
		return y.contains(interval{0, 0}) || y.contains(interval{-1, -1})
	}
	exact := map[Op]func(a, b int64) (int64, bool){Add: addExact, Sub: subExact, Mul: mulExact}[op]
	if exact == nil || !t.Signed() {
		return false
	}
	z, ok := corners(x, y, exact)
	return !ok || !rangeOf(t).contains(z)
}

// Fold returns x op y in 64 bits, of a comparison 0 or 1; ok is false if that is not defined.
func Fold(op Op, x, y int64) (v int64, ok bool) {
	truth := func(b bool) (int64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	switch {
	case (op == Div || op == Rem) && y == 0, (op == Shl || op == Shr) && y < 0:
		return 0, false
	}
	switch op {
	case Add:
		return x + y, true
	case Sub:
		return x - y, true
	case Mul:
		return x * y, true
	case Div:
		return x / y, true
	case Rem:
		return x % y, true
	case And:
		return x & y, true
	case Or:
		return x | y, true
	case Xor:
		return x ^ y, true
	case AndNot:
		return x &^ y, true
	case Shl:
		return x << y, true
	case Shr:
		return x >> y, true
	case LAnd:
		return truth(x != 0 && y != 0)
	case LOr:
		return truth(x != 0 || y != 0)
	}
	if result, known := decide(op, interval{x, x}, interval{y, y}); known {
		return truth(result)
	}
	return 0, false
}

// corners returns the hull of op at the corners of x and y, which bound a monotone op.
func corners(x, y interval, op func(a, b int64) (int64, bool)) (z interval, ok bool) {
	first := true
	for _, a := range [...]int64{x.lo, x.hi} {
		for _, b := range [...]int64{y.lo, y.hi} {
			v, exact := op(a, b)
			if !exact {
				return z, false
			}
			if first {
				z, first = interval{v, v}, false
			}
			z = z.hull(interval{v, v})
		}
	}
	return z, true
}

func addExact(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func subExact(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0)
}

func mulExact(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	overflows := c/b != a || a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64
	return c, !overflows
}

// allBits returns the smallest 2^k-1 that is not less than v.
func allBits(v int64) int64 {
	for shift := 1; shift < 64; shift *= 2 {
		v |= v >> shift
	}
	return v
}

func bitAnd(t loop.Scalar, x, y interval) interval {
	switch {
	case x.lo >= 0 && y.lo >= 0:
		return interval{0, min(x.hi, y.hi)}
	case x.lo >= 0:
		return interval{0, x.hi}
	case y.lo >= 0:
		return interval{0, y.hi}
	}
	return rangeOf(t)
}

func shiftRight(t loop.Scalar, x, by interval) interval {
	switch {
	case !by.known() || by.lo < 0:
		if x.lo >= 0 {
			return interval{0, x.hi}
		}
		return rangeOf(t)
	case x.endless(t):
		if by.lo == 0 {
			return x
		}
		largest := uint64(math.MaxUint64) >> by.lo
		return fit(t, interval{x.lo >> by.lo, int64(largest)})
	}
	return interval{x.lo >> by.lo, x.hi >> by.lo}
}

// remainder returns x % y, which has the sign of x.
func remainder(t loop.Scalar, x, y interval) interval {
	if y.lo <= 0 || y.endless(t) {
		return rangeOf(t)
	}
	if x.lo >= 0 && x.hi < y.lo {
		return x
	}
	most := y.hi - 1
	z := interval{0, min(x.hi, most)}
	if x.hi < 0 {
		z.hi = 0
	}
	if x.lo < 0 {
		z.lo = max(x.lo, -most)
	}
	return z
}

// decide returns x op y for a comparison op; known reports whether it is the same for all values.
func decide(op Op, x, y interval) (result, known bool) {
	switch op {
	case Lt:
		return x.hi < y.lo, x.hi < y.lo || x.lo >= y.hi
	case Le:
		return x.hi <= y.lo, x.hi <= y.lo || x.lo > y.hi
	case Gt:
		return decide(Lt, y, x)
	case Ge:
		return decide(Le, y, x)
	case Eq:
		same := x.known() && y.known() && x.lo == y.lo
		apart := x.hi < y.lo || y.hi < x.lo
		return same, same || apart
	case Ne:
		result, known = decide(Eq, x, y)
		return !result, known
	}
	return false, false
}

// cut returns the values of x, of type t, for which x op y can hold.
func cut(op Op, t loop.Scalar, x, y interval) interval {
	z := x
	switch op {
	case Lt:
		if !y.endless(t) && y.hi > math.MinInt64 {
			z.hi = min(z.hi, y.hi-1)
		}
	case Le:
		z.hi = min(z.hi, y.hi)
	case Gt:
		if y.lo < math.MaxInt64 {
			z.lo = max(z.lo, y.lo+1)
		}
	case Ge:
		z.lo = max(z.lo, y.lo)
	case Eq:
		z = interval{max(x.lo, y.lo), min(x.hi, y.hi)}
	case Ne:
		switch {
		case !y.known():
		case y.lo == z.lo && z.lo < math.MaxInt64:
			z.lo++
		case y.lo == z.hi && !x.endless(t) && z.hi > math.MinInt64:
			z.hi--
		}
	}
	if t == loop.Uint64 {
		z.lo = min(z.lo, unbounded-1)
	}
	if z.lo > z.hi {
		return x
	}
	return z
}

// mirrored maps comparisons of x and y to the equivalent ones of y and x; others are their own.
var mirrored = [...]Op{Eq: Eq, Ne: Ne, Lt: Gt, Le: Ge, Gt: Lt, Ge: Le}

// negated maps comparisons to those that hold where they do not.
var negated = [...]Op{Eq: Ne, Ne: Eq, Lt: Ge, Le: Gt, Gt: Le, Ge: Lt}
