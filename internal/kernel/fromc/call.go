package fromc

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
)

// call lowers a call, and returns the result, if wanted; a call that changes something becomes a
// preceding statement.
func (f *lowering) call(n *cc.PostfixExpression, wanted bool) kernel.Expr {
	name, user := f.target(n)
	args := arguments(n)
	result := f.u.value(n.Type())
	if user == nil && !wanted && f.memory(n, name, args) {
		return opaque(none, f.at(n))
	}
	if user == nil || !f.fits(n, name, user, args) || user.fun == nil {
		if e := f.library(n, name, user, args); e != nil {
			return f.finish(e, wanted)
		}
		return f.finish(f.opaqueCall(n, name, user, args), wanted)
	}
	c := &kernel.Call{At: kernel.At{T: result, At: f.at(n)}, Func: user.fun}
	if result == nil {
		c.T = none
	}
	known := true
	before := f.Collect(func() {
		for i, a := range args {
			e := f.argument(a, user.def, i)
			known = known && e != nil
			c.Args = append(c.Args, e)
		}
	})
	if !known { // a pointer to anywhere
		return f.finish(f.opaqueCall(n, name, user, args), wanted)
	}
	f.Emit(before...)
	switch {
	case !wanted || result == nil:
		f.Emit(&kernel.Do{Call: c, Pos: f.at(n)})
		return opaque(none, f.at(n))
	case user.pure:
		return c
	}
	return f.temp(c)
}

// finish emits a call of a function that is not the user's, if its result is not wanted.
func (f *lowering) finish(e kernel.Expr, wanted bool) kernel.Expr {
	if wanted {
		return e
	}
	switch e := e.(type) {
	case *kernel.Opaque:
		if e.T = none; len(e.Parts) > 0 {
			f.Emit(&kernel.Do{X: e, Pos: e.Pos()})
		}
	case *kernel.Math:
		f.Emit(&kernel.Do{Math: e, Pos: e.Pos()})
	default:
		f.Emit(&kernel.Do{X: e, Pos: e.Pos()})
	}
	return nil
}

// target returns the name of the function that n calls, and its lowered form if it is in the
// source.
func (f *lowering) target(n *cc.PostfixExpression) (string, *callee) {
	d := declared(base(n.PostfixExpression))
	if d == nil || d.Type().Kind() != cc.Function || !atFileScope(d) {
		return "", nil
	}
	return d.Name(), f.u.lowered[d.Name()]
}

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

// argument returns a as argument i of def; nil if it is a pointer to anywhere, or into something of
// another type.
func (f *lowering) argument(a cc.ExpressionNode, def *cc.FunctionDefinition, i int) kernel.Expr {
	t := def.Declarator.Type().(*cc.FunctionType).Parameters()[i].Type()
	if t.Kind() != cc.Ptr {
		e := f.as(a, f.u.value(t))
		if _, isCall := e.(*kernel.Call); isCall && kernel.Scalar(e.Type()) == loop.Invalid {
			return f.temp(e)
		}
		return e
	}
	if !isPointer(a) || !samePointee(t, a.Type()) {
		return nil
	}
	return f.pointer(a).argument()
}

// opaqueCall returns a call that the IR cannot express: its arguments, and the pointer to the
// function, if it is one.
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
	return storing(opaque(f.u.value(n.Type()), f.at(n), parts...), stored)
}

// prototype returns the type of the function that n calls; nil if it has no prototype.
func prototype(n *cc.PostfixExpression) *cc.FunctionType {
	if d := declared(base(n.PostfixExpression)); d != nil {
		if t, ok := d.Type().(*cc.FunctionType); ok && len(t.Parameters()) > 0 {
			return t
		}
	}
	return nil
}

// number lowers NAN and INFINITY, isfinite and isinf, the absolute value of an integer, products with powers of two
// and rounding to integers; nil if n is something else.
func (f *lowering) number(n *cc.PostfixExpression, name string, args []cc.ExpressionNode) kernel.Expr {
	s, double := scalar(n.Type()), kernel.At{T: kernel.Basic(loop.Float64), At: f.at(n)}
	infinity := &kernel.Math{At: double, Name: "Inf", Args: []kernel.Expr{number(1, loop.Int64, f.at(n))}}
	switch name {
	case "isfinite", "isinf":
		op := map[string]kernel.Op{"isfinite": kernel.Lt, "isinf": kernel.Eq}[name]
		size := &kernel.Math{At: double, Name: "Abs", Args: []kernel.Expr{convert(f.expr(args[0]), loop.Float64)}}
		return convert(&kernel.Binary{At: kernel.At{T: kernel.Basic(loop.Bool), At: f.at(n)}, Op: op, X: size, Y: infinity}, s)
	case "__builtin_nanf", "__builtin_nan":
		return convert(&kernel.Math{At: double, Name: "NaN"}, s)
	case "__builtin_inff", "__builtin_inf":
		return convert(infinity, s)
	case "abs", "labs", "llabs":
		if scalar(args[0].Type()).Float() {
			f.u.problem(n, "write fabs", "%s takes an integer, and %s is a %s", name, cc.NodeSource(args[0]), cName(args[0].Type()))
		}
		x := f.temp(convert(f.expr(args[0]), s))
		here := kernel.At{T: kernel.Basic(s), At: f.at(n)}
		return &kernel.Math{At: here, Name: "max", Args: []kernel.Expr{x, &kernel.Unary{At: here, Op: kernel.Neg, X: kernel.NewRef(x.Var, f.at(n))}}}
	}
	if m, ok := ofIntegers[strings.TrimSuffix(name, "f")]; ok {
		float := loop.Float64
		if strings.HasSuffix(name, "f") {
			float = loop.Float32
		}
		e := &kernel.Math{At: double, Name: m, Args: []kernel.Expr{convert(convert(f.expr(args[0]), float), loop.Float64)}}
		if len(args) > 1 {
			e.Args = append(e.Args, convert(f.expr(args[1]), loop.Int64))
		}
		return convert(e, s)
	}
	return nil
}

// ofIntegers maps functions of <math.h> that take or return an integer to those of Go that compute the same, or the
// same before it is converted.
var ofIntegers = map[string]string{
	"ldexp": "Ldexp", "scalbn": "Ldexp", "scalbln": "Ldexp",
	"lround": "Round", "llround": "Round", "lrint": "RoundToEven", "llrint": "RoundToEven",
}

// library lowers a call of a function of the standard library that the IR has; nil if it is something else.
func (f *lowering) library(n *cc.PostfixExpression, name string, user *callee, args []cc.ExpressionNode) kernel.Expr {
	if user != nil || name == "" || f.u.functions[name] != nil {
		return nil
	}
	if d := prototype(n); d != nil && len(d.Parameters()) != len(args) && !d.IsVariadic() && (len(args) > 0 || d.Parameters()[0].Type().Kind() != cc.Void) {
		f.u.problem(n, "", "%s takes %s, and gets %d", name, plural(len(d.Parameters()), "argument"), len(args))
		return nil
	}
	if e := f.number(n, name, args); e != nil {
		return e
	}
	m, float := mathfn.LookupC(name)
	if m == nil || slices.ContainsFunc(args, isPointer) {
		return nil
	}
	result := m.Results[0]
	if result.Float() {
		result = float
	}
	e := &kernel.Math{At: kernel.At{T: kernel.Basic(result), At: f.at(n)}, Name: m.Name}
	for _, a := range args {
		e.Args = append(e.Args, convert(f.expr(a), float))
	}
	return convert(e, scalar(n.Type()))
}
