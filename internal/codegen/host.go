package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Sequential prints a loop for one core of the host: the kernel, a function that
// calls it for a range of elements, and the wrapper, one compilation unit in which
// the compiler inlines the first into the second.
func Sequential(in Input) *Program { return newHost(in, false).print() }

func newHost(in Input, threads bool) *host {
	return &host{Input: in, p: newPrinter(in.Kernel), threads: threads, partials: map[int]string{}}
}

func (h *host) print() *Program {
	in := h.Input
	// What is checked in kernels in C is so in what is printed in place of the text: divisors, and with
	// diagnostics subscripts.
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
	h.plan() // asks for helpers, which come before the kernel
	packs, scalar := h.packs()

	w := &h.w
	h.header(packs, scalar)
	h.p.helpers.print(w, h.threads)
	h.p.w = writer{}
	h.p.printConsts(in.Kernel)
	w.text.WriteString(h.p.w.String())
	w.lines += h.p.w.lines
	if text { // which may define what it likes, as macros too: it comes last
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

// packs are the packs of the loop, or why it has none.
func (h *host) packs() (*packs, string) {
	return newPacks(frame{in: h.Input, depth: 2, scalar: h.p, elem: h.elem, data: h.data, maps: h.maps, row: h.row,
		local: h.local, partial: h.partialOf, combine: h.combine}, newPrinter(h.Kernel))
}

// host is the state of printing one wrapper.
type host struct {
	Input
	p *printer
	w writer

	threads bool // over the blocks of a plan

	run   string       // name of the function over a range
	elem  string       // name of the element's number
	data  []string     // names by loop.Data
	maps  []string     // names by loop.Maps
	row   []string     // names of an element's row of each map
	reads []int        // the maps whose values are needed
	entry []entryNames // by loop.Entries
	slots []Slot

	partials map[int]string // names of partial results by argument

	pass   []string // what the kernel is called with
	first  []string // before all elements
	before []string // before each call of the kernel
	after  []string // after each call
	last   []string // after all elements
	arrays bool     // whether there are arrays among the local variables
}

func (h *host) symbol() string { return "op2_wrap_" + stem(h.Kernel.Name) }

// hostWords are the names that the text of loops on the host has for its own variables.
const hostWords = `args runs run n end last aligned block d i j k l`

// name gives names to data and maps: what the kernel's parameters for the same data
// have in common (x for x1 and x2), since the program's own names of dats are no
// part of what generated code is keyed by.
func (h *host) name() {
	s := newScope(h.p.file)
	h.p.scope = s
	h.run = "op2_loop_" + stem(h.Kernel.Name)
	h.elem = "n"
	h.p.file.taken[h.symbol()+"_lanes"] = true
	for word := range words(hostWords) {
		s.taken[word] = true
	}
	params := h.Kernel.Entry().Params
	for d := range h.Loop.Data {
		h.data = append(h.data, s.fresh(dataName(h.Loop, params, d)))
	}
	for m := range h.Loop.Maps {
		h.maps = append(h.maps, s.fresh(fmt.Sprintf("map%d", m)))
		h.row = append(h.row, s.fresh(fmt.Sprintf("row%d", m)))
		if h.Loop.Reads(m) {
			h.reads = append(h.reads, m)
		}
	}
	for e := range h.Loop.Entries {
		name := fmt.Sprintf("entries%d", e)
		h.entry = append(h.entry, entryNames{s.fresh(name), s.fresh(name + "_rowptr"), s.fresh(name + "_colidx")})
	}
}

// dataName is what the kernel's parameters for data d have in common.
func dataName(l *loop.Loop, params []*kernel.Var, d int) string {
	common := ""
	for i, a := range l.Args {
		if a.Data != d {
			continue
		}
		if common == "" {
			common = params[i].Name
		}
		common = commonPrefix(common, params[i].Name)
		if common == "" {
			common = params[i].Name
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

// header is the comment that says what the text is, and the includes.
func (h *host) header(packs *packs, scalar string) {
	where := "on one core"
	if h.threads {
		where = "on threads"
	}
	h.w.line("// %s: a loop %s, generated by op2.", h.Kernel.Name, where)
	if packs != nil {
		h.w.line("// It takes %s.", packs.describe())
	} else {
		h.w.line("// It takes one element after the other: %s.", scalar)
	}
	params := h.Kernel.Entry().Params
	for i, a := range h.Loop.Args {
		h.w.line("//   %-8s %s", params[i].Name, describe(h.Loop, a))
	}
	if h.Kernel.Rounds() {
		h.w.line("// Products and sums are rounded one by one: -ffp-contract=off.")
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

// describe says in words what argument a is.
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

// plan decides for each argument what the kernel gets and what is done around it.
func (h *host) plan() {
	for i, a := range h.Loop.Args {
		switch {
		case a.Kind == loop.Index:
			h.index(i)
		case a.Kind == loop.Global:
			h.global(i, a)
		case a.Kind == loop.Mat:
			h.mat(i, a)
		case a.Packed():
			h.packed(i, a)
		default:
			h.single(i, a)
		}
	}
}

// local is a name for a local variable that serves parameter i in some role.
func (h *host) local(i int, role string) string {
	return h.p.scope.fresh(h.Kernel.Entry().Params[i].Name + "_" + role)
}

// array declares name with n values of type t, or one value where n is 1.
func (h *host) array(t loop.Scalar, name string, n int) string {
	if n == 1 {
		return t.C() + " " + name
	}
	h.arrays = true
	return fmt.Sprintf("%s %s[%d]", t.C(), name, n)
}

// address is what to pass for a local that array declared.
func address(name string, n int) string {
	if n == 1 {
		return "&" + name
	}
	return name
}

// each is a statement for every one of n values; in it, %[1]s stands for the
// subscript of a pointer and %[2]s for that of a local that array declared.
func each(n int, format string) string {
	if n == 1 {
		return fmt.Sprintf(format, "[0]", "")
	}
	return fmt.Sprintf("for (int d = 0; d < %d; d++) ", n) + fmt.Sprintf(format, "[d]", "[d]")
}

// index passes the element's number.
func (h *host) index(i int) {
	name := h.local(i, "number")
	t := kernel.Leaf(h.Kernel.Entry().Params[i].Type)
	h.before = append(h.before, fmt.Sprintf("%s %s = %s;", t.C(), name, h.elem))
	h.pass = append(h.pass, "&"+name)
}

// global passes a global, or for a reduction a partial result that starts from
// zero (inc) or the present value (min, max) and is combined at the end.
func (h *host) global(i int, a loop.Arg) {
	t, n, g := h.Loop.Type(a), h.Loop.Dim(a), h.data[a.Data]
	if a.Access == loop.Read {
		h.pass = append(h.pass, g)
		return
	}
	partial := h.local(i, "partial")
	h.partials[i] = partial
	if a.Access == loop.Inc {
		h.first = append(h.first, h.array(t, partial, n)+" = "+zeros(n)+";")
		h.last = append(h.last, each(n, g+"%[1]s += "+partial+"%[2]s;"))
		if h.Kernel.Uses[i].OnlyAdds() {
			h.pass = append(h.pass, address(partial, n))
			return
		}
		h.staged(i, a, func(string) string { return partial + "%[2]s" })
		return
	}
	h.first = append(h.first, h.array(t, partial, n)+";", each(n, partial+"%[2]s = "+g+"%[1]s;"))
	h.last = append(h.last, each(n, g+"%[1]s = "+partial+"%[2]s;"))
	h.staged(i, a, func(string) string { return partial + "%[2]s" })
}

func zeros(n int) string {
	if n == 1 {
		return "0"
	}
	return "{0}"
}

// partialOf is a C lvalue, for a subscript, of argument i's partial result.
func (h *host) partialOf(i int) string {
	if h.Loop.Dim(h.Loop.Args[i]) == 1 {
		return "(&" + h.partials[i] + ")"
	}
	return h.partials[i]
}

// staged passes a local: zero (inc) or a copy (min, max) of place, into which it is
// combined after the call.
func (h *host) staged(i int, a loop.Arg, place func(string) string) {
	t, n, name := h.Loop.Type(a), h.Loop.Dim(a), h.local(i, "own")
	at := place(name)
	if a.Access == loop.Inc {
		h.before = append(h.before, h.array(t, name, n)+" = "+zeros(n)+";")
	} else {
		h.before = append(h.before, h.array(t, name, n)+";", each(n, name+"%[2]s = "+at+";"))
	}
	h.after = append(h.after, each(n, h.combine(a, at, name+"%[2]s")))
	h.pass = append(h.pass, address(name, n))
}

// combine is the statement that brings value, which a kernel left, into place.
func (h *host) combine(a loop.Arg, place, value string) string {
	switch a.Access {
	case loop.Inc:
		return place + " += " + value + ";"
	case loop.Min, loop.Max:
		f := h.p.helpers.useFor(a.Access.String(), h.Loop.Type(a))
		return place + " = " + f + "(" + place + ", " + value + ");"
	}
	return place + " = " + value + ";"
}

// at is a pointer to the values of argument a for component c of its map.
func (h *host) at(a loop.Arg, c int) string {
	base, n := h.data[a.Data], h.Loop.Dim(a)
	index := h.elem
	if a.Indirect() {
		index = fmt.Sprintf("(int64_t)%s[%d]", h.row[a.Map], c)
	}
	return offset(base, n, index)
}

// offset is base + n * index.
func offset(base string, n int, index string) string {
	if n == 1 {
		return base + " + " + index
	}
	return fmt.Sprintf("%s + %d * %s", base, n, index)
}

// single passes the data of one element: in place, unless it arrives as something
// else than it is (inc, min, max) and the kernel can tell.
func (h *host) single(i int, a loop.Arg) {
	place := h.at(a, a.Component)
	switch a.Access {
	case loop.Write:
		h.poison(a, place)
	case loop.Min, loop.Max:
		h.staged(i, a, func(string) string { return "(" + place + ")%[1]s" })
		return
	case loop.Inc:
		if !h.Kernel.Uses[i].OnlyAdds() {
			h.staged(i, a, func(string) string { return "(" + place + ")%[1]s" })
			return
		}
	}
	h.pass = append(h.pass, place)
}

// poison fills what is about to be written with values that show if it is not.
func (h *host) poison(a loop.Arg, place string) {
	if h.Options.Poison {
		h.before = append(h.before, each(h.Loop.Dim(a), "("+place+")%[1]s = "+poisonValue(h.Loop.Type(a))+";"))
	}
}

func poisonValue(t loop.Scalar) string {
	if t.Float() {
		return "NAN"
	}
	return fmt.Sprintf("(%s)UINT64_C(0x7ff87ff87ff87ff8)", t.C())
}

// packed passes all components of a map: as an array of pointers where a C kernel
// takes one, otherwise gathered into a local array and put back after the call.
func (h *host) packed(i int, a loop.Arg) {
	t, rows, n := h.Loop.Type(a), h.Loop.Arity(a), h.Loop.Dim(a)
	pointers := takesPointers(h.Kernel.Entry().Params[i].Type)
	h.arrays = true
	inPlace := pointers && (a.Access == loop.Read || a.Access == loop.RW || a.Access == loop.Write ||
		a.Access == loop.Inc && h.Kernel.Uses[i].OnlyAdds())
	if inPlace {
		name := h.local(i, "rows")
		ats := make([]string, rows)
		for c := range ats {
			ats[c] = h.at(a, c)
			if a.Access == loop.Write {
				h.poison(a, ats[c])
			}
		}
		h.before = append(h.before, fmt.Sprintf("%s *%s[%d] = {%s};", t.C(), name, rows, strings.Join(ats, ", ")))
		h.pass = append(h.pass, name)
		return
	}

	name := h.local(i, "packed")
	decl := fmt.Sprintf("%s %s[%d]", t.C(), name, rows)
	if n > 1 {
		decl += fmt.Sprintf("[%d]", n)
	}
	if a.Access == loop.Inc {
		decl += " = {0}"
	}
	h.before = append(h.before, decl+";")
	for c := range rows {
		at := h.at(a, c)
		place, value := "("+at+")%[1]s", fmt.Sprintf("%s[%d]%%[2]s", name, c)
		switch a.Access {
		case loop.Write:
			if h.Options.Poison {
				h.before = append(h.before, each(n, value+" = "+poisonValue(t)+";"))
			}
		case loop.Inc:
		default:
			h.before = append(h.before, each(n, value+" = "+place+";"))
		}
		if a.Access != loop.Read {
			h.after = append(h.after, each(n, h.combine(a, place, value)))
		}
	}
	switch {
	case pointers:
		ptrs := h.local(i, "rows")
		rowPointers := make([]string, rows)
		for c := range rowPointers {
			rowPointers[c] = fmt.Sprintf("%s[%d]", name, c)
			if n == 1 {
				rowPointers[c] = "&" + rowPointers[c]
			}
		}
		h.before = append(h.before, fmt.Sprintf("%s *%s[%d] = {%s};", t.C(), ptrs, rows, strings.Join(rowPointers, ", ")))
		h.pass = append(h.pass, ptrs)
	case h.Kernel.IsC(): // double *x, double x[3][2] and double (*x)[2] alike
		h.pass = append(h.pass, "(void *)"+name)
	default:
		h.pass = append(h.pass, name)
	}
}

// takesPointers reports whether a C parameter is an array of pointers.
func takesPointers(t kernel.Type) bool {
	a, ok := kernel.Elem(t).(*kernel.Array)
	if !ok {
		return false
	}
	_, ok = a.Elem.(*kernel.Pointer)
	return ok
}

// kernelArrays reports whether the kernel's functions may have arrays, or structs,
// among their local variables.
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

// alignStack keeps GCC before 14 from a mistake: where a function that calls nothing
// uses wide vectors, it may lose the alignment of its stack, and then crash on an
// array there that it reaches by a pointer (its bug 109780).
const alignStack = "volatile _Alignas(64) char aligned = 0; // GCC before 14 needs a reason to align the arrays here"

// loopFunc prints the function that runs the kernel over runs of elements: a whole set
// is one, a subset has any number. Its parameters are restrict: distinct data is
// distinct memory. It is not inlined, because that is where compilers believe restrict.
func (h *host) loopFunc(packs *packs) {
	params := []string{"const int32_t (*run)[2]", "const int32_t (*end)[2]"}
	for _, m := range h.reads {
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
	for _, m := range h.reads {
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

// slot is the next entry of args, which points to what is asked for.
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

// printsLines has what kernels print appear line by line: a Go program that ends leaves the rest of C's
// buffers unwritten.
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

// addresses are the slots of maps, data and entries, in the order of the parameters.
func (h *host) addresses() []string {
	var slots []string
	for _, m := range h.reads {
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
