package fromgo

import (
	_ "embed"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Complex numbers are structs of re and im, and their operators functions, which complexSource
// declares in every package that has such numbers.

// complexSource declares the functions of complex numbers, in Go without complex numbers. Quotients
// are those of Go's runtime: R. L. Smith, "Algorithm 116: Complex division" (1962), and the cases of
// C99, annex G.5.1, for infinities and zeros.
//
//go:embed source/complex.go.txt
var complexSource string

// complexFunctions returns complexSource for the Go that the program was built with: a quotient is
// corrected where both parts are NaN, in older versions where one is.
func complexFunctions() string {
	infinite := complex(math.Inf(1), math.Inf(1))
	q, any := infinite/complex(1, real(infinite)-real(infinite)+2), "&&"
	if !math.IsNaN(imag(q)) && !math.IsNaN(real(q)) {
		any = "||"
	}
	return strings.Replace(complexSource, "ANY", any, 1)
}

// complexFile is the name of complexSource in positions.
const complexFile = "complex.go"

// namesComplex reports whether a file may have complex numbers: there are none without a literal, their
// types or the builtin function that makes them.
func namesComplex(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || n.Kind == token.IMAG
		case *ast.Ident:
			found = found || n.Name == "complex" || n.Name == "complex64" || n.Name == "complex128"
		}
		return !found
	})
	return found
}

// complexKind returns the scalar of the parts of complex type t; loop.Invalid for other types.
func complexKind(t types.Type) loop.Scalar {
	if t == nil {
		return loop.Invalid
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Complex64:
			return loop.Float32
		case types.Complex128, types.UntypedComplex:
			return loop.Float64
		}
	}
	return loop.Invalid
}

func isComplex(t types.Type) bool { return complexKind(t) != loop.Invalid }

// complexStruct returns the struct that complex numbers of such parts are.
func (b *builder) complexStruct(part loop.Scalar) *kernel.Struct {
	name := "op2Complex128"
	if part == loop.Float32 {
		name = "op2Complex64"
	}
	t := b.pkg.Scope().Lookup(name).Type()
	s := b.structOf(t, t.Underlying().(*types.Struct))
	s.Name = kernel.ComplexName(part)
	return s
}

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
	f := l.of(l.pkg.Scope().Lookup(name), nil)
	return &kernel.Call{At: kernel.At{T: f.Results[0], At: l.pos(pos)}, Func: f.Func, Args: args}
}

// complexValue returns a complex number of type t with these parts, as a temporary.
func (l *lowerer) complexValue(t types.Type, re, im kernel.Expr, pos token.Pos) kernel.Expr {
	at := kernel.At{T: l.typ(t), At: l.pos(pos)}
	return l.hoist("z", &kernel.Composite{At: at, Elems: []kernel.Expr{re, im}})
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
		l.emit(&kernel.Assign{L: x, R: l.complexOp(op, pos, x, y), Pos: at})
		return
	}
	if _, variable := y.(*kernel.Ref); !variable || kernel.Root(x) == kernel.Root(y) {
		y = l.hoist("z", y)
	}
	for i := range 2 {
		l.emit(&kernel.Assign{L: kernel.NewSelect(x, i, at), Op: op, R: kernel.NewSelect(y, i, at), Pos: at})
	}
}

// complexBuiltin lowers complex, real and imag.
func (l *lowerer) complexBuiltin(e *ast.CallExpr, name string) kernel.Expr {
	switch name {
	case "complex":
		part := kernel.Basic(complexKind(l.info.TypeOf(e)))
		parts := make([]kernel.Expr, 2)
		for i, a := range e.Args {
			if v := l.info.Types[a].Value; v != nil {
				parts[i] = literal(v, part, l.pos(a.Pos()))
			} else {
				parts[i] = l.expr(a)
			}
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
		return l.hoist("r", l.complexCall("op2Narrow", e.Pos(), x))
	}
	return l.hoist("r", l.complexCall("op2Widen", e.Pos(), x))
}
