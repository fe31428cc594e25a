package core

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/loop"
)

// With the option SameBits, results do not depend on the number of ranks and threads, nor on where
// elements are: sums in globals are exact until they are rounded (contributions.go), and additions
// through maps reach each target in the order of the elements' declared numbers (inorder.go).
// Backends see none of this, but for the order of additions within an element: they get loops with
// other arguments.

// sameBits is what a loop needs for that besides what its backend does.
type sameBits struct {
	contributions []*contribution
	order         *inOrder // nil if the order of elements does not matter
}

// arrange replaces the arguments of a loop whose results would depend on more than the mesh.
func (b *Binding) arrange() error {
	if !b.rt.config.Backend.SameBits {
		return nil
	}
	b.args = slices.Clone(b.args) // the program's remain as they are
	if err := b.ordered(); err != nil {
		return err
	}
	b.same = &sameBits{}
	if !b.rt.config.Static && b.addsThroughMaps() {
		b.same.order = b.newInOrder()
	}
	for i, a := range b.args {
		if a.kind != loop.Global || a.access == loop.Read {
			continue
		}
		// Where elements of the halo run among the others, reductions of all kinds must leave them out.
		if a.access == loop.Inc && a.data.scalar.Float() || a.combinesWhole() || b.same.order != nil && len(b.Over.Set.extents.Layers) > 0 {
			b.args[i] = b.contribute(a)
		}
	}
	return nil
}

// addsThroughMaps reports whether elements may add floating-point numbers to the same value.
func (b *Binding) addsThroughMaps() bool {
	return slices.ContainsFunc(b.args, func(a Arg) bool {
		return a.m != nil && (a.access == loop.Inc && a.data.scalar.Float() || a.combinesWhole())
	})
}

// ordered refuses loops that set values through maps, if several elements reach the same one: what
// remains there depends on their order.
func (b *Binding) ordered() error {
	var found error
	for i, a := range b.args {
		if a.kind != loop.Dat || a.m == nil || a.access != loop.RW && a.access != loop.Write || b.rt.config.Static {
			continue
		}
		seen := make([]int32, a.data.set.Size()) // the element that reached it, counted from 1
		b.Over.Each(func(e int) {
			for _, t := range a.targets(e) {
				if t < 0 || int(t) >= len(seen) {
					continue
				}
				if other := seen[t]; other != 0 && other != int32(e+1) && found == nil {
					numbers, targets := b.Over.Set.numbersHere(), a.data.set.numbersHere()
					found = b.wrong(i, fmt.Sprintf("elements %d and %d of %s set the values of element %d of %s: what remains depends on which of them runs last, and the runtime is reproducible",
						numbers[other-1], numbers[e], b.Over.Set.name, targets[t], a.data.set.name),
						"pass it with Inc, Min or Max, or run over what is set")
				}
				seen[t] = int32(e + 1)
			}
		})
	}
	return found
}

// take gives the contributions their operations, by known.
func (s *sameBits) take(ops []*loop.Op, known []operation) {
	if s == nil {
		return
	}
	for _, c := range s.contributions {
		if c.Access == loop.Reduce {
			c.Op = ops[slices.Index(known, c.op)]
		}
	}
}

// inOrder returns how the elements run in order; nil if they need not.
func (s *sameBits) inOrder() *inOrder {
	if s == nil {
		return nil
	}
	return s.order
}

// begin prepares a call.
func (s *sameBits) begin() error {
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

// finish ends a call whose elements have run. It reports how long the program waits for results of other ranks.
func (s *sameBits) finish(rt *Runtime, waited func(time.Duration)) error {
	if s.order != nil {
		s.order.finish()
	}
	for _, c := range s.contributions {
		if err := c.finish(rt, waited); err != nil {
			return rt.broken(err)
		}
	}
	return nil
}
