package packs

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/lanes"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/codegen/vectors"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/tune"
)

// New prints the kernel on vectors, and the loop over packs; or returns why there are none.
func New(f Frame) (*Packs, string) {
	o := f.In.Options
	if o.SIMD == tune.SIMDOff {
		return nil, "SIMD is off"
	}
	if o.Poison {
		return nil, "diagnostics are on"
	}
	if f.In.Loop.Layers.Of > 0 {
		return nil, "the layers of a column follow one another"
	}
	if codegen.HasRecords(f.In.Loop) {
		return nil, "records"
	}
	if len(f.In.Ops) > 0 && (o.SameBits || f.Target.Apart) { // whose rows are combined element by element, and which takes pointers to its own memory
		return nil, "reduces by a function"
	}
	if o.SameBits && slices.ContainsFunc(f.In.Loop.Args, func(a loop.Arg) bool { return a.Single > 0 && a.Indirect() && a.Access == loop.Inc }) {
		return nil, "adds to components in order"
	}
	split, why := kernel.SplitStructs(f.In.Kernel)
	if why != "" {
		return nil, why
	}
	if f.Target.Apart && passesLiterals(split) {
		return nil, "an array that is made for a call"
	}
	f.In.Kernel = split
	l, why := lanes.New(f.In, f.Target.Forms)
	if l == nil {
		return nil, why
	}
	lowered := lower.Lower(f.In.Loop, f.In.Kernel, lower.Target{Apart: f.Target.Apart, AddsFrom: 1, Lanes: l.Varies})
	vec := vectors.New(l.Largest(), f.Target.Global, f.Target.Unroll, func(elements int) bool {
		if o.Width != 0 && o.Width != elements {
			why = cmp.Or(why, fmt.Sprintf("no registers for packs of %d", o.Width))
			return false
		}
		if o.SIMD == tune.SIMDOn {
			return true
		}
		against := l.Pays(lowered, elements)
		why = cmp.Or(why, against)
		return against == ""
	})
	if vec == nil {
		return nil, why
	}
	k := &Packs{Frame: f, vec: vec, Size: l.Largest(), lowered: lowered}
	k.p = f.Scalar.OnLanes(split, lowered, l, vec)
	k.text = k.p.Take()
	k.makeLoop()
	return k, ""
}

// passesLiterals reports whether an argument of a call is a literal array, which in OpenCL C is in
// another address space than parameters.
func passesLiterals(k *kernel.Kernel) bool {
	return slices.ContainsFunc(kernel.All[*kernel.Call](k), func(c *kernel.Call) bool { return slices.ContainsFunc(c.Args, facts.IsComposite) })
}

// makeLoop prints the loop over packs, which leaves less than a pack of elements to the loop over single
// ones. Compilers that have no vectors of C skip it.
func (k *Packs) makeLoop() {
	k.loop = text.NewWriter(k.Depth)
	w := k.loop
	k.locals = make([]string, len(k.lowered.Locals))
	if k.Elements != "" { // by which all others are found
		k.reach(lower.Place{Map: loop.Direct}, 0)
	}
	k.lowered.Walk(walker{k})
	k.addInOrder()
	w.Raw("#ifdef OP2_LANES")
	for _, s := range k.ahead {
		w.Line("%s", s)
	}
	w.Open("for (; %s + OP2_LANES <= last; %s += OP2_LANES) {", k.Elem, k.Elem)
	if k.Fetch {
		w.Line("op2_fetch(&op2_now);")
	}
	k.fetchAhead(w)
	for _, m := range k.lowered.Maps {
		if k.Elements != "" {
			break
		}
		w.Line("%sconst int32_t *%s = %s;", k.Target.Global, k.Row[m], text.Offset(k.Maps[m], k.In.Loop.Maps[m].Arity, k.Elem))
	}
	k.printTargets(w)
	for _, s := range k.before {
		w.Line("%s", s)
	}
	entry := k.In.Kernel.Entry()
	w.Line("%s(%s);", k.p.NameOf(entry), w.List(append(k.p.ContextOf(entry, k.Context), k.pass...)))
	for _, s := range k.after {
		w.Line("%s", s)
	}
	w.Close("")
	for _, s := range k.last {
		w.Line("%s", s)
	}
	w.Raw("#endif")
}
