package fromc

import (
	"slices"
	"sync"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// call lowers a call. It gives the result if that is wanted; a call that changes
// something is a statement before.
func (f *lowering) call(n *cc.PostfixExpression, wanted bool) kernel.Expr {
	name, user := f.target(n)
	args := arguments(n)
	result := f.u.value(n.Type())
	if user == nil || !f.fits(n, name, user, args) || user.fun == nil {
		if e := f.library(n, name, user, args); e != nil {
			return f.finish(e, wanted)
		}
		return f.finish(f.opaqueCall(n, name, user, args), wanted)
	}
	c := &kernel.Call{At: kernel.At{T: result, At: at(n)}, Func: user.fun}
	if result == nil {
		c.T = none
	}
	known := true
	before := f.capture(func() {
		for i, a := range args {
			e := f.argument(a, user.def, i)
			known = known && e != nil
			c.Args = append(c.Args, e)
		}
	})
	if !known { // a pointer to anywhere
		return f.finish(f.opaqueCall(n, name, user, args), wanted)
	}
	f.emit(before...)
	switch {
	case !wanted || result == nil:
		f.emit(&kernel.Do{Call: c, Pos: at(n)})
		return opaque(none, at(n))
	case user.pure:
		return c
	}
	return f.temp(c)
}

// finish emits a call of a function that is not the user's, if nobody wants its
// result.
func (f *lowering) finish(e kernel.Expr, wanted bool) kernel.Expr {
	if wanted {
		return e
	}
	switch e := e.(type) {
	case *kernel.Opaque:
		if e.T = none; len(e.Parts) > 0 {
			f.emit(&kernel.Do{X: e, Pos: e.Pos()})
		}
	case *kernel.Math:
		f.emit(&kernel.Do{Math: e, Pos: e.Pos()})
	default:
		f.emit(&kernel.Do{X: e, Pos: e.Pos()})
	}
	return nil
}

// target is the function that n calls: its name, and what it was lowered to if it
// is one of the source.
func (f *lowering) target(n *cc.PostfixExpression) (string, *callee) {
	id, name := base(n.PostfixExpression)
	if id == nil {
		return "", nil
	}
	if d, ok := id.ResolvedTo().(*cc.Declarator); !ok || d.Type().Kind() != cc.Function || !atFileScope(d) {
		return "", nil
	}
	return name, f.u.lowered[name]
}

// arguments are the arguments of the call n.
func arguments(n *cc.PostfixExpression) (args []cc.ExpressionNode) {
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		args = append(args, l.AssignmentExpression)
	}
	return args
}

// fits checks the number of arguments, which the parser does not.
func (f *lowering) fits(n *cc.PostfixExpression, name string, user *callee, args []cc.ExpressionNode) bool {
	t, ok := user.def.Declarator.Type().(*cc.FunctionType)
	if !ok || t.IsVariadic() || user.def.DeclarationList != nil {
		return false
	}
	want := len(t.Parameters())
	if want == 1 && t.Parameters()[0].Type().Kind() == cc.Void {
		want = 0
	}
	if len(args) != want {
		f.u.problem(n, "", "%s takes %s, and gets %d", name, plural(want, "argument"), len(args))
		return false
	}
	return true
}

// argument is a as argument i of def; nil if it is a pointer to anywhere, or into
// something of another type.
func (f *lowering) argument(a cc.ExpressionNode, def *cc.FunctionDefinition, i int) kernel.Expr {
	t := def.Declarator.Type().(*cc.FunctionType).Parameters()[i].Type()
	if t.Kind() != cc.Ptr {
		return f.as(a, f.u.value(t))
	}
	if !isPointer(a) || !samePointee(t, a.Type()) {
		return nil
	}
	return f.pointer(a).argument()
}

// storesFirst are the functions of <string.h> that store where their first argument points.
var storesFirst = map[string]bool{"memset": true, "memcpy": true, "memmove": true}

// opaqueCall is a call that the IR has no word for: its arguments, and the pointer to
// the function, if it is one.
func (f *lowering) opaqueCall(n *cc.PostfixExpression, name string, user *callee, args []cc.ExpressionNode) *kernel.Opaque {
	var parts, stored []kernel.Expr
	if target, _ := f.target(n); target == "" {
		parts = f.parts(n.PostfixExpression)
	}
	for i, a := range args {
		p := f.parts(a)
		if i == 0 && user == nil && storesFirst[name] {
			stored = p
		}
		parts = append(parts, p...)
	}
	return storing(opaque(f.u.value(n.Type()), at(n), parts...), stored)
}

// library is the call of a function of <math.h>; nil if it is something else.
func (f *lowering) library(n *cc.PostfixExpression, name string, user *callee, args []cc.ExpressionNode) kernel.Expr {
	if user != nil || name == "" || f.u.functions[name] != nil {
		return nil
	}
	m, ok := mathFunctions()[name]
	if !ok || len(m.args) != len(args) {
		return nil
	}
	if slices.ContainsFunc(args, isPointer) {
		return nil
	}
	e := &kernel.Math{At: kernel.At{T: kernel.Basic(m.result), At: at(n)}, Name: m.name}
	for i, a := range args {
		e.Args = append(e.Args, convert(f.expr(a), m.args[i]))
	}
	return convert(e, scalar(n.Type()))
}

// mathFunction is a function of <math.h> and its counterpart in Go, whose result has
// the type result.
type mathFunction struct {
	name   string
	args   []loop.Scalar
	result loop.Scalar
}

// mathFunctions are those of <math.h> that Go has too, also as float and long double.
var mathFunctions = sync.OnceValue(func() map[string]mathFunction {
	m := map[string]mathFunction{}
	for c, name := range map[string]string{
		"acos": "Acos", "asin": "Asin", "atan": "Atan", "cos": "Cos", "sin": "Sin", "tan": "Tan",
		"acosh": "Acosh", "asinh": "Asinh", "atanh": "Atanh", "cosh": "Cosh", "sinh": "Sinh", "tanh": "Tanh",
		"exp": "Exp", "exp2": "Exp2", "expm1": "Expm1", "log": "Log", "log10": "Log10", "log1p": "Log1p",
		"log2": "Log2", "logb": "Logb", "cbrt": "Cbrt", "fabs": "Abs", "sqrt": "Sqrt", "erf": "Erf",
		"erfc": "Erfc", "tgamma": "Gamma", "ceil": "Ceil", "floor": "Floor", "round": "Round",
		"rint": "RoundToEven", "nearbyint": "RoundToEven", "trunc": "Trunc",
	} {
		withVariants(m, c, name, 1)
	}
	for c, name := range map[string]string{
		"atan2": "Atan2", "pow": "Pow", "hypot": "Hypot", "fmod": "Mod", "remainder": "Remainder",
		"copysign": "Copysign", "nextafter": "Nextafter", "fdim": "Dim", "fmax": "Max", "fmin": "Min",
	} {
		withVariants(m, c, name, 2)
	}
	withVariants(m, "fma", "FMA", 3)
	for c, name := range map[string]string{"isnan": "IsNaN", "signbit": "Signbit"} {
		m[c] = mathFunction{name: name, args: []loop.Scalar{loop.Float64}, result: loop.Bool}
	}
	return m
})

func withVariants(m map[string]mathFunction, c, name string, args int) {
	for suffix, s := range map[string]loop.Scalar{"": loop.Float64, "f": loop.Float32, "l": loop.Float64} {
		f := mathFunction{name: name, result: s}
		for range args {
			f.args = append(f.args, s)
		}
		m[c+suffix] = f
	}
}
