package codegen

import (
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/lower"
)

// printer prints the functions of one kernel as C.
type printer struct {
	w         writer
	file      *scope // names at file scope
	scope     *scope // of the current function
	funcs     map[*kernel.Func]string
	failing   map[*kernel.Func]bool // functions that may fail
	structs   map[*kernel.Struct]string
	known     []*kernel.Struct // those that are declared in the source
	fields    map[*kernel.Struct]map[string]string
	consts    map[*kernel.Const]string
	helpers   helpers           // helpers that the source calls
	additions map[string]string // the functions that add records, by their types
	device    *devicePrinter    // what differs on devices; nil on the host

	// On packs of elements:
	lanes    *lanes
	vec      *vectors
	checks   bool // subscripts of C kernels are checked
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

// section is a region being printed, and its masks.
type section struct {
	region
	mask string        // of the elements in it; empty: all
	loop string        // of a split loop: those for which it continues
	body *kernel.Block // the statements, if they are a whole block
}

// devicePrinter holds what differs when a kernel is printed for a device. There are no pointers to
// arbitrary kinds of memory: a kernel only gets copies of its own, except for globals that it only
// reads. And no jump leaves a kernel: what panics in Go is recorded, and the kernel continues with
// harmless values.
//
// Functions that read consts or may fail take a context, which locates consts and faults.
type devicePrinter struct {
	*dialect
	contexts map[*kernel.Func]bool
	locals   map[*kernel.Const]string // arrays that the current function has copies of
	inPlace  map[*kernel.Var]bool     // parameters that lead to device memory
}

func newPrinter(k *kernel.Kernel) *printer {
	p := newBarePrinter()
	for _, c := range k.Consts {
		p.consts[c] = p.file.outer(c.Name)
	}
	p.nameFuncs(k)
	return p
}

func newDevicePrinter(d *dialect, k *kernel.Kernel) *printer {
	p := newBarePrinter()
	p.device = &devicePrinter{dialect: d, contexts: map[*kernel.Func]bool{}}
	p.nameFuncs(k)
	if !k.Captured() {
		for _, c := range k.Consts {
			p.consts[c] = p.file.outer(c.Name)
		}
		return p
	}
	fields := newScope(nil)
	for _, c := range k.Consts {
		p.consts[c] = fields.fresh(c.Name)
	}
	return p
}

// newBarePrinter returns a printer that has no names yet.
func newBarePrinter() *printer {
	return &printer{
		file:      newScope(nil),
		funcs:     map[*kernel.Func]string{},
		failing:   map[*kernel.Func]bool{},
		structs:   map[*kernel.Struct]string{},
		fields:    map[*kernel.Struct]map[string]string{},
		consts:    map[*kernel.Const]string{},
		helpers:   helpers{},
		additions: map[string]string{},
	}
}

// nameFuncs names the structs and functions of a kernel.
func (p *printer) nameFuncs(k *kernel.Kernel) {
	for _, s := range k.Structs {
		if p.structs[s] != "" {
			continue
		}
		p.known = append(p.known, s)
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

func (p *printer) top() *section { return &p.sections[len(p.sections)-1] }

// each reports whether e has a value for each element of a pack.
func (p *printer) each(e kernel.Expr) bool { return p.lanes != nil && p.lanes.each(e) }

// eachOf reports whether v has a value for each element of a pack.
func (p *printer) eachOf(v *kernel.Var) bool { return p.lanes != nil && p.lanes.varies(v) }

// splits reports whether elements of a pack take different paths at s.
func (p *printer) splits(s kernel.Stmt) bool { return p.lanes != nil && p.lanes.split[s] }

// lead determines which of the kernel's parameters lead to device memory.
func (d *devicePrinter) lead(p *lower.Program) {
	if d == nil {
		return
	}
	d.inPlace = map[*kernel.Var]bool{}
	for _, param := range p.Params {
		if param.Pass == lower.InPlace {
			d.inPlace[param.Var] = true
		}
	}
}
