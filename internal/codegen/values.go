package codegen

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Values of the program's own types are stored as scalars, and moved as such: those that they
// consist of, or words for records, which mix types. Only a kernel's parameters have the types
// themselves, so that what is passed is cast. That the struct of the source lies in memory as Go lays
// out the program's is asserted in the source.

// pointer returns the type of a parameter as a cast has it: "(State_ *)", "(double (*)[2])". Target
// is the qualifier of what it points to, with a trailing space.
func (p *printer) pointer(t kernel.Type, target string) string {
	elem := kernel.Elem(t)
	name, inner := target+p.ctype(elem, false), ""
	if a, ok := elem.(*kernel.Array); ok {
		inner = dims(a.Elem)
	}
	if inner != "" {
		return "(" + name + " (*)" + inner + ")"
	}
	return "(" + name + " *)"
}

// typed reports whether a parameter has another type than the scalars that are passed to it.
func typed(p *lower.Param) bool {
	for _, part := range p.Parts {
		if part.Value != nil {
			return true
		}
	}
	return false
}

// pass returns a pointer to scalars as what a parameter takes.
func (p *printer) pass(param *lower.Param, to, target string) string {
	if !typed(param) {
		return to
	}
	if strings.ContainsAny(to, " ") {
		to = "(" + to + ")"
	}
	return p.pointer(param.Var.Type, target) + to
}

// rowType returns the type of what each row of a parameter points to, which a C kernel takes as an
// array of pointers.
func (p *printer) rowType(param *lower.Param) string {
	if !typed(param) {
		return param.Parts[0].Type.C()
	}
	return p.ctype(param.Var.Type, false)
}

// rowsOf returns pointers to rows of scalars as what a parameter takes.
func (p *printer) rowsOf(param *lower.Param, to []string) []string {
	if !typed(param) {
		return to
	}
	cast := "(" + p.rowType(param) + " *)"
	list := make([]string, len(to))
	for i, row := range to {
		list[i] = cast + "(" + row + ")"
	}
	return list
}

// assertLayouts prints what fails to compile unless the structs that parameters lead to lie in memory
// as Go lays them out. Check is the format of an assertion, of a number and a condition.
func (p *printer) assertLayouts(w *writer, params []lower.Param, check string) {
	done := map[*kernel.Struct]bool{}
	var assert func(t kernel.Type, l *loop.Layout)
	assert = func(t kernel.Type, l *loop.Layout) {
		switch t := t.(type) {
		case *kernel.Array:
			assert(t.Elem, l.Elem)
		case *kernel.Struct:
			if done[t] {
				return
			}
			done[t] = true
			name := p.structs[t]
			conditions := []string{fmt.Sprintf("sizeof(%s) == %d", name, l.Size)}
			for i, f := range l.Fields {
				assert(t.Fields[i].Type, f.Layout)
				conditions = append(conditions, fmt.Sprintf("__builtin_offsetof(%s, %s) == %d", name, p.fields[t][t.Fields[i].Name], f.Offset))
			}
			w.line(check, len(done), strings.Join(conditions, " && "))
		}
	}
	for i := range params {
		for _, part := range params[i].Parts {
			if t := valueType(params[i].Var.Type, part.Value); t != nil {
				assert(t, part.Value)
			}
		}
	}
	if len(done) > 0 {
		w.line("")
	}
}

// valueType returns the type that the source has for one value of the layout, within a parameter of
// type t; nil if it has none.
func valueType(t kernel.Type, l *loop.Layout) kernel.Type {
	if l == nil {
		return nil
	}
	return findType(t, kernel.TypeOf(l))
}

// findType returns the first part of t that is the Same as want.
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
