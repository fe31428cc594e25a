package interp

import (
	"math"
	"reflect"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

var ofOne = map[string]func(float64) float64{
	"Abs": math.Abs, "Acos": math.Acos, "Acosh": math.Acosh, "Asin": math.Asin, "Asinh": math.Asinh, "Atan": math.Atan,
	"Atanh": math.Atanh, "Cbrt": math.Cbrt, "Ceil": math.Ceil, "Cos": math.Cos, "Cosh": math.Cosh, "Erf": math.Erf,
	"Erfc": math.Erfc, "Exp": math.Exp, "Exp2": math.Exp2, "Expm1": math.Expm1, "Floor": math.Floor, "Gamma": math.Gamma,
	"Log": math.Log, "Log10": math.Log10, "Log1p": math.Log1p, "Log2": math.Log2, "Logb": math.Logb, "Round": math.Round,
	"RoundToEven": math.RoundToEven, "Sin": math.Sin, "Sinh": math.Sinh, "Sqrt": math.Sqrt, "Tan": math.Tan,
	"Tanh": math.Tanh, "Trunc": math.Trunc,
}

var ofTwo = map[string]func(x, y float64) float64{
	"Atan2": math.Atan2, "Copysign": math.Copysign, "Dim": math.Dim, "Hypot": math.Hypot, "Max": math.Max, "Min": math.Min,
	"Mod": math.Mod, "Nextafter": math.Nextafter, "Pow": math.Pow, "Remainder": math.Remainder,
}

var others = map[string]any{
	"FMA": math.FMA, "Float32bits": math.Float32bits, "Float32frombits": math.Float32frombits, "Float64bits": math.Float64bits,
	"Float64frombits": math.Float64frombits, "Frexp": math.Frexp, "Ilogb": math.Ilogb, "Inf": math.Inf, "IsInf": math.IsInf,
	"IsNaN": math.IsNaN, "Ldexp": math.Ldexp, "Lgamma": math.Lgamma, "Modf": math.Modf, "NaN": math.NaN,
	"Nextafter32": math.Nextafter32, "Signbit": math.Signbit, "Sincos": math.Sincos,
}

// math are the results of a function of package math, or of min or max.
func (m *machine) math(e *kernel.Math) [][]uint64 {
	args := make([]uint64, len(e.Args))
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = m.scalar(e.Args[i])
	}
	if e.Name == "min" || e.Name == "max" {
		s := kernel.Scalar(e.T)
		best := args[0]
		for _, a := range args[1:] {
			best = better(e.Name, s, best, a)
		}
		return [][]uint64{{best}}
	}
	if f := ofOne[e.Name]; f != nil {
		return [][]uint64{{math.Float64bits(f(math.Float64frombits(args[0])))}}
	}
	if f := ofTwo[e.Name]; f != nil {
		return [][]uint64{{math.Float64bits(f(math.Float64frombits(args[0]), math.Float64frombits(args[1])))}}
	}
	f := reflect.ValueOf(others[e.Name])
	if !f.IsValid() {
		panic(ErrUnknown)
	}
	var values []reflect.Value
	for i, a := range args {
		v := reflect.New(f.Type().In(i)).Elem()
		setBits(v, a)
		values = append(values, v)
	}
	var results [][]uint64
	for _, r := range f.Call(values) {
		results = append(results, Bits(r))
	}
	return results
}

// better is the smaller or the larger of two values.
func better(name string, s loop.Scalar, x, y uint64) uint64 {
	if s.Float() {
		a, b := number(s, x), number(s, y)
		switch {
		case a != a || b != b:
			return float(s, math.NaN())
		case name == "min":
			return float(s, math.Min(a, b))
		}
		return float(s, math.Max(a, b))
	}
	if (compare(kernel.Lt, s, x, y) != 0) == (name == "min") {
		return x
	}
	return y
}
