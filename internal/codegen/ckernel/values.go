package ckernel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Values of the program's own types are stored and moved as their scalars; records, which mix types, as
// words. Only a kernel's parameters have the types themselves: arguments are cast to them. The source
// asserts that its structs have the layout of the program's.

// pointer returns the type of a parameter as a cast has it: "(State_ *)", "(double (*)[2])". Target
// is the qualifier of the pointee, with a trailing space.
func (p *Printer) pointer(t kernel.Type, target string) string {
	return "(" + p.pointerTo(t, target, "") + ")"
}

// pointerTo declares name as a pointer to the elements of t's pointee: "const double (*x)[2]".
func (p *Printer) pointerTo(t kernel.Type, qualifier, name string) string {
	elem := kernel.Elem(t)
	name = "*" + name
	if a, ok := elem.(*kernel.Array); ok && facts.IsArray(a.Elem) {
		name = "(" + name + ")" + dims(a.Elem)
	}
	return qualifier + p.Ctype(elem, false) + " " + name
}

// Typed reports whether a parameter has another type than the scalars that are passed to it: values of
// the program's types, or a struct with a field for each part.
func Typed(p *lower.Param) bool {
	return kernel.Is[*kernel.Struct](kernel.Elem(p.Var.Type)) || slices.ContainsFunc(p.Parts, func(part lower.Part) bool { return part.Value != nil })
}

// Pass casts a pointer to scalars to a parameter's type.
func (p *Printer) Pass(param *lower.Param, to, target string) string {
	if !Typed(param) {
		return to
	}
	if strings.ContainsAny(to, " ") {
		to = "(" + to + ")"
	}
	return p.pointer(param.Var.Type, target) + to
}

// RowType returns the element type of the rows of a parameter, which a C kernel takes as an
// array of pointers.
func (p *Printer) RowType(param *lower.Param) string {
	if !Typed(param) {
		return param.Parts[0].Type.C()
	}
	return p.Ctype(param.Var.Type, false)
}

// RowsOf casts pointers to rows of scalars to the type of a parameter's rows.
func (p *Printer) RowsOf(param *lower.Param, to []string) []string {
	if !Typed(param) {
		return to
	}
	cast := "(" + p.RowType(param) + " *)"
	list := make([]string, len(to))
	for i, row := range to {
		list[i] = cast + "(" + row + ")"
	}
	return list
}

// AssertLayouts prints assertions that the structs behind parameters have the layout of Go's, which the compiler checks:
// the size of each struct and the offset of each field, structs within others first.
func (p *Printer) AssertLayouts(params []lower.Param) {
	w, check := &p.w, p.target.Layouts
	done := map[*kernel.Struct]bool{}
	begin := func(t *kernel.Struct) {
		if len(done) == 0 && check.Define != "" {
			w.Raw(check.Define)
		}
		done[t] = true
	}
	var assert func(t kernel.Type, l *loop.Layout)
	assert = func(t kernel.Type, l *loop.Layout) {
		switch t := t.(type) {
		case *kernel.Array:
			assert(t.Elem, l.Elem)
		case *kernel.Struct:
			if done[t] {
				return
			}
			begin(t)
			name := p.structs[t]
			conditions := []string{fmt.Sprintf("sizeof(%s) == %d", name, l.Size)}
			for i, f := range l.Fields {
				assert(t.Fields[i].Type, f.Layout)
				conditions = append(conditions, fmt.Sprintf(check.Offset+" == %d", name, p.fields[t][t.Fields[i].Name], f.Offset))
			}
			w.Line(check.Assert, len(done), strings.Join(conditions, " && "))
		}
	}
	for i := range params {
		for _, part := range params[i].Parts {
			if t := ValueType(params[i].Var.Type, part.Value); t != nil {
				assert(t, part.Value)
			}
		}
		if t, ok := kernel.Elem(params[i].Var.Type).(*kernel.Struct); ok && !done[t] { // a field for each part
			begin(t)
			size := 0
			for _, part := range params[i].Parts {
				size += part.Values * part.Type.Size()
			}
			w.Line(check.Assert, len(done), fmt.Sprintf("sizeof(%s) == %d", p.structs[t], size))
		}
	}
	if len(done) > 0 {
		w.Line("")
	}
}

// ValueType returns the type that the source has for one value of the layout, within a parameter of
// type t; nil if it has none.
func ValueType(t kernel.Type, l *loop.Layout) kernel.Type {
	if l == nil {
		return nil
	}
	return findType(t, kernel.TypeOf(l))
}

// findType returns the first part of t that is the Same as want, searched from the outside in.
func findType(t, want kernel.Type) kernel.Type {
	if kernel.Same(t, want) {
		return t
	}
	switch t := t.(type) {
	case *kernel.Pointer:
		return findType(t.Elem, want)
	case *kernel.Array:
		return findType(t.Elem, want)
	case *kernel.Struct:
		for _, f := range t.Fields {
			if found := findType(f.Type, want); found != nil {
				return found
			}
		}
	}
	return nil
}

// PrintAdditions prints the functions that add records, leaf by leaf, where a program adds any.
func (p *Printer) PrintAdditions(program *lower.Program) {
	w := &p.w
	for _, l := range program.Locals {
		added := l.Role == lower.Partial
		for _, m := range program.MovesOf(l.Param) {
			added = added || m.Do == lower.Add
		}
		if t := ValueType(program.Params[l.Param].Var.Type, l.Record()); added && t != nil && p.additions[t.String()] == "" {
			name := fmt.Sprintf("op2_add%d", len(p.additions)+1)
			p.additions[t.String()] = name
			to, from := "to", "from"
			w.Line("%s%s void %s(%s, %s)", p.target.Unused, p.target.Function, name, // some strategies add elsewhere
				p.param(&kernel.Pointer{Elem: t}, to, false, false), p.param(&kernel.Pointer{Elem: t}, from, true, false))
			w.Open("{")
			if !facts.IsArray(t) {
				to, from = "(*to)", "(*from)"
			}
			p.addLeaves(w, t, to, from, "")
			w.Close("")
			w.Line("")
		}
	}
}

// addLeaves prints the statements that add each scalar of a value of type t to that of another, one for each path of fields
// to scalars: arrays on the path are loops around it.
func (p *Printer) addLeaves(w *text.Writer, t kernel.Type, to, from, loops string) {
	switch t := t.(type) {
	case *kernel.Array:
		i := fmt.Sprintf("i%d", strings.Count(loops, "for"))
		loops += fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++) ", i, t.Len)
		p.addLeaves(w, t.Elem, to+"["+i+"]", from+"["+i+"]", loops)
	case *kernel.Struct:
		for _, f := range t.Fields {
			name := "." + p.fields[t][f.Name]
			p.addLeaves(w, f.Type, to+name, from+name, loops)
		}
	default:
		w.Line("%s%s += %s;", loops, to, from)
	}
}

// nameOp names the structs and functions of an operation. A struct with the fields of a known one shares
// its name, so that pointers to them have one type.
func (p *Printer) nameOp(k *kernel.Kernel) {
	known := p.known
	for _, s := range k.Structs {
		for _, other := range known {
			if kernel.Same(s, other) {
				p.structs[s], p.fields[s] = p.structs[other], p.fields[other]
			}
		}
	}
	p.nameFuncs(k)
}

// PrintOps prints the functions of the program's operations. They take no context: nothing in them
// can fail, and they read no consts.
func (p *Printer) PrintOps(ops []*kernel.Kernel) {
	defer func(checks bool) { p.checks = checks }(p.checks)
	p.checks = false
	for _, k := range ops {
		p.nameOp(k)
		p.FindFailing(k)
		p.PrintStructs(k)
		for _, f := range k.Funcs {
			p.printFunc(f)
		}
	}
}

// Whole returns the statement that combines a row of n scalars of l with another one, both given by
// pointers: by an operation of the program, or by adding records.
func (p *Printer) Whole(param *lower.Param, l lower.Local, n int, do lower.Op, op *kernel.Kernel, to, from string) string {
	words := l.Words()
	return text.EachWhole(n/words, func(v string) string {
		return p.Apply(param, l, do, op, text.Plus(to, text.Times(words, v, "0"), v), text.Plus(from, text.Times(words, v, "0"), v)) + ";"
	})
}

// Apply returns the call that leaves in the value at one address the combination of both.
func (p *Printer) Apply(param *lower.Param, l lower.Local, do lower.Op, op *kernel.Kernel, to, from string) string {
	if do == lower.Combine {
		f := op.Entry()
		if l.Value != nil {
			to, from = p.pointer(f.Params[0].Type, "")+to, p.pointer(f.Params[1].Type, "")+from
		}
		return fmt.Sprintf("%s(%s, %s)", p.funcs[f], to, from)
	}
	t := ValueType(param.Var.Type, l.Value)
	cast := p.pointer(&kernel.Pointer{Elem: t}, "")
	return fmt.Sprintf("%s(%s, %s)", p.additions[t.String()], cast+to, cast+from)
}

// Identity returns scalar d of values of l that are the identity of an operation.
func (p *Printer) Identity(by int, op *loop.Op, l lower.Local, d string) string {
	t, words := l.Type, l.Words()
	values := make([]string, words)
	for i := range values {
		values[i] = text.LiteralOf(t, op.Identity[i*t.Size():])
	}
	name := fmt.Sprintf("op2_identity%d", by)
	body := fmt.Sprintf("\tconst %s values[%d] = {%s};\n\treturn values[d];", t.C(), words, strings.Join(values, ", "))
	if words == 1 {
		body = "\treturn " + values[0] + ";"
	}
	p.helpers[name] = helper{text: fmt.Sprintf("FUNCTION %s %s(int d)\n{\n%s\n}", t.C(), name, body)}
	switch {
	case words == 1 || l.Dim == 1:
		d = "0"
	case l.Dim > words:
		d = fmt.Sprintf("%s %% %d", d, words)
	}
	return fmt.Sprintf("%s(%s)", name, d)
}

// Put returns the statement that stores value, a result of the kernel, in place.
func (p *Printer) Put(op lower.Op, t loop.Scalar, place, value string) string {
	switch op {
	case lower.Add:
		return place + " += " + value + ";"
	case lower.Min, lower.Max:
		f := p.helpers.useFor(op.String(), t)
		return place + " = " + f + "(" + place + ", " + value + ");"
	}
	return place + " = " + value + ";"
}
