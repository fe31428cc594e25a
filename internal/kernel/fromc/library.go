package fromc

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
	"github.com/go-op2/op2/internal/problem"
)

// library lowers a call of a function of the standard library that the IR has; nil if it is something else.
func (f *lowering) library(n *cc.PostfixExpression, name string, user *callee, args []cc.ExpressionNode) kernel.Expr {
	if user != nil || name == "" || f.u.functions[name] != nil {
		return nil
	}
	if d := prototype(n); d != nil && len(d.Parameters()) != len(args) && !d.IsVariadic() && (len(args) > 0 || d.Parameters()[0].Type().Kind() != cc.Void) {
		f.u.problem(n, "", "%s takes %s, and gets %d", name, problem.Count(len(d.Parameters()), "argument"), len(args))
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

// prototype returns the type of the function that n calls; nil if it has no prototype.
func prototype(n *cc.PostfixExpression) *cc.FunctionType {
	if d := declared(base(n.PostfixExpression)); d != nil {
		if t, ok := d.Type().(*cc.FunctionType); ok && len(t.Parameters()) > 0 {
			return t
		}
	}
	return nil
}
