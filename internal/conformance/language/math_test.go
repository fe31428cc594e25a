package language_test

import (
	_ "embed"
	"fmt"
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// The functions of math that are not exact: C's library and Go's differ by a few
// units in the last place, but not on zeros, infinities and NaN.

//go:embed math_test.go
var mathSource string

func mathAngles(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	y[0], y[1], y[2] = math.Sin(x[0]), math.Cos(x[0]), math.Tan(x[0])
	y[3], y[4], y[5] = math.Asin(x[0]), math.Acos(x[0]), math.Atan(x[0])
	y[6] = math.Atan2(x[0], x[1])
	y[7], y[8], y[9] = math.Sinh(x[0]), math.Cosh(x[0]), math.Tanh(x[0])
	y[10], y[11], y[12] = math.Asinh(x[0]), math.Acosh(x[0]), math.Atanh(x[0])
	y[13], y[14] = math.Sincos(x[0])
	y[15] = math.Hypot(x[0], x[1])
	r[0] = a[0]
}

func mathPowers(_ *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	y[0], y[1], y[2] = math.Exp(x[0]), math.Exp2(x[0]), math.Expm1(x[0])
	y[3], y[4], y[5], y[6] = math.Log(x[0]), math.Log2(x[0]), math.Log10(x[0]), math.Log1p(x[0])
	y[7], y[8] = math.Pow(x[0], x[1]), math.Cbrt(x[0])
	y[9], y[10] = math.Erf(x[0]), math.Erfc(x[0])
	y[11] = math.Gamma(x[0])
	value, sign := math.Lgamma(x[0])
	y[12], r[0] = value, int64(sign)
	_, sign = math.Lgamma(x[1])
	r[1] = int64(sign)
}

func TestTranslateMath(t *testing.T) {
	optest.RequireCompiler(t)
	inGo := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer inGo.Close()
	inC := optest.Must(op2.Open(op2.WithBackend("sequential"), op2.WithLog(nil)))
	defer inC.Close()
	a, x := cornerRows()
	for i := range x {
		for j, v := range x[i] {
			switch size := math.Abs(v); {
			case size > 0 && size < 0x1p-1022: // whose logarithm Go does not get right on every machine
				x[i][j] = v * 0x1p60
			case size > 1e6 && size < 1e19, // which the angles' functions must reduce exactly
				v > -200 && v < 0 && v != math.Floor(v): // between the poles of Gamma
				x[i][j] = v / (1 + size)
			}
		}
	}
	source := op2.Kernels(mathSource)
	for _, kernel := range []corner{mathAngles, mathPowers} {
		k := source.Func(kernel)
		one, other := newTranslated(t, inGo, k, len(a)), newTranslated(t, inC, k, len(a))
		r1, y1, _ := one.run(t, a, x)
		r2, y2, _ := other.run(t, a, x)
		for i := range y1 {
			p, q := y1[i], y2[i]
			where := fmt.Sprintf("%s: y[%d] of %v, %v", k.Name(), i%16, x[i/16][0], x[i/16][1])
			switch {
			case p != p && q != q || p == q && math.Signbit(p) == math.Signbit(q):
			case math.Abs(p-q) <= 1e-13*math.Abs(p)+0x1p-1070:
			case i%16 == 7 && math.Abs(p-q) <= 1e-11*math.Abs(p): // Pow, of large powers
			case i%16 == 4 && math.Abs(p-q) < 1e-14: // Acos and Log2, around 1
			default:
				t.Errorf("%s is %v in Go, %v in C", where, p, q)
			}
		}
		for i := range r1 {
			if r1[i] != r2[i] {
				t.Errorf("%s: r[%d] of %v, %v is %d in Go, %d in C", k.Name(), i%16, x[i/16][0], x[i/16][1], r1[i], r2[i])
			}
		}
	}
}
