package codegen

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// cMath are the functions of Go's math that C99 has with the same meaning.
var cMath = map[string]string{
	"Abs": "fabs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh",
	"Atan": "atan", "Atan2": "atan2", "Atanh": "atanh", "Cbrt": "cbrt", "Ceil": "ceil",
	"Copysign": "copysign", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Erfc": "erfc",
	"Exp": "exp", "Exp2": "exp2", "Expm1": "expm1", "FMA": "fma", "Floor": "floor",
	"Gamma": "tgamma", "Hypot": "hypot", "Log": "log", "Log10": "log10",
	"Log1p": "log1p", "Log2": "log2", "Logb": "logb", "Mod": "fmod", "Pow": "pow",
	"Remainder": "remainder", "Round": "round", "RoundToEven": "rint", "Sin": "sin",
	"Sinh": "sinh", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh", "Trunc": "trunc",
}

// goMath are those that C has not, or with another meaning on special values, and
// the helper that does what Go's does.
var goMath = map[string]string{
	"Dim": "dim", "Float32bits": "float_bits", "Float32frombits": "float_from_bits",
	"Float64bits": "double_bits", "Float64frombits": "double_from_bits",
	"Ilogb": "ilogb", "Inf": "inf", "IsInf": "isinf", "Ldexp": "ldexp",
	"Max": "max", "Min": "min", "Nextafter": "nextafter",
	"Nextafter32": "nextafterf", "Frexp": "frexp", "Lgamma": "lgamma", "Modf": "modf",
}

// cNames are those that a kernel written in C calls by their own meaning.
var cNames = map[string]string{"Dim": "fdim", "Max": "fmax", "Min": "fmin", "Nextafter": "nextafter"}

// mathResults are the results of the functions that have more than one.
func mathResults(name string) []kernel.Type {
	f, i := kernel.Basic(loop.Float64), kernel.Basic(loop.Int64)
	switch name {
	case "Frexp", "Lgamma":
		return []kernel.Type{f, i}
	case "Modf", "Sincos":
		return []kernel.Type{f, f}
	}
	panic("codegen: math." + name + " has one result")
}

func (p *printer) math(e *kernel.Math) (string, int) {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.expr(a)
	}
	return p.mathCall(e, args)
}

// mathCall is the call of the function of values.
func (p *printer) mathCall(e *kernel.Math, args []string) (string, int) {
	list := "(" + strings.Join(args, ", ") + ")"
	switch e.Name {
	case "min", "max":
		return p.extreme(e.Name, kernel.Scalar(e.Type()), args), precPostfix
	case "IsNaN":
		return "(isnan" + list + " != 0)", precPostfix
	case "Signbit":
		if p.device == nil && kernel.Scalar(e.Args[0].Type()) == loop.Float64 { // compilers for hosts do not make vectors of their own
			return p.helpers.use("signbit") + list, precPostfix
		}
		return "(signbit" + list + " != 0)", precPostfix
	case "NaN":
		return "NAN", precPostfix
	}
	c, ok := cMath[e.Name]
	if p.c && cNames[e.Name] != "" {
		c, ok = cNames[e.Name], true
	}
	if ok && len(e.Args) > 0 && kernel.Scalar(e.Args[0].Type()) == loop.Float32 && !(p.device != nil && p.device.overloaded) {
		c += "f"
	}
	if ok {
		return c + list, precPostfix
	}
	if h, ok := goMath[e.Name]; ok {
		return p.helpers.use(h) + list, precPostfix
	}
	panic(fmt.Sprintf("codegen: no C for math.%s", e.Name))
}

// extreme is the builtin min or max of its arguments, from left to right.
func (p *printer) extreme(name string, t loop.Scalar, args []string) string {
	f := p.helpers.useFor(name, t)
	text := args[0]
	for _, a := range args[1:] {
		text = fmt.Sprintf("%s(%s, %s)", f, text, a)
	}
	return text
}

// mathInto is the call of a function with two results, which go where into points.
func (p *printer) mathInto(e *kernel.Math, into []string) string {
	x := p.expr(e.Args[0])
	if e.Name == "Sincos" {
		v := p.scope.fresh("angle")
		p.w.line("const double %s = %s;", v, x)
		return fmt.Sprintf("%s = sin(%s), %s = cos(%s)", pointee(into[0]), v, pointee(into[1]), v)
	}
	return fmt.Sprintf("%s(%s, %s, %s)", p.helpers.use(goMath[e.Name]), x, into[0], into[1])
}

// pointee is what a pointer that into gave points to.
func pointee(pointer string) string { return strings.TrimPrefix(pointer, "&") }
