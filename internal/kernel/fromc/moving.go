package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// A pointer that moves within one array, p++ or p += n, is lowered to that array and a subscript:
// an int64 variable. Its alias has the variable as its subscript.

// moves reports whether the pointer d is only moved, and set to places within root, another pointer
// or an array; nil for a parameter, which starts where it points.
func (f *lowering) moves(d *cc.Declarator, root *cc.Declarator) bool {
	if d.AddressTaken() || scalar(pointee(d.Type())) == loop.Invalid {
		return false
	}
	within := func(n cc.ExpressionNode) bool {
		id, _ := base(n)
		if id == nil || !samePointee(d.Type(), n.Type()) || !samePointee(d.Type(), id.Type()) {
			return false
		}
		from := id.ResolvedTo()
		return from == d || root != nil && from == root
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

func pointee(t cc.Type) cc.Type {
	if p, ok := t.Decay().(*cc.PointerType); ok {
		return p.Elem()
	}
	return t
}

// identifier returns the variable that n is, in parentheses or not; nil if it is none.
func identifier(n cc.ExpressionNode) *cc.Declarator {
	p, ok := n.(*cc.PrimaryExpression)
	switch {
	case ok && p.Case == cc.PrimaryExpressionIdent:
		d, _ := p.ResolvedTo().(*cc.Declarator)
		return d
	case ok && p.Case == cc.PrimaryExpressionExpr:
		return identifier(p.ExpressionList)
	}
	return nil
}

// startMoving turns d into a moving alias, which starts at p.
func (f *lowering) startMoving(d *cc.Declarator, p pointer) {
	v := &kernel.Var{Name: d.Name() + "_at", Type: kernel.Basic(loop.Int64), Pos: f.at(d)}
	f.emit(&kernel.Decl{Var: v, Init: convert(p.off, loop.Int64), Pos: f.at(d)})
	f.aliases[d] = pointer{base: p.base, off: kernel.NewRef(v, f.at(d))}
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

// startsAt returns the array or pointer that the pointer n leads into, if that is a variable.
func (f *lowering) startsAt(n cc.ExpressionNode) (root *cc.Declarator, p pointer) {
	id, _ := base(n)
	if id == nil || !isPointer(id) {
		return nil, pointer{}
	}
	root, _ = id.ResolvedTo().(*cc.Declarator)
	p = f.pointerVariable(id)
	if _, variable := p.base.(*kernel.Ref); !variable || p.off == nil {
		return nil, pointer{}
	}
	p.off = number(0, loop.Int64, f.at(n))
	return root, p
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

// moveBy moves d, a moving alias, and returns where it pointed before.
func (f *lowering) moveBy(n cc.Node, d *cc.Declarator, op kernel.Op, by kernel.Expr) (before pointer) {
	v := f.moving[d]
	before = f.aliases[d]
	before.off = f.temp(kernel.NewRef(v, f.at(n)))
	f.emit(&kernel.Assign{L: kernel.NewRef(v, f.at(n)), Op: op, R: convert(promoted(by), loop.Int64), Pos: f.at(n)})
	return before
}

// set sets a moving alias to where r points.
func (f *lowering) set(n cc.Node, d *cc.Declarator, r pointer) {
	alias := f.aliases[d]
	if !r.known() || r.off == nil || !kernel.SameExpr(alias.base, r.base) {
		f.lost = true // moves has excluded this
		return
	}
	f.emit(&kernel.Assign{L: kernel.NewRef(f.moving[d], f.at(n)), R: convert(r.off, loop.Int64), Pos: f.at(n)})
}

// apart returns x and y as subscripts, if they are pointers into the same array.
func (f *lowering) apart(x, y cc.ExpressionNode) (i, j kernel.Expr, ok bool) {
	if !isPointer(x) || !isPointer(y) || !x.Pure() || !y.Pure() {
		return nil, nil, false
	}
	p, q := f.pointer(x), f.pointer(y)
	if !p.known() || !q.known() || p.off == nil || q.off == nil || !kernel.SameExpr(p.base, q.base) {
		return nil, nil, false
	}
	return convert(p.off, loop.Int64), convert(q.off, loop.Int64), true
}
