package ckernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// C's precedences, as far as expressions need them; higher binds tighter.
const (
	precComma = iota
	precCond
	precLOr
	precLAnd
	precOr
	precXor
	precAnd
	precEq
	precRel
	precShift
	precAdd
	precMul
	precUnary
	precPostfix
)

var binaryPrec = map[kernel.Op]int{
	kernel.LOr: precLOr, kernel.LAnd: precLAnd,
	kernel.Or: precOr, kernel.Xor: precXor, kernel.And: precAnd, kernel.AndNot: precAnd,
	kernel.Eq: precEq, kernel.Ne: precEq,
	kernel.Lt: precRel, kernel.Le: precRel, kernel.Gt: precRel, kernel.Ge: precRel,
	kernel.Shl: precShift, kernel.Shr: precShift,
	kernel.Add: precAdd, kernel.Sub: precAdd,
	kernel.Mul: precMul, kernel.Div: precMul, kernel.Rem: precMul,
}

func (p *Printer) expr(e kernel.Expr) string {
	text, _ := p.prec(e)
	return text
}

// operand returns e in C, in parentheses if it binds less tightly than min.
func (p *Printer) operand(e kernel.Expr, min int) string {
	text, prec := p.prec(e)
	if prec < min {
		return "(" + text + ")"
	}
	return text
}

// prec returns e in C and the precedence of its outermost operator.
func (p *Printer) prec(e kernel.Expr) (string, int) {
	if p.lanes.Each(e) {
		switch e := e.(type) {
		case *kernel.Unary:
			return p.laneUnary(e)
		case *kernel.Binary:
			return p.laneBinary(e)
		case *kernel.Convert:
			return p.laneConvert(e)
		case *kernel.Math:
			return p.laneMath(e)
		}
	}
	switch e := e.(type) {
	case *kernel.Lit:
		text := text.Literal(e.Value, kernel.Scalar(e.Type()))
		if strings.HasPrefix(text, "-") {
			return text, precUnary
		}
		return text, precPostfix
	case *kernel.Ref:
		return p.vars[e.Var], precPostfix
	case *kernel.ConstRef:
		return p.constant(e.Const), precPostfix
	case *kernel.Index:
		return p.index(e), precPostfix
	case *kernel.Select:
		dot := "."
		if kernel.Is[*kernel.Pointer](e.X.Type()) {
			dot = "->"
		}
		return p.operand(e.X, precPostfix) + dot + p.fields[kernel.Elem(e.X.Type()).(*kernel.Struct)][e.Field], precPostfix
	case *kernel.Deref:
		if facts.IsArray(e.Type()) { // in C the pointer to an array is the array
			return p.prec(e.X)
		}
		return "*" + p.operand(e.X, precUnary), precUnary
	case *kernel.AddrOf:
		if facts.IsArray(e.X.Type()) {
			return p.prec(e.X)
		}
		return "&" + p.operand(e.X, precUnary), precUnary
	case *kernel.Unary:
		return p.unary(e)
	case *kernel.Binary:
		return p.binary(e)
	case *kernel.Convert:
		return p.convert(e)
	case *kernel.Call:
		return p.funcs[e.Func] + "(" + strings.Join(p.callArgs(e, nil), ", ") + ")", precPostfix
	case *kernel.Math:
		return p.math(e)
	case *kernel.Composite:
		return p.composite(e), precPostfix
	}
	panic(fmt.Sprintf("codegen: no C for expression %T", e))
}

// callArgs returns the arguments of c, then those that receive results, then the mask if c is only
// for some elements of a pack.
func (p *Printer) callArgs(c *kernel.Call, into []string) []string {
	args := p.contextArg(c.Func)
	for i, a := range c.Args {
		if row, ok := a.(*kernel.AddrOf); ok && ofRows(c.Func.Params[i].Type, row.X.Type()) {
			args = append(args, "&"+p.operand(row.X, precUnary))
			continue
		}
		args = append(args, p.value(a, !kernel.Is[*kernel.Pointer](c.Func.Params[i].Type) && p.lanes.Varies(c.Func.Params[i])))
	}
	args = append(args, into...)
	if p.lanes.Masks(c.Func) {
		m := p.top().mask
		if m == "" {
			m = p.vec.Use("all", loop.Bool) + "(true)"
		}
		args = append(args, m)
	}
	return args
}

// ofRows reports whether a parameter points to arrays of type row, as double (*x)[3] does.
func ofRows(param, row kernel.Type) bool {
	rows, ok := kernel.Elem(param).(*kernel.Array)
	return ok && facts.IsArray(row) && kernel.Same(rows.Elem, row)
}

// index prints X[I], with a check if I is not known to be in range.
func (p *Printer) index(e *kernel.Index) string {
	x := p.operand(e.X, precPostfix)
	array, ok := kernel.Elem(e.X.Type()).(*kernel.Array)
	if p.checksC(e) {
		i, back := p.expr(e.I), ""
		if e.Before != 0 { // as the subscript of what is there
			i, back = fmt.Sprintf("(%s) + %d", i, e.Before), fmt.Sprintf(" - %d", e.Before)
		}
		return fmt.Sprintf("%s[%s(%s%s, %d, %d, %d)%s]", x, p.helpers.use("index"), p.context(), i, e.There, e.Pos().Line, e.Pos().Col, back)
	}
	if e.InRange || !ok || p.fn.C {
		return x + "[" + p.expr(e.I) + "]"
	}
	check := p.helpers.use("index")
	i := p.expr(e.I)
	if kernel.Scalar(e.I.Type()) == loop.Uint64 { // a huge index must not look negative
		check = p.helpers.use("uindex")
	}
	return fmt.Sprintf("%s[%s(%s%s, %d, %d, %d)]", x, check, p.context(), i, array.Len, e.Pos().Line, e.Pos().Col)
}

// narrow reports whether C computes with t in int, so that the result must be converted back to the
// width of t.
func narrow(t loop.Scalar) bool { return t.Integer() && t.Size() < 4 }

// unary prints an operator and its operand. C computes with narrow integers in int, so that their results are
// converted back. A negation that may wrap is one of an unsigned integer, since overflow is undefined in C.
func (p *Printer) unary(e *kernel.Unary) (string, int) {
	x := p.operand(e.X, precUnary)
	t := kernel.Scalar(e.Type())
	op := map[kernel.Op]string{kernel.Neg: "-", kernel.Not: "!", kernel.Flip: "~"}[e.Op]
	if op == "-" && strings.HasPrefix(x, "-") {
		x = "(" + x + ")"
	}
	switch {
	case narrow(t):
		return "(" + t.C() + ")(" + op + x + ")", precUnary
	case op == "-" && p.wraps(t, e.Fits):
		return "(" + t.C() + ")-(" + unsigned(t).C() + ")" + x, precUnary
	}
	return op + x, precUnary
}

// wraps reports whether arithmetic of type t may wrap where signed integers do not, unless Analyze
// knows that it fits: host compilers have a flag that makes them wrap, device compilers do not.
func (p *Printer) wraps(t loop.Scalar, fits bool) bool {
	return !p.target.Wraps && t.Signed() && !narrow(t) && !fits
}

// unsigned returns the unsigned type of the size of t, a signed one; its values wrap everywhere.
func unsigned(t loop.Scalar) loop.Scalar { return t + (loop.Uint8 - loop.Int8) }

// wrapping prints a sum, difference or product of signed integers that may wrap as one of unsigned
// ones.
func (p *Printer) wrapping(e *kernel.Binary) string {
	t, prec := kernel.Scalar(e.X.Type()), binaryPrec[e.Op]
	operand := func(x kernel.Expr, min int) string {
		if b, ok := x.(*kernel.Binary); ok && p.mayWrap(b) {
			text := p.wrapping(b)
			if binaryPrec[b.Op] < min {
				text = "(" + text + ")"
			}
			return text
		}
		if lit, ok := kernel.IntOf(x); ok && lit >= 0 {
			return p.operand(x, min)
		}
		return "(" + unsigned(t).C() + ")" + p.operand(x, precUnary)
	}
	x, y := operand(e.X, prec), operand(e.Y, prec+1)
	if _, ok := kernel.IntOf(e.X); ok {
		x = "(" + unsigned(t).C() + ")" + p.operand(e.X, precUnary) // even for two literals
	}
	return x + " " + e.Op.String() + " " + y
}

// mayWrap reports whether e must be printed by wrapping.
func (p *Printer) mayWrap(e *kernel.Binary) bool {
	switch e.Op {
	case kernel.Add, kernel.Sub, kernel.Mul:
		return p.wraps(kernel.Scalar(e.X.Type()), e.Fits)
	}
	return false
}

// sameInC reports whether C's operator has the same meaning for e as Go's.
func (p *Printer) sameInC(e *kernel.Binary) bool {
	t := kernel.Scalar(e.X.Type())
	switch e.Op {
	case kernel.Div, kernel.Rem:
		return t.Float() || !facts.MayDivideByZero(e.X, e.Y, e.Fits) && !narrow(t)
	case kernel.Shl, kernel.Shr:
		return (p.fn.C || facts.LiteralBetween(e.Y, 0, int64(8*t.Size()-1))) && !narrow(t)
	case kernel.Add, kernel.Sub, kernel.Mul:
		return !narrow(t) && !p.wraps(t, e.Fits)
	case kernel.And, kernel.Or, kernel.Xor, kernel.AndNot:
		return !narrow(t)
	}
	return true
}

// value prints e in C; with each, it has a value for each element of a pack.
func (p *Printer) value(e kernel.Expr, each bool) string {
	if each {
		return p.lane(e, precComma)
	}
	return p.expr(e)
}

// binary prints an operation so that C gives the result of the source language, which may be Go: by a checked
// function where an integer may be divided by zero or shifted too far, in unsigned arithmetic where signed
// integers may wrap, and with a conversion back to a narrow type.
func (p *Printer) binary(e *kernel.Binary) (string, int) {
	t := kernel.Scalar(e.X.Type())
	switch e.Op {
	case kernel.Div, kernel.Rem:
		if facts.MayDivideByZero(e.X, e.Y, e.Fits) {
			return p.checked(map[kernel.Op]string{kernel.Div: "div", kernel.Rem: "rem"}[e.Op], t, e), precPostfix
		}
	case kernel.Shl, kernel.Shr:
		if !p.fn.C && !facts.LiteralBetween(e.Y, 0, int64(8*t.Size()-1)) {
			return p.shift(e, t), precPostfix
		}
	}
	if p.mayWrap(e) {
		return "(" + t.C() + ")(" + p.wrapping(e) + ")", precUnary
	}
	op, prec := e.Op.String(), binaryPrec[e.Op]
	x, y := p.within(e.X, prec, e.Op), p.within(e.Y, prec+1, e.Op)
	if e.Op == kernel.AndNot {
		op, y = "&", "~"+p.operand(e.Y, precUnary)
	}
	if kernel.Is[*kernel.Lit](e.X) && (e.Op == kernel.Shl || e.Op == kernel.Shr) {
		x = "(" + t.C() + ")" + p.operand(e.X, precUnary) // a literal alone would be an int
	}
	text := x + " " + op + " " + y
	if narrow(t) && !e.Op.Compares() {
		return "(" + t.C() + ")(" + text + ")", precUnary
	}
	return text, prec
}

// within prints operand e of operator above, in parentheses if C needs them, or if the order of
// precedence is confusing for readers (and compilers).
func (p *Printer) within(e kernel.Expr, min int, above kernel.Op) string {
	text, prec := p.prec(e)
	below, isBinary := e.(*kernel.Binary)
	if prec < min || isBinary && prec < precUnary && surprising(above, below.Op) {
		return "(" + text + ")"
	}
	return text
}

// surprising reports whether below, an operand of above, has parentheses although C's precedence needs none:
// programmers misread such expressions, and compilers warn of them.
func surprising(above, below kernel.Op) bool {
	bits := func(o kernel.Op) bool { return kernel.And <= o && o <= kernel.Shr }
	switch {
	case above == below:
		return false
	case above == kernel.LOr:
		return below == kernel.LAnd
	case above.Compares():
		return bits(below) || below.Compares()
	}
	return bits(above)
}

// checked prints the call of a helper for an operation that fails on some values.
func (p *Printer) checked(op string, t loop.Scalar, e *kernel.Binary) string {
	return fmt.Sprintf("%s(%s%s, %s, %d, %d)", p.helpers.useFor(op, t), p.context(), p.expr(e.X), p.expr(e.Y), e.Pos().Line, e.Pos().Col)
}

// shift prints a shift by a count that may exceed the width of the type.
func (p *Printer) shift(e *kernel.Binary, t loop.Scalar) string {
	op := map[kernel.Op]string{kernel.Shl: "shl", kernel.Shr: "shr"}[e.Op]
	if kernel.Scalar(e.Y.Type()).Signed() && !facts.LiteralBetween(e.Y, 0, math.MaxInt64) {
		return p.checked("s"+op, t, e)
	}
	return fmt.Sprintf("%s(%s, %s)", p.helpers.useFor(op, t), p.expr(e.X), p.expr(e.Y))
}

// convert prints a conversion between scalars. In C a float that the target cannot represent is
// undefined; going through int64_t, as Go's compilers do, covers every value of the narrower
// integers.
func (p *Printer) convert(e *kernel.Convert) (string, int) {
	from, to := kernel.Scalar(e.X.Type()), kernel.Scalar(e.Type())
	x := p.operand(e.X, precUnary)
	switch {
	case from == to:
		return p.prec(e.X)
	case from.Float() && to == loop.Uint64 && !p.fn.C:
		return p.helpers.use("to_uint64") + "(" + p.expr(e.X) + ")", precPostfix
	case from.Float() && to.Integer() && to != loop.Int64 && to != loop.Int32 && to != loop.Uint64:
		return "(" + to.C() + ")(int64_t)" + x, precUnary
	}
	return "(" + to.C() + ")" + x, precUnary
}
