package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// TestIntervals compares interval arithmetic with arithmetic on numbers: the result for values in
// two intervals must be in the result for the intervals.
func TestIntervals(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	r := rand.New(rand.NewPCG(1, 2))
	types := []loop.Scalar{loop.Int8, loop.Uint8, loop.Int32, loop.Uint32, loop.Int64, loop.Uint64}
	arithmetic := []Op{Add, Sub, Mul, Div, Rem, And, Or, Xor, AndNot, Shl, Shr}
	for range 200_000 {
		typ := types[r.IntN(len(types))]
		x, a := randomInterval(r, typ)
		y, b := randomInterval(r, typ)

		op := arithmetic[r.IntN(len(arithmetic))]
		if op == Shl || op == Shr {
			y, b = interval{0, 70}, big.NewInt(r.Int64N(71))
			if r.IntN(2) == 0 {
				y = interval{b.Int64(), b.Int64()}
			}
		}
		if c := calculate(op, a, b); c != nil {
			if got := binaryInterval(op, typ, x, y); !got.holds(typ, wrapTo(typ, c)) {
				t.Fatalf("%s: %v %s %v = %v, but %v %s %v = %v",
					typ, x, op, y, got, a, op, b, wrapTo(typ, c))
			}
			if !wraps(op, typ, x, y) && typ.Signed() && op <= Mul && wrapTo(typ, c).Cmp(c) != 0 {
				t.Fatalf("%s: %v %s %v does not wrap, but %v %s %v does", typ, x, op, y, a, op, b)
			}
		}

		to := types[r.IntN(len(types))]
		if got := convertInterval(to, typ, x); !got.holds(to, wrapTo(to, a)) {
			t.Fatalf("%s(%s): %v gives %v, but %v gives %v", to, typ, x, got, a, wrapTo(to, a))
		}
		for op, c := range map[Op]*big.Int{Neg: new(big.Int).Neg(a), Flip: new(big.Int).Not(a)} {
			if got := unaryInterval(op, typ, x); !got.holds(typ, wrapTo(typ, c)) {
				t.Fatalf("%s: %s %v = %v, but %v gives %v", typ, op, x, got, a, wrapTo(typ, c))
			}
		}

		op = Eq + Op(r.IntN(6))
		truth := calculate(op, a, b).Sign() != 0
		if result, known := decide(op, x, y); known && result != truth {
			t.Fatalf("%s: %v %s %v is %t, but %v and %v", typ, x, op, y, result, a, b)
		}
		if !truth {
			op = negated[op]
		}
		if left := cut(op, typ, x, y); !left.holds(typ, a) || left.lo > left.hi {
			t.Fatalf("%s: %v %s %v leaves %v, but %v and %v", typ, x, op, y, left, a, b)
		}
		if left := cut(mirrored[op], typ, y, x); !left.holds(typ, b) {
			t.Fatalf("%s: %v %s %v leaves %v, but %v and %v", typ, y, mirrored[op], x, left, b, a)
		}
	}
}

// randomInterval returns an interval of values of type t, and one of them.
func randomInterval(r *rand.Rand, t loop.Scalar) (interval, *big.Int) {
	value := func() *big.Int {
		switch r.IntN(4) {
		case 0:
			return wrapTo(t, big.NewInt(r.Int64N(9)-4))
		case 1: // close to the ends
			ends := []int64{math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32, -128, 127, 255}
			near := big.NewInt(ends[r.IntN(len(ends))])
			return wrapTo(t, near.Add(near, big.NewInt(r.Int64N(5)-2)))
		case 2:
			return wrapTo(t, big.NewInt(r.Int64N(300)-150))
		}
		return wrapTo(t, new(big.Int).SetUint64(r.Uint64()))
	}
	lo, hi := value(), value()
	if lo.Cmp(hi) > 0 {
		lo, hi = hi, lo
	}
	v := []*big.Int{lo, hi, between(r, lo, hi)}[r.IntN(3)]
	x := rangeOf(t)
	if t == loop.Uint64 && lo.Cmp(big.NewInt(math.MaxInt64)) >= 0 {
		return x, v
	}
	x.lo = lo.Int64()
	if hi.IsInt64() {
		x.hi = hi.Int64()
	}
	return x, v
}

// between returns a number from lo to hi.
func between(r *rand.Rand, lo, hi *big.Int) *big.Int {
	size := new(big.Int).Sub(hi, lo)
	size.Add(size, big.NewInt(1))
	v := new(big.Int).SetUint64(r.Uint64())
	return v.Mod(v, size).Add(v, lo)
}

// holds reports whether v, of type t, is in x.
func (x interval) holds(t loop.Scalar, v *big.Int) bool {
	return v.Cmp(big.NewInt(x.lo)) >= 0 && (x.endless(t) || v.Cmp(big.NewInt(x.hi)) <= 0)
}

// wrapTo returns the value of type t with the low bits of v.
func wrapTo(t loop.Scalar, v *big.Int) *big.Int {
	size := new(big.Int).Lsh(big.NewInt(1), uint(8*t.Size()))
	w := new(big.Int).Mod(v, size)
	if half := new(big.Int).Rsh(size, 1); t.Signed() && w.Cmp(half) >= 0 {
		w.Sub(w, size)
	}
	return w
}

// calculate returns a op b without wrapping; nil if it is undefined.
func calculate(op Op, a, b *big.Int) *big.Int {
	c := new(big.Int)
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return big.NewInt(0)
	}
	switch op {
	case Add:
		return c.Add(a, b)
	case Sub:
		return c.Sub(a, b)
	case Mul:
		return c.Mul(a, b)
	case Div, Rem:
		if b.Sign() == 0 {
			return nil
		}
		if op == Div {
			return c.Quo(a, b)
		}
		return c.Rem(a, b)
	case And:
		return c.And(a, b)
	case Or:
		return c.Or(a, b)
	case Xor:
		return c.Xor(a, b)
	case AndNot:
		return c.AndNot(a, b)
	case Shl:
		return c.Lsh(a, uint(b.Int64()))
	case Shr:
		return c.Rsh(a, uint(b.Int64()))
	case Eq:
		return truth(a.Cmp(b) == 0)
	case Ne:
		return truth(a.Cmp(b) != 0)
	case Lt:
		return truth(a.Cmp(b) < 0)
	case Le:
		return truth(a.Cmp(b) <= 0)
	case Gt:
		return truth(a.Cmp(b) > 0)
	case Ge:
		return truth(a.Cmp(b) >= 0)
	}
	return nil
}
