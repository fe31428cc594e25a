package bind

import (
	"slices"
	"sort"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// boundaries returns the elements at which parts of the loop may start and end, of which the first
// is the end of the core.
func (b *Binding) boundaries() []int {
	s := b.Over.Set
	b.Core = b.findCore()
	at := []int{b.Core}
	for x := range 2*s.Depth() + 1 {
		at = append(at, b.Over.Prefix(x))
	}
	sort.Ints(at)
	last := b.last()
	return slices.DeleteFunc(slices.Compact(at), func(e int) bool { return e == 0 || e >= last })
}

// last returns the number of elements that the loop can run over: those of the halo too, up to what
// maps lead from, if it uses any.
func (c *Call) last() int {
	s := c.Over.Set
	for _, a := range c.Args {
		if a.Map != nil {
			return c.Over.Prefix(s.Deepest())
		}
	}
	return c.Over.Prefix(halo.Everywhere)
}

// findCore returns the number of leading elements from which no map that the loop reads through
// leads into a halo.
func (c *Call) findCore() int {
	end := c.Over.Size()
	for _, a := range c.Args {
		if a.Kind != loop.Dat || a.Map == nil || a.Access != loop.Read && a.Access != loop.RW {
			continue
		}
		owned := int32(a.Map.To().Size())
		if a.Map.To().Prefix(halo.Everywhere) == int(owned) {
			continue
		}
		for i := range end {
			if slices.ContainsFunc(a.Targets(c.Over.At(i)), func(t int32) bool { return t >= owned }) {
				end = i
				break
			}
		}
	}
	return end
}
