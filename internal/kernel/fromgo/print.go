package fromgo

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// Kernels may print for debugging, on the backend that calls the compiled function. Other backends
// only need to know that they do.

// printing returns the name of the function that a call prints with, "" if it does not print.
func (p *Package) printing(e ast.Node) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := p.callee(call).(type) {
	case *types.Builtin:
		if f.Name() == "print" || f.Name() == "println" {
			return f.Name()
		}
	case *types.Func:
		if f.Pkg() == fmtPackage() {
			return "fmt." + f.Name()
		}
	}
	return ""
}

// printed reports whether e is an argument of a call that prints, which may also be a string, or a
// pointer to show its pointee.
func (r *refuser) printed(e ast.Expr) bool {
	call, ok := r.parent().(*ast.CallExpr)
	return ok && ast.Unparen(call.Fun) != ast.Unparen(e) && r.printing(call) != ""
}

// statement reports whether e is the function of a printing call that is a statement.
func (r *refuser) statement(e ast.Expr) bool {
	call, ok := r.parent().(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) != e || r.printing(call) == "" {
		return false
	}
	_, ok = r.parents[slices.Index(r.parents, ast.Node(call))-1].(*ast.ExprStmt)
	return ok
}

// text reports whether e is a constant string.
func (p *Package) text(e ast.Expr) bool {
	v := p.info.Types[e].Value
	return v != nil && v.Kind() == constant.String
}

// print lowers a call that prints. Of its arguments, only calls that change something are lowered.
func (l *lowerer) print(e *ast.CallExpr) {
	for _, a := range e.Args {
		if l.impureCalls(a) > 0 {
			l.effect(a)
		}
	}
	l.Emit(&kernel.Print{Name: l.printing(e), Pos: l.pos(e.Pos())})
}
