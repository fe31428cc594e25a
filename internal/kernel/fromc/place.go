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

// place is what an lvalue denotes. X is nil if the IR cannot express it; parts are evaluated to get
// there.
type place struct {
	x     kernel.Expr
	parts []kernel.Expr
}

// pointer is the value of a pointer: to element off of base, an array or a pointer; or, if off is
// nil, to base itself. Base is nil if it may point anywhere; parts are then the expressions that it
// was made from.
type pointer struct {
	base, off kernel.Expr
	parts     []kernel.Expr
	null      bool
}

func (p pointer) known() bool { return p.base != nil }

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
		return place{parts: f.parts(n)}
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

// copyOf returns the local copy of a file-scope variable, which never changes; nil if the IR has no
// type for it. It is initialized at the start of the function, once, however often it is used; checkStore has refused
// what would change it.
func (f *lowering) copyOf(name string) *kernel.Var {
	if v, ok := f.files[name]; ok {
		return v
	}
	id := f.u.variables[name]
	t := f.u.value(id.Declarator.Type())
	if t == nil {
		f.files[name] = nil
		return nil
	}
	v := &kernel.Var{Name: name, Type: t, Pos: f.at(id.Declarator)}
	f.files[name] = v
	declared := f.Collect(func() { f.declareAs(v, id.Initializer, id.Declarator.Type()) })
	f.copies = append(f.copies, declared...)
	return v
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
	if i, ok := x.(*kernel.Index); ok && kernel.IsZero(i.I) && pointsTo(i.X, st) {
		x = i.X // p.x, not p[0].x
	}
	return place{x: &kernel.Select{At: kernel.At{T: t, At: f.at(n)}, X: x, Field: name}}
}

func pointsTo(p kernel.Expr, s *kernel.Struct) bool {
	t, ok := p.Type().(*kernel.Pointer)
	return ok && t.Elem == s
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

// first returns a pointer to the first element of l: an array or a pointer.
func first(l place) pointer {
	if l.x == nil {
		return pointer{parts: l.parts}
	}
	return pointer{base: l.x, off: number(0, loop.Int32, l.x.Pos())}
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

// fromInteger returns an integer as a pointer, which is null or leads nowhere.
func (f *lowering) fromInteger(n cc.ExpressionNode) pointer {
	if e := folded(n); e != nil && kernel.IsZero(e) {
		return pointer{null: true}
	}
	f.u.problem(n, "pointers of a kernel lead into its arguments and arrays", "the integer %s is made a pointer", cc.NodeSource(n))
	return pointer{}
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

// samePointee reports whether two pointers step through memory in the same way.
func samePointee(a, b cc.Type) bool {
	p, ok1 := a.Decay().(*cc.PointerType)
	q, ok2 := b.Decay().(*cc.PointerType)
	return ok1 && ok2 && alike(p.Elem(), q.Elem())
}

// conditionalPointer returns one of two pointers: both escape.
func (f *lowering) conditionalPointer(n *cc.ConditionalExpression) pointer {
	cond := f.cond(n.LogicalOrExpression)
	var both []kernel.Expr
	side := func(n cc.ExpressionNode) *kernel.Block {
		return f.Block(func() { both = append(both, f.parts(n)...) })
	}
	if n.ExpressionList == nil {
		f.lost = true
		return pointer{}
	}
	yes, no := side(n.ExpressionList), side(n.ConditionalExpression)
	f.Emit(&kernel.If{Cond: cond, Then: yes, Else: no, Pos: f.at(n)})
	return pointer{parts: both}
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

// parts returns n, of any type, as parts of an Opaque.
func (f *lowering) parts(n cc.ExpressionNode) []kernel.Expr {
	if isPointer(n) && folded(n) == nil {
		return f.escaping(f.pointer(n))
	}
	return flat(f.expr(n))
}

// flat returns e as parts of an Opaque.
func flat(e kernel.Expr) []kernel.Expr {
	switch e := e.(type) {
	case nil, *kernel.Lit:
		return nil
	case *kernel.Opaque:
		return e.Parts
	}
	return []kernel.Expr{e}
}
