// Package mathfn is the table of the mathematical functions that kernels may call: their types,
// their names in Go and in C, and their costs. Front ends declare them from it, printers print
// them, estimates use their costs, and the interpreter runs them.
package mathfn

import (
	"math"
	"reflect"
	"sort"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/loop"
)

// Function is a function of Go's package math.
type Function struct {
	Name string
	Go   any // the function itself

	// C is the function of <math.h> that C kernels call; empty if there is none. Floating-point
	// functions have variants for float and long double.
	C string
	// Exact says that C's function agrees with Go's for all values, including NaN, infinities and
	// signed zeros, so that Go kernels may call it, too.
	Exact bool
	// Helper is the name of the helper in generated code with Go's meaning, if C's differs.
	Helper string
	// Vector says that compilers vectorize it with instructions for a whole pack, Form that package
	// libm has a form of it for packs on the host; other functions are called for each element.
	Vector, Form bool
	// Refused says why kernels cannot call it, and what to write instead; empty if they can.
	Refused string

	Params, Results []loop.Scalar
}

const noBessel = "C99 has no Bessel functions: compute it before the loop"
const noInverse = "C has no inverse of the error function: compute it before the loop"

var table = []Function{
	{Name: "Abs", Go: math.Abs, C: "fabs", Exact: true, Vector: true},
	{Name: "Acos", Go: math.Acos, C: "acos", Exact: true},
	{Name: "Acosh", Go: math.Acosh, C: "acosh", Exact: true},
	{Name: "Asin", Go: math.Asin, C: "asin", Exact: true},
	{Name: "Asinh", Go: math.Asinh, C: "asinh", Exact: true},
	{Name: "Atan", Go: math.Atan, C: "atan", Exact: true, Form: true},
	{Name: "Atan2", Go: math.Atan2, C: "atan2", Exact: true, Form: true},
	{Name: "Atanh", Go: math.Atanh, C: "atanh", Exact: true},
	{Name: "Cbrt", Go: math.Cbrt, C: "cbrt", Exact: true, Form: true},
	{Name: "Ceil", Go: math.Ceil, C: "ceil", Exact: true, Vector: true},
	{Name: "Copysign", Go: math.Copysign, C: "copysign", Exact: true, Vector: true},
	{Name: "Cos", Go: math.Cos, C: "cos", Exact: true, Form: true},
	{Name: "Cosh", Go: math.Cosh, C: "cosh", Exact: true, Form: true},
	{Name: "Dim", Go: math.Dim, C: "fdim", Helper: "dim"},
	{Name: "Erf", Go: math.Erf, C: "erf", Exact: true},
	{Name: "Erfc", Go: math.Erfc, C: "erfc", Exact: true},
	{Name: "Erfcinv", Go: math.Erfcinv, Refused: noInverse},
	{Name: "Erfinv", Go: math.Erfinv, Refused: noInverse},
	{Name: "Exp", Go: math.Exp, C: "exp", Exact: true, Form: true},
	{Name: "Exp2", Go: math.Exp2, C: "exp2", Exact: true, Form: true},
	{Name: "Expm1", Go: math.Expm1, C: "expm1", Exact: true, Form: true},
	{Name: "FMA", Go: math.FMA, C: "fma", Exact: true, Vector: true},
	{Name: "Float32bits", Go: math.Float32bits, Helper: "float_bits"},
	{Name: "Float32frombits", Go: math.Float32frombits, Helper: "float_from_bits"},
	{Name: "Float64bits", Go: math.Float64bits, Helper: "double_bits"},
	{Name: "Float64frombits", Go: math.Float64frombits, Helper: "double_from_bits"},
	{Name: "Floor", Go: math.Floor, C: "floor", Exact: true, Vector: true},
	{Name: "Frexp", Go: math.Frexp, Helper: "frexp"},
	{Name: "Gamma", Go: math.Gamma, C: "tgamma", Exact: true},
	{Name: "Hypot", Go: math.Hypot, C: "hypot", Exact: true},
	{Name: "Ilogb", Go: math.Ilogb, Helper: "ilogb"},
	{Name: "Inf", Go: math.Inf, Helper: "inf"},
	{Name: "IsInf", Go: math.IsInf, Helper: "isinf"},
	{Name: "IsNaN", Go: math.IsNaN, C: "isnan", Exact: true, Vector: true},
	{Name: "J0", Go: math.J0, Refused: noBessel},
	{Name: "J1", Go: math.J1, Refused: noBessel},
	{Name: "Jn", Go: math.Jn, Refused: noBessel},
	{Name: "Ldexp", Go: math.Ldexp, Helper: "ldexp"},
	{Name: "Lgamma", Go: math.Lgamma, Helper: "lgamma"},
	{Name: "Log", Go: math.Log, C: "log", Exact: true, Form: true},
	{Name: "Log10", Go: math.Log10, C: "log10", Exact: true, Form: true},
	{Name: "Log1p", Go: math.Log1p, C: "log1p", Exact: true, Form: true},
	{Name: "Log2", Go: math.Log2, C: "log2", Exact: true, Form: true},
	{Name: "Logb", Go: math.Logb, C: "logb", Exact: true},
	{Name: "Max", Go: math.Max, C: "fmax", Helper: "max", Vector: true},
	{Name: "Min", Go: math.Min, C: "fmin", Helper: "min", Vector: true},
	{Name: "Mod", Go: math.Mod, C: "fmod", Exact: true},
	{Name: "Modf", Go: math.Modf, Helper: "modf"},
	{Name: "NaN", Go: math.NaN},
	{Name: "Nextafter", Go: math.Nextafter, C: "nextafter", Helper: "nextafter"},
	{Name: "Nextafter32", Go: math.Nextafter32, Helper: "nextafterf"},
	{Name: "Pow", Go: math.Pow, C: "pow", Exact: true, Form: true},
	{Name: "Pow10", Go: math.Pow10, Refused: "use math.Pow(10, float64(n))"},
	{Name: "Remainder", Go: math.Remainder, C: "remainder", Exact: true},
	{Name: "Round", Go: math.Round, C: "round", Exact: true},
	{Name: "RoundToEven", Go: math.RoundToEven, C: "rint", Exact: true, Vector: true},
	{Name: "Signbit", Go: math.Signbit, C: "signbit", Exact: true},
	{Name: "Sin", Go: math.Sin, C: "sin", Exact: true, Form: true},
	{Name: "Sincos", Go: math.Sincos},
	{Name: "Sinh", Go: math.Sinh, C: "sinh", Exact: true, Form: true},
	{Name: "Sqrt", Go: math.Sqrt, C: "sqrt", Exact: true, Vector: true},
	{Name: "Tan", Go: math.Tan, C: "tan", Exact: true, Form: true},
	{Name: "Tanh", Go: math.Tanh, C: "tanh", Exact: true, Form: true},
	{Name: "Trunc", Go: math.Trunc, C: "trunc", Exact: true, Vector: true},
	{Name: "Y0", Go: math.Y0, Refused: noBessel},
	{Name: "Y1", Go: math.Y1, Refused: noBessel},
	{Name: "Yn", Go: math.Yn, Refused: noBessel},
}

// All returns the functions in order of their names.
func All() []Function { return index().all }

// Lookup returns the function of that name, or nil.
func Lookup(name string) *Function { return index().byName[name] }

// LookupC returns the function that a C kernel calls by that name, and the type of its floats; nil
// if there is none. The long double variant counts as that for double.
func LookupC(name string) (*Function, loop.Scalar) {
	c := index().byC[name]
	return c.function, c.float
}

// CNames returns the names in <math.h> of the functions of floats, in order, without variants.
func CNames() []string { return index().cNames }

type cFunction struct {
	function *Function
	float    loop.Scalar
}

type indexed struct {
	all    []Function
	byName map[string]*Function
	byC    map[string]cFunction
	cNames []string
}

var index = sync.OnceValue(func() indexed {
	x := indexed{all: table, byName: map[string]*Function{}, byC: map[string]cFunction{}}
	for i := range table {
		f := &table[i]
		t := reflect.TypeOf(f.Go)
		for i := range t.NumIn() {
			f.Params = append(f.Params, scalarOf(t.In(i)))
		}
		for i := range t.NumOut() {
			f.Results = append(f.Results, scalarOf(t.Out(i)))
		}
		x.byName[f.Name] = f
		if f.C == "" {
			continue
		}
		x.byC[f.C] = cFunction{f, loop.Float64}
		if f.Results[0] == loop.Bool { // a macro for all types
			continue
		}
		x.cNames = append(x.cNames, f.C)
		x.byC[f.C+"f"] = cFunction{f, loop.Float32}
		x.byC[f.C+"l"] = cFunction{f, loop.Float64}
	}
	for _, suffix := range []string{"", "f", "l"} { // they differ in a flag that kernels cannot see
		x.byC["nearbyint"+suffix] = x.byC["rint"+suffix]
	}
	sort.Strings(x.cNames)
	return x
})

func scalarOf(t reflect.Type) loop.Scalar {
	switch t.Kind() {
	case reflect.Bool:
		return loop.Bool
	case reflect.Int, reflect.Int64:
		return loop.Int64
	case reflect.Uint32:
		return loop.Uint32
	case reflect.Uint64:
		return loop.Uint64
	case reflect.Float32:
		return loop.Float32
	case reflect.Float64:
		return loop.Float64
	}
	panic("mathfn: no scalar for " + t.String())
}

// Declaration returns the function's declaration in Go.
func (f *Function) Declaration() string {
	t := reflect.TypeOf(f.Go)
	return "func " + f.Name + strings.TrimPrefix(t.String(), "func")
}
