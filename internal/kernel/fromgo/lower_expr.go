package fromgo

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// expr lowers e as part of something: a call that changes something becomes a statement, and so
// does the value of an array or a struct without a place.
func (l *lowerer) expr(e ast.Expr) kernel.Expr {
	if lit := l.constant(e); lit != nil {
		return lit
	}
	if z := l.complexConstant(e); z != nil {
		return z
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.expr(e.X)
	case *ast.CallExpr:
		return l.call(e, false)
	case *ast.CompositeLit:
		return l.composite(e)
	case *ast.UnaryExpr:
		return l.unary(e)
	case *ast.BinaryExpr:
		return l.binary(e)
	}
	return l.place(e)
}

// whole lowers e as a whole: a call may stay in place.
func (l *lowerer) whole(e ast.Expr) kernel.Expr {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && l.info.Types[e].Value == nil {
		return l.call(call, true)
	}
	return l.expr(e)
}

// constant returns e as a constant if its value is known, and no complex number; otherwise nil.
func (l *lowerer) constant(e ast.Expr) kernel.Expr {
	tv := l.info.Types[e]
	if tv.Value == nil || isComplex(tv.Type) {
		return nil
	}
	return literal(tv.Value, l.typ(tv.Type).(kernel.Basic), l.pos(e.Pos()))
}

// place lowers an expression with an address, or a part of a value without one.
func (l *lowerer) place(e ast.Expr) kernel.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.place(e.X)
	case *ast.Ident:
		return l.ident(e)
	case *ast.IndexExpr:
		x := l.base(e.X)
		return &kernel.Index{At: l.at(e), X: x, I: l.expr(e.Index)}
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.StarExpr:
		return l.deref(l.pointer(e.X), l.at(e))
	}
	return l.expr(e)
}

func (l *lowerer) ident(e *ast.Ident) kernel.Expr {
	obj := l.info.ObjectOf(e).(*types.Var)
	if isPackageVar(obj) {
		return l.constRef(e, obj)
	}
	return kernel.NewRef(l.vars[obj], l.pos(e.Pos()))
}

func (l *lowerer) constRef(e *ast.Ident, obj *types.Var) *kernel.ConstRef {
	pos := l.pos(e.Pos())
	c := l.consts[obj]
	if c == nil {
		for known := range l.consts {
			if known.Name() == obj.Name() {
				l.problem(e.Pos(), "rename one of them: a const is found by its name alone", "two packages have a variable %s", obj.Name())
			}
		}
		c = &kernel.Const{Name: obj.Name(), Type: l.typ(obj.Type()), Pos: pos}
		if obj.Pkg() != l.pkg {
			c.Of = obj.Pkg().Name()
		}
		l.consts[obj] = c
	}
	return &kernel.ConstRef{At: kernel.At{T: c.Type, At: pos}, Const: c}
}

// base lowers x in x[i] and x.f: a place, or a pointer to one.
func (l *lowerer) base(x ast.Expr) kernel.Expr {
	x = ast.Unparen(x)
	if isSlice(l.info.TypeOf(x)) {
		return l.slice(x)
	}
	if isPointer(l.info.TypeOf(x)) {
		return follow(l.pointer(x))
	}
	e := l.expr(x)
	if d, ok := e.(*kernel.Deref); ok {
		return d.X // (*p)[i] is p[i]
	}
	return e
}

// pointer lowers a pointer: a parameter, or the address of a place; or a slice.
func (l *lowerer) pointer(e ast.Expr) kernel.Expr {
	e = ast.Unparen(e)
	if isSlice(l.info.TypeOf(e)) {
		return l.addressOf(e)
	}
	u, ok := e.(*ast.UnaryExpr)
	if !ok {
		return l.ident(e.(*ast.Ident))
	}
	x := l.expr(u.X)
	switch x := x.(type) {
	case *kernel.Deref:
		return x.X // &*p is p
	case *kernel.Ref, *kernel.Index, *kernel.Select, *kernel.ConstRef:
		return &kernel.AddrOf{At: l.at(e), X: x}
	}
	return &kernel.AddrOf{At: l.at(e), X: l.Hoist("t", x)}
}

// selector lowers x.f, which may pass embedded fields, or be a variable of another package.
func (l *lowerer) selector(e *ast.SelectorExpr) kernel.Expr {
	if l.info.Selections[e] == nil {
		return l.ident(e.Sel)
	}
	return l.fields(e, l.info.Selections[e].Index())
}

// fields lowers x in x.f, and selects the fields on a path from there.
func (l *lowerer) fields(e *ast.SelectorExpr, path []int) kernel.Expr {
	x := l.base(e.X)
	t := l.info.TypeOf(e.X)
	for _, i := range path {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		u := t.Underlying().(*types.Struct)
		t = u.Field(i).Type()
		x = &kernel.Select{At: kernel.At{T: l.typ(t), At: l.pos(e.Pos())}, X: x, Field: fieldName(u, i)}
	}
	return x
}

func (l *lowerer) unary(e *ast.UnaryExpr) kernel.Expr {
	ops := map[token.Token]kernel.Op{token.SUB: kernel.Neg, token.NOT: kernel.Not, token.XOR: kernel.Flip}
	x := l.expr(e.X)
	switch {
	case e.Op == token.ADD:
		return x
	case isComplex(l.info.TypeOf(e)):
		return l.Hoist("r", l.complexOp(kernel.Neg, e.Pos(), x))
	}
	return &kernel.Unary{At: l.at(e), Op: ops[e.Op], X: x}
}

func (l *lowerer) binary(e *ast.BinaryExpr) kernel.Expr {
	op := kernel.BinaryOp(e.Op.String())
	if op == kernel.LAnd || op == kernel.LOr {
		return l.shortCircuit(e, op)
	}
	if of := l.againstNil(e); of != nil {
		return kernel.NewBool(l.missing[of] == (op == kernel.Eq), l.pos(e.OpPos))
	}
	x := l.expr(e.X)
	y := l.operand(op, e.Y)
	switch t := l.info.TypeOf(e.X); {
	case isAggregate(t), isComplex(t) && (op == kernel.Eq || op == kernel.Ne):
		return l.comparison(e, x, y)
	case isComplex(t):
		return l.Hoist("r", l.complexOp(op, e.OpPos, x, y))
	}
	return &kernel.Binary{At: l.at(e), Op: op, X: x, Y: y}
}

// operand lowers the right operand of op. A shift count has a type of its own, int if it is an
// untyped constant.
func (l *lowerer) operand(op kernel.Op, y ast.Expr) kernel.Expr {
	tv := l.info.Types[y]
	if op != kernel.Shl && op != kernel.Shr || tv.Value == nil {
		return l.expr(y)
	}
	count := constant.ToInt(tv.Value)
	t := kernel.Basic(loop.Int64)
	if _, ok := constant.Int64Val(count); !ok {
		t = kernel.Basic(loop.Uint64)
	}
	return literal(count, t, l.pos(y.Pos()))
}

// shortCircuit lowers && and ||. If the right operand needs statements, or the value must be known
// before a later call, it becomes an if.
func (l *lowerer) shortCircuit(e *ast.BinaryExpr, op kernel.Op) kernel.Expr {
	x := l.expr(e.X)
	var y kernel.Expr
	stmts := l.Collect(func() { y = l.whole(e.Y) })
	if call, ok := y.(*kernel.Call); len(stmts) == 0 && (!ok || kernel.Pure(call.Func)) {
		return &kernel.Binary{At: l.at(e), Op: op, X: x, Y: y}
	}
	pos := l.pos(e.Pos())
	t := l.Temporary("cond", boolean, x, pos)
	l.Emit(kernel.NewShort(op, t, stmts, y, pos))
	return kernel.NewRef(t, pos)
}

// as lowers e, of which a constant takes type t.
func (l *lowerer) as(e ast.Expr, t kernel.Basic) kernel.Expr {
	if v := l.info.Types[e].Value; v != nil {
		return literal(v, t, l.pos(e.Pos()))
	}
	return l.expr(e)
}
