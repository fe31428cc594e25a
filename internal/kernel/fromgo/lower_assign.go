package fromgo

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// declStmt lowers the declaration of variables; declarations of constants and types produce
// nothing.
func (l *lowerer) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		if len(s.Values) > 0 {
			names := make([]ast.Expr, len(s.Names))
			for i, n := range s.Names {
				names[i] = n
			}
			l.assign(names, s.Values, s.Pos())
			continue
		}
		for _, n := range s.Names {
			if obj := l.info.Defs[n]; obj != nil && n.Name != "_" {
				v := l.variable(obj)
				l.Emit(&kernel.Decl{Var: v, Pos: v.Pos})
			}
		}
	}
}

func (l *lowerer) assignStmt(s *ast.AssignStmt) {
	if op := kernel.BinaryOp(s.Tok.String()); op != kernel.None {
		l.update(s, op)
		return
	}
	l.assign(s.Lhs, s.Rhs, s.Pos())
}

func (l *lowerer) update(s *ast.AssignStmt, op kernel.Op) {
	l.begin(s.Lhs[0], s.Rhs[0])
	x := l.place(s.Lhs[0])
	y := l.operand(op, s.Rhs[0])
	if isComplex(l.info.TypeOf(s.Lhs[0])) {
		l.complexUpdate(x, y, op, s.Pos())
		return
	}
	l.Emit(&kernel.Assign{L: x, Op: op, R: y, Pos: l.pos(s.Pos())})
}

func (l *lowerer) increment(s *ast.IncDecStmt) {
	l.begin(s.X)
	x := l.place(s.X)
	pos := l.pos(s.Pos())
	if isComplex(l.info.TypeOf(s.X)) {
		x = kernel.NewSelect(x, 0, pos)
	}
	l.Emit(&kernel.Assign{L: x, Op: kernel.BinaryOp(s.Tok.String()[:1]), R: number(1, x.Type(), pos), Pos: pos})
}

// assign lowers an assignment or declaration of any number of variables.
func (l *lowerer) assign(lhs, rhs []ast.Expr, pos token.Pos) {
	l.begin(append(append([]ast.Expr{}, lhs...), rhs...)...)
	switch {
	case len(lhs) != len(rhs):
		l.assignResults(lhs, ast.Unparen(rhs[0]).(*ast.CallExpr), pos)
	case len(lhs) > 1:
		l.parallel(lhs, rhs, pos)
	case isBlank(lhs[0]):
		l.effect(rhs[0])
	default:
		if obj := l.defines(lhs[0]); obj != nil && isSlice(obj.Type()) {
			l.view(obj, rhs[0])
			return
		} else if obj != nil {
			l.declare(l.variable(obj), rhs[0])
			return
		}
		l.single(lhs[0], rhs[0], pos)
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// defines returns the variable that e declares; nil if it is an existing one.
func (l *lowerer) defines(e ast.Expr) types.Object {
	if id, ok := e.(*ast.Ident); ok {
		return l.info.Defs[id]
	}
	return nil
}

func (l *lowerer) single(lhs, rhs ast.Expr, pos token.Pos) {
	x := l.place(lhs)
	k := &kernel.Assign{L: x, Pos: l.pos(pos)}
	switch y := ast.Unparen(rhs).(type) {
	case *ast.CompositeLit:
		k.R = l.assignedComposite(y)
	default:
		if _, variable := x.(*kernel.Ref); variable {
			k.R = l.whole(rhs)
		} else {
			k.R = l.expr(rhs)
		}
	}
	accumulate(k)
	l.Emit(k)
}

// assignedComposite lowers a composite literal that is assigned: through a temporary, unless its
// elements are constants, which cannot depend on the place.
func (l *lowerer) assignedComposite(e *ast.CompositeLit) kernel.Expr {
	if !l.holdsArrays(e) {
		if c := l.compositeValue(e); constantElements(c) {
			return c
		} else {
			return l.Hoist("t", c)
		}
	}
	return l.composite(e)
}

// accumulate turns x = x + y, x = y + x and x = x - y into x += y and x -= y.
func accumulate(k *kernel.Assign) {
	b, ok := k.R.(*kernel.Binary)
	if !ok || k.Op != kernel.None {
		return
	}
	switch {
	case (b.Op == kernel.Add || b.Op == kernel.Sub) && kernel.SameExpr(k.L, b.X):
		k.Op, k.R = b.Op, b.Y
	case b.Op == kernel.Add && kernel.SameExpr(k.L, b.Y):
		k.Op, k.R = b.Op, b.X
	}
}

// destination receives one value of an assignment: a new variable, a slice, an existing place, or
// nothing.
type destination struct {
	fresh types.Object
	view  types.Object // a new name for a slice
	place kernel.Expr
}

// destinations lowers the left side of an assignment before anything is assigned: new variables, views and
// places.
func (l *lowerer) destinations(lhs []ast.Expr) []destination {
	list := make([]destination, len(lhs))
	for i, e := range lhs {
		if isBlank(e) {
			continue
		}
		if list[i].fresh = l.defines(e); list[i].fresh != nil && isSlice(list[i].fresh.Type()) {
			list[i] = destination{view: list[i].fresh}
		} else if list[i].fresh == nil {
			list[i].place = l.place(e)
		}
	}
	return list
}

// assignResults lowers x, y = f(). Results go into variables of their own, as f may access old
// places through its arguments.
func (l *lowerer) assignResults(lhs []ast.Expr, call *ast.CallExpr, pos token.Pos) {
	to := l.destinations(lhs)
	do, results := l.do(call)
	l.freeze(to)
	var after []kernel.Stmt
	for i, d := range to {
		switch {
		case d.fresh != nil:
			v := l.variable(d.fresh)
			l.Emit(&kernel.Decl{Var: v, Pos: v.Pos})
			do.Into = append(do.Into, v)
		case d.place != nil:
			v := l.Temporary("r", results[i], nil, do.Pos)
			do.Into = append(do.Into, v)
			after = append(after, &kernel.Assign{L: d.place, R: kernel.NewRef(v, do.Pos), Pos: l.pos(pos)})
		default:
			do.Into = append(do.Into, nil)
		}
	}
	l.Emit(do)
	l.Emit(after...)
}

// parallel lowers x, y = a, b: everything on the right and the indices on the left are evaluated
// first, then the values are assigned from left to right.
func (l *lowerer) parallel(lhs, rhs []ast.Expr, pos token.Pos) {
	to := l.destinations(lhs)
	values := make([]kernel.Expr, len(rhs))
	for i, e := range rhs {
		switch {
		case isBlank(lhs[i]):
			l.effect(e)
		case to[i].view != nil:
			l.view(to[i].view, e)
		default:
			values[i] = l.expr(e)
		}
	}
	l.freeze(to)
	old := 0
	for i, d := range to {
		if d.fresh != nil {
			v := l.variable(d.fresh)
			l.Emit(&kernel.Decl{Var: v, Init: values[i], Pos: v.Pos})
		}
		if d.place != nil {
			old++
		}
	}
	for i, d := range to {
		if d.place == nil || old == 1 {
			continue
		}
		if _, lit := values[i].(*kernel.Lit); !lit {
			values[i] = l.Hoist("t", values[i])
		}
	}
	for i, d := range to {
		if d.place != nil {
			k := &kernel.Assign{L: d.place, R: values[i], Pos: l.pos(pos)}
			accumulate(k)
			l.Emit(k)
		}
	}
}

// freeze stores indices in temporaries if one of the assignments might change them.
func (l *lowerer) freeze(to []destination) {
	assigned := map[*kernel.Var]bool{}
	for _, d := range to {
		if d.place != nil {
			assigned[kernel.Root(d.place)] = true
		}
	}
	for _, d := range to {
		if d.place != nil {
			l.freezeIndices(d.place, func(v *kernel.Var) bool { return assigned[v] })
		}
	}
}
