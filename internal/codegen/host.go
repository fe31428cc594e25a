package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Sequential prints a loop for one core of the host: the kernel, a function that calls it for a
// range of elements, and the wrapper, in one compilation unit in which the compiler inlines the
// first into the second.
func Sequential(in Input) *Program { return newHost(in, false).print() }

func newHost(in Input, threads bool) *host {
	return &host{Input: in, p: newPrinter(in.Kernel), threads: threads,
		lowered: lower.Lower(in.Loop, in.Kernel, lower.Target{Pointers: true, AddsFrom: 1, Alone: true, Poison: in.Options.Poison})}
}

func (h *host) print() *Program {
	in := h.Input
	// What is checked in C kernels is checked in the code that replaces their source: divisors, and
	// with diagnostics subscripts.
	text := in.Kernel.IsC()
	if text && printable(in.Kernel) {
		h.p.c, h.p.checks = true, in.Options.Poison && len(in.Kernel.Strays) > 0
		text = !h.p.checks && !divides(in.Kernel)
	}
	if !text {
		h.p.findFailing(in.Kernel)
	}
	h.name()
	if !text {
		h.p.printStructs(in.Kernel)
		for _, f := range in.Kernel.Funcs {
			h.p.printFunc(f)
		}
	}
	kernelText := h.p.w.String()
	h.arguments() // requests helpers, which come before the kernel
	packs, scalar := h.packs()

	w := &h.w
	h.header(packs, scalar)
	h.p.helpers.print(w, h.threads)
	h.p.w = writer{}
	h.p.printConsts(in.Kernel)
	w.text.WriteString(h.p.w.String())
	w.lines += h.p.w.lines
	if text { // which may define anything, including macros: it comes last
		packs.printKernel(w, "wrap_"+in.Kernel.Name+".c")
		if strings.Contains(in.Kernel.Source, "stdio.h") {
			w.raw(printsLines)
		}
		h.p.printText(w, in.Kernel, in.Kernel.Source)
		w.line("")
	} else {
		w.raw(kernelText)
		w.line("")
		packs.printKernel(w, "wrap_"+in.Kernel.Name+".c")
	}
	w.here("wrap_" + in.Kernel.Name + ".c")
	h.loopFunc(packs)
	w.line("")
	lanes := ""
	if packs != nil {
		lanes = h.symbol() + "_lanes"
		packs.printLanes(w, lanes)
		w.line("")
	}
	if h.threads {
		h.threadsWrapper()
	} else {
		h.wrapper()
	}
	return &Program{
		Name: in.Kernel.Name, Symbol: h.symbol(), Text: w.String(),
		Slots: h.slots, Faults: h.p.helpers.fault(), Rounds: h.Kernel.Rounds(), Scalar: scalar, Lanes: lanes,
	}
}

// packs returns the packs of the loop, or why it has none.
func (h *host) packs() (*packs, string) {
	return newPacks(frame{in: h.Input, depth: 2, scalar: h.p, elem: h.elem, data: h.data, maps: h.maps, row: h.row,
		local: h.local, partial: h.partialOf}, newPrinter(h.Kernel))
}

// host is the state of printing one wrapper.
type host struct {
	Input
	lowered *lower.Program
	p       *printer
	w       writer

	threads bool // over the blocks of a plan

	run   string       // name of the function over a range
	elem  string       // name of the element's number
	data  []string     // names by loop.Data
	maps  []string     // names by loop.Maps
	row   []string     // names of an element's row of each map
	entry []entryNames // by loop.Entries
	slots []Slot

	locals []string // names by number

	pass   []string // what is passed to the kernel
	first  []string // before all elements
	before []string // before each call of the kernel
	after  []string // after each call
	last   []string // after all elements
	arrays bool     // whether there are arrays among the local variables
}

func (h *host) symbol() string { return "op2_wrap_" + stem(h.Kernel.Name) }

// hostWords are the names that generated loops on the host use for their own variables.
const hostWords = `args runs run n end last aligned block d i j k l`

// name names data and maps: the common part of the names of the kernel's parameters for the same
// data (x for x1 and x2), since the program's own names of dats must not affect the cache key.
func (h *host) name() {
	s := newScope(h.p.file)
	h.p.scope = s
	h.run = "op2_loop_" + stem(h.Kernel.Name)
	h.elem = "n"
	h.p.file.taken[h.symbol()+"_lanes"] = true
	for word := range words(hostWords) {
		s.taken[word] = true
	}
	for d := range h.Loop.Data {
		h.data = append(h.data, s.fresh(dataName(h.Loop, h.lowered.Params, d)))
	}
	for m := range h.Loop.Maps {
		h.maps = append(h.maps, s.fresh(fmt.Sprintf("map%d", m)))
		h.row = append(h.row, s.fresh(fmt.Sprintf("row%d", m)))
	}
	for e := range h.Loop.Entries {
		name := fmt.Sprintf("entries%d", e)
		h.entry = append(h.entry, entryNames{s.fresh(name), s.fresh(name + "_rowptr"), s.fresh(name + "_colidx")})
	}
}

// dataName returns the common part of the names of the parameters for data d.
func dataName(l *loop.Loop, params []lower.Param, d int) string {
	common := ""
	for _, p := range params {
		if !slices.ContainsFunc(p.Parts, func(part lower.Part) bool { return l.Args[part.Arg].Data == d }) {
			continue
		}
		if common == "" {
			common = p.Var.Name
		}
		common = commonPrefix(common, p.Var.Name)
		if common == "" {
			common = p.Var.Name
			break
		}
	}
	return strings.TrimRight(common, "_")
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// header prints the comment that describes the source, and the includes.
func (h *host) header(packs *packs, scalar string) {
	where := "on one core"
	if h.threads {
		where = "on threads"
	}
	h.w.line("// %s: a loop %s, generated by op2.", h.Kernel.Name, where)
	if packs != nil {
		h.w.line("// It runs %s.", packs.describe())
	} else {
		h.w.line("// It runs one element at a time: %s.", scalar)
	}
	h.w.describe(h.Loop, h.lowered.Params)
	if h.Kernel.Rounds() {
		h.w.line("// Products and sums are rounded separately: -ffp-contract=off.")
	}
	headers := []string{"<math.h>", "<stdbool.h>", "<stdint.h>", "<string.h>"}
	if h.p.helpers.fault() {
		headers = append(headers, "<setjmp.h>")
	}
	if h.Kernel.IsC() { // before macros for its names
		headers = append(headers, included(h.Kernel.Source)...)
	}
	for i, header := range headers {
		if !slices.Contains(headers[:i], header) {
			h.w.line("#include %s", header)
		}
	}
	h.w.line("")
	if h.threads {
		h.w.raw(jobText)
		h.w.line("")
	}
}

// describe writes a comment for each of the kernel's parameters.
func (w *writer) describe(l *loop.Loop, params []lower.Param) {
	for _, p := range params {
		for _, part := range p.Parts {
			w.line("//   %-8s %s", p.Var.Name, describe(l, l.Args[part.Arg]))
		}
	}
}

// describe describes argument a in words.
func describe(l *loop.Loop, a loop.Arg) string {
	if a.Kind == loop.Index {
		return "the element's number"
	}
	if a.Kind == loop.Mat {
		return describeMat(l, a)
	}
	s := fmt.Sprintf("%s %s of %d %s", a.Access, a.Kind, l.Dim(a), l.Type(a))
	switch {
	case a.Packed():
		s += fmt.Sprintf(", through all %d of map %d", l.Arity(a), a.Map)
	case a.Indirect():
		s += fmt.Sprintf(", through map %d[%d]", a.Map, a.Component)
	}
	return s
}

// kernelArrays reports whether the kernel's functions may have arrays, or structs, among their
// local variables.
func (h *host) kernelArrays() bool {
	found := h.Kernel.IsC()
	for _, f := range h.Kernel.Funcs {
		kernel.Walk(f.Body, func(s kernel.Stmt) {
			if d, ok := s.(*kernel.Decl); ok {
				_, scalar := d.Var.Type.(kernel.Basic)
				found = found || !scalar
			}
		}, nil)
	}
	return found
}

// alignStack works around a bug in GCC before 14 (109780): in a leaf function that uses wide
// vectors, it may lose the alignment of the stack, and then crash on an array there that is
// accessed through a pointer.
const alignStack = "volatile _Alignas(64) char aligned = 0; // GCC before 14 needs a reason to align the arrays here"

// loopFunc prints the function that runs the kernel over runs of elements: a whole set is one run,
// a subset has any number. Its parameters are restrict: distinct data is distinct memory. It is not
// inlined, because compilers honor restrict on parameters of functions.
func (h *host) loopFunc(packs *packs) {
	params := []string{"const int32_t (*run)[2]", "const int32_t (*end)[2]"}
	for _, m := range h.lowered.Maps {
		params = append(params, "const int32_t *restrict "+h.maps[m])
	}
	for d, name := range h.data {
		qualifier := ""
		if h.Loop.DataAccess(d) == loop.Read && !h.Kernel.IsC() {
			qualifier = "const "
		}
		params = append(params, qualifier+h.Loop.Data[d].Type.C()+" *restrict "+name)
	}
	params = append(params, h.entryParams()...)
	w := &h.w
	w.line("static __attribute__((noinline)) void %s(%s)", h.run, w.list(params))
	w.open("{")
	if h.arrays || packs != nil || h.kernelArrays() {
		w.line(alignStack)
	}
	for _, s := range h.first {
		w.line("%s", s)
	}
	w.open("for (; run < end; run++) {")
	w.line("const int64_t last = (*run)[1];")
	if packs != nil {
		w.line("int64_t %s = (*run)[0];", h.elem)
		packs.printLoop(w)
		w.open("for (; %s < last; %s++) {", h.elem, h.elem)
	} else {
		w.open("for (int64_t %s = (*run)[0]; %s < last; %s++) {", h.elem, h.elem, h.elem)
	}
	for _, m := range h.lowered.Maps {
		w.line("const int32_t *%s = %s;", h.row[m], offset(h.maps[m], h.Loop.Maps[m].Arity, h.elem))
	}
	for _, s := range h.before {
		w.line("%s", s)
	}
	entry := h.Kernel.Entry()
	w.line("%s(%s);", h.p.funcs[entry], w.list(append(h.p.contextOf(entry, h.elem, ""), h.pass...)))
	for _, s := range h.after {
		w.line("%s", s)
	}
	w.close("")
	w.close("")
	for _, s := range h.last {
		w.line("%s", s)
	}
	w.close("")
}

// slot returns the next of the args, which points to what is requested.
func (h *host) slot(what SlotKind, n int) string {
	h.slots = append(h.slots, Slot{what, n})
	return fmt.Sprintf("args[%d]", len(h.slots)-1)
}

// wrapper prints void wrap(void **args), which sets the consts and runs the elements.
func (h *host) wrapper() {
	h.openWrapper()
	w := &h.w
	w.line("const int32_t (*run)[2] = %s;", h.slot(SlotRuns, 0))
	w.line("const int64_t *runs = %s;", h.slot(SlotCount, 0))
	call := append([]string{"run", "run + *runs"}, h.addresses()...)
	h.setConsts()
	if h.p.helpers.fault() {
		w.open("if (setjmp(op2_exit)) {")
		w.line("memcpy(%s, op2_record, sizeof op2_record);", h.slot(SlotFault, 0))
		w.line("return;")
		w.close("")
	}
	w.line("%s(%s);", h.run, w.list(call))
	w.close("")
}

// printsLines makes the output of kernels line-buffered: a Go program that exits does not flush C's
// buffers.
const printsLines = `#include <stdio.h>
__attribute__((constructor)) static void op2_lines(void)
{
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}
`

func (h *host) openWrapper() {
	h.w.line(`__attribute__((visibility("default")))`)
	h.w.line("void %s(void **args)", h.symbol())
	h.w.open("{")
}

// addresses returns the slots of maps, data and entries, in the order of the parameters.
func (h *host) addresses() []string {
	var slots []string
	for _, m := range h.lowered.Maps {
		slots = append(slots, h.slot(SlotMap, m))
	}
	for d := range h.data {
		slots = append(slots, h.slot(SlotData, d))
	}
	for e, entries := range h.Loop.Entries {
		if entries.Search {
			slots = append(slots, h.slot(SlotRowPtr, e), h.slot(SlotColIdx, e))
		} else {
			slots = append(slots, h.slot(SlotTable, e))
		}
	}
	return slots
}

// setConsts copies the consts' values into their variables.
func (h *host) setConsts() {
	for i, c := range h.Kernel.Consts {
		name, from := h.p.consts[c], h.slot(SlotConst, i)
		if isArray(c.Type) {
			h.w.line("memcpy(%s, %s, sizeof %s);", name, from, name)
		} else {
			h.w.line("%s = *(const %s *)%s;", name, h.p.ctype(c.Type, false), from)
		}
	}
}
