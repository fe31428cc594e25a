package bind

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// With the option SameBits, results do not depend on the number of ranks and threads, nor on where
// elements are: sums in globals are exact until they are rounded (contributions.go), and additions
// through maps reach each target in the order of the elements' declared numbers (inorder.go).
// Backends see none of this, but for the order of additions within an element: they get loops with
// other arguments.

// arrange replaces the arguments of a loop whose results would depend on more than the mesh.
func (b *Binding) arrange() error {
	if !b.Runtime.Config().Backend.SameBits {
		return nil
	}
	b.Args = slices.Clone(b.Args) // the program's remain as they are
	if err := b.ordered(); err != nil {
		return err
	}
	b.Same = &SameBits{}
	if !b.Runtime.Config().Static && b.addsThroughMaps() {
		b.Same.order = b.newInOrder()
	}
	for i, a := range b.Args {
		if a.Kind != loop.Global || a.Access == loop.Read {
			continue
		}
		// Where elements of the halo run among the others, reductions of all kinds must leave them out.
		if a.Access == loop.Inc && a.Data.Scalar().Float() || a.CombinesWhole() || b.Same.order != nil && b.Over.Set.Depth() > 0 {
			c, instead := b.contribute(a)
			b.Args[i], b.Same.contributions = instead, append(b.Same.contributions, c)
		}
	}
	return nil
}

// addsThroughMaps reports whether elements may add floating-point numbers to the same value.
func (b *Binding) addsThroughMaps() bool {
	return slices.ContainsFunc(b.Args, func(a entity.Arg) bool {
		return a.Map != nil && (a.Access == loop.Inc && a.Data.Scalar().Float() || a.CombinesWhole())
	})
}

// ordered refuses loops that set values through maps, if several elements reach the same one: what
// remains there depends on their order.
func (b *Binding) ordered() error {
	var found error
	for i, a := range b.Args {
		if a.Kind != loop.Dat || a.Map == nil || a.Access != loop.RW && a.Access != loop.Write || b.Runtime.Config().Static {
			continue
		}
		seen := make([]int32, a.Data.Set().Size()) // the element that reached it, counted from 1
		b.Over.Each(func(e int) {
			for _, t := range a.Targets(e) {
				if t < 0 || int(t) >= len(seen) {
					continue
				}
				if other := seen[t]; other != 0 && other != int32(e+1) && found == nil {
					numbers, targets := b.Over.Set.Numbers(), a.Data.Set().Numbers()
					found = b.wrong(i, fmt.Sprintf("elements %d and %d of %s set the values of element %d of %s: what remains depends on which of them runs last, and the runtime is reproducible",
						numbers[other-1], numbers[e], b.Over.Set.Name(), targets[t], a.Data.Set().Name()),
						"pass it with Inc, Min or Max, or run over what is set")
				}
				seen[t] = int32(e + 1)
			}
		})
	}
	return found
}

// take gives the contributions their operations, by known.
func (s *SameBits) take(ops []*loop.Op, known []entity.Operation) {
	if s == nil {
		return
	}
	for _, c := range s.contributions {
		if c.Access == loop.Reduce {
			c.Op = ops[slices.Index(known, c.op)]
		}
	}
}

// InOrder returns how the elements run in order; nil if they need not.
func (s *SameBits) InOrder() *inOrder {
	if s == nil {
		return nil
	}
	return s.order
}

// Begin prepares a call.
func (s *SameBits) Begin() error {
	for _, c := range s.contributions {
		if err := c.begin(); err != nil {
			return err
		}
	}
	if s.order != nil {
		s.order.begin()
	}
	return nil
}

// Finish ends a call whose elements have run. It reports how long the program waits for results of other ranks.
func (s *SameBits) Finish(rt *entity.Runtime, waited func(time.Duration)) error {
	if s.order != nil {
		s.order.finish()
	}
	for _, c := range s.contributions {
		if err := c.finish(rt, waited); err != nil {
			return rt.Broken(err)
		}
	}
	return nil
}
