package fromc

import (
	"go/constant"
	"go/token"
	"math"
	"math/big"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// promoted returns e after C's integer promotions (C99 6.3.1.1): types narrower than int are computed as int.
func promoted(e kernel.Expr) kernel.Expr {
	if s := kernel.Scalar(e.Type()); s == loop.Bool || s.Integer() && s.Size() < 4 {
		return convert(e, loop.Int32)
	}
	return e
}

// usual returns C's common type of two numbers, by its usual arithmetic conversions (C99 6.3.1.8): the first of the
// list that one of them has. The larger of two integers has the higher rank, and at equal rank the unsigned one wins.
func usual(a, b loop.Scalar) loop.Scalar {
	for _, s := range []loop.Scalar{loop.Float64, loop.Float32, loop.Uint64, loop.Int64, loop.Uint32} {
		if a == s || b == s {
			return s
		}
	}
	return loop.Int32
}

// convert returns e as a value of scalar type s. To a bool it is a comparison with zero, as C has it (C99 6.3.1.2), not
// a truncation.
func convert(e kernel.Expr, s loop.Scalar) kernel.Expr {
	from := kernel.Scalar(e.Type())
	if from == s || s == loop.Invalid {
		return e
	}
	if l, ok := e.(*kernel.Lit); ok {
		if v := fit(l.Value, s); v != nil {
			return lit(v, s, l.At.At)
		}
	}
	if c, ok := e.(*kernel.Convert); ok && s == loop.Bool && kernel.Scalar(c.X.Type()) == s {
		return c.X
	}
	if s == loop.Bool && from != loop.Invalid {
		return &kernel.Binary{At: kernel.At{T: kernel.Basic(loop.Bool), At: e.Pos()}, Op: kernel.Ne, X: e, Y: number(0, from, e.Pos())}
	}
	if from == loop.Invalid {
		return opaque(kernel.Basic(s), e.Pos(), flat(e)...)
	}
	return &kernel.Convert{At: kernel.At{T: kernel.Basic(s), At: e.Pos()}, X: e}
}

// fit converts a constant to s as C does (C99 6.3.1.2 to 6.3.1.5); nil if C leaves the result open: for a
// floating-point number beyond the integers of s, infinity, and NaN.
func fit(v constant.Value, s loop.Scalar) constant.Value {
	if v.Kind() == constant.Bool {
		if s == loop.Bool {
			return v
		}
		i := int64(0)
		if constant.BoolVal(v) {
			i = 1
		}
		v = constant.MakeInt64(i)
	}
	switch {
	case s == loop.Bool:
		return constant.MakeBool(constant.Sign(v) != 0)
	case s == loop.Float32:
		f, _ := constant.Float32Val(v)
		return float(float64(f))
	case s == loop.Float64:
		f, _ := constant.Float64Val(v)
		return float(f)
	case v.Kind() == constant.Float:
		f, _ := constant.Float64Val(v)
		if math.Abs(f) >= 1<<62 {
			return nil
		}
		v = constant.MakeInt64(int64(f))
		if !constant.Compare(v, token.EQL, wrap(v, s)) {
			return nil
		}
	}
	if v.Kind() != constant.Int {
		v = constant.ToInt(v)
	}
	return wrap(v, s)
}

// wrap reduces an integer to the bits of s, in two's complement: v mod 2^bits, less 2^bits if the sign bit is set.
func wrap(v constant.Value, s loop.Scalar) constant.Value {
	low, _ := constant.Uint64Val(constant.BinaryOp(v, token.AND, constant.MakeUint64(math.MaxUint64)))
	high := 64 - 8*s.Size()
	if s.Signed() {
		return constant.MakeInt64(int64(low) << high >> high)
	}
	return constant.MakeUint64(low << high >> high)
}

// float returns f as a constant; nil if it is not a number.
func float(f float64) constant.Value {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil
	}
	return constant.MakeFloat64(f)
}

func lit(v constant.Value, s loop.Scalar, pos kernel.Pos) *kernel.Lit {
	return kernel.NewLit(v, kernel.Basic(s), pos)
}

func number(i int64, s loop.Scalar, pos kernel.Pos) *kernel.Lit {
	if s == loop.Bool {
		return lit(constant.MakeBool(i != 0), s, pos)
	}
	return lit(fit(constant.MakeInt64(i), s), s, pos)
}

// folded returns the value of n as the parser computed it; nil if n is not an arithmetic constant.
func folded(n cc.ExpressionNode) kernel.Expr {
	s := scalar(n.Type())
	if s == loop.Invalid || !n.Pure() {
		return nil
	}
	var v constant.Value
	negative := false // and perhaps zero, of which constants have no sign
	switch x := n.Value().(type) {
	case cc.Int64Value:
		v = constant.MakeInt64(int64(x))
	case cc.UInt64Value:
		v = constant.MakeUint64(uint64(x))
	case cc.Float64Value:
		v, negative = float(float64(x)), math.Signbit(float64(x))
	case *cc.LongDoubleValue:
		f, _ := (*big.Float)(x).Float64()
		v, negative = float(f), math.Signbit(f)
	}
	if v == nil {
		return nil
	}
	if v = fit(v, s); v == nil {
		return nil
	}
	if l := lit(v, s, at(n)); !negative || !kernel.IsZero(l) || !s.Float() {
		return l
	}
	return &kernel.Unary{At: kernel.At{T: kernel.Basic(s), At: at(n)}, Op: kernel.Neg, X: lit(v, s, at(n))}
}

func mentions(stmts []kernel.Stmt, v *kernel.Var) bool {
	return len(refs(&kernel.Block{Stmts: stmts}, v)) > 0
}
