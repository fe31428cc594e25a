package chains

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// fuse returns the loops with neighbors fused where that is possible and chosen, on all ranks, and why
// others are not.
func (c *settings) fuse(loops []*member, temporaries []*store.Storage) (fused []*member, apart []string, err error) {
	if c.chosen() == tune.ChainsOff {
		return loops, nil, nil
	}
	if why := c.unfused(); why != "" {
		return loops, []string{why}, nil
	}
	how := fusing{functions: c.rt.Backend().CallsKernels(), joins: make([]int64, len(loops)), bytes: bytesOf(loops), temporaries: temporaries}
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
	functions   bool             // the backend calls the loops' functions
	stored      bool             // on some rank, whose functions leave temporary dats in memory, so that all do
	temporaries []*store.Storage // of dats that nobody reads after a call
	bytes       int64            // that the loops use
	joins       []int64          // by loop: 1 if it is fused with the one before it
}

// agree keeps the joins that all ranks make, since messages are those of fused loops. It reports whether
// all make the same ones.
func (f *fusing) agree(rt *entity.Runtime) (same bool, err error) {
	n := len(f.joins)
	bounds := append(slices.Clone(f.joins), f.joins...)
	for i := range f.joins {
		bounds[n+i] = -f.joins[i]
	}
	if bounds, err = entity.Combine(rt, loop.Min, bounds...); err != nil {
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
func (c *settings) fuseWhere(loops []*member, how *fusing) (fused []*member, apart []string) {
	for first := 0; first < len(loops); {
		how.joins[first] = 0
		group, end := loops[first], first+1
		for ; end < len(loops); end++ {
			longer, err := (*member)(nil), errors.New("they are not fused on another rank")
			if how.joins[end] == 1 {
				longer, err = c.fuseGroup(loops[first:end+1], loops[end+1:], how)
			}
			if err != nil {
				if loops[end].Binding().Over == loops[first].Binding().Over {
					apart = append(apart, fmt.Sprintf("%s, %s: %v", group.Kernel().Name(), loops[end].Kernel().Name(), err))
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
func (c *settings) unfused() string {
	switch {
	case c.rt.Config().Static:
		return "the runtime is static"
	case c.oneByOne():
		return oneByOne
	case c.rt.Config().Backend.SameBits:
		return "the runtime is reproducible"
	}
	return ""
}

// fuseGroup fuses loops, which later ones follow, or returns why that is not possible or does not pay
// off.
func (c *settings) fuseGroup(loops, later []*member, how *fusing) (*member, error) {
	n := numbering{}
	parts := make([]fuse.Part, len(loops))
	data := 0
	for i, l := range loops {
		if first, over := loops[0].Binding().Over, l.Binding().Over; over != first {
			return nil, fmt.Errorf("they are over %s and %s", first.Name(), over.Name())
		}
		if l.Kernel().Choices() != loops[0].Kernel().Choices() {
			return nil, fmt.Errorf("their kernels have different options")
		}
		if l.Rearranged() {
			return nil, fmt.Errorf("%s runs in another order, for threads", l.Kernel().Name())
		}
		parts[i] = n.part(l.Binding())
		data += len(l.Binding().Data) + len(l.Binding().Maps)
	}
	f, err := fuse.Fuse(parts, func(data int) bool {
		return !how.stored && slices.Contains(how.temporaries, n.data[data].Storage()) && unread(n.data[data].Storage(), later)
	})
	if err != nil {
		return nil, err
	}
	joined, err := run.Join(coreLoops(loops), f, !c.repeated)
	if err != nil {
		return nil, err
	}
	l := &member{Loop: joined}
	l.sameBits = !f.Reordered && (!f.Sums || c.rt.Name() == "sequential") && (how.functions || !f.Contracts || c.rt.Config().Backend.Choices.HostFlags.Has("-ffp-contract=off"))
	if c.exact() && !l.sameBits {
		return nil, errors.New("their last digits would change")
	}
	if c.chosen() != tune.Fuse {
		if len(f.Data)+len(f.Maps) == data {
			return nil, fmt.Errorf("they share nothing")
		}
		if one := loops[len(loops)-1].Binding().Loop; c.rt.OnDevice() && one.Collides() != loops[0].Binding().Loop.Collides() {
			return nil, fmt.Errorf("only one changes values of other elements, for which the device has ways of its own")
		}
		if c.chosen() == tune.Auto && !c.rt.OnDevice() && !(l.sameBits && c.tries()) {
			if why := c.doubtful(l, loops, how.bytes); why != "" {
				return nil, errors.New(why)
			}
		}
	}
	if !c.rt.OnDevice() && !how.functions {
		if err := f.Suits(parts, codegen.Options{SIMD: loops[0].Binding().Chosen.SIMD, Width: loops[0].Binding().Chosen.Width}); err != nil {
			return nil, err
		}
	}
	if b, ok := c.rt.Backend().(backend.Translated); ok && !b.HasCode(joined.Binding().Spec) {
		return nil, errors.New("together they are not translated, and cannot be compiled here")
	}
	return l, nil
}

// unread reports whether later loops of the chain do not read what is in a storage of a temporary dat: if the first of
// them that uses it writes all of it.
func unread(s *store.Storage, later []*member) bool {
	for _, l := range later {
		used, b := false, l.Binding()
		for _, a := range b.Loop.Args {
			if a.Data < 0 || b.Data[a.Data].Storage() != s {
				continue
			}
			if used = true; a.Access != loop.Write || a.Map >= 0 || a.Single > 0 || b.Subset || !b.Loop.Covers(a) {
				return false
			}
		}
		if used {
			return true
		}
	}
	return true
}

// numbering numbers what several loops use.
type numbering struct {
	data     []*entity.Data
	storages []*store.Storage
	maps     []*entity.Map
	nonzeros []bind.Nonzeros
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

// part describes a loop that has been bound to package fuse.
func (n *numbering) part(b *bind.Binding) fuse.Part {
	p := fuse.Part{Loop: b.Loop, Kernel: b.Kernel, Ops: b.Ops}
	for _, d := range b.Data {
		p.Data = append(p.Data, number(&n.data, d))
		p.Storages = append(p.Storages, number(&n.storages, d.Storage()))
		p.Names = append(p.Names, d.Name())
	}
	for _, m := range b.Maps {
		p.Maps = append(p.Maps, number(&n.maps, m))
	}
	for _, e := range b.Nonzeros {
		p.Nonzeros = append(p.Nonzeros, number(&n.nonzeros, e))
	}
	return p
}
