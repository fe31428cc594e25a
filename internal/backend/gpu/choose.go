package gpu

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/tune"
)

// candidates returns the strategies that a loop may run with, in order of preference; the later
// ones are fallbacks if one does not fit the device. Unfit says why the requested strategy is not
// among them.
func (e *engine) candidates(l *loop.Loop, t choice.Choices) (strategies []tune.Strategy, unfit error) {
	fallback := []tune.Strategy{tune.GlobalColor}
	if !l.Collides() {
		fallback = []tune.Strategy{tune.Direct}
	}
	switch t.Strategy {
	case tune.Staged, tune.InPlace:
		if why := tabled(l); why != "" {
			unfit = misfit(why)
			break
		}
		if l.Collides() || indirect(l) {
			return append([]tune.Strategy{t.Strategy}, fallback...), nil
		}
	case tune.Atomic:
		if t.NoAtomics {
			unfit = misfit("the order of atomic operations varies from run to run")
			break
		}
		if e.suits(lower.Atomically, l) {
			return append([]tune.Strategy{tune.Atomic}, fallback...), nil
		}
		unfit = misfit("no atomic operations combine its values")
	case tune.Gather:
		if e.suits(lower.Gathers, l) {
			return append([]tune.Strategy{tune.Gather}, fallback...), nil
		}
		unfit = misfit("gather is for loops that increment one dat")
	case tune.Blocks:
		return append([]tune.Strategy{tune.Blocks}, fallback...), nil
	case tune.Scratchpad:
		if !l.Collides() && l.Layers.Of == 0 && e.scratches(l) {
			return append([]tune.Strategy{tune.Scratchpad}, fallback...), nil
		}
	case tune.GlobalColor:
	default:
		return append(e.rule(l, t), fallback...), nil
	}
	if !l.Collides() {
		unfit = nil // nothing collides
	}
	return fallback, unfit
}

// rule returns the default strategies. A CPU's cores run one block after another, as the host
// backends do. On a GPU increments are atomic, with a single launch and without shared memory, or
// staged if results must be reproducible.
func (e *engine) rule(l *loop.Loop, t choice.Choices) []tune.Strategy {
	switch {
	case e.info.CPU:
		return []tune.Strategy{tune.Blocks}
	case !l.Collides():
		return nil
	case e.suits(lower.Atomically, l) && !t.NoAtomics:
		return []tune.Strategy{tune.Atomic}
	}
	if tabled(l) != "" {
		return nil
	}
	return []tune.Strategy{tune.Staged}
}

// measured returns the strategies to try, in order.
func (e *engine) measured(l *loop.Loop, t choice.Choices) []tune.Strategy {
	var all []tune.Strategy
	if !l.Collides() && !indirect(l) {
		if e.info.CPU || !e.scratches(l) {
			return e.rule(l, t)
		}
	} else if tabled(l) == "" {
		all = append(all, tune.Staged)
	}
	if l.Collides() {
		if !e.info.CPU && tabled(l) == "" {
			all = append(all, tune.InPlace)
		}
		all = append(all, tune.GlobalColor)
		if e.suits(lower.Atomically, l) {
			all = append(all, tune.Atomic)
		}
		if e.suits(lower.Gathers, l) {
			all = append(all, tune.Gather)
		}
	} else {
		all = append(all, tune.Direct)
		if e.scratches(l) {
			all = append(all, tune.Scratchpad)
		}
	}
	if e.info.CPU {
		all = append(all, tune.Blocks)
	}
	return all
}

// tabled returns why there are no tables of the targets of a loop's blocks; "" if there are.
func tabled(l *loop.Loop) string {
	switch {
	case slices.ContainsFunc(l.Args, l.Varies):
		return "rows of its maps differ in length"
	case l.Layers.Of > 0:
		return "it runs the layers of columns"
	}
	return ""
}

// Strategies returns those to compare for a loop. GlobalColor is also how one is requested whose elements all run at once.
func (e *engine) Strategies(s backend.Spec) []tune.Strategy {
	all := e.measured(s.Loop, s.Chosen.Choices)
	if !s.Loop.Collides() {
		all = append(slices.DeleteFunc(all, func(s tune.Strategy) bool { return s == tune.Direct }), tune.GlobalColor)
	}
	return all
}

// indirect reports whether a loop reaches dats through maps.
func indirect(l *loop.Loop) bool {
	return slices.ContainsFunc(l.Args, func(a loop.Arg) bool { return a.Kind == loop.Dat && a.Indirect() })
}

// scratches reports whether scratchpads gather some of a loop's accesses: on devices whose work-items run in parallel.
func (e *engine) scratches(l *loop.Loop) bool {
	if l.Layers.Of > 0 {
		return false
	}
	for d := range l.Data {
		if devicecode.Scratches(l, d, e.groupSize(l, e.info.MaxGroup)) {
			return true
		}
	}
	return false
}

// suits reports whether everything in the loop that collides can be stored that way on the device.
func (e *engine) suits(c lower.Collisions, l *loop.Loop) bool { return c.Suits(l, e.info.Atomic64) }

// checkTypes rejects types that the device does not support.
func (e *engine) checkTypes(s backend.Spec) error {
	if !e.info.Float64 && slices.ContainsFunc(append([]*kernel.Kernel{s.Kernel}, s.Ops...), func(k *kernel.Kernel) bool { return facts.NeedsFloat64(s.Loop, k) }) {
		return fmt.Errorf("%s has no double precision, which the loop needs: it has values or constants of type float64\n  hint: use float32, or another device", e.info.Name)
	}
	return nil
}
