package fromgo

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Complex numbers are structs of re and im, and their operators functions, which complexSource
// declares in every package that has such numbers.

// complexOp returns the value of an operator of complex numbers.
func (l *lowerer) complexOp(op kernel.Op, pos token.Pos, args ...kernel.Expr) *kernel.Call {
	name := map[kernel.Op]string{kernel.Neg: "op2Neg", kernel.Add: "op2Add", kernel.Sub: "op2Sub", kernel.Mul: "op2Mul", kernel.Div: "op2Div"}[op]
	if args[0].Type().(*kernel.Struct).Fields[0].Type == kernel.Basic(loop.Float32) {
		name += "64"
	} else {
		name += "128"
	}
	return l.complexCall(name, pos, args...)
}

func (l *lowerer) complexCall(name string, pos token.Pos, args ...kernel.Expr) *kernel.Call {
	f := l.instanceOf(l.pkg.Scope().Lookup(name), nil)
	return &kernel.Call{At: kernel.At{T: f.Results[0], At: l.pos(pos)}, Func: f.Func, Args: args}
}

// complexValue returns a complex number of type t with these parts, as a temporary.
func (l *lowerer) complexValue(t types.Type, re, im kernel.Expr, pos token.Pos) kernel.Expr {
	at := kernel.At{T: l.typ(t), At: l.pos(pos)}
	return l.Hoist("z", &kernel.Composite{At: at, Elems: []kernel.Expr{re, im}})
}

// complexConstant returns a complex constant; nil if e is none.
func (l *lowerer) complexConstant(e ast.Expr) kernel.Expr {
	tv := l.info.Types[e]
	part := complexKind(tv.Type)
	if tv.Value == nil || part == loop.Invalid {
		return nil
	}
	v, t, pos := constant.ToComplex(tv.Value), kernel.Basic(part), l.pos(e.Pos())
	return l.complexValue(tv.Type, literal(constant.Real(v), t, pos), literal(constant.Imag(v), t, pos), e.Pos())
}

// complexUpdate lowers x op= y. Sums are those of the parts, so that Analyze sees which values are
// only added to.
func (l *lowerer) complexUpdate(x, y kernel.Expr, op kernel.Op, pos token.Pos) {
	at := l.pos(pos)
	if op != kernel.Add && op != kernel.Sub {
		l.Emit(&kernel.Assign{L: x, R: l.complexOp(op, pos, x, y), Pos: at})
		return
	}
	if _, variable := y.(*kernel.Ref); !variable || kernel.Root(x) == kernel.Root(y) {
		y = l.Hoist("z", y)
	}
	for i := range 2 {
		l.Emit(&kernel.Assign{L: kernel.NewSelect(x, i, at), Op: op, R: kernel.NewSelect(y, i, at), Pos: at})
	}
}

// complexBuiltin lowers complex, real and imag.
func (l *lowerer) complexBuiltin(e *ast.CallExpr, name string) kernel.Expr {
	switch name {
	case "complex":
		part := kernel.Basic(complexKind(l.info.TypeOf(e)))
		parts := make([]kernel.Expr, 2)
		for i, a := range e.Args {
			parts[i] = l.as(a, part)
		}
		return l.complexValue(l.info.TypeOf(e), parts[0], parts[1], e.Pos())
	case "real":
		return kernel.NewSelect(l.expr(e.Args[0]), 0, l.pos(e.Pos()))
	}
	return kernel.NewSelect(l.expr(e.Args[0]), 1, l.pos(e.Pos()))
}

func (l *lowerer) complexConversion(e *ast.CallExpr, x kernel.Expr) kernel.Expr {
	from, to := complexKind(l.info.TypeOf(e.Args[0])), complexKind(l.info.TypeOf(e))
	switch {
	case from == to:
		return x
	case to == loop.Float32:
		return l.Hoist("r", l.complexCall("op2Narrow", e.Pos(), x))
	}
	return l.Hoist("r", l.complexCall("op2Widen", e.Pos(), x))
}
