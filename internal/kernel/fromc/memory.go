package fromc

import (
	"go/constant"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// storesFirst lists the functions of <string.h> that store through their first argument.
var storesFirst = map[string]bool{"memset": true, "memcpy": true, "memmove": true}

// memory lowers a call of such a function to assignments, if it stores whole numbers whose count is
// known, and reports whether it is one.
func (f *lowering) memory(n *cc.PostfixExpression, name string, args []cc.ExpressionNode) bool {
	if !storesFirst[name] || f.u.functions[name] != nil || len(args) != 3 || !isPointer(args[0]) {
		return false
	}
	size, _ := folded(args[2]).(*kernel.Lit)
	to := f.pointer(uncast(args[0]))
	var from pointer
	if name != "memset" && isPointer(args[1]) {
		from = f.pointer(uncast(args[1]))
	}
	bytes := int64(-1)
	if size != nil {
		bytes, _ = constant.Int64Val(size.Value)
	}
	if !to.known() || to.off == nil || bytes < 0 || !whole(element(to.base), bytes) {
		f.memoryUnseen(n, name, args, to, from, bytes)
		return true
	}
	if from.known() && !copies(to, from) {
		f.reach(n, from, bytes)
	}
	var value kernel.Expr
	if name == "memset" {
		value = f.expr(args[1])
	}
	f.store(n, to, from, bytes, func(s loop.Scalar) kernel.Expr {
		if value != nil {
			return ofBytes(n, value, s)
		}
		return opaque(kernel.Basic(s), f.at(n), f.read(n, from)...)
	})
	return true
}

// uncast returns a pointer without casts to byte pointers.
func uncast(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := n.(type) {
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = x.ExpressionList
		case *cc.CastExpression:
			k := pointee(n.Type()).Kind()
			bytes := k == cc.Void || k == cc.Char || k == cc.SChar || k == cc.UChar
			if x.Case != cc.CastExpressionCast || !bytes || !isPointer(x.CastExpression) {
				return n
			}
			n = x.CastExpression
		default:
			return n
		}
	}
}

// whole reports whether that many bytes are whole values of type t, or of its elements.
func whole(t kernel.Type, bytes int64) bool {
	if a, ok := t.(*kernel.Array); ok {
		row := int64(kernel.Count(a) * kernel.Leaf(a).Size())
		return kernel.Leaf(a) != loop.Invalid && row > 0 && (bytes%row == 0 || bytes < row && whole(a.Elem, bytes))
	}
	s := kernel.Scalar(t)
	return s != loop.Invalid && bytes%int64(s.Size()) == 0
}

// store stores that many bytes at to: the values at from, if these have the same type and are not
// in the same array, or else what other returns.
func (f *lowering) store(n cc.Node, to, from pointer, bytes int64, other func(loop.Scalar) kernel.Expr) {
	t := element(to.base)
	each := int64(kernel.Count(t) * kernel.Leaf(t).Size())
	same := copies(to, from)
	inner := func(i kernel.Expr) {
		l := f.deref(n, f.advance(to, kernel.Add, i)).x
		var r pointer
		if same {
			r = pointer{base: f.deref(n, f.advance(from, kernel.Add, i)).x}
		}
		switch s, scalar := t.(kernel.Basic); {
		case !scalar:
			next := first(place{x: l})
			if same {
				r = first(place{x: r.base})
			} else {
				r = pointer{}
			}
			f.store(n, next, r, min(bytes, each), other)
		case same:
			f.emit(&kernel.Assign{L: l, R: r.base, Pos: f.at(n)})
		default:
			f.emit(&kernel.Assign{L: l, R: other(loop.Scalar(s)), Pos: f.at(n)})
		}
	}
	count := max(1, bytes/each)
	switch {
	case bytes == 0:
	case count == 1:
		inner(number(0, loop.Int64, f.at(n)))
	default:
		v := f.newTemp(kernel.Basic(loop.Int64), f.at(n))
		i := kernel.NewRef(v, f.at(n))
		f.emit(&kernel.For{
			Init: &kernel.Decl{Var: v, Init: number(0, loop.Int64, f.at(n)), Pos: f.at(n)},
			Cond: &kernel.Binary{At: kernel.At{T: kernel.Basic(loop.Bool), At: f.at(n)}, Op: kernel.Lt, X: i, Y: number(count, loop.Int64, f.at(n))},
			Post: &kernel.Assign{L: i, Op: kernel.Add, R: number(1, loop.Int64, f.at(n)), Pos: f.at(n)},
			Body: f.block(func() { inner(i) }), Pos: f.at(n),
		})
	}
}

// copies reports whether the values at from can be assigned to those at to, one by one.
func copies(to, from pointer) bool {
	return from.known() && from.off != nil && sameKind(element(from.base), element(to.base)) && kernel.Root(from.base) != kernel.Root(to.base)
}

// sameKind reports whether both types are the same number, or arrays of as many of them.
func sameKind(t, u kernel.Type) bool {
	a, ok1 := t.(*kernel.Array)
	b, ok2 := u.(*kernel.Array)
	if ok1 || ok2 {
		return ok1 && ok2 && a.Len == b.Len && sameKind(a.Elem, b.Elem)
	}
	return kernel.Scalar(t) == kernel.Scalar(u)
}

// ofBytes returns a number of type s whose bytes are all c.
func ofBytes(n cc.Node, c kernel.Expr, s loop.Scalar) kernel.Expr {
	l, ok := c.(*kernel.Lit)
	if !ok {
		return opaque(kernel.Basic(s), at(n), flat(c)...)
	}
	v, _ := constant.Int64Val(constant.ToInt(l.Value))
	bits := uint64(byte(v)) * 0x0101010101010101
	switch {
	case bits == 0:
		return number(0, s, at(n))
	case !s.Integer():
		return opaque(kernel.Basic(s), at(n))
	}
	return lit(wrap(constant.MakeUint64(bits), s), s, at(n))
}

// read returns what is read through a pointer, as parts of an Opaque.
func (f *lowering) read(n cc.Node, p pointer) []kernel.Expr {
	if !p.known() || p.off == nil || kernel.Leaf(element(p.base)) == loop.Invalid {
		return p.parts
	}
	for {
		l := f.deref(n, p)
		if _, scalar := l.x.Type().(kernel.Basic); scalar {
			return []kernel.Expr{l.x}
		}
		p = first(l)
	}
}

// memoryUnseen lowers a call that stores an unknown count of numbers, or at an unknown place.
func (f *lowering) memoryUnseen(n *cc.PostfixExpression, name string, args []cc.ExpressionNode, to, from pointer, bytes int64) {
	stored := f.escaping(to)
	parts := append([]kernel.Expr{}, stored...)
	switch {
	case name == "memset":
		parts = append(parts, f.parts(args[1])...)
	case from.known():
		parts = append(parts, f.read(n, from)...)
	default:
		parts = append(parts, from.parts...)
	}
	if bytes < 0 {
		parts = append(parts, f.parts(args[2])...)
	}
	for i, p := range []pointer{to, from} {
		if p.known() && bytes >= 0 {
			f.reach(n, p, bytes)
		} else {
			f.unseen(n, "how much "+name+" "+[]string{"stores", "reads"}[i], f.escaping(p))
		}
	}
	f.emit(&kernel.Do{X: storing(opaque(none, f.at(n), parts...), stored), Pos: f.at(n)})
}
