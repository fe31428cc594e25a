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
//
// Values are copied as values where source and target have the same type; bytes of another type make the target's values
// unknown. Where not even the target is known in whole numbers, the call is an Opaque that stores
// to what the pointer escapes to.
func (f *lowering) memory(n *cc.PostfixExpression, name string, args []cc.ExpressionNode) bool {
	if !storesFirst[name] || f.u.functions[name] != nil || len(args) != 3 || !isPointer(args[0]) {
		return false
	}
	to := f.pointer(uncast(args[0]))
	var from pointer
	if name != "memset" && isPointer(args[1]) {
		from = f.pointer(uncast(args[1]))
	}
	bytes, counted := kernel.IntOf(folded(args[2]))
	if !counted {
		bytes = -1
	}
	t := target(to)
	same := bytes >= 0 && copyable(to, from, bytes)
	if bytes < 0 || t == nil || !whole(t, bytes) || to.off == nil && bytes > sizeOf(t) || kernel.Leaf(t) == loop.Invalid && name != "memset" && !same {
		f.memoryUnseen(n, name, args, to, from, bytes)
		return true
	}
	if from.known() && !same {
		f.reach(n, from, bytes)
		from = pointer{parts: f.read(n, from)}
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
	n = unparen(n)
	if x, ok := n.(*cc.CastExpression); ok && isPointer(x.CastExpression) {
		switch pointee(n.Type()).Kind() {
		case cc.Void, cc.Char, cc.SChar, cc.UChar:
			return uncast(x.CastExpression)
		}
	}
	return n
}

// sizeOf returns the number of bytes of a value of type t.
func sizeOf(t kernel.Type) int64 { return int64(kernel.LayoutOf(t).Size) }

// whole reports whether that many bytes are whole values of type t, or of its elements.
func whole(t kernel.Type, bytes int64) bool {
	switch t := t.(type) {
	case *kernel.Array:
		each := sizeOf(t)
		return each > 0 && (bytes%each == 0 || bytes < each && whole(t.Elem, bytes))
	case *kernel.Struct:
		return bytes%sizeOf(t) == 0
	}
	s := kernel.Scalar(t)
	return s != loop.Invalid && bytes%int64(s.Size()) == 0
}

// store stores that many bytes at to: the values at from, if that is known, or else the results of other. It goes down
// the type of the target: a loop over elements, their fields one by one, until there are numbers.
func (f *lowering) store(n cc.Node, to, from pointer, bytes int64, other func(loop.Scalar) kernel.Expr) {
	t := target(to)
	count := max(1, bytes/sizeOf(t))
	at := func(p pointer, i kernel.Expr) pointer {
		if count > 1 && p.known() {
			p = f.advance(p, kernel.Add, i)
		}
		return p
	}
	inner := func(i kernel.Expr) {
		l, r := f.deref(n, at(to, i)).x, f.deref(n, at(from, i)).x
		switch t := t.(type) {
		case *kernel.Array:
			next := pointer{}
			if r != nil {
				next = first(place{x: r})
			}
			f.store(n, first(place{x: l}), next, min(bytes, sizeOf(t)), other)
			return
		case *kernel.Struct:
			for _, field := range t.Fields {
				if r != nil {
					break
				}
				part := &kernel.Select{At: kernel.At{T: field.Type, At: f.at(n)}, X: l, Field: field.Name}
				f.store(n, pointer{base: part}, pointer{}, sizeOf(field.Type), other)
			}
		}
		if s := kernel.Scalar(t); r == nil && s != loop.Invalid {
			r = other(s)
		}
		if r != nil {
			f.Emit(&kernel.Assign{L: l, R: r, Pos: f.at(n)})
		}
	}
	switch {
	case bytes == 0:
	case count == 1:
		inner(number(0, loop.Int64, f.at(n)))
	default:
		v := f.newTemp(kernel.Basic(loop.Int64), f.at(n))
		body := f.Block(func() { inner(kernel.NewRef(v, f.at(n))) })
		f.Emit(kernel.NewCount(v, number(count, loop.Int64, f.at(n)), body.Stmts, f.at(n)))
	}
}

// copyable reports whether that many bytes at from can be assigned to those at to, value by value from
// the first on: they have the same types, and none is overwritten before it is read. Within one array that holds if
// values move toward the front, or so far toward the end that the two do not overlap.
func copyable(to, from pointer, bytes int64) bool {
	if !to.known() || !from.known() || !sameKind(target(to), target(from)) {
		return false
	}
	if kernel.Root(from.base) != kernel.Root(to.base) || separate(to.base, from.base, bytes) {
		return true
	}
	if to.off == nil || from.off == nil || !kernel.SameExpr(to.base, from.base) {
		return false
	}
	i, known := kernel.IntOf(to.off)
	j, known2 := kernel.IntOf(from.off)
	return known && known2 && (i <= j || (i-j)*sizeOf(target(to)) >= bytes)
}

// separate reports whether two places are different fields of one struct, or different elements of one
// array, of at least that many bytes.
func separate(a, b kernel.Expr, bytes int64) bool {
	if x, ok := a.(*kernel.Select); ok {
		y, ok := b.(*kernel.Select)
		return ok && x.Field != y.Field && kernel.SameExpr(x.X, y.X)
	}
	x, ok := a.(*kernel.Index)
	y, ok2 := b.(*kernel.Index)
	if !ok || !ok2 || !kernel.SameExpr(x.X, y.X) || sizeOf(x.T) < bytes {
		return false
	}
	i, known := kernel.IntOf(x.I)
	j, known2 := kernel.IntOf(y.I)
	return known && known2 && i != j
}

// sameKind reports whether both types are the same number, or arrays of as many of them.
func sameKind(t, u kernel.Type) bool {
	a, ok1 := t.(*kernel.Array)
	b, ok2 := u.(*kernel.Array)
	if ok1 || ok2 {
		return ok1 && ok2 && a.Len == b.Len && sameKind(a.Elem, b.Elem)
	}
	if kernel.Scalar(t) == loop.Invalid {
		return t == u
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

// read returns the values behind a pointer, as parts of an Opaque.
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
		parts = append(parts, f.partsOf(args[1])...)
	case from.known():
		parts = append(parts, f.read(n, from)...)
	default:
		parts = append(parts, from.parts...)
	}
	if bytes < 0 {
		parts = append(parts, f.partsOf(args[2])...)
	}
	for i, p := range []pointer{to, from} {
		if p.known() && bytes >= 0 {
			f.reach(n, p, bytes)
		} else {
			f.unseen(n, "how much "+name+" "+[]string{"stores", "reads"}[i], f.escaping(p))
		}
	}
	f.Emit(&kernel.Do{X: storing(opaque(none, f.at(n), parts...), stored), Pos: f.at(n)})
}
