package fromc

import (
	"go/constant"
	"go/token"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Pointers are followed symbolically: each is a base, a parameter or an array, and an offset, an expression
// of the IR. Assignments to a pointer are no problem if there is one (an alias), or if all stay in one array
// (moving.go). Any other pointer escapes: where two are merged, one is cast or stored, an Opaque stands for
// whatever happens to the memory that they lead to.

// first returns a pointer to the first element of l: an array or a pointer.
func first(l place) pointer {
	if l.x == nil {
		return pointer{parts: l.parts}
	}
	return pointer{base: l.x, off: number(0, loop.Int32, l.x.Pos())}
}

// deref returns the place that p points to; n is for the position.
func (f *lowering) deref(n cc.Node, p pointer) place {
	switch {
	case p.null:
		f.u.problem(n, "let it point into an argument or an array first", "the null pointer is followed")
		return place{}
	case !p.known():
		return place{parts: p.parts}
	case p.off == nil:
		return place{x: p.base}
	}
	return place{x: &kernel.Index{At: kernel.At{T: element(p.base), At: f.at(n)}, X: p.base, I: p.off}}
}

// advance returns p moved by i elements. Offsets are added up in int64, which no subscript overflows; a single one keeps
// its type, as the program wrote it.
func (f *lowering) advance(p pointer, op kernel.Op, i kernel.Expr) pointer {
	i = promoted(i)
	switch {
	case !p.known():
		return pointer{parts: append(p.parts, flat(i)...)}
	case kernel.IsZero(i):
		return p
	case p.off == nil: // beyond a variable that is not an array
		return pointer{parts: append(f.escaping(p), flat(i)...)}
	case kernel.IsZero(p.off) && op == kernel.Add:
		p.off = i
		return p
	}
	x, y := convert(p.off, loop.Int64), convert(i, loop.Int64)
	p.off = sum(x, op, y)
	return p
}

// sum returns x + y or x - y, of two int64.
func sum(x kernel.Expr, op kernel.Op, y kernel.Expr) kernel.Expr {
	here := kernel.At{T: kernel.Basic(loop.Int64), At: y.Pos()}
	a, ok1 := x.(*kernel.Lit)
	b, ok2 := y.(*kernel.Lit)
	if !ok1 || !ok2 {
		return &kernel.Binary{At: here, Op: op, X: x, Y: y}
	}
	t := token.ADD
	if op == kernel.Sub {
		t = token.SUB
	}
	return &kernel.Lit{At: here, Value: wrap(constant.BinaryOp(a.Value, t, b.Value), loop.Int64)}
}

// escaping returns a pointer as parts of an Opaque: the whole variable around its base, since the pointer may be moved where
// it cannot be followed, and the operands of the offset, which are read.
func (f *lowering) escaping(p pointer) []kernel.Expr {
	if !p.known() {
		return p.parts
	}
	parts := []kernel.Expr{addressed(p.base)}
	if p.off != nil {
		if _, constant := p.off.(*kernel.Lit); !constant {
			parts = append(parts, p.off)
		}
	}
	return parts
}

// addressed returns the address of all of x, a pointer or something that has one.
func addressed(x kernel.Expr) kernel.Expr {
	if kernel.Is[*kernel.Pointer](x.Type()) {
		return x
	}
	return address(x)
}

func address(x kernel.Expr) kernel.Expr {
	return &kernel.AddrOf{At: kernel.At{T: &kernel.Pointer{Elem: x.Type()}, At: x.Pos()}, X: x}
}

// argument returns p as the argument of a call; nil if it may point anywhere.
func (p pointer) argument() kernel.Expr {
	switch {
	case !p.known():
		return nil
	case p.off == nil:
		return address(p.base)
	case !kernel.IsZero(p.off):
		return address(&kernel.Index{At: kernel.At{T: element(p.base), At: p.base.Pos()}, X: p.base, I: p.off})
	}
	return addressed(p.base)
}

// reach records that size bytes are expected where p points: by an access to the element that has the last of them, which
// bounds of arrays are checked against, and which reads nothing.
func (f *lowering) reach(n cc.Node, p pointer, size int64) {
	elem := kernel.Leaf(element(p.base))
	if p.off == nil || elem == loop.Invalid || size <= 0 {
		return
	}
	each := int64(kernel.Count(element(p.base)) * elem.Size())
	last := f.advance(p, kernel.Add, number((size-1)/each, loop.Int64, f.at(n)))
	f.Emit(&kernel.Do{X: &kernel.Opaque{At: kernel.At{T: none, At: f.at(n)}, Reach: f.deref(n, last).x.(*kernel.Index)}, Pos: f.at(n)})
}

// otherwise records that p is accessed through a pointer of another type, n.
func (f *lowering) otherwise(n cc.ExpressionNode, p pointer) {
	t := pointee(n.Type())
	if t.Kind() == cc.Void || !p.known() {
		return
	}
	f.reach(n, p, t.Size())
	f.unseen(n, "what is reached as "+cName(n.Type()), f.escaping(p))
}

// fromInteger returns an integer as a pointer, which is null or leads nowhere.
func (f *lowering) fromInteger(n cc.ExpressionNode) pointer {
	if e := folded(n); e != nil && kernel.IsZero(e) {
		return pointer{null: true}
	}
	f.u.problem(n, "pointers of a kernel lead into its arguments and arrays", "the integer %s is made a pointer", cc.NodeSource(n))
	return pointer{}
}

// target returns the type of p's pointee; nil if p may point anywhere.
func target(p pointer) kernel.Type {
	switch {
	case !p.known():
		return nil
	case p.off == nil:
		return p.base.Type()
	}
	return element(p.base)
}

// field returns the place of a field. A type without a counterpart in the IR, or a field without one, makes it the
// whole struct, as parts of an Opaque.
func (f *lowering) field(n *cc.PostfixExpression, s place) place {
	if s.x == nil {
		return s
	}
	st, ok := kernel.Elem(s.x.Type()).(*kernel.Struct)
	var t kernel.Type
	name := n.Token2.SrcStr()
	if ok {
		t, _ = st.Field(name)
	}
	if t == nil {
		return place{parts: []kernel.Expr{addressed(s.x)}}
	}
	x := s.x
	if i, ok := x.(*kernel.Index); ok && kernel.IsZero(i.I) && kernel.Is[*kernel.Pointer](i.X.Type()) && kernel.Elem(i.X.Type()) == st {
		x = i.X // p.x, not p[0].x
	}
	return place{x: &kernel.Select{At: kernel.At{T: t, At: f.at(n)}, X: x, Field: name}}
}
