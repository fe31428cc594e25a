package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/tune"
)

// frame is the loop around packs: what they share with the elements that run one by one.
type frame struct {
	in      Input
	depth   int      // of indentation
	scalar  *printer // of the kernel for one element
	elem    string   // name of the element's number
	data    []string // names by loop.Data
	maps    []string // names by loop.Maps
	row     []string // names of an element's row of each map
	local   func(i int, role string) string
	partial func(arg int) string // of a reduction, for a subscript
}

// packs is the part of a loop that runs packs of elements; nil if there is none.
type packs struct {
	frame
	p       *printer // of the kernel on vectors
	lowered *lower.Program
	locals  []string // names by number

	text string // that kernel
	loop writer // the loop over packs
	at   []target

	before, after []string // around each call of the kernel
	ahead, last   []string // before and after all
	pass          []string // what is passed to it
}

// target is an array of the element numbers that a pack reaches in one way.
type target struct {
	m, component int
	name         string
}

// newPacks prints the kernel on vectors with p, and the loop over packs; or returns why there are
// none.
func newPacks(f frame, p *printer) (*packs, string) {
	o := f.in.Options
	if o.SIMD == tune.SIMDOff {
		return nil, "SIMD is off"
	}
	if o.Poison {
		return nil, "diagnostics are on"
	}
	f.in.Kernel = kernel.SplitStructs(f.in.Kernel)
	l, why := newLanes(f.in)
	if l == nil {
		return nil, why
	}
	lowered := lower.Lower(f.in.Loop, f.in.Kernel, lower.Target{Apart: p.device != nil, AddsFrom: 1, Lanes: l.varies})
	estimate := estimate{l, lowered}
	var widths []int
	for _, r := range registers {
		against := ""
		if o.SIMD != tune.SIMDOn {
			against = estimate.pays(r.bytes / l.size)
		}
		if against == "" {
			widths = append(widths, r.bytes)
		} else if why == "" {
			why = against
		}
	}
	if len(widths) == 0 {
		return nil, why
	}
	k := &packs{frame: f, p: p, lowered: lowered}
	k.p.lanes, k.p.vec, k.p.c = l, newVectors(l.size, widths), f.in.Kernel.IsC()
	if d := k.p.device; d != nil {
		k.p.vec.global = d.global
	}
	k.p.file, k.p.consts = f.scalar.file, f.scalar.consts
	for _, fn := range f.in.Kernel.Funcs {
		k.p.funcs[fn] = k.p.file.take(lanesName(fn))
	}
	k.p.findFailing(f.in.Kernel)
	k.p.device.lead(k.lowered)
	for _, fn := range f.in.Kernel.Funcs {
		k.p.printFunc(fn)
	}
	k.text = k.p.w.String()
	k.makeLoop()
	for name, helper := range k.p.helpers { // functions of values precede both kernels
		if !helper.lanes {
			f.scalar.helpers[name] = helper
		}
	}
	return k, ""
}

// describe says for which processors' registers there are packs, and of how many elements: "packs
// of 8 elements (AVX-512), 4 (AVX2), 2 (NEON)".
func (k *packs) describe() string {
	var s []string
	for _, r := range registers {
		if slices.Contains(k.p.vec.widths, r.bytes) {
			what := ""
			if len(s) == 0 {
				what = " elements"
			}
			s = append(s, fmt.Sprintf("%d%s (%s)", r.bytes/k.p.vec.size, what, r.name))
		}
	}
	return "packs of " + strings.Join(s, ", ")
}

// printKernel prints the kernel on vectors, and what it depends on, as lines of the generated file.
func (k *packs) printKernel(w *writer, file string) {
	if k == nil {
		return
	}
	w.here(file)
	k.p.vec.print(w)
	for _, name := range k.p.helpers.names() {
		if helper := k.p.helpers[name]; helper.lanes {
			w.raw(helper.text)
		}
	}
	w.raw(k.text)
	w.raw("#endif")
	w.line("")
}

// printLoop prints the loop over packs, which leaves the rest of the range.
func (k *packs) printLoop(w *writer) {
	w.raw(strings.TrimRight(k.loop.String(), "\n"))
}

// printLanes defines the variable that tells the library how many elements the packs have, which
// only the compiler knows; it is 1 if the processor has no registers for them.
func (k *packs) printLanes(w *writer, name string) {
	w.line(`__attribute__((visibility("default")))`)
	w.raw("#ifdef OP2_LANES")
	w.line("const int32_t %s = OP2_LANES;", name)
	w.raw("#else")
	w.line("const int32_t %s = 1;", name)
	w.raw("#endif")
}

// makeLoop writes that loop.
func (k *packs) makeLoop() {
	w := &k.loop
	w.depth = k.depth
	k.arguments()
	w.raw("#ifdef OP2_LANES")
	for _, s := range k.ahead {
		w.line("%s", s)
	}
	w.open("for (; %s + OP2_LANES <= last; %s += OP2_LANES) {", k.elem, k.elem)
	for _, m := range k.lowered.Maps {
		w.line("%sconst int32_t *%s = %s;", k.p.vec.global, k.row[m], offset(k.maps[m], k.in.Loop.Maps[m].Arity, k.elem))
	}
	k.printTargets(w)
	for _, s := range k.before {
		w.line("%s", s)
	}
	entry := k.in.Kernel.Entry()
	w.line("%s(%s);", k.p.funcs[entry], w.list(append(k.p.contextOf(entry, "(int64_t)OP2_LANES << 32 | "+k.elem, "&context"), k.pass...)))
	for _, s := range k.after {
		w.line("%s", s)
	}
	w.close("")
	for _, s := range k.last {
		w.line("%s", s)
	}
	w.raw("#endif")
}
