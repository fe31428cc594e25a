package gpu

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// candidates returns the strategies that a loop may run with, in order of preference; the later
// ones are fallbacks if one does not fit the device. Unfit says why the requested strategy is not
// among them.
func (e *engine) candidates(l *loop.Loop, t tune.Options) (strategies []codegen.Strategy, unfit error) {
	fallback := []codegen.Strategy{codegen.GlobalColor}
	if !l.Collides() {
		fallback = []codegen.Strategy{codegen.Direct}
	}
	switch t.Strategy {
	case tune.Staged:
		if l.Collides() || indirect(l) {
			return append([]codegen.Strategy{codegen.Staged}, fallback...), nil
		}
	case tune.Atomic:
		if t.Deterministic {
			unfit = misfit("the order of atomic operations varies from run to run")
			break
		}
		if e.atomics(l) {
			return append([]codegen.Strategy{codegen.Atomic}, fallback...), nil
		}
		unfit = misfit("its types have no atomic operations")
	case tune.Gather:
		if codegen.Gathers(l) {
			return append([]codegen.Strategy{codegen.Gather}, fallback...), nil
		}
		unfit = misfit("gather is for loops that increment one dat")
	case tune.Blocks:
		return append([]codegen.Strategy{codegen.Blocks}, fallback...), nil
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
func (e *engine) rule(l *loop.Loop, t tune.Options) []codegen.Strategy {
	switch {
	case e.info.CPU:
		return []codegen.Strategy{codegen.Blocks}
	case !l.Collides():
		return nil
	case e.atomics(l) && !t.Deterministic:
		return []codegen.Strategy{codegen.Atomic}
	}
	return []codegen.Strategy{codegen.Staged}
}

// measured returns the strategies to try, in order.
func (e *engine) measured(l *loop.Loop, t tune.Options) []codegen.Strategy {
	if !l.Collides() && !indirect(l) {
		return e.rule(l, t)
	}
	all := []codegen.Strategy{codegen.Staged}
	if l.Collides() {
		all = append(all, codegen.GlobalColor)
		if e.atomics(l) {
			all = append(all, codegen.Atomic)
		}
		if codegen.Gathers(l) {
			all = append(all, codegen.Gather)
		}
	} else {
		all = append(all, codegen.Direct)
	}
	if e.info.CPU {
		all = append(all, codegen.Blocks)
	}
	return all
}

// indirect reports whether a loop reaches dats through maps.
func indirect(l *loop.Loop) bool {
	for _, a := range l.Args {
		if a.Kind == loop.Dat && a.Indirect() {
			return true
		}
	}
	return false
}

// atomics reports whether everything that collides can be combined atomically.
func (e *engine) atomics(l *loop.Loop) bool {
	if !l.Collides() {
		return false
	}
	for _, a := range l.Args {
		if !a.Indirect() || a.Access == loop.Read || a.Kind == loop.Mat && a.Access == loop.Write {
			continue
		}
		t := l.Type(a)
		if !codegen.Atomics(t, a.Access) || t.Size() == 8 && !e.info.Atomic64 {
			return false
		}
	}
	return true
}

// checkTypes rejects types that the device does not support.
func (e *engine) checkTypes(s backend.Spec) error {
	if !e.info.Float64 && codegen.NeedsFloat64(s.Loop, s.Kernel) {
		return fmt.Errorf("%s has no double precision, which the loop needs: it has values or constants of type float64\n  hint: use float32, or another device", e.info.Name)
	}
	return nil
}
