package codegen

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/tune"
)

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
	if hasRecords(f.in.Loop) {
		return nil, "records"
	}
	if len(f.in.Ops) > 0 {
		return nil, "reduces by a function"
	}
	apart, why := kernel.SplitStructs(f.in.Kernel)
	if why != "" {
		return nil, why
	}
	if p.device != nil && passesLiterals(apart) {
		return nil, "an array that is made for a call"
	}
	f.in.Kernel = apart
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
	k.p.lanes, k.p.vec = l, newVectors(l.size, widths)
	if d := k.p.device; d != nil {
		k.p.vec.global, k.p.vec.unroll = d.global, d.unroll
	}
	k.p.file, k.p.consts, k.p.structs, k.p.fields = f.scalar.file, f.scalar.consts, f.scalar.structs, f.scalar.fields
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

// passesLiterals reports whether an argument of a call is a literal array, which in OpenCL C is in
// another address space than parameters.
func passesLiterals(k *kernel.Kernel) bool {
	found := false
	for _, f := range k.Funcs {
		kernel.Walk(f.Body, nil, func(e kernel.Expr) {
			if c, ok := e.(*kernel.Call); ok {
				found = found || slices.ContainsFunc(c.Args, isComposite)
			}
		})
	}
	return found
}

// makeLoop writes the loop over packs.
func (k *packs) makeLoop() {
	w := &k.loop
	w.depth = k.depth
	k.arguments()
	w.raw("#ifdef OP2_LANES")
	for _, s := range k.ahead {
		w.line("%s", s)
	}
	w.open("for (; %s + OP2_LANES <= last; %s += OP2_LANES) {", k.elem, k.elem)
	if k.fetch {
		w.line("op2_fetch(&op2_now);")
	}
	k.fetchAhead(w)
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
