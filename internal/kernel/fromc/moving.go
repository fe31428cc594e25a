package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// A pointer that moves within one array, p++ or p += n, is lowered to that array and a subscript:
// an int64 variable. Its alias has the variable as its subscript. So *p++ = x becomes a[p_at] = x with p_at++, and bounds
// and accesses are analyzed as for any subscript.

// moves reports whether the pointer d is only moved, and set to places within start, another pointer
// or an array; nil for a parameter, which starts where it points.
//
// It looks at all of the function, whatever the order of execution: if no assignment leads out of the array, and the
// address of d is never taken, d points into the array wherever it is read. Types of equal elements are required,
// since the subscript counts elements.
func (f *lowering) moves(d *cc.Declarator, start cc.ExpressionNode) bool {
	if d.AddressTaken() || scalar(pointee(d.Type())) == loop.Invalid {
		return false
	}
	within := func(n cc.ExpressionNode) bool {
		from := array(n)
		if from == nil || !samePointee(d.Type(), n.Type()) || !samePointee(d.Type(), from.Type()) {
			return false
		}
		return identifier(from) == d || start != nil && sameArray(from, start)
	}
	ok := true
	nodes(f.def.CompoundStatement, func(n cc.Node) {
		target := changed(n)
		if target == nil || identifier(target) != d {
			return
		}
		if a, assigns := n.(*cc.AssignmentExpression); assigns && a.Case == cc.AssignmentExpressionAssign {
			ok = ok && within(a.AssignmentExpression)
		}
	})
	return ok
}

// startMoving turns d into a moving alias, which starts at p.
func (f *lowering) startMoving(d *cc.Declarator, p pointer) {
	v := &kernel.Var{Name: d.Name() + "_at", Type: kernel.Basic(loop.Int64), Pos: f.at(d)}
	f.Emit(&kernel.Decl{Var: v, Init: convert(p.off, loop.Int64), Pos: f.at(d)})
	base := p.base
	if field, ok := base.(*kernel.Select); ok {
		base = &kernel.Select{At: field.At, X: field.X, Field: field.Field, Walked: true}
	}
	f.aliases[d] = pointer{base: base, off: kernel.NewRef(v, f.at(d))}
	f.moving[d] = v
}

// moveParameters turns the parameters that move into aliases.
func (f *lowering) moveParameters() {
	for _, p := range f.def.Declarator.Type().(*cc.FunctionType).Parameters() {
		if d := p.Declarator; d != nil && p.Type().Kind() == cc.Ptr && d.WriteCount() > 0 && f.moves(d, nil) {
			f.startMoving(d, first(place{x: kernel.NewRef(f.vars[d], f.at(d))}))
		}
	}
}

// startsAt returns the array or pointer that the pointer n leads into, if that is a variable or a field of one.
func (f *lowering) startsAt(n cc.ExpressionNode) (start cc.ExpressionNode, p pointer) {
	start = array(n)
	if start == nil || !isPointer(start) {
		return nil, pointer{}
	}
	p = f.pointer(start)
	if !steady(p.base) || p.off == nil {
		return nil, pointer{}
	}
	p.off = number(0, loop.Int64, f.at(n))
	return start, p
}

// steady reports whether e is the same place wherever it stands: a variable, or a field of one. A subscript may have
// another value later.
func steady(e kernel.Expr) bool {
	switch e := e.(type) {
	case *kernel.Ref:
		return true
	case *kernel.Select:
		return steady(e.X)
	}
	return false
}

// firstSet returns the value that d, declared without one, is first set to; nil if it never is.
func (f *lowering) firstSet(d *cc.Declarator) (value cc.ExpressionNode) {
	nodes(f.def.CompoundStatement, func(n cc.Node) {
		if a, ok := n.(*cc.AssignmentExpression); ok && value == nil && a.Case == cc.AssignmentExpressionAssign && identifier(a.UnaryExpression) == d {
			value = a.AssignmentExpression
		}
	})
	return value
}

// moveBy moves d, a moving alias, and returns where it pointed before, by a copy of the subscript.
func (f *lowering) moveBy(n cc.Node, d *cc.Declarator, op kernel.Op, by kernel.Expr) (before pointer) {
	v := f.moving[d]
	before = f.aliases[d]
	before.off = f.temp(kernel.NewRef(v, f.at(n)))
	f.Emit(&kernel.Assign{L: kernel.NewRef(v, f.at(n)), Op: op, R: convert(promoted(by), loop.Int64), Pos: f.at(n)})
	return before
}

// set sets a moving alias to where r points.
func (f *lowering) set(n cc.Node, d *cc.Declarator, r pointer) {
	alias := f.aliases[d]
	if !r.known() || r.off == nil || !kernel.SameExpr(alias.base, r.base) {
		f.lost = true // moves has excluded this
		return
	}
	f.Emit(&kernel.Assign{L: kernel.NewRef(f.moving[d], f.at(n)), R: convert(r.off, loop.Int64), Pos: f.at(n)})
}

// inOneArray returns x and y as subscripts, if they are pointers into the same array: their difference and their order are
// then those of the subscripts (C99 6.5.6 and 6.5.8). Both must be pure: those that are not such pointers are lowered again.
func (f *lowering) inOneArray(x, y cc.ExpressionNode) (i, j kernel.Expr, ok bool) {
	if !isPointer(x) || !isPointer(y) || !x.Pure() || !y.Pure() {
		return nil, nil, false
	}
	p, q := f.pointer(x), f.pointer(y)
	if !p.known() || !q.known() || p.off == nil || q.off == nil || !kernel.SameExpr(p.base, q.base) {
		return nil, nil, false
	}
	return convert(p.off, loop.Int64), convert(q.off, loop.Int64), true
}

// assignPointer lowers an assignment to a pointer, and returns where it points then. Except for
// pointers that move within one array, source and target escape.
func (f *lowering) assignPointer(n *cc.AssignmentExpression) pointer {
	l, r := n.UnaryExpression, n.AssignmentExpression
	if d := identifier(l); f.moving[d] != nil {
		if op := kernel.BinaryOp(n.Token.SrcStr()); op == kernel.None {
			f.set(n, d, f.pointer(r))
		} else {
			f.moveBy(n, d, op, f.expr(r))
		}
		return f.aliases[d]
	}
	source := f.partsOf(r)
	f.unseen(n, "where "+cc.NodeSource(l)+" points", source)
	f.doStore(f.at(n), place{}, append(f.pointerParts(l), source...)...)
	return pointer{}
}

// movePointer lowers ++ and -- of a pointer, and returns where it points before and after.
func (f *lowering) movePointer(n, l cc.ExpressionNode, op kernel.Op) (before, after pointer) {
	f.checkStore(l)
	if d := identifier(l); f.moving[d] != nil {
		return f.moveBy(n, d, op, number(1, loop.Int64, f.at(n))), f.aliases[d]
	}
	parts := f.pointerParts(l)
	f.unseen(n, "where "+cc.NodeSource(l)+" points", parts)
	f.doStore(f.at(n), place{}, parts...)
	return pointer{}, pointer{}
}

// pointerParts returns the pointer that the lvalue l holds, and what leads to l.
func (f *lowering) pointerParts(l cc.ExpressionNode) []kernel.Expr {
	p := f.place(l)
	if p.x == nil {
		return p.parts
	}
	return []kernel.Expr{addressed(p.x)}
}
