package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Expressions are lowered to values without side effects; side effects go into preceding
// statements. C leaves the order of evaluation open, except for &&, ||, ?: and the comma, whose
// operands are kept apart here.

// as returns n converted to t, as by an assignment. The parser does not check that this is
// possible.
func (f *lowering) as(n cc.ExpressionNode, t kernel.Type) kernel.Expr {
	e := f.expr(n)
	to, from := kernel.Scalar(t), kernel.Scalar(e.Type())
	unknown := e.Type() == none
	switch {
	case n.Type().Kind() == cc.Void:
		f.u.problem(n, "", "%s has no value", cc.NodeSource(n))
	case e.Type() == t:
		return e
	case to == loop.Invalid && (!unknown || isPointer(n)),
		to != loop.Invalid && from == loop.Invalid && !unknown,
		to.Float() && isPointer(n):
		f.u.problem(n, "", "%s has type %s, where %s is needed", cc.NodeSource(n), cName(n.Type()), spelled(t))
	case to != loop.Invalid:
		return convert(e, to)
	}
	return opaque(t, f.at(n), flat(e)...)
}

// spelled returns t in C's notation.
func spelled(t kernel.Type) string {
	if s := kernel.Scalar(t); s != loop.Invalid {
		return s.C()
	}
	return "struct " + t.String()
}

// expr returns the value of n, of its type in C; an Opaque for a pointer.
func (f *lowering) expr(n cc.ExpressionNode) kernel.Expr {
	if e := folded(n); e != nil {
		return e
	}
	if isPointer(n) {
		return opaque(none, f.at(n), f.partsOf(n)...)
	}
	if o, ok := split(n); ok {
		return f.binary(n, o)
	}
	if operand, op, value := stepping(n); operand != nil {
		return f.step(n, operand, op, value)
	}
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		return f.primary(n)
	case *cc.PostfixExpression:
		return f.postfix(n)
	case *cc.UnaryExpression:
		return f.unary(n)
	case *cc.CastExpression:
		return f.cast(n)
	case *cc.ConditionalExpression:
		return f.conditional(n)
	case *cc.AssignmentExpression:
		return f.assignment(n, true)
	case *cc.ExpressionList:
		last := f.allButLast(n)
		return f.expr(last)
	}
	return f.unknownExpr(n)
}

// unknownExpr returns an expression about which nothing is known.
func (f *lowering) unknownExpr(n cc.ExpressionNode) kernel.Expr {
	f.lost = true
	return opaque(f.u.value(n.Type()), f.at(n))
}

// allButLast lowers the operands of a comma for their effects, and returns the last one.
func (f *lowering) allButLast(n *cc.ExpressionList) cc.ExpressionNode {
	for ; n.ExpressionList != nil; n = n.ExpressionList {
		f.effect(n.AssignmentExpression)
	}
	return n.AssignmentExpression
}

func (f *lowering) primary(n *cc.PrimaryExpression) kernel.Expr {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		return f.load(n)
	case cc.PrimaryExpressionExpr:
		return f.expr(n.ExpressionList)
	case cc.PrimaryExpressionGeneric:
		if a := n.GenericSelection.Associated(); a != nil {
			return f.expr(a.AssignmentExpression)
		}
	case cc.PrimaryExpressionFloat, cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return opaque(f.u.value(n.Type()), f.at(n))
	}
	return f.unknownExpr(n)
}

func (f *lowering) postfix(n *cc.PostfixExpression) kernel.Expr {
	switch n.Case {
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionComplit:
		return f.load(n)
	case cc.PostfixExpressionCall:
		return f.call(n, true)
	}
	return f.unknownExpr(n)
}

// unary lowers the unary operators (C99 6.5.3), whose operands are promoted first.
func (f *lowering) unary(n *cc.UnaryExpression) kernel.Expr {
	s := scalar(n.Type())
	here := kernel.At{T: kernel.Basic(s), At: f.at(n)}
	switch n.Case {
	case cc.UnaryExpressionDeref:
		return f.load(n)
	case cc.UnaryExpressionPlus:
		return convert(f.expr(n.CastExpression), s)
	case cc.UnaryExpressionMinus:
		return &kernel.Unary{At: here, Op: kernel.Neg, X: convert(f.expr(n.CastExpression), s)}
	case cc.UnaryExpressionCpl:
		return &kernel.Unary{At: here, Op: kernel.Flip, X: convert(f.expr(n.CastExpression), s)}
	case cc.UnaryExpressionNot:
		return convert(f.cond(n), s)
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		return opaque(kernel.Basic(s), f.at(n)) // of a variable-length array
	}
	return f.unknownExpr(n)
}

func (f *lowering) cast(n *cc.CastExpression) kernel.Expr {
	if t := f.u.value(n.Type()); t != nil {
		return f.as(n.CastExpression, t)
	}
	return f.unknownExpr(n)
}

// binary returns the value of an operation on numbers. Both operands are converted to the type of the result, except for
// shifts, whose right operand is promoted by itself (C99 6.5.7); n.Type is the parser's, which has applied the
// usual arithmetic conversions.
func (f *lowering) binary(n cc.ExpressionNode, o operation) kernel.Expr {
	t := scalar(n.Type())
	if o.op.Compares() || o.op == kernel.LAnd || o.op == kernel.LOr {
		return convert(f.cond(n), t)
	}
	if i, j, ok := f.inOneArray(o.x, o.y); ok {
		return convert(sum(i, o.op, j), t)
	}
	if t == loop.Invalid || isPointer(o.x) || isPointer(o.y) { // complex; p - q
		return opaque(f.u.value(n.Type()), f.at(n), append(f.partsOf(o.x), f.partsOf(o.y)...)...)
	}
	x, y := f.expr(o.x), f.expr(o.y)
	f.checkDivisor(n, o.op, t, y)
	if o.op == kernel.Shl || o.op == kernel.Shr {
		y = promoted(y)
	} else {
		y = convert(y, t)
	}
	return &kernel.Binary{At: kernel.At{T: kernel.Basic(t), At: f.at(n)}, Op: o.op, X: convert(x, t), Y: y}
}

// cond returns n as a bool: whether it is nonzero.
func (f *lowering) cond(n cc.ExpressionNode) kernel.Expr {
	n = unparen(n)
	if e := folded(n); e != nil {
		return convert(e, loop.Bool)
	}
	if null, known := f.isNull(n); known {
		return kernel.NewBool(!null, f.at(n))
	}
	if isPointer(n) {
		return opaque(kernel.Basic(loop.Bool), f.at(n), f.partsOf(n)...)
	}
	if o, ok := split(n); ok {
		switch {
		case o.op == kernel.LAnd || o.op == kernel.LOr:
			return f.both(n, o)
		case o.op.Compares():
			return f.comparison(n, o)
		}
	}
	switch n := n.(type) {
	case *cc.ExpressionList:
		return f.cond(f.allButLast(n))
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionNot {
			return kernel.NewNot(f.cond(n.CastExpression))
		}
	}
	return convert(f.expr(n), loop.Bool)
}

// comparison lowers a comparison: of numbers in their common type (C99 6.3.1.8), of pointers into one array
// as one of their offsets.
func (f *lowering) comparison(n cc.ExpressionNode, o operation) kernel.Expr {
	if i, j, ok := f.inOneArray(o.x, o.y); ok {
		return &kernel.Binary{At: kernel.At{T: kernel.Basic(loop.Bool), At: f.at(n)}, Op: o.op, X: i, Y: j}
	}
	if null, known := f.comparesNull(o); known {
		return kernel.NewBool(null == (o.op == kernel.Eq), f.at(n))
	}
	if isPointer(o.x) || isPointer(o.y) {
		return opaque(kernel.Basic(loop.Bool), f.at(n), append(f.partsOf(o.x), f.partsOf(o.y)...)...)
	}
	x, y := f.expr(o.x), f.expr(o.y)
	t := loop.Invalid
	if cc.IsArithmeticType(o.x.Type()) && cc.IsArithmeticType(o.y.Type()) {
		t = scalar(cc.UsualArithmeticConversions(o.x.Type(), o.y.Type()))
	}
	if t == loop.Invalid {
		return opaque(kernel.Basic(loop.Bool), f.at(n), x, y)
	}
	return &kernel.Binary{
		At: kernel.At{T: kernel.Basic(loop.Bool), At: f.at(n)},
		Op: o.op, X: convert(x, t), Y: convert(y, t),
	}
}

// comparesNull reports whether an operation compares a parameter of the kernel with the null pointer, and whether the parameter is null.
func (f *lowering) comparesNull(o operation) (null, known bool) {
	if o.op != kernel.Eq && o.op != kernel.Ne {
		return false, false
	}
	for _, of := range [][2]cc.ExpressionNode{{o.x, o.y}, {o.y, o.x}} {
		if null, known := f.isNull(of[0]); known && isNullPointer(of[1]) {
			return null, true
		}
	}
	return false, false
}

// isNull reports whether n is a parameter of the kernel that is never assigned to, and whether it is null since the call leaves it out.
func (f *lowering) isNull(n cc.ExpressionNode) (null, known bool) {
	if d := identifier(n); d != nil && d.WriteCount() == 0 {
		null, known = f.null[f.vars[d]]
	}
	return null, known
}

// isNullPointer reports whether n is the null pointer: 0, maybe as a pointer to void (C99 6.3.2.3).
func isNullPointer(n cc.ExpressionNode) bool {
	n = unparen(n)
	if c, ok := n.(*cc.CastExpression); ok && n.Type().Kind() == cc.Ptr {
		return isNullPointer(c.CastExpression)
	}
	e := folded(n)
	return e != nil && kernel.IsZero(e)
}

// both lowers && or ||: if the second operand needs statements, an If prevents them from running
// when the first operand decides (C99 6.5.13 and 6.5.14).
func (f *lowering) both(n cc.ExpressionNode, o operation) kernel.Expr {
	x := f.cond(o.x)
	var y kernel.Expr
	stmts := f.Collect(func() { y = f.cond(o.y) })
	if len(stmts) == 0 {
		return &kernel.Binary{At: kernel.At{T: kernel.Basic(loop.Bool), At: f.at(n)}, Op: o.op, X: x, Y: y}
	}
	result := f.temp(x)
	f.Emit(kernel.NewShort(o.op, result.Var, stmts, y, f.at(n)))
	return kernel.NewRef(result.Var, f.at(n))
}

// conditional returns the value of c ? x : y, through a variable that an If sets: only one of x and y is evaluated.
func (f *lowering) conditional(n *cc.ConditionalExpression) kernel.Expr {
	pos := f.at(n)
	cond := f.cond(n.LogicalOrExpression)
	t := f.u.value(n.Type())
	if t == nil || n.ExpressionList == nil { // c ?: y is not standard C
		return f.unknownExpr(n)
	}
	result := f.newTemp(t, pos)
	set := func(n cc.ExpressionNode) *kernel.Block {
		return f.Block(func() {
			e := f.as(n, t)
			f.Emit(&kernel.Assign{L: kernel.NewRef(result, pos), R: e, Pos: f.at(n)})
		})
	}
	f.Emit(
		&kernel.Decl{Var: result, Pos: pos},
		&kernel.If{Cond: cond, Then: set(n.ExpressionList), Else: set(n.ConditionalExpression), Pos: pos},
	)
	return kernel.NewRef(result, pos)
}

// effect lowers an expression for its side effects alone: assignments, calls and steps then need no temporary
// variable for a value that nobody reads.
func (f *lowering) effect(n cc.ExpressionNode) {
	n = unparen(n)
	if operand, op, _ := stepping(n); operand != nil {
		f.step(n, operand, op, dropped)
		return
	}
	switch n := n.(type) {
	case *cc.ExpressionList:
		f.effect(f.allButLast(n))
		return
	case *cc.AssignmentExpression:
		f.assignment(n, false)
		return
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			f.call(n, false)
			return
		}
	case *cc.CastExpression:
		if n.Type().Kind() == cc.Void {
			f.effect(n.CastExpression)
			return
		}
	case *cc.ConditionalExpression:
		if n.ExpressionList != nil { // c ?: y is not standard C
			f.Emit(&kernel.If{
				Cond: f.cond(n.LogicalOrExpression),
				Then: f.Block(func() { f.effect(n.ExpressionList) }),
				Else: f.Block(func() { f.effect(n.ConditionalExpression) }),
				Pos:  f.at(n),
			})
			return
		}
	}
	f.discard(n)
}

// discard lowers an expression whose value is unused, for the reads and calls in it.
func (f *lowering) discard(n cc.ExpressionNode) {
	if isPointer(n) {
		f.pointer(n)
		return
	}
	switch e := f.expr(n).(type) {
	case *kernel.Lit, *kernel.Ref, nil:
	case *kernel.Opaque:
		f.doStore(f.at(n), place{}, e.Parts...)
	default:
		f.Emit(&kernel.Do{X: e, Pos: f.at(n)})
	}
}
