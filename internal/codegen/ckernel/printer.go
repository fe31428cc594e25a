// Package ckernel prints the functions of a kernel, and the functions that these call, in the dialect of
// C that a Target describes: for one element, or with vectors for the elements of a pack.
//
// Statements are in stmt.go and switch.go, expressions in expr.go, math.go and composite.go; masks.go and
// laneexpr.go have what differs in packs, values.go the program's own types, source.go kernels in C that
// are included as they are, helpers.go the functions of csrc/helpers.c that sources need.
package ckernel

import (
	"github.com/go-op2/op2/internal/codegen/lanes"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/codegen/vectors"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Printer prints the functions of one kernel for a target. Where the loop's memory is not the
// kernel's, there are no pointers to arbitrary kinds of memory: a kernel only gets copies of its own,
// except for globals that it only reads.
type Printer struct {
	target    *Target
	w         text.Writer
	file      *text.Scope // names at file scope
	scope     *text.Scope // of the current function
	vars      map[*kernel.Var]string
	funcs     map[*kernel.Func]string
	failing   map[*kernel.Func]bool    // functions that may fail
	contexts  map[*kernel.Func]bool    // functions that take a context
	inPlace   map[*kernel.Var]bool     // parameters that lead to the loop's memory
	locals    map[*kernel.Const]string // arrays that the current function has copies of
	structs   map[*kernel.Struct]string
	known     []*kernel.Struct // those that are declared in the source
	fields    map[*kernel.Struct]map[string]string
	consts    map[*kernel.Const]string
	replaced  map[string]string // names in the source of a C kernel that have another meaning
	helpers   helpers           // helpers that the source calls
	onVectors map[string]string // those that are functions of vectors
	additions map[string]string // the functions that add records, by their types
	forms     bool              // functions of mathematics have forms of op2's own
	formed    map[string]form   // those that the source calls, by their names

	// On packs of elements:
	lanes    *lanes.Lanes
	vec      *vectors.Vectors
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

	labelNames *text.Scope // C has a separate name space for labels
}

type labelKey struct {
	target kernel.Stmt
	next   bool // continue instead of break
}

// section is a region being printed, and its masks.
type section struct {
	lanes.Region
	mask string        // of the elements in it; empty: all
	loop string        // of a split loop: those for which it continues
	body *kernel.Block // the statements, if they are a whole block
}

// New returns a printer with names for everything that a kernel declares. Consts that a context
// leads to are fields of a struct.
func New(t *Target, k *kernel.Kernel) *Printer {
	p := &Printer{target: t, file: text.NewScope(nil), structs: map[*kernel.Struct]string{}, fields: map[*kernel.Struct]map[string]string{},
		consts: map[*kernel.Const]string{}, helpers: helpers{}, additions: map[string]string{}, formed: map[string]form{}}
	p.start()
	fields := k.Captured()
	if !fields {
		for _, c := range k.Consts {
			p.consts[c] = p.file.Outer(c.Name)
		}
	}
	p.nameFuncs(k)
	if fields {
		names := text.NewScope(nil)
		for _, c := range k.Consts {
			p.consts[c] = names.Fresh(c.Name)
		}
	}
	return p
}

// start resets the facts about functions.
func (p *Printer) start() {
	p.funcs, p.failing, p.contexts, p.inPlace = map[*kernel.Func]string{}, map[*kernel.Func]bool{}, map[*kernel.Func]bool{}, map[*kernel.Var]bool{}
}

func lanesName(f *kernel.Func) string { return "op2_" + text.Ascii(f.Name) + "_lanes" }

// nameFuncs gives structs, their fields, and functions names that are unique in the file.
func (p *Printer) nameFuncs(k *kernel.Kernel) {
	for _, s := range k.Structs {
		if p.structs[s] != "" {
			continue
		}
		p.known = append(p.known, s)
		p.structs[s] = p.file.Outer(s.Name)
		fields := text.NewScope(nil)
		p.fields[s] = map[string]string{}
		for _, f := range s.Fields {
			p.fields[s][f.Name] = fields.Fresh(f.Name)
		}
	}
	for _, f := range k.Funcs {
		p.funcs[f] = p.file.Outer(f.Name)
	}
}

func (p *Printer) top() *section { return &p.sections[len(p.sections)-1] }

// Lead determines which of the kernel's parameters lead to memory that is not the kernel's.
func (p *Printer) Lead(program *lower.Program) {
	for _, param := range program.Params {
		if p.target.Apart && param.Pass == lower.InPlace && param.Place.Kind != lower.Shared {
			p.inPlace[param.Var] = true
		}
	}
}

func (p *Printer) name(v *kernel.Var) string {
	p.vars[v] = p.scope.Fresh(v.Name)
	return p.vars[v]
}

// Begin starts the function that calls the kernel, whose own text uses the words of reserved.
func (p *Printer) Begin(reserved string) *text.Scope {
	p.scope = text.NewScope(p.file)
	p.scope.Reserve(reserved)
	return p.scope
}

// Fresh returns a name for a variable of the current function.
func (p *Printer) Fresh(name string) string { return p.scope.Fresh(name) }

// Reserve keeps a name at file scope from being assigned.
func (p *Printer) Reserve(name string) { p.file.Reserve(name) }

// NameOf returns the name of a function of the kernel, or of an operation.
func (p *Printer) NameOf(f *kernel.Func) string { return p.funcs[f] }

// ConstOf returns the name of a const of the kernel.
func (p *Printer) ConstOf(c *kernel.Const) string { return p.consts[c] }

// CheckSubscripts makes a C kernel check those subscripts that are not known to be in range.
func (p *Printer) CheckSubscripts(is bool) { p.checks = is }

// Take returns what has been printed since the last call.
func (p *Printer) Take() string {
	printed := p.w.String()
	p.w = text.Writer{}
	return printed
}

// Use, UseFor and AddHelper mark helpers as needed, and the first two return their names in C.
func (p *Printer) Use(name string) string { return p.helpers.use(name) }

func (p *Printer) UseFor(op string, t loop.Scalar) string { return p.helpers.useFor(op, t) }

func (p *Printer) AddHelper(name, text string) { p.helpers[name] = helper{text: text, late: true} }

// Faults reports whether something that the source calls may end the loop.
func (p *Printer) Faults() bool { return p.helpers.fault() }

// PrintHelpers prints the helpers that the source calls.
func (p *Printer) PrintHelpers(w *text.Writer) { p.helpers.print(w, p.target) }
