package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// frame is the loop around packs: what they share with the elements that are run one by one.
type frame struct {
	in      Input
	depth   int      // of indentation
	scalar  *printer // of the kernel for one element
	elem    string   // name of the element's number
	data    []string // names by loop.Data
	maps    []string // names by loop.Maps
	row     []string // names of an element's row of each map; empty if nothing reads the map
	local   func(i int, role string) string
	partial func(i int) string // of a reduction, for a subscript
	combine func(a loop.Arg, place, value string) string
}

// packs is the part of a loop that runs packs of elements; nil if there is none.
type packs struct {
	frame
	p *printer // of the kernel on vectors

	text string // that kernel
	loop writer // and the loop over packs
	at   []target

	before, after []string // around each call of the kernel
	ahead, last   []string // before and after all
	pass          []string // what it is called with
}

// target is an array of the element numbers that a pack reaches in one way.
type target struct {
	m, component int
	name         string
}

// newPacks prints the kernel on vectors with p, and the loop over packs; or it says why there
// are none.
func newPacks(f frame, p *printer) (*packs, string) {
	o := f.in.Options
	if o.SIMD == SIMDOff {
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
	var widths []int
	for _, r := range registers {
		against := ""
		if o.SIMD != SIMDOn {
			against = pays(f.in, l, r.bytes/l.size)
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
	k := &packs{frame: f, p: p}
	k.p.lanes, k.p.vec, k.p.c = l, newVectors(l.size, widths), f.in.Kernel.IsC()
	if d := k.p.device; d != nil {
		k.p.vec.global = d.global
	}
	k.p.file, k.p.consts = f.scalar.file, f.scalar.consts
	for _, fn := range f.in.Kernel.Funcs {
		k.p.funcs[fn] = k.p.file.take("op2_" + ascii(fn.Name) + "_lanes")
	}
	k.p.findFailing(f.in.Kernel)
	for _, fn := range f.in.Kernel.Funcs {
		k.p.printFunc(fn)
	}
	k.text = k.p.w.String()
	k.makeLoop()
	for name, helper := range k.p.helpers { // functions of values stand before both kernels
		if !strings.HasPrefix(name, lanePrefix) {
			f.scalar.helpers[name] = helper
		}
	}
	return k, ""
}

// describe says of which processors' registers there are packs, and of how many elements:
// "packs of 8 elements (AVX-512), 4 (AVX2), 2 (NEON)".
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

// printKernel prints the kernel on vectors, and what it rests on, as lines of the generated file.
func (k *packs) printKernel(w *writer, file string) {
	if k == nil {
		return
	}
	w.here(file)
	k.p.vec.print(w)
	for _, name := range slices.Sorted(maps.Keys(k.p.helpers)) {
		if strings.HasPrefix(name, lanePrefix) {
			w.raw(k.p.helpers[name].text)
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

// printLanes defines the variable that tells the library what the compiler knows: how many
// elements the packs have, which is 1 where the processor has no registers for them.
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
	for i, a := range k.in.Loop.Args {
		switch a.Kind {
		case loop.Global:
			k.global(i, a)
		case loop.Index:
			k.index(i)
		default:
			k.dat(i, a)
		}
	}
	w.raw("#ifdef OP2_LANES")
	for _, s := range k.ahead {
		w.line("%s", s)
	}
	w.open("for (; %s + OP2_LANES <= last; %s += OP2_LANES) {", k.elem, k.elem)
	for m, row := range k.row {
		if row == "" {
			continue
		}
		w.line("%sconst int32_t *%s = %s;", k.p.vec.global, row, offset(k.maps[m], k.in.Loop.Maps[m].Arity, k.elem))
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

// values is for (d < n) s.
func values(n int, s string) string { return fmt.Sprintf("for (int d = 0; d < %d; d++) %s", n, s) }

// global hands over a global: for each element of a pack the same values, or results
// of its own that are combined at the end, lane after lane.
func (k *packs) global(i int, a loop.Arg) {
	g, n, t := k.data[a.Data], k.in.Loop.Dim(a), k.in.Loop.Type(a)
	if !k.p.lanes.varies(k.in.Kernel.Entry().Params[i]) {
		if d := k.p.device; d != nil && !d.inPlace[k.in.Kernel.Entry().Params[i]] {
			name := k.local(i, "all")
			k.ahead = append(k.ahead, fmt.Sprintf("%s %s[%d];", t.C(), name, n), values(n, name+"[d] = "+g+"[d];"))
			g = name
		}
		k.pass = append(k.pass, g)
		return
	}
	vec, all := k.p.vec.name(t), k.p.vec.use("all", t)
	name := k.local(i, "pack")
	k.ahead = append(k.ahead, fmt.Sprintf("%s %s[%d];", vec, name, n))
	k.pass = append(k.pass, name)
	from := g + "[d]"
	if a.Access == loop.Inc {
		from = "0"
	}
	k.ahead = append(k.ahead, values(n, fmt.Sprintf("%s[d] = %s(%s);", name, all, from)))
	if a.Access == loop.Read {
		return
	}
	place := k.partial(i) + "[d]"
	k.last = append(k.last, values(n, "for (int l = 0; l < OP2_LANES; l++) "+k.combine(a, place, name+"[d][l]")))
	if a.Access == loop.Inc && k.in.Kernel.Uses[i].OnlyAdds() {
		return
	}
	own := k.local(i, "own")
	k.before = append(k.before, fmt.Sprintf("%s %s[%d];", vec, own, n))
	k.pass[len(k.pass)-1] = own
	value := name + "[d]"
	if a.Access == loop.Inc {
		value = all + "(0)"
	}
	k.before = append(k.before, values(n, own+"[d] = "+value+";"))
	if a.Access == loop.Inc {
		k.after = append(k.after, values(n, fmt.Sprintf("%s[d] += %s[d];", name, own)))
	} else {
		k.after = append(k.after, values(n, fmt.Sprintf("%[1]s[d] = %[2]s(%[1]s[d], %[3]s[d]);", name, k.p.vec.use(a.Access.String(), t), own)))
	}
}

// index hands over the elements' numbers.
func (k *packs) index(i int) {
	name := k.local(i, "pack")
	t := kernel.Leaf(k.in.Kernel.Entry().Params[i].Type)
	k.before = append(k.before, fmt.Sprintf("%s %s[1];", k.p.vec.name(t), name),
		fmt.Sprintf("for (int l = 0; l < OP2_LANES; l++) %s[0][l] = %s + l;", name, k.elem))
	k.pass = append(k.pass, name)
}

// dat hands over the values of the pack's elements, those of all targets of a map in
// the form that the kernel takes.
func (k *packs) dat(i int, a loop.Arg) {
	rows, n := k.in.Loop.Arity(a), k.in.Loop.Dim(a)
	name := k.local(i, "pack")
	deep := 1
	decl := fmt.Sprintf("%s %s[%d]", k.p.vec.name(k.in.Loop.Type(a)), name, n)
	row := func(int) string { return name }
	pass := name
	if a.Packed() {
		decl = fmt.Sprintf("%s %s[%d]", k.p.vec.name(k.in.Loop.Type(a)), name, rows*n)
		row = func(c int) string { return fmt.Sprintf("%s + %d", name, c*n) }
		switch t := kernel.Elem(k.in.Kernel.Entry().Params[i].Type).(type) {
		case *kernel.Array:
			if isArray(t.Elem) {
				decl = fmt.Sprintf("%s %s[%d][%d]", k.p.vec.name(k.in.Loop.Type(a)), name, rows, n)
				row = func(c int) string { return fmt.Sprintf("%s[%d]", name, c) }
				deep = 2
			}
		}
		if takesPointers(k.in.Kernel.Entry().Params[i].Type) {
			pass = k.local(i, "rows")
		}
	}
	if a.Access == loop.Inc || a.Access == loop.Write && k.p.vec.types[loop.Bool] {
		decl += " = " + k.p.vec.zero(k.in.Loop.Type(a), deep) // what is selected by masks was something before
	}
	k.before = append(k.before, decl+";")
	var pointers []string
	for c := range rows {
		component := a.Component
		if a.Packed() {
			component = c
		}
		k.move(a, component, row(c))
		pointers = append(pointers, row(c))
	}
	if pass != name {
		k.before = append(k.before, fmt.Sprintf("%s *%s[%d] = {%s};", k.p.vec.name(k.in.Loop.Type(a)), pass, rows, strings.Join(pointers, ", ")))
	}
	k.pass = append(k.pass, pass)
}

// printTargets declares the arrays of element numbers.
func (k *packs) printTargets(w *writer) {
	for _, t := range k.at {
		w.line("int64_t %s[OP2_LANES];", t.name)
		if t.m == loop.Direct {
			w.line("for (int l = 0; l < OP2_LANES; l++) %s[l] = %s + l;", t.name, k.elem)
			continue
		}
		w.line("for (int l = 0; l < OP2_LANES; l++) %s[l] = %s[%d * l + %d];", t.name, k.row[t.m], k.in.Loop.Maps[t.m].Arity, t.component)
	}
}

// reach is the name of the array of the elements that a pack reaches.
func (k *packs) reach(m, component int) string {
	if m == loop.Direct {
		component = 0
	}
	for _, t := range k.at {
		if t.m == m && t.component == component {
			return t.name
		}
	}
	name := k.scalar.scope.fresh(fmt.Sprintf("at%d", len(k.at)))
	k.at = append(k.at, target{m, component, name})
	return name
}

// move brings an argument's values into vectors before the kernel, and back after it.
func (k *packs) move(a loop.Arg, component int, pack string) {
	data, n, t := k.data[a.Data], k.in.Loop.Dim(a), k.in.Loop.Type(a)
	vec := k.p.vec.name(t)
	var load, store, increase string
	if !a.Indirect() && n == 1 { // one after the other, as they are
		place := fmt.Sprintf("*(%s%s_u *)(%s + %s)", k.p.vec.global, vec, data, k.elem)
		source := place
		if k.in.Loop.DataAccess(a.Data) == loop.Read {
			source = fmt.Sprintf("*(%sconst %s_u *)(%s + %s)", k.p.vec.global, vec, data, k.elem)
		}
		load, store, increase = pack+"[0] = "+source+";", place+" = "+pack+"[0];", place+" += "+pack+"[0];"
	} else {
		at := k.reach(a.Map, component)
		put := func(what string) string {
			return fmt.Sprintf("%s(%s, %s, %s, %d);", k.p.vec.move(what, t, n), data, at, pack, n)
		}
		if a.Access != loop.Inc && a.Access != loop.Write {
			load = fmt.Sprintf("%s(%s, %s, %s, %d);", k.p.vec.move("load", t, n), pack, data, at, n)
		}
		if a.Access == loop.Write || a.Access == loop.RW {
			store = put("store")
		}
		if a.Access == loop.Inc {
			increase = put("increase")
		}
	}
	switch a.Access {
	case loop.Read:
		k.before = append(k.before, load)
	case loop.Write:
		k.after = append(k.after, store)
	case loop.RW:
		k.before, k.after = append(k.before, load), append(k.after, store)
	case loop.Inc:
		k.after = append(k.after, increase)
	default: // min and max: element by element, since they may share the place
		k.before = append(k.before, load)
		place := fmt.Sprintf("%s[%s + l]", data, k.elem)
		if a.Indirect() || n > 1 {
			place = fmt.Sprintf("%s[%d * %s[l] + d]", data, n, k.reach(a.Map, component))
		}
		k.after = append(k.after, values(n, "for (int l = 0; l < OP2_LANES; l++) "+k.combine(a, place, "("+pack+")[d][l]")))
	}
}
