package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// assignment lowers n. It returns the assigned value, if wanted.
func (f *lowering) assignment(n *cc.AssignmentExpression, wanted bool) kernel.Expr {
	f.checkStore(n.UnaryExpression)
	if isPointer(n.UnaryExpression) {
		f.assignPointer(n)
		return opaque(none, f.at(n))
	}
	l := f.place(n.UnaryExpression)
	if l.x == nil {
		return f.assignUnknown(n, l)
	}
	op := kernel.BinaryOp(n.Token.SrcStr())
	if op == kernel.None {
		return f.assign(l.x, f.as(n.AssignmentExpression, l.x.Type()), f.at(n), wanted)
	}
	return f.update(l.x, op, n.AssignmentExpression, f.at(n))
}

// assign emits L = R, or L += R, or several of these if R is a sum with L. An increment that
// is written x = x + y is one for the analysis, too.
func (f *lowering) assign(l, r kernel.Expr, pos kernel.Pos, wanted bool) kernel.Expr {
	if terms := additions(l, r); terms != nil {
		for _, t := range terms {
			f.Emit(&kernel.Assign{L: l, Op: t.op, R: t.x, Pos: pos})
		}
		return l
	}
	if _, constant := r.(*kernel.Lit); wanted && !constant {
		r = f.temp(r)
	}
	f.Emit(&kernel.Assign{L: l, R: r, Pos: pos})
	return r
}

// assignUnknown stores to a place that the IR cannot express.
func (f *lowering) assignUnknown(n *cc.AssignmentExpression, l place) kernel.Expr {
	f.doStore(f.at(n), l, f.partsOf(n.AssignmentExpression)...)
	return opaque(f.u.value(n.Type()), f.at(n))
}

// update emits L op= R. C computes it in a common type and converts the result, which can be left
// out if it makes no difference modulo the size of L. A float to which a double is added stays as
// it is, L op= R with an R of the larger type.
func (f *lowering) update(l kernel.Expr, op kernel.Op, r cc.ExpressionNode, pos kernel.Pos) kernel.Expr {
	right := f.expr(r)
	f.checkDivisor(r, op, kernel.Scalar(l.Type()), right)
	f.Emit(updating(l, op, right, pos))
	return l
}

// updating returns l op= r with C's conversions (C99 6.5.16.2): C computes in the common type of both, or for
// a shift in the promoted type of l, and converts the result to the type of l. The assignment keeps its
// operator where the two types are the same, where the low bits of the result depend on nothing but those of
// the operands, and for a float with a double.
func updating(l kernel.Expr, op kernel.Op, r kernel.Expr, pos kernel.Pos) *kernel.Assign {
	s, t := kernel.Scalar(l.Type()), kernel.Scalar(r.Type())
	shift := op == kernel.Shl || op == kernel.Shr
	common := usual(s, t)
	if shift {
		common, r = kernel.Scalar(promoted(l).Type()), promoted(r)
	}
	switch {
	case s == loop.Invalid || t == loop.Invalid:
		return &kernel.Assign{L: l, R: opaque(l.Type(), pos, l, r), Pos: pos}
	case shift && common == s:
		return &kernel.Assign{L: l, Op: op, R: r, Pos: pos}
	case s == loop.Float32 && t == loop.Float64:
		return &kernel.Assign{L: l, Op: op, R: r, Pos: pos}
	case common == s, modular(op) && s.Integer() && common.Integer():
		return &kernel.Assign{L: l, Op: op, R: convert(r, s), Pos: pos}
	}
	if !shift {
		r = convert(r, common)
	}
	whole := &kernel.Binary{At: kernel.At{T: kernel.Basic(common), At: pos}, Op: op, X: convert(l, common), Y: r}
	return &kernel.Assign{L: l, R: convert(whole, s), Pos: pos}
}

// modular reports whether the low bits of the result depend only on the low bits of the operands: the operation is one
// of the integers modulo any power of two. Division, remainder and shifts to the right are not.
func modular(op kernel.Op) bool {
	switch op {
	case kernel.Add, kernel.Sub, kernel.Mul, kernel.And, kernel.Or, kernel.Xor:
		return true
	}
	return false
}

// term is op x, in a sum.
type term struct {
	op kernel.Op
	x  kernel.Expr
}

// additions returns the terms that are added to l in turn if r is l + x, x + l, or l - x + y and so on; nil if
// it is something else. C adds from the left, so that the terms come in the order in which the sum is rounded; a
// sum is split only where rounding to the type of l after each term makes no difference, and where no later term reads l.
func additions(l, r kernel.Expr) []term {
	s := kernel.Scalar(l.Type())
	if !s.Integer() && !s.Float() {
		return nil
	}
	b, ok := unconverted(r, s).(*kernel.Binary)
	if !ok || b.Op != kernel.Add && b.Op != kernel.Sub || kernel.Scalar(b.T).Float() != s.Float() {
		return nil
	}
	wide := s.Float() && kernel.Scalar(b.T) != s
	as := func(e kernel.Expr) kernel.Expr {
		if wide {
			return e
		}
		return convert(e, s)
	}
	if kernel.SameExpr(l, unconverted(b.X, s)) {
		return []term{{b.Op, as(b.Y)}}
	}
	if b.Op == kernel.Add && kernel.SameExpr(l, unconverted(b.Y, s)) {
		return []term{{kernel.Add, as(b.X)}}
	}
	// l + x + y: if rounding to l after x made a difference, or y saw it, this is not such a sum.
	before := additions(l, b.X)
	if before == nil || wide || mentions([]kernel.Stmt{&kernel.Do{X: b.Y}}, kernel.Root(l)) {
		return nil
	}
	return append(before, term{b.Op, as(b.Y)})
}

// unconverted returns e without a conversion between integers or between floats that loses nothing
// of s: both of its types are at least as large.
func unconverted(e kernel.Expr, s loop.Scalar) kernel.Expr {
	c, ok := e.(*kernel.Convert)
	if !ok {
		return e
	}
	from, to := kernel.Scalar(c.X.Type()), kernel.Scalar(c.T)
	sizes := min(from.Size(), to.Size()) >= s.Size()
	if sizes && (from.Integer() && to.Integer() || from.Float() && to.Float()) {
		return c.X
	}
	return e
}

// step lowers ++ and --, which add 1 with op. Value says which value of the operand the expression has.
func (f *lowering) step(n, operand cc.ExpressionNode, op kernel.Op, value int) kernel.Expr {
	f.checkStore(operand)
	if isPointer(operand) {
		f.movePointer(n, operand, op)
		return opaque(none, f.at(n))
	}
	l := f.place(operand)
	if l.x == nil {
		f.doStore(f.at(n), l)
		return opaque(f.u.value(n.Type()), f.at(n))
	}
	result := l.x
	if value == old {
		result = f.temp(l.x)
	}
	s := kernel.Scalar(l.x.Type())
	one := number(1, loop.Int32, f.at(n))
	if s.Float() {
		one = number(1, s, f.at(n))
	}
	f.Emit(updating(l.x, op, one, f.at(n)))
	return result
}
