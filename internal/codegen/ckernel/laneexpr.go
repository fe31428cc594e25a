package ckernel

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/lanes"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
	"github.com/go-op2/op2/internal/sorting"
)

// lane prints e as a vector, in parentheses if it binds less tightly than min: a value for all
// elements is broadcast.
func (p *Printer) lane(e kernel.Expr, min int) string {
	if c, ok := e.(*kernel.Composite); ok {
		return "(" + p.Ctype(c.Type(), true) + dims(c.Type()) + ")" + p.initializer(c, true)
	}
	if !p.lanes.Each(e) {
		return p.vec.Use("all", kernel.Scalar(e.Type())) + "(" + p.expr(e) + ")"
	}
	return p.operand(e, min)
}

// besideVector prints e as an operand next to a vector: C broadcasts floats and small numbers by itself.
func (p *Printer) besideVector(e kernel.Expr, min int) string {
	t := kernel.Scalar(e.Type())
	if t.Float() || t.Integer() && facts.LiteralBetween(e, 0, 127) {
		return p.operand(e, min)
	}
	return p.lane(e, min)
}

func (p *Printer) laneUnary(e *kernel.Unary) (string, int) {
	x := p.operand(e.X, precUnary)
	if e.Op == kernel.Neg {
		if strings.HasPrefix(x, "-") {
			x = "(" + x + ")"
		}
		return "-" + x, precUnary
	}
	return "~" + x, precUnary
}

// laneBinary prints an operation on vectors. The bools of a pack are masks, integers of 0 or -1: && and ||
// are bitwise, and both operands are evaluated, which package lanes has found harmless. A comparison gives
// integers of the operands' size, which are converted where masks have another.
func (p *Printer) laneBinary(e *kernel.Binary) (string, int) {
	t := kernel.Scalar(e.X.Type())
	prec := binaryPrec[e.Op]
	operands := func(op string, prec int) string {
		return p.laneWithin(e.X, prec, e.Op) + " " + op + " " + p.laneWithin(e.Y, prec+1, e.Op)
	}
	switch {
	case e.Op == kernel.LAnd:
		return operands("&", precAnd), precAnd
	case e.Op == kernel.LOr:
		return operands("|", precOr), precOr
	case t == loop.Bool && e.Op == kernel.Eq:
		return "~(" + operands("^", precXor) + ")", precUnary
	case t == loop.Bool && e.Op == kernel.Ne:
		return operands("^", precXor), precXor
	case e.Op == kernel.AndNot:
		return p.laneWithin(e.X, precAnd, e.Op) + " & ~" + p.lane(e.Y, precUnary), precAnd
	case e.Op.Compares():
		p.vec.Name(loop.Bool)
		if !p.vec.Fills(t) {
			return "OP2_CONVERT(" + operands(e.Op.String(), prec) + ", op2_mask)", precPostfix
		}
	}
	return operands(e.Op.String(), prec), prec
}

// laneWithin prints an operand next to a vector, in parentheses where necessary.
func (p *Printer) laneWithin(e kernel.Expr, min int, above kernel.Op) string {
	t := kernel.Scalar(e.Type())
	if !p.lanes.Each(e) && !t.Float() && !(t.Integer() && facts.LiteralBetween(e, 0, 127)) {
		return p.lane(e, precPostfix)
	}
	if t == loop.Bool { // of masks, whose operators differ from those of e
		return p.operand(e, min)
	}
	return p.within(e, min, above)
}

// laneConvert prints a conversion of a vector, by the same intermediate types as convert, so that elements
// get the same values as without packs.
func (p *Printer) laneConvert(e *kernel.Convert) (string, int) {
	from, to := kernel.Scalar(e.X.Type()), kernel.Scalar(e.Type())
	into := p.vec.Name(to)
	switch {
	case from == to:
		return p.prec(e.X)
	case lanes.Narrowed(e) != nil:
		return p.prec(lanes.Narrowed(e))
	case from == loop.Bool: // in C: 0 or 1
		return fmt.Sprintf("OP2_CONVERT(%s & 1, %s)", p.operand(e.X, precAnd), into), precPostfix
	case from.Float() && to == loop.Uint64 && !p.fn.C:
		call := p.helpers.use("to_uint64") + "(x[l])"
		name := p.laneFunction("to_uint64", call, []loop.Scalar{from}, to)
		return name + "(" + p.expr(e.X) + ")", precPostfix
	case from.Float() && to.Integer() && (to.Size() < 4 || to == loop.Uint32):
		return fmt.Sprintf("OP2_CONVERT(OP2_CONVERT(%s, %s), %s)", p.expr(e.X), p.vec.Name(loop.Int64), into), precPostfix
	}
	return fmt.Sprintf("OP2_CONVERT(%s, %s)", p.expr(e.X), into), precPostfix
}

// lanePrefix is the prefix of functions of vectors that call a function of values.
const lanePrefix = "op2_lanes_"

// laneFunction makes a function of vectors from the call for one lane, and returns its name. The
// arguments are called x, y and z.
func (p *Printer) laneFunction(name, call string, args []loop.Scalar, result loop.Scalar) string {
	f := lanePrefix + name
	for _, t := range append(args[:len(args):len(args)], result) {
		if t == loop.Float32 {
			f += "f"
			break
		}
	}
	params := make([]string, len(args))
	for i, t := range args {
		params[i] = p.vec.Name(t) + " " + string(rune('x'+i))
	}
	if result == loop.Bool {
		call = "-(" + call + ")"
	}
	r := p.vec.Name(result)
	body := p.vec.Builtin(name, result, "\t"+r+" r;\n\t"+p.target.Unroll+"for (int l = 0; l < OP2_LANES; l++)\n\t\tr[l] = "+call+";\n\treturn r;\n")
	p.onVectors[f] = "static inline __attribute__((always_inline)) " + r + " " + f + "(" + strings.Join(params, ", ") + ")\n{\n" + body + "}\n\n"
	return f
}

// laneMath prints a call of a mathematical function: an operation on vectors, a form of package libm, or a
// function that calls the library's for one element after another.
func (p *Printer) laneMath(e *kernel.Math) (string, int) {
	t := kernel.Scalar(e.Type())
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.lane(a, precComma)
	}
	switch e.Name {
	case "min", "max":
		f, text := p.vec.Use(e.Name, t), args[0]
		for _, a := range args[1:] {
			text = f + "(" + text + ", " + a + ")"
		}
		return text, precPostfix
	case "Max", "Min":
		return p.laneExtreme(e.Name, t) + "(" + strings.Join(args, ", ") + ")", precPostfix
	case "IsNaN":
		return p.laneBinary(&kernel.Binary{At: e.At, Op: kernel.Ne, X: e.Args[0], Y: e.Args[0]})
	}
	if name := p.form(e); name != "" {
		f := p.formed[name]
		return p.vec.Name(t) + "_" + f.function + "(" + strings.Join(args[:len(f.params)], ", ") + ")", precPostfix
	}
	types := make([]loop.Scalar, len(e.Args))
	for i, a := range e.Args {
		types[i] = kernel.Scalar(a.Type())
	}
	call, _ := p.mathCall(e, []string{"x[l]", "y[l]", "z[l]"}[:len(args)])
	name := e.Name
	if f := mathfn.Lookup(name); p.fn.C && !f.Exact {
		name = f.C
	}
	return p.laneFunction(name, call, types, t) + "(" + strings.Join(args, ", ") + ")", precPostfix
}

// laneExtreme returns the function for math.Max and Min, or for fmax and fmin in C: Go gives
// infinity precedence over NaN, C a number.
func (p *Printer) laneExtreme(name string, t loop.Scalar) string {
	vec, choose := p.vec.Name(t), p.vec.Use("select", t)
	suffix := strings.TrimPrefix(vec, "op2_vec")
	op, inf, extreme := "<", "-INFINITY", "min"
	if name == "Max" {
		op, inf, extreme = ">", "INFINITY", "max"
	}
	as := func(cond string) string {
		if !p.vec.Fills(t) {
			return "OP2_CONVERT(" + cond + ", op2_mask)"
		}
		return cond
	}
	body := fmt.Sprintf("\treturn %s(%s, x, y);\n", choose, as("(x "+op+" y) | (y != y)"))
	if !p.fn.C {
		body = fmt.Sprintf("\tconst %[1]s end = %[2]s(%[3]s);\n\treturn %[4]s(%[5]s, end, %[6]s(x, y));\n",
			vec, p.vec.Use("all", t), inf, choose, as("(x == end) | (y == end)"), p.vec.Use(extreme, t))
	}
	if p.fn.C {
		name = mathfn.Lookup(name).C
	}
	f := lanePrefix + name + suffix
	p.onVectors[f] = fmt.Sprintf("static inline __attribute__((always_inline)) %[1]s %[2]s(%[1]s x, %[1]s y)\n{\n%[3]s}\n\n", vec, f, body)
	return f
}

// PrintLaneHelpers prints the functions of vectors that the source calls.
func (p *Printer) PrintLaneHelpers(w *text.Writer) {
	p.printLaneForms(w)
	for _, name := range sorting.Keys(p.onVectors) {
		w.Raw(p.onVectors[name])
	}
}
