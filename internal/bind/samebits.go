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

// SameBits is what a loop needs for that besides what its backend does.
type SameBits struct {
	contributions []*contribution
	order         *inOrder // nil if the order of elements does not matter
}

// arrange returns a call with other arguments if its results would depend on more than the mesh.
func arrange(c Call) (Call, *SameBits) {
	if !c.Runtime.Config().Backend.SameBits {
		return c, nil
	}
	c.Args = slices.Clone(c.Args) // the program's remain as they are
	same := &SameBits{}
	if !c.Runtime.Config().Static && c.addsThroughMaps() {
		same.order = c.newInOrder()
	}
	for i, a := range c.Args {
		if a.Kind != loop.Global || a.Access == loop.Read {
			continue
		}
		// Where elements of the halo run among the others, reductions of all kinds must leave them out.
		if a.Access == loop.Inc && a.Data.Scalar().Float() || a.CombinesWhole() || same.order != nil && c.Over.Set.Depth() > 0 {
			rows, instead := c.contribute(a)
			c.Args[i], same.contributions = instead, append(same.contributions, rows)
		}
	}
	return c, same
}

// addsThroughMaps reports whether elements may add floating-point numbers to the same value.
func (c *Call) addsThroughMaps() bool {
	return slices.ContainsFunc(c.Args, func(a entity.Arg) bool {
		return a.Map != nil && (a.Access == loop.Inc && a.Data.Scalar().Float() || a.CombinesWhole())
	})
}

// ordered refuses loops that set values through maps, if several elements reach the same one: what
// remains there depends on their order.
func (c *Call) ordered() error {
	var found error
	for i, a := range c.Args {
		if a.Kind != loop.Dat || a.Map == nil || a.Access != loop.RW && a.Access != loop.Write || c.Runtime.Config().Static {
			continue
		}
		seen := make([]int32, a.Data.Set().Size()) // the element that reached it, counted from 1
		c.Over.Each(func(e int) {
			for _, t := range a.Targets(e) {
				if t < 0 || int(t) >= len(seen) {
					continue
				}
				if other := seen[t]; other != 0 && other != int32(e+1) && found == nil {
					numbers, targets := c.Over.Set.Numbers(), a.Data.Set().Numbers()
					found = c.wrong(i, fmt.Sprintf("elements %d and %d of %s set the values of element %d of %s: what remains depends on which of them runs last, and the runtime is reproducible",
						numbers[other-1], numbers[e], c.Over.Set.Name(), targets[t], a.Data.Set().Name()),
						"pass it with Inc, Min or Max, or run over what is set")
				}
				seen[t] = int32(e + 1)
			}
		})
	}
	return found
}

// take gives the contributions their operations.
func (s *SameBits) take(known []operation) {
	if s == nil {
		return
	}
	for _, c := range s.contributions {
		if c.Access == loop.Reduce {
			c.Op = known[slices.IndexFunc(known, func(o operation) bool { return o.Operation == c.op })].op
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
