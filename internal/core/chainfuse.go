package core

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/userkernel"
)

// bound is a loop that has been bound, and not yet prepared by the backend.
type bound struct {
	*Loop
	memory backend.Memory
}

// fuse returns the loops with neighbors fused where that is possible and chosen, on all ranks, and why
// others are not.
func (c *Chain) fuse(loops []bound) (fused []bound, apart []string, err error) {
	if c.chosen() == tune.ChainsOff {
		return loops, nil, nil
	}
	if why := c.unfused(); why != "" {
		return loops, []string{why}, nil
	}
	how := fusing{functions: c.rt.backend.CallsKernels(), joins: make([]int64, len(loops))}
	if how.stored, err = c.rt.AnyRank(how.functions); err != nil {
		return nil, nil, err
	}
	for i := range how.joins {
		how.joins[i] = 1
	}
	for same := false; !same && err == nil; {
		fused, apart = c.fuseWhere(loops, &how)
		same, err = how.agree(c.rt)
	}
	return fused, apart, err
}

// fusing is how loops are fused.
type fusing struct {
	functions bool    // the backend calls the loops' functions
	stored    bool    // on some rank, whose functions leave temporary dats in memory, so that all do
	joins     []int64 // by loop: 1 if it is fused with the one before it
}

// agree keeps the joins that all ranks make, since messages are those of fused loops. It reports whether
// all make the same ones.
func (f *fusing) agree(rt *Runtime) (same bool, err error) {
	n := len(f.joins)
	bounds := append(slices.Clone(f.joins), f.joins...)
	for i := range f.joins {
		bounds[n+i] = -f.joins[i]
	}
	if bounds, err = Combine(rt, loop.Min, bounds...); err != nil {
		return false, err
	}
	same = true
	for i := range f.joins {
		f.joins[i] = bounds[i]
		same = same && bounds[i] == -bounds[n+i]
	}
	return same, nil
}

// fuseWhere fuses loops where joins allows it, and sets joins to where it did.
func (c *Chain) fuseWhere(loops []bound, how *fusing) (fused []bound, apart []string) {
	for first := 0; first < len(loops); {
		how.joins[first] = 0
		group, end := loops[first], first+1
		for ; end < len(loops); end++ {
			longer, err := bound{}, errors.New("they are not fused on another rank")
			if how.joins[end] == 1 {
				longer, err = c.fuseGroup(loops[first:end+1], loops[end+1:], how)
			}
			if err != nil {
				if loops[end].over == loops[first].over {
					apart = append(apart, fmt.Sprintf("%s, %s: %v", group.kernel.Name(), loops[end].kernel.Name(), err))
				}
				break
			}
			group = longer
		}
		fused, first = append(fused, group), end
	}
	return fused, apart
}

// unfused returns why no loops of the chain can be fused; "" if some can.
func (c *Chain) unfused() string {
	switch {
	case c.rt.config.Static:
		return "the runtime is static"
	case c.oneByOne():
		return oneByOne
	case c.rt.config.Backend.SameBits:
		return "the runtime is reproducible"
	}
	return ""
}

// fuseGroup fuses loops, which later ones follow, or returns why that is not possible or does not pay
// off.
func (c *Chain) fuseGroup(loops, later []bound, how *fusing) (bound, error) {
	var none bound
	n := numbering{}
	parts := make([]fuse.Part, len(loops))
	data := 0
	for i, l := range loops {
		if l.over != loops[0].over {
			return none, fmt.Errorf("they are over %s and %s", loops[0].over.Name(), l.over.Name())
		}
		if l.kernel.Tune() != loops[0].kernel.Tune() {
			return none, fmt.Errorf("their kernels have different options")
		}
		if l.rearranged != nil {
			return none, fmt.Errorf("%s runs in another order, for threads", l.kernel.Name())
		}
		parts[i] = n.part(l.Loop)
		data += len(l.spec.Loop.Data) + len(l.spec.Loop.Maps)
	}
	f, err := fuse.Fuse(parts, func(data int) bool { return !how.stored && c.unread(n.datas[data].storage, later) })
	if err != nil {
		return none, err
	}
	l, err := c.fusedLoop(loops, f)
	if err != nil {
		return none, err
	}
	l.alike = !f.Reordered && (!f.Sums || c.rt.name == "sequential") && (how.functions || !f.Contracts || slices.Contains(c.rt.config.Backend.CFlags, "-ffp-contract=off"))
	if c.chosen() != tune.Fuse {
		if len(f.Data)+len(f.Maps) == data {
			return none, fmt.Errorf("they share nothing")
		}
		if one := loops[len(loops)-1].spec.Loop; c.rt.device != nil && one.Collides() != loops[0].spec.Loop.Collides() {
			return none, fmt.Errorf("only one changes values of other elements, for which the device has ways of its own")
		}
		if c.chosen() == tune.ChainsAuto && c.rt.device == nil && !(l.alike && c.tries()) {
			if why := c.doubtful(l, loops); why != "" {
				return none, errors.New(why)
			}
		}
	}
	if c.rt.device == nil && !how.functions {
		if err := f.Suits(parts, codegen.Options{SIMD: loops[0].spec.Tune.SIMD}); err != nil {
			return none, err
		}
	}
	return l, nil
}

// unread reports whether nobody reads what is in a storage before later loops of the chain: a temporary
// dat's, if the first of them that uses it writes all of it.
func (c *Chain) unread(s *Storage, later []bound) bool {
	if !slices.Contains(c.temporaries, s) {
		return false
	}
	for _, l := range later {
		used := false
		for _, a := range l.binder.args {
			if a.data == nil || a.data.storage != s {
				continue
			}
			if used = true; a.access != loop.Write || a.m != nil || l.over.Subset != nil {
				return false
			}
		}
		if used {
			return true
		}
	}
	return true
}

// fusedLoop makes the loop that stands for several.
func (c *Chain) fusedLoop(loops []bound, f *fuse.Fused) (bound, error) {
	first := loops[0]
	l := &Loop{rt: c.rt, over: first.over}
	var kernels []*userkernel.Kernel
	for _, p := range loops {
		l.parts, kernels = append(l.parts, p.Loop), append(kernels, p.kernel)
	}
	l.kernel = userkernel.Joined(f.Loop.Kernel, kernels...)
	l.name = loopName(l.kernel, l.over)
	if c.found {
		l.meter = &meter{total: &profile.Stats{}, shares: sharesOf(l.parts)}
		for _, p := range l.parts {
			l.of = append(l.of, p.meter)
		}
	}
	b := &binder{rt: c.rt, over: l.over, what: l.name, desc: f.Loop, ops: f.Ops}
	for i, o := range f.Args {
		a := loops[o.Part].binder.args[o.Index]
		a.access = f.Loop.Args[i].Access
		b.args = append(b.args, a)
	}
	for _, o := range f.Data {
		b.datas = append(b.datas, loops[o.Part].binder.datas[o.Index])
	}
	for _, o := range f.Maps {
		b.maps = append(b.maps, loops[o.Part].binder.maps[o.Index])
	}
	for _, o := range f.Nonzeros {
		b.nonzeros = append(b.nonzeros, loops[o.Part].binder.nonzeros[o.Index])
	}
	if err := b.stack(f.Kernel); err != nil {
		return bound{}, err
	}
	memory, err := b.fusedMemory(f.Kernel, l.parts)
	if err != nil {
		return bound{}, err
	}
	l.keep = b.args
	spec := backend.Spec{Loop: f.Loop, Kernel: f.Kernel, Ops: f.Ops, Subset: first.spec.Subset, Tune: first.spec.Tune,
		Cost: facts.Cost(f.Loop, f.Kernel)}
	for _, p := range l.parts {
		spec.Parts = append(spec.Parts, p.spec)
	}
	l.adopt(b, spec)
	return bound{l, memory}, nil
}

// fusedMemory returns the memory of a fused loop, and that of its parts.
func (b *binder) fusedMemory(k *kernel.Kernel, parts []*Loop) (backend.Memory, error) {
	memory, err := b.memory(b.rt.addresses(k))
	for _, p := range parts {
		var own backend.Memory
		if err == nil {
			own, err = p.binder.memory(b.rt.addresses(p.spec.Kernel))
		}
		memory.Parts = append(memory.Parts, own)
	}
	return memory, err
}

// addresses returns the addresses of a kernel's consts, which the runtime has.
func (rt *Runtime) addresses(k *kernel.Kernel) []unsafe.Pointer {
	at := make([]unsafe.Pointer, len(k.Consts))
	for i, c := range k.Consts {
		at[i] = rt.consts[c.Name].ptr
	}
	return at
}

// numbering numbers what several loops use.
type numbering struct {
	datas    []*Data
	storages []*Storage
	maps     []*Map
	nonzeros []nonzeros
}

// number returns the place of a value in a list, to which it is added if it is new.
func number[T comparable](list *[]T, v T) int {
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return i
}

// part describes a loop that has just been bound to package fuse.
func (n *numbering) part(l *Loop) fuse.Part {
	b := l.binder
	p := fuse.Part{Loop: l.spec.Loop, Kernel: l.spec.Kernel, Ops: l.spec.Ops}
	for _, d := range b.datas {
		p.Data = append(p.Data, number(&n.datas, d))
		p.Storages = append(p.Storages, number(&n.storages, d.storage))
		p.Names = append(p.Names, d.name)
	}
	for _, m := range b.maps {
		p.Maps = append(p.Maps, number(&n.maps, m))
	}
	for _, e := range b.nonzeros {
		p.Nonzeros = append(p.Nonzeros, number(&n.nonzeros, e))
	}
	return p
}
