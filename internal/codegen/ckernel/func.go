package ckernel

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/lanes"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/codegen/vectors"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// PrintConsts declares the consts: as fields of a struct that contexts lead to, or else as variables of
// the thread, where only a C compiler understands the kernel.
func (p *Printer) PrintConsts(w *text.Writer, k *kernel.Kernel) {
	if len(k.Consts) == 0 {
		return
	}
	if !k.Captured() {
		for _, c := range k.Consts {
			w.Line("static _Thread_local %s;", p.Decl(c.Type, p.consts[c], false))
		}
		w.Line("")
		return
	}
	w.Open("struct op2_consts {")
	for _, c := range k.Consts {
		name := p.consts[c]
		if p.FarConst(c) {
			name = "(*restrict " + name + ")"
		}
		w.Line("%s;", p.Decl(c.Type, name, false))
	}
	w.Close(";")
	w.Line("")
}

// PrintStructs defines the kernel's structs that are declared in the generated source.
func (p *Printer) PrintStructs(k *kernel.Kernel) {
	for _, s := range k.Structs {
		if !slices.Contains(p.known, s) {
			continue
		}
		p.w.Open("typedef struct {")
		for _, f := range s.Fields {
			p.w.Line("%s;", p.Decl(f.Type, p.fields[s][f.Name], false))
		}
		p.w.Close(" " + p.structs[s] + ";")
		p.w.Line("")
	}
}

// PrintFuncs prints all functions of a kernel.
func (p *Printer) PrintFuncs(k *kernel.Kernel) {
	for _, f := range k.Funcs {
		p.printFunc(f)
	}
}

// OnLanes prints a kernel on vectors, with other names for its functions, and returns its printer.
func (p *Printer) OnLanes(k *kernel.Kernel, program *lower.Program, l *lanes.Lanes, v *vectors.Vectors) *Printer {
	q := *p
	q.w, q.lanes, q.vec, q.onVectors = text.Writer{}, l, v, map[string]string{}
	q.forms = p.formable(k)
	q.start()
	for _, f := range k.Funcs {
		q.funcs[f] = q.file.Take(lanesName(f))
	}
	q.FindFailing(k)
	q.Lead(program)
	q.PrintFuncs(k)
	return &q
}

// printFunc prints one function, preceded by its source line.
func (p *Printer) printFunc(f *kernel.Func) {
	p.fn, p.scope, p.vars, p.results = f, text.NewScope(p.file), map[*kernel.Var]string{}, nil
	p.labels, p.inside = map[labelKey]string{}, nil
	p.labelNames = text.NewScope(nil)
	stored := kernel.Stored(f)
	impure := !kernel.Pure(f)

	params := p.contextParam(f)
	var copies []*kernel.Var // arrays by value that the function needs copies of
	for _, v := range f.Params {
		name := p.name(v)
		if p.inPlace[v] && !p.lanes.Varies(v) {
			params = append(params, p.inPlaceParam(v, name))
			continue
		}
		params = append(params, p.param(v.Type, name, !stored[v], p.lanes.Varies(v)))
		// C passes the address of an array: a store here, or through a pointer to the caller's array, would
		// be seen on both sides.
		if facts.IsArray(v.Type) && (stored[v] || impure) {
			copies = append(copies, v)
		}
	}
	result := "void"
	if facts.Outs(f) {
		for i, t := range f.Results {
			name := p.scope.Fresh(fmt.Sprintf("result%d", i))
			p.results = append(p.results, name)
			params = append(params, p.param(&kernel.Pointer{Elem: t}, name, false, p.lanes.Result(f, i)))
		}
	} else if len(f.Results) == 1 {
		result = p.Ctype(f.Results[0], p.lanes.Result(f, 0))
	}
	on := ""
	if p.lanes.Masks(f) {
		on = p.scope.Fresh("on")
		params = append(params, p.vec.Name(loop.Bool)+" "+on)
	}

	p.w.Source(f.Pos.Line, f.Pos.File)
	p.w.Line("%s %s %s(%s)", p.target.Function, result, p.funcs[f], p.w.List(params))
	p.w.Open("{")
	if p.target.Places {
		p.localConsts(f)
	}
	for _, v := range copies {
		arg := p.vars[v]
		own := p.name(v)
		p.w.Line("%s;", p.Decl(v.Type, own, p.lanes.Varies(v)))
		p.copyValues(own, arg, "sizeof "+own, v.Type)
	}
	p.beginMasks(f, on)
	p.stmts(f.Body)
	p.endMasks()
	p.w.Close("")
	p.w.Line("")
}

// Renames returns the program's names of everything that a kernel declares and reads, by their
// names in generated source, for messages.
func Renames(k *kernel.Kernel) map[string]string {
	p := New(&C, k)
	if k.Captured() {
		for _, f := range k.Funcs {
			p.printFunc(f)
		}
	}
	names := p.file.Originals()
	for s, name := range p.structs {
		names[name] = s.Name
		for own, field := range p.fields[s] {
			names[field] = own
		}
	}
	for f, name := range p.funcs {
		names[name], names[lanesName(f)] = f.Name, f.Name
	}
	for c, name := range p.consts {
		names[name] = c.Name
	}
	return names
}

// MayFail reports whether a kernel may fail on some values, as Go panics.
func MayFail(k *kernel.Kernel) bool {
	p := New(&C, k)
	p.FindFailing(k)
	return p.failing[k.Entry()]
}
