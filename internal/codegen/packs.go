package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// packs is the part of a host loop that runs packs of elements; nil if there is none.
type packs struct {
	h *host
	p *printer // of the kernel on vectors

	text string // that kernel
	at   []target
}

// target is an array of the element numbers that a pack reaches in one way.
type target struct {
	m, component int
	name         string
}

func newPacks(h *host) *packs {
	o := h.Options
	if o.SIMD == SIMDOff || o.Poison || !laneable(h.Input) || o.SIMD == SIMDAuto && !pays(h.Input) {
		return nil
	}
	k := &packs{h: h, p: newPrinter(h.Kernel)}
	k.p.lanes = true
	k.p.file = h.p.file
	k.p.consts = h.p.consts
	for _, f := range h.Kernel.Funcs {
		k.p.funcs[f] = h.p.file.fresh(f.Name + "_lanes")
	}
	for _, f := range h.Kernel.Funcs {
		k.p.printFunc(f)
	}
	k.text = k.p.w.String()
	for name, helper := range k.p.helpers { // functions of values stand before both kernels
		if !strings.HasPrefix(name, lanePrefix) {
			h.p.helpers[name] = helper
		}
	}
	return k
}

// printKernel prints the kernel on vectors, and what it rests on.
func (k *packs) printKernel(w *writer) {
	if k == nil {
		return
	}
	w.here("wrap_" + k.h.Kernel.Name + ".c")
	w.raw(lanesText)
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
	h := k.h
	w.raw("#ifdef LANES")
	var before, after, last, pass []string
	for i, a := range h.Loop.Args {
		name, n := h.local(i, "pack"), h.Loop.Dim(a)
		if a.Kind == loop.Global {
			w.line("vec %s[%d];", name, n)
			if a.Access == loop.Read {
				w.line("for (int d = 0; d < %d; d++) %s[d] = vec_all(%s[d]);", n, name, h.data[a.Data])
			} else {
				w.line("for (int d = 0; d < %d; d++) %s[d] = vec_all(0);", n, name)
				last = append(last, fmt.Sprintf("for (int d = 0; d < %d; d++) for (int l = 0; l < LANES; l++) %s[d] += %s[d][l];",
					n, h.partialOf(i), name))
			}
			pass = append(pass, name)
			continue
		}
		decl := fmt.Sprintf("vec %s[%d]", name, n)
		pointer := func(int) string { return name }
		if a.Packed() {
			decl = fmt.Sprintf("vec %s[%d][%d]", name, h.Loop.Arity(a), n)
			pointer = func(c int) string { return fmt.Sprintf("%s[%d]", name, c) }
			if n == 1 {
				decl = fmt.Sprintf("vec %s[%d]", name, h.Loop.Arity(a))
				pointer = func(c int) string { return fmt.Sprintf("%s + %d", name, c) }
			}
		}
		if a.Access == loop.Inc {
			decl += " = {0}"
		}
		before = append(before, decl+";")
		for c := range h.Loop.Arity(a) {
			component := a.Component
			if a.Packed() {
				component = c
			}
			b, f := k.move(a, component, pointer(c))
			before, after = append(before, b...), append(after, f...)
		}
		pass = append(pass, name)
	}
	w.open("for (; %s + LANES <= last; %s += LANES) {", h.elem, h.elem)
	for m, row := range h.row {
		w.line("const int32_t *%s = %s;", row, offset(h.maps[m], h.Loop.Maps[m].Arity, h.elem))
	}
	k.printTargets(w)
	for _, s := range before {
		w.line("%s", s)
	}
	w.line("%s(%s);", k.p.funcs[h.Kernel.Entry()], w.list(pass))
	for _, s := range after {
		w.line("%s", s)
	}
	w.close("")
	for _, s := range last {
		w.line("%s", s)
	}
	w.raw("#endif")
}

// printTargets declares the arrays of element numbers.
func (k *packs) printTargets(w *writer) {
	for _, t := range k.at {
		if t.m == loop.Direct {
			w.line("int64_t %s[LANES];", t.name)
			w.line("for (int l = 0; l < LANES; l++) %s[l] = %s + l;", t.name, k.h.elem)
			continue
		}
		w.line("int64_t %s[LANES];", t.name)
		w.line("for (int l = 0; l < LANES; l++) %s[l] = %s[%d * l + %d];", t.name, k.h.row[t.m], k.h.Loop.Maps[t.m].Arity, t.component)
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
	name := k.h.p.scope.fresh(fmt.Sprintf("at%d", len(k.at)))
	k.at = append(k.at, target{m, component, name})
	return name
}

// move is what brings an argument's values into vectors before the kernel, and back
// after it.
func (k *packs) move(a loop.Arg, component int, pack string) (before, after []string) {
	h := k.h
	data, n := h.data[a.Data], h.Loop.Dim(a)
	if !a.Indirect() && n == 1 { // one after the other, as they are
		place := fmt.Sprintf("*(vec_u *)(%s + %s)", data, h.elem)
		if h.Loop.DataAccess(a.Data) == loop.Read {
			place = fmt.Sprintf("*(const vec_u *)(%s + %s)", data, h.elem)
		}
		switch a.Access {
		case loop.Read:
			return []string{pack + "[0] = " + place + ";"}, nil
		case loop.Write:
			return nil, []string{place + " = " + pack + "[0];"}
		case loop.RW:
			return []string{pack + "[0] = " + place + ";"}, []string{place + " = " + pack + "[0];"}
		}
		return nil, []string{place + " += " + pack + "[0];"}
	}
	at := k.reach(a.Map, component)
	load := fmt.Sprintf("vec_load(%s, %s, %s, %d);", pack, data, at, n)
	store := fmt.Sprintf("vec_store(%s, %s, %s, %d);", data, at, pack, n)
	switch a.Access {
	case loop.Read:
		return []string{load}, nil
	case loop.Write:
		return nil, []string{store}
	case loop.RW:
		return []string{load}, []string{store}
	}
	return nil, []string{fmt.Sprintf("vec_increase(%s, %s, %s, %d);", data, at, pack, n)}
}
