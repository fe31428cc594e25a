// Package host prints loops, and products of sparse matrices and vectors, in C for the host: for one core,
// for a team of threads, and for tiles.
package host

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/packs"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

var (
	//go:embed csrc/host.c
	loopTexts string
	//go:embed csrc/product.c
	productTexts string

	texts = text.Sections(loopTexts + productTexts)
)

// Sequential prints a loop for the caller's thread, which may be one of several: the kernel, a function that calls it for a
// range of elements, and the wrapper, in one compilation unit in which the compiler inlines the
// first into the second.
func Sequential(in codegen.Input) *codegen.Program { return newHost(in, alone).print() }

// Threads prints a loop for the threads of the host: the kernel and the function over runs of
// elements as for one core, a function that calls it for one block of a plan, and a wrapper that
// makes a team of threads call that, color by color. A reduction has a partial result for each
// block; they are combined in the order of the blocks, so that the result does not depend on the
// number of threads. If the team only runs a part of the blocks, the caller combines them later.
func Threads(in codegen.Input) *codegen.Program { return newHost(in, threads).print() }

// Ahead prints a loop as Sequential does, which meanwhile fetches memory that its thread's next tile uses.
func Ahead(in codegen.Input) *codegen.Program { return newHost(in, ahead).print() }

func newHost(in codegen.Input, form formOfHost) *host {
	p := lower.Lower(in.Loop, in.Kernel, lower.Target{Pointers: true, AddsFrom: 1, Alone: true, Once: in.Options.SameBits, Poison: in.Options.Poison})
	return &host{Input: in, p: ckernel.New(&ckernel.C, in.Kernel), form: form, lowered: p, locals: make([]string, len(p.Locals))}
}

func (h *host) print() *codegen.Program {
	in := h.Input
	// The source of a C kernel has neither consts nor checks: of divisors, and under diagnostics of subscripts.
	// Kernels that need them are printed from the IR, if it captures them.
	verbatim := in.Kernel.Source != ""
	if in.Kernel.Captured() {
		checks := verbatim && in.Options.Poison && len(in.Kernel.Strays) > 0
		h.p.CheckSubscripts(checks)
		h.p.FindFailing(in.Kernel)
		verbatim = verbatim && !checks && len(in.Kernel.Consts) == 0 && !slices.ContainsFunc(in.Kernel.Funcs, h.p.Fails)
	}
	if verbatim {
		h.p.Verbatim(in.Kernel)
	}
	h.verbatim = verbatim
	h.name()
	if !verbatim { // which declares its structs itself
		h.p.PrintStructs(in.Kernel)
	}
	h.p.AssertLayouts(h.lowered.Params)
	h.p.PrintAdditions(h.lowered)
	h.p.PrintOps(h.Ops)
	types := h.p.Take()
	if in.Options.SameBits && in.Kernel.Captured() {
		h.p.FormAll(in.Kernel)
	}
	if !verbatim {
		h.p.PrintFuncs(in.Kernel)
	}
	kernelText := h.p.Take()
	h.lowered.Walk(h) // requests helpers, which come before the kernel
	packs, scalar := h.packs()
	if packs != nil && h.p.UseForms() && !verbatim { // which those for single elements call, too
		h.p.PrintFuncs(in.Kernel)
		kernelText = h.p.Take()
	}

	w := &h.w
	h.header(packs, scalar)
	start := w.Size()
	h.printContext()
	h.p.PrintHelpers(w)
	h.p.PrintForms(w)
	if types != "" && !verbatim {
		w.Raw(types)
		w.Line("")
	}
	h.p.PrintConsts(w, in.Kernel)
	if verbatim { // which may define anything, including macros: it comes last
		packs.PrintKernel(w, "wrap_"+in.Kernel.Name+".c")
		if strings.Contains(in.Kernel.Source, "stdio.h") {
			w.Raw(texts["lines"])
		}
		h.p.PrintText(w, in.Kernel, in.Kernel.Source)
		w.Line("")
		if types != "" {
			w.Here("wrap_" + in.Kernel.Name + ".c")
			w.Raw(types)
			w.Line("")
		}
	} else {
		w.Raw(kernelText)
		w.Line("")
		packs.PrintKernel(w, "wrap_"+in.Kernel.Name+".c")
	}
	w.Here("wrap_" + in.Kernel.Name + ".c")
	end := w.Size()
	h.loopFunc(packs)
	w.Line("")
	lanes, size := "", 0
	if packs != nil {
		size = packs.Size
		lanes = h.symbol() + "_lanes"
		packs.PrintLanes(w, lanes)
		w.Line("")
	}
	block := ""
	if h.form == threads {
		block = h.block()
		h.threadsWrapper()
	} else {
		h.wrapper()
	}
	return &codegen.Program{
		Name: in.Kernel.Name, Symbol: h.symbol(), Block: block, Text: w.String(), Kernel: [2]int{start, end},
		Slots: h.slots, Faults: h.p.Faults(), Rounds: h.Options.SameBits || h.Rounds(), Words: codegen.HasRecords(in.Loop), Scalar: scalar, Pack: size, Lanes: lanes,
	}
}

// packs returns the packs of the loop, or why it has none.
func (h *host) packs() (*packs.Packs, string) {
	return packs.New(packs.Frame{In: h.Input, Depth: 2, Scalar: h.p, Target: &ckernel.C, Elem: h.counter, Elements: h.elements, Context: h.context("(int64_t)OP2_LANES << 32 | " + h.counter), Data: h.data, Maps: h.maps, Row: h.row,
		Local: h.local, Partial: h.partialOf, Fetch: h.form == ahead, Streamed: h.form != ahead && !h.Options.Listed})
}

// header prints the comment that describes the source, and the includes.
func (h *host) header(packs *packs.Packs, scalar string) {
	where := "on one core"
	if h.form == threads {
		where = "on threads"
	}
	h.w.Line("// %s: a loop %s, generated by op2.", h.Kernel.Name, where)
	if packs != nil {
		h.w.Line("// It runs %s.", packs.Describe())
	} else {
		h.w.Line("// It runs one element at a time: %s.", scalar)
	}
	text.Describe(&h.w, h.Loop, h.lowered.Params)
	if h.Rounds() {
		h.w.Line("// Products and sums are rounded separately: -ffp-contract=off.")
	}
	headers := []string{"<math.h>", "<stdbool.h>", "<stdint.h>"}
	if h.Kernel.IsC() { // before macros for its names
		headers = append(append(headers, "<string.h>"), ckernel.Included(h.Kernel.Source)...)
	}
	for i, header := range headers {
		if !slices.Contains(headers[:i], header) {
			h.w.Line("#include %s", header)
		}
	}
	h.w.Line("")
	if h.form == threads {
		h.w.Raw(texts["job"])
		h.w.Line("")
	}
	if h.form == ahead {
		h.w.Raw(texts["ahead"])
		h.w.Line("")
	}
}

// printContext prints the type of contexts, and the functions that end the loop at a fault, as far as they are
// needed.
func (h *host) printContext() {
	consts, exit := "", ""
	if h.p.Faults() {
		h.w.Raw(texts["fault"])
		h.w.Line("")
		exit = "\tstruct op2_exit *exit;\n\tint64_t element; // the first of a pack, and their number in the upper half\n"
	}
	if h.hasConsts() {
		consts = "\tstruct op2_consts *consts;\n"
	}
	if consts+exit == "" {
		return
	}
	h.w.Raw(strings.NewReplacer("CONSTS", consts, "EXIT", exit).Replace(texts["context"]))
	h.w.Line("")
	if exit != "" {
		h.w.Raw(texts["leave"])
		h.w.Line("")
	}
}

// hasConsts reports whether contexts lead to consts.
func (h *host) hasConsts() bool { return h.Kernel.Captured() && len(h.Kernel.Consts) > 0 }

// context returns the context of an element, or of a pack.
func (h *host) context(element string) string {
	var fields []string
	if h.hasConsts() {
		fields = append(fields, "consts")
	}
	if h.p.Faults() {
		fields = append(fields, "exit", element)
	}
	return "(op2_context){" + strings.Join(fields, ", ") + "}"
}

// kernelArrays reports whether the kernel's functions may have arrays, or structs, among their
// local variables.
func (h *host) kernelArrays() bool {
	return h.Kernel.IsC() || slices.ContainsFunc(kernel.All[*kernel.Decl](h.Kernel), func(d *kernel.Decl) bool { return !kernel.Is[kernel.Basic](d.Var.Type) })
}

// alignStack works around a bug in GCC before 14 (109780): in a leaf function that uses wide
// vectors, it may lose the alignment of the stack, and then crash on an array there that is
// accessed through a pointer.
const alignStack = "volatile _Alignas(64) char aligned = 0; // GCC before 14 needs a reason to align the arrays here"

// loopFunc prints the function that runs the kernel over runs of elements: a whole set is one run,
// a subset has any number. Its parameters are restrict: distinct data is distinct memory. It is not
// inlined, because compilers honor restrict on parameters of functions.
func (h *host) loopFunc(packs *packs.Packs) {
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
	params = append(params, h.nonzeroParams()...)
	if h.elements != "" {
		params = append(params, "const int32_t *restrict "+h.elements)
	}
	if h.hasConsts() {
		params = append(params, "struct op2_consts *restrict consts")
	}
	if h.p.Faults() {
		params = append(params, "struct op2_exit *exit")
	}
	if h.form == ahead {
		params = append(params, "struct op2_ahead *op2_ahead")
	}
	w := &h.w
	w.Line("static __attribute__((noinline)) void %s(%s)", h.run, w.List(params))
	w.Open("{")
	if h.arrays || packs != nil || h.kernelArrays() {
		w.Line(alignStack)
	}
	for _, s := range h.first {
		w.Line("%s", s)
	}
	if h.form == ahead {
		w.Line("struct op2_ahead op2_now = *op2_ahead;")
	}
	w.Open("for (; run < end; run++) {")
	w.Line("const int64_t last = (*run)[1];")
	if packs != nil {
		w.Line("int64_t %s = (*run)[0];", h.counter)
		packs.PrintLoop(w)
		w.Open("for (; %s < last; %s++) {", h.counter, h.counter)
	} else {
		w.Open("for (int64_t %s = (*run)[0]; %s < last; %s++) {", h.counter, h.counter, h.counter)
		if h.form == ahead {
			w.Line("if (%s %% %d == 0)", h.elem, ElementsForFetch)
			w.Under("op2_fetch(&op2_now);")
		}
	}
	if h.elements != "" {
		w.Line("const int64_t %s = %s[%s];", h.elem, h.elements, h.counter)
	}
	for _, m := range h.lowered.Maps {
		w.Line("const int32_t *%s = %s;", h.row[m], text.Offset(h.maps[m], h.Loop.Maps[m].Arity, h.elem))
	}
	bounds := ""
	if h.Loop.Layers.Bounds > 0 {
		bounds = h.data[h.Loop.Layers.Bounds-1]
	}
	layers := text.OverLayers(h.Loop.Layers, bounds, h.elem)
	if layers != "" {
		w.Open("%s", layers)
	}
	for _, s := range h.before {
		w.Line("%s", s)
	}
	entry := h.Kernel.Entry()
	if h.verbatim {
		h.pass = ckernel.WithMissing(h.Kernel, h.pass)
	}
	w.Line("%s(%s);", h.p.NameOf(entry), w.List(append(h.p.ContextOf(entry, h.context(h.counter)), h.pass...)))
	for _, s := range h.after {
		w.Line("%s", s)
	}
	if layers != "" {
		w.Close("")
	}
	w.Close("")
	w.Close("")
	if h.form == ahead {
		w.Line("*op2_ahead = op2_now;")
	}
	for _, s := range h.last {
		w.Line("%s", s)
	}
	w.Close("")
}
