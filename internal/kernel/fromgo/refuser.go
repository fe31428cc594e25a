package fromgo

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// refuser finds everything in a function that is outside the subset. What it accepts, lowering can
// handle.
type refuser struct {
	*builder
	own     *types.Tuple    // the parameters of the kernel itself; nil in other functions
	parents []ast.Node      // of the current node
	refused map[string]bool // types refused before
	unknown token.Pos       // of the first expression of unknown type
}

// markRefused records that the type of e need not be refused again.
func (r *refuser) markRefused(e ast.Expr) {
	if t := r.info.TypeOf(e); t != nil {
		r.refused[typeString(t)] = true
	}
}

// valueType refuses types outside the subset, each once per function.
func (r *refuser) valueType(e ast.Expr, t types.Type) bool {
	what, hint := outside(t, false)
	if what == "" {
		return true
	}
	if what == invalidType {
		if !r.unknown.IsValid() {
			r.unknown = e.Pos()
		}
		return true
	}
	if name := typeString(t); !r.refused[name] {
		r.refused[name] = true
		r.problem(e.Pos(), hint, "%s", what)
	}
	return false
}

// isOwn reports whether something is a parameter of the kernel itself, which a call may leave out: then it is nil.
func (r *refuser) isOwn(obj types.Object) bool {
	for v := range r.own.Variables() {
		if v == obj {
			return true
		}
	}
	return false
}

// root returns the object at the bottom of place e.
func (r *refuser) root(e ast.Expr) types.Object {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return r.info.ObjectOf(x)
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			if r.info.Selections[x] == nil {
				return r.info.ObjectOf(x.Sel)
			}
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// parent returns the node around the current one, without parentheses.
func (r *refuser) parent() ast.Node {
	for i := len(r.parents) - 1; i >= 0; i-- {
		if _, ok := r.parents[i].(*ast.ParenExpr); !ok {
			return r.parents[i]
		}
	}
	return nil
}

// isOpened reports whether e is indexed, ranged over or sliced, so that what is in it is used, and not e itself. What is in
// parentheses is checked later.
func (r *refuser) isOpened(e ast.Expr) bool {
	if kernel.Is[*ast.ParenExpr](e) {
		return true
	}
	switch p := r.parent().(type) {
	case *ast.SliceExpr:
		return true
	case *ast.IndexExpr:
		return ast.Unparen(p.X) == e
	case *ast.RangeStmt:
		return ast.Unparen(p.X) == e
	}
	return false
}
