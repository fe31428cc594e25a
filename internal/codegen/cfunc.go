package codegen

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
)

// printer prints the functions of one kernel as C.
type printer struct {
	w       writer
	file    *scope // names at file scope
	scope   *scope // of the current function
	funcs   map[*kernel.Func]string
	failing map[*kernel.Func]bool // functions that may fail
	structs map[*kernel.Struct]string
	fields  map[*kernel.Struct]map[string]string
	consts  map[*kernel.Const]string
	helpers helpers        // helpers that the source calls
	device  *devicePrinter // what differs on devices; nil on the host

	// On packs of elements:
	lanes    *lanes
	vec      *vectors
	c        bool // the kernel is written in C, and has C's meaning
	checks   bool // its subscripts are checked
	sections []section
	values   []*kernel.Assign // of results that variables receive after a call
	on       string           // mask of the elements that have not returned
	result   string           // what they return
	returned bool             // the last statement was a return for all elements
	last     bool             // the current statement is the last of its section

	fn      *kernel.Func
	results []string            // names of the out parameters of fn
	labels  map[labelKey]string // targets of gotos
	inside  []kernel.Stmt       // what a C break would leave, innermost last

	labelNames *scope // C has a separate name space for labels
}

type labelKey struct {
	target kernel.Stmt
	next   bool // continue instead of break
}

func newPrinter(k *kernel.Kernel) *printer {
	p := newBarePrinter()
	for _, c := range k.Consts {
		p.consts[c] = p.file.outer(c.Name)
	}
	p.nameFuncs(k)
	return p
}

// newBarePrinter returns a printer that has no names yet.
func newBarePrinter() *printer {
	return &printer{
		file:    newScope(nil),
		funcs:   map[*kernel.Func]string{},
		failing: map[*kernel.Func]bool{},
		structs: map[*kernel.Struct]string{},
		fields:  map[*kernel.Struct]map[string]string{},
		consts:  map[*kernel.Const]string{},
		helpers: helpers{},
	}
}

// nameFuncs names the structs and functions of a kernel.
func (p *printer) nameFuncs(k *kernel.Kernel) {
	for _, s := range k.Structs {
		p.structs[s] = p.file.outer(s.Name)
		fields := newScope(nil)
		p.fields[s] = map[string]string{}
		for _, f := range s.Fields {
			p.fields[s][f.Name] = fields.fresh(f.Name)
		}
	}
	for _, f := range k.Funcs {
		p.funcs[f] = p.file.outer(f.Name)
	}
}

// printConsts declares the consts; the wrapper gives them their values.
func (p *printer) printConsts(k *kernel.Kernel) {
	for _, c := range k.Consts {
		p.w.line("static %s;", p.decl(c.Type, p.consts[c], false))
	}
	if len(k.Consts) > 0 {
		p.w.line("")
	}
}

func (p *printer) printStructs(k *kernel.Kernel) {
	for _, s := range k.Structs {
		p.w.open("typedef struct {")
		for _, f := range s.Fields {
			p.w.line("%s;", p.decl(f.Type, p.fields[s][f.Name], false))
		}
		p.w.close(" " + p.structs[s] + ";")
		p.w.line("")
	}
}

// outs reports whether f returns its results through pointers: more than one, or an array.
func outs(f *kernel.Func) bool {
	return len(f.Results) > 1 || len(f.Results) == 1 && isArray(f.Results[0])
}

// printFunc prints one function, preceded by its source line.
func (p *printer) printFunc(f *kernel.Func) {
	p.fn, p.scope, p.results = f, newScope(p.file), nil
	p.labels, p.inside = map[labelKey]string{}, nil
	p.labelNames = newScope(nil)
	stored := kernel.Stored(f)
	impure := !kernel.Pure(f)

	params := p.contextParam(f)
	var copies []*kernel.Var // arrays by value that the function needs copies of
	for _, v := range f.Params {
		name := p.scope.declare(v)
		if p.device != nil && p.device.inPlace[v] && !p.eachOf(v) {
			params = append(params, p.inPlaceParam(v, name))
			continue
		}
		params = append(params, p.param(v.Type, name, !stored[v], p.eachOf(v)))
		if isArray(v.Type) && (stored[v] || impure) {
			copies = append(copies, v)
		}
	}
	result := "void"
	if outs(f) {
		for i, t := range f.Results {
			name := p.scope.fresh(fmt.Sprintf("result%d", i))
			p.results = append(p.results, name)
			params = append(params, p.param(&kernel.Pointer{Elem: t}, name, false, p.lanes != nil && p.lanes.result(f, i)))
		}
	} else if len(f.Results) == 1 {
		result = p.ctype(f.Results[0], p.lanes != nil && p.lanes.result(f, 0))
	}
	on := ""
	if p.lanes != nil && p.lanes.masked[f] {
		on = p.scope.fresh("on")
		params = append(params, p.vec.name(boolScalar)+" "+on)
	}

	p.w.source(f.Pos.Line, f.Pos.File)
	qualifiers := "static inline"
	if p.device != nil {
		qualifiers = p.device.function
	}
	p.w.line("%s %s %s(%s)", qualifiers, result, p.funcs[f], p.w.list(params))
	p.w.open("{")
	if p.device != nil {
		p.localConsts(f)
	}
	for _, v := range copies {
		arg := p.scope.vars[v]
		own := p.scope.declare(v)
		p.w.line("%s;", p.decl(v.Type, own, p.eachOf(v)))
		p.copyValues(own, arg, "sizeof "+own, v.Type)
	}
	if p.lanes != nil {
		p.beginMasks(f, on)
	}
	p.stmts(f.Body)
	if p.lanes != nil {
		p.endMasks()
	}
	p.w.close("")
	p.w.line("")
}
