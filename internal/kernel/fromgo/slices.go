package fromgo

import (
	"go/ast"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// Slices have the lengths of the values behind the kernel's parameters. These are fixed, or vary up to a fixed one, and are
// passed in a further parameter. So a parameter that is a slice is lowered to a pointer to an array, and a function once for
// each combination of lengths; a variable that is a slice is another name for a place, and no variable of the IR.

// length returns the length of the slice that an array stands for.
func (l *lowerer) length(a *kernel.Array, pos kernel.Pos) kernel.Expr {
	if v := l.counts[a.Count]; v != nil {
		return &kernel.Deref{At: kernel.At{T: integer, At: pos}, X: kernel.NewRef(v, pos)}
	}
	return number(int64(a.Len), integer, pos)
}

// sliced returns the array that the slice e shows.
func (l *lowerer) sliced(e ast.Expr) *kernel.Array {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := l.info.ObjectOf(e)
		if place := l.views[obj]; place != nil {
			return kernel.Elem(place.Type()).(*kernel.Array)
		}
		return kernel.Elem(l.vars[obj].Type).(*kernel.Array)
	case *ast.IndexExpr:
		return l.sliced(e.X).Elem.(*kernel.Array)
	case *ast.SliceExpr:
		if t := l.info.TypeOf(e.X); !isSlice(t) {
			return kernel.Elem(l.typ(t)).(*kernel.Array)
		}
		return l.sliced(e.X)
	}
	return nil
}

// slice lowers a slice: to the place of its values, or a pointer to it.
func (l *lowerer) slice(e ast.Expr) kernel.Expr {
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.IndexExpr:
		at := kernel.At{T: l.sliced(e), At: l.pos(e.Pos())}
		return &kernel.Index{At: at, X: l.slice(e.X), I: l.expr(e.Index)}
	case *ast.SliceExpr:
		return l.base(e.X)
	}
	id := e.(*ast.Ident)
	if place := l.views[l.info.ObjectOf(id)]; place != nil {
		return kernel.NewPlace(place, func(i kernel.Expr) kernel.Expr { return kernel.NewPlace(i, nil) })
	}
	return l.ident(id)
}

// addressOf lowers a slice that is passed to a function.
func (l *lowerer) addressOf(e ast.Expr) kernel.Expr {
	x := l.slice(e)
	if _, ok := x.Type().(*kernel.Pointer); ok {
		return x
	}
	return &kernel.AddrOf{At: kernel.At{T: &kernel.Pointer{Elem: x.Type()}, At: l.pos(e.Pos())}, X: x}
}

// view makes the variable obj a name for the slice e, as it is now.
func (l *lowerer) view(obj types.Object, e ast.Expr) {
	place := l.slice(e)
	l.freezeIndices(place, func(*kernel.Var) bool { return true })
	l.views[obj] = place
}

// copyOrClear lowers the statements copy(x, y) and clear(x) to loops over the values.
func (l *lowerer) copyOrClear(e *ast.CallExpr) {
	pos := l.pos(e.Pos())
	n := l.length(l.sliced(e.Args[0]), pos)
	places := make([]kernel.Expr, len(e.Args))
	for i, a := range e.Args {
		places[i] = l.slice(a)
		l.freezeIndices(places[i], func(*kernel.Var) bool { return true })
	}
	if len(e.Args) == 2 {
		if a, b := l.sliced(e.Args[0]), l.sliced(e.Args[1]); a.Count+b.Count > 0 && a.Count != b.Count {
			n = &kernel.Math{At: kernel.At{T: integer, At: pos}, Name: "min", Args: []kernel.Expr{n, l.length(b, pos)}}
		} else if b.Len < a.Len {
			n = l.length(b, pos)
		}
	}
	counter := &kernel.Var{Name: "i", Type: integer, Pos: pos}
	value := func(x kernel.Expr) kernel.Expr { return kernel.NewIndex(x, kernel.NewRef(counter, pos), pos) }
	set := &kernel.Assign{L: value(places[0]), Pos: pos}
	if len(places) == 2 {
		set.R = value(places[1])
	} else {
		set.R = kernel.NewZero(set.L.Type(), pos)
	}
	l.Emit(kernel.NewCount(counter, n, []kernel.Stmt{set}, pos))
}

// assigned reports whether a statement below n assigns to the variable obj or takes its address.
func (l *lowerer) assigned(n ast.Node, obj types.Object) (found bool) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && l.info.Uses[id] == obj
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || is(e)
			}
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.UnaryExpr:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		}
		return !found
	})
	return found
}
