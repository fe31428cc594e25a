package device

import (
	"fmt"

	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/lower"
)

// On devices records are unions of words, to move them, and of values, for the kernel's pointers.
// Operations on whole values get pointers to private memory only: operands elsewhere are copied there and
// back.

// declaration declares a local, or a copy of some of its values.
func (g *deviceLoop) declaration(l lower.Local, name string) variable {
	t := ckernel.ValueType(g.lowered.Params[l.Param].Var.Type, l.Record())
	if t == nil {
		return variable{l.Type.C(), name, text.Dimensions(l)}
	}
	values := &kernel.Array{Len: max(1, l.Rows) * l.Dim / l.Words(), Elem: t}
	return variable{fmt.Sprintf("union { %s words%s; %s; }", l.Type.C(), text.Dimensions(l), g.p.Decl(values, "values", false)), name, ""}
}

// scalars returns what subscripts of a local lead from to its scalars.
func (g *deviceLoop) scalars(l lower.Local, name string) string {
	if ckernel.ValueType(g.lowered.Params[l.Param].Var.Type, l.Record()) == nil {
		return name
	}
	return name + ".words"
}

// valueAt returns a pointer to value v of those behind the first scalars of a local, as the operand
// of a cast.
func (g *deviceLoop) valueAt(l lower.Local, name string, scalars int, v string) string {
	if ckernel.ValueType(g.lowered.Params[l.Param].Var.Type, l.Record()) != nil {
		offset := v
		switch first := scalars / l.Words(); {
		case first > 0 && v == "0":
			offset = fmt.Sprint(first)
		case first > 0:
			offset = fmt.Sprintf("%d + %s", first, v)
		}
		return text.Plus(name+".values", offset, offset)
	}
	if l.Rows == 0 && scalars > 0 {
		return text.Plus(name, fmt.Sprintf("%d + %s", scalars, text.Times(l.Words(), v, "0")), name)
	}
	return text.Plus(text.Address(text.Row(l, name, scalars/l.Dim), l.Dim), text.Times(l.Words(), v, "0"), v)
}

// starts returns the pointers to each row of a local.
func (g *deviceLoop) starts(l lower.Local, name string) []string {
	if ckernel.ValueType(g.lowered.Params[l.Param].Var.Type, l.Record()) == nil {
		return text.RowPointers(l, name)
	}
	list := make([]string, l.Rows)
	for c := range list {
		list[c] = g.valueAt(l, name, c*l.Dim, "0")
	}
	return list
}

// operand is a value that an operation combines with another: in private memory, or at a place where
// each of its scalars is accessed.
type operand struct {
	private string // a pointer; "" elsewhere
	at      func(d string) string
}

// combine returns the statement that leaves in one value the combination of both.
func (g *deviceLoop) combine(l lower.Local, do lower.Op, by int, to, from operand) string {
	one := lower.Local{Param: l.Param, Type: l.Type, Value: l.Value, Dim: l.Words()}
	before, after := "", ""
	copied := func(o operand, name string) string {
		if o.private != "" {
			return o.private
		}
		scalars := g.scalars(one, name)
		before += fmt.Sprintf("%s %s ", g.declaration(one, name), text.All(one.Dim, func(d, subscript string) string {
			return scalars + subscript + " = " + o.at(d) + ";"
		}))
		return g.valueAt(one, name, 0, "0")
	}
	from.private = copied(from, "op2_from")
	if to.private == "" {
		scalars := g.scalars(one, "op2_to")
		after = " " + text.All(one.Dim, func(d, subscript string) string { return to.at(d) + " = " + scalars + subscript + ";" })
		to.private = copied(to, "op2_to")
	}
	plain := g.Host()
	call := g.p.Apply(&g.lowered.Params[l.Param], l, do, plain.Op(do, by), to.private, from.private) + ";"
	if before == "" {
		return call
	}
	return "{ " + before + call + after + " }"
}

// scalarOf returns the number of scalar d of value v.
func (g *deviceLoop) scalarOf(l lower.Local, v, d string) string {
	switch {
	case v == "0":
		return d
	case l.Words() == 1:
		return v
	}
	return "(" + text.Times(l.Words(), v, d) + ")"
}

// wholeTree combines the partial results of the work-items of a group as tree does, value by value.
func (g *deviceLoop) wholeTree(b *text.Writer, r deviceReduction, op lower.Op, place func(d string) string) {
	l, words := r.l, r.l.Words()
	store := func(v string, value func(d, subscript string) string) string {
		return text.All(words, func(d, subscript string) string {
			return place(g.scalarOf(l, v, d)) + " = " + value(d, subscript) + ";"
		})
	}
	finish := func(v string, value func(d, subscript string) string, from operand) string {
		if op == lower.Store {
			return store(v, value)
		}
		return g.combine(l, op, r.By, operand{at: func(d string) string { return place(g.scalarOf(l, v, d)) }}, from)
	}
	v := "0"
	if l.Dim > words {
		v = "op2_v"
		b.Open("for (int op2_v = 0; op2_v < %d; op2_v++) {", l.Dim/words)
		defer b.Close("")
	}
	own := func(d, _ string) string {
		if l.Dim == 1 {
			return r.partial
		}
		return r.partial + "[" + g.scalarOf(l, v, d) + "]"
	}
	if g.Options.GroupSize == 1 {
		b.Line("%s", finish(v, own, operand{private: g.valueAt(l, r.name, 0, v)}))
		return
	}
	tree := func(lane string) func(d, _ string) string {
		return func(d, _ string) string { return fmt.Sprintf("%s_tree[%s]", r.partials, text.Times(words, lane, d)) }
	}
	at := func(lane string) operand {
		return operand{at: func(d string) string { return tree(lane)(d, "") }}
	}
	b.Line("%s", text.All(words, func(d, subscript string) string { return tree("lane")(d, "") + " = " + own(d, subscript) + ";" }))
	b.Line("%s", g.wait())
	b.Open("for (int width = %d; width > 0; width /= 2) {", g.Options.GroupSize/2)
	b.Line("if (lane < width) %s", g.combine(l, r.Combine, r.By, at("lane"), at("(lane + width)")))
	b.Line("%s", g.wait())
	b.Close("")
	b.Line("if (lane == 0) %s", finish(v, tree("0"), at("0")))
	b.Line("%s", g.wait())
}
