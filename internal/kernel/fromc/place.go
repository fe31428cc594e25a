package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

// load returns the value of the lvalue n.
func (f *lowering) load(n cc.ExpressionNode) kernel.Expr {
	l := f.place(n)
	if l.x == nil {
		return opaque(f.u.value(n.Type()), f.at(n), l.parts...)
	}
	return l.x
}

// place lowers the lvalue n, after C's rule that x[i], i[x] and *(x + i) are the same, and x->f is (*x).f
// (C99 6.5.2.1 and 6.5.2.3): all of them are a pointer that is advanced and followed.
func (f *lowering) place(n cc.ExpressionNode) place {
	n = unparen(n)
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent {
			return f.variable(n)
		}
	case *cc.ExpressionList:
		return f.place(f.allButLast(n))
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return f.deref(n, f.pointer(n.CastExpression))
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			base, index := n.PostfixExpression, n.ExpressionList
			if !isPointer(base) {
				base, index = index, base
			}
			return f.deref(n, f.advance(f.pointer(base), kernel.Add, f.expr(index)))
		case cc.PostfixExpressionSelect:
			return f.field(n, f.place(n.PostfixExpression))
		case cc.PostfixExpressionPSelect:
			return f.field(n, f.deref(n, f.pointer(n.PostfixExpression)))
		case cc.PostfixExpressionComplit:
			return f.literal(n)
		}
	}
	if isPointer(n) {
		return place{parts: f.partsOf(n)}
	}
	e := f.expr(n) // the value of a call, whose field is selected
	return place{x: f.temp(e)}
}

// variable returns the place of a name: a local variable or parameter, the local copy of a variable of the
// file, or a const of the program.
func (f *lowering) variable(n *cc.PrimaryExpression) place {
	d := declared(n)
	if v := f.vars[d]; v != nil {
		return place{x: kernel.NewRef(v, f.at(n))}
	}
	if d == nil || !atFileScope(d) || d.Type().Kind() == cc.Function {
		return place{}
	}
	name := n.Token.SrcStr()
	if f.u.variables[name] == nil {
		if c := f.u.used[name]; c != nil && c.Type != nil {
			return place{x: &kernel.ConstRef{At: kernel.At{T: c.Type, At: f.at(n)}, Const: c}}
		}
	} else if v := f.copyOf(name); v != nil {
		return place{x: kernel.NewRef(v, f.at(n))}
	}
	return place{}
}

// pointer returns the value of n, a pointer or an array.
func (f *lowering) pointer(n cc.ExpressionNode) pointer {
	n = unparen(n)
	if o, ok := split(n); ok && (o.op == kernel.Add || o.op == kernel.Sub) {
		base, i := o.x, o.y
		if !isPointer(base) {
			base, i = i, base
		}
		return f.advance(f.pointer(base), o.op, f.expr(i))
	}
	if operand, op, value := stepping(n); operand != nil {
		before, after := f.movePointer(n, operand, op)
		if value == old {
			return before
		}
		return after
	}
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent {
			return f.pointerVariable(n)
		}
		if a := n.GenericSelection; a != nil && a.Associated() != nil {
			return f.pointer(a.Associated().AssignmentExpression)
		}
		return pointer{}
	case *cc.ExpressionList:
		return f.pointer(f.allButLast(n))
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			return pointer{parts: flat(f.call(n, true))}
		}
		return first(f.place(n))
	case *cc.UnaryExpression:
		return f.unaryPointer(n)
	case *cc.CastExpression:
		return f.castPointer(n)
	case *cc.AssignmentExpression:
		f.checkStore(n.UnaryExpression)
		return f.assignPointer(n)
	case *cc.ConditionalExpression:
		return f.conditionalPointer(n)
	}
	f.lost = true
	return pointer{}
}

// pointerVariable returns the pointer that a name stands for: the alias of its variable, if there is one.
func (f *lowering) pointerVariable(n *cc.PrimaryExpression) pointer {
	if p, ok := f.aliases[declared(n)]; ok {
		return p
	}
	return first(f.variable(n))
}

// unaryPointer returns the value of *p, a pointer or an array itself, or of &x. The address of an element
// is its array with the subscript as the offset, so that *&x[i] is x[i] again (C99 6.5.3.2).
func (f *lowering) unaryPointer(n *cc.UnaryExpression) pointer {
	switch n.Case {
	case cc.UnaryExpressionDeref:
		return first(f.place(n))
	case cc.UnaryExpressionAddrof:
		l := f.place(n.CastExpression)
		switch x := l.x.(type) {
		case nil:
			return pointer{parts: l.parts}
		case *kernel.Index:
			return pointer{base: x.X, off: x.I}
		default:
			return pointer{base: x}
		}
	}
	f.lost = true
	return pointer{}
}

// castPointer follows a cast that only changes qualifiers.
func (f *lowering) castPointer(n *cc.CastExpression) pointer {
	if !isPointer(n.CastExpression) {
		return f.fromInteger(n.CastExpression)
	}
	p := f.pointer(n.CastExpression)
	if p.known() && samePointee(n.Type(), n.CastExpression.Type()) {
		return p
	}
	f.otherwise(n, p)
	return pointer{parts: f.escaping(p)}
}

// conditionalPointer returns one of two pointers: both escape.
func (f *lowering) conditionalPointer(n *cc.ConditionalExpression) pointer {
	cond := f.cond(n.LogicalOrExpression)
	var both []kernel.Expr
	side := func(n cc.ExpressionNode) *kernel.Block {
		return f.Block(func() { both = append(both, f.partsOf(n)...) })
	}
	if n.ExpressionList == nil {
		f.lost = true
		return pointer{}
	}
	yes, no := side(n.ExpressionList), side(n.ConditionalExpression)
	f.Emit(&kernel.If{Cond: cond, Then: yes, Else: no, Pos: f.at(n)})
	return pointer{parts: both}
}

// partsOf returns n, of any type, as parts of an Opaque.
func (f *lowering) partsOf(n cc.ExpressionNode) []kernel.Expr {
	if isPointer(n) && folded(n) == nil {
		return f.escaping(f.pointer(n))
	}
	return flat(f.expr(n))
}
