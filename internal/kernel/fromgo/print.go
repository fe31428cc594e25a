package fromgo

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// Kernels may print, to find a mistake: on the backend that calls the compiled function. All that
// is known of it otherwise is that it does.

// fmtSource declares what kernels have of package fmt.
const fmtSource = `package fmt

func Print(a ...any) (n int, err error)
func Printf(format string, a ...any) (n int, err error)
func Println(a ...any) (n int, err error)
`

// printing is the name of the function that a call prints with, "" if it does not print.
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

// printed reports whether e is an argument of a call that prints, which takes texts, and pointers to
// show what they point to.
func (r *refuser) printed(e ast.Expr) bool {
	call, ok := r.parent().(*ast.CallExpr)
	return ok && ast.Unparen(call.Fun) != ast.Unparen(e) && r.printing(call) != ""
}

// statement reports whether e is the function of a call that prints and is a statement of its own.
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

// print lowers a call that prints. Of its arguments the calls are lowered that change something.
func (l *lowerer) print(e *ast.CallExpr) {
	for _, a := range e.Args {
		if l.impureCalls(a) > 0 {
			l.effect(a)
		}
	}
	l.emit(&kernel.Print{Name: l.printing(e), Pos: l.pos(e.Pos())})
}
