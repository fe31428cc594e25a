package bind

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// place checks that argument i is reachable from the set.
func (b *Binding) place(i int, a entity.Arg) error {
	bad := func(msg, hint string) error { return b.wrong(i, msg, hint) }
	if err := a.CheckDeclared(b.argument(i)); err != nil {
		return err
	}
	switch {
	case a.Fault == entity.Misfit:
		return bad(a.Part.Of.Problem, a.Part.Of.Hint)
	case a.Fault != entity.Sound:
		return bad(a.Fault.String(), "")
	case a.Kind == loop.Index:
		return nil
	case a.Data == nil:
		return bad("it is empty", "arguments are made by the methods of dats and globals, as q.Read()")
	case !a.Data.Combines(a.Access):
		return bad(a.Data.NotCombined(a.Access))
	case a.Data.Runtime() != b.Runtime:
		return bad(fmt.Sprintf("%s belongs to %s; %s to %s", a.Data.Name(), a.Data.Runtime().Besides(b.Runtime), b.Over.Set.Name(), b.Runtime.Besides(a.Data.Runtime())), "declare all that a loop uses on one runtime")
	case a.Kind == loop.Global:
		return nil
	}
	if a.Kind == loop.Mat {
		return b.placeMat(a, bad)
	}
	if a.Map == nil {
		if a.Data.Set() != b.Over.Set {
			hint := fmt.Sprintf("pass it through a map from %s to %s", b.Over.Set.Name(), a.Data.Set().Name())
			if b.Over.Set.Name() == a.Data.Set().Name() {
				hint = "what belongs together is declared on one set"
			}
			return bad(fmt.Sprintf("%s is on %s, the loop is over %s", a.Data.Name(), a.Data.Set().Besides(b.Over.Set), b.Over.Besides(a.Data.Set())), hint)
		}
		return nil
	}
	switch {
	case a.Map.From() != b.Over.Set:
		return bad(fmt.Sprintf("%s leads from %s, the loop is over %s", a.Map.Name(), a.Map.From().Besides(b.Over.Set), b.Over.Besides(a.Map.From())), "")
	case a.Map.To() != a.Data.Set():
		return bad(fmt.Sprintf("%s leads to %s, %s is on %s", a.Map.Name(), a.Map.To().Besides(a.Data.Set()), a.Data.Name(), a.Data.Set().Besides(a.Map.To())), "")
	case a.Map.IsMasked():
		return bad(fmt.Sprintf("some elements have no target in %s: it is a masked map", a.Map.Name()), "mats take masked maps; for others, declare a map with a target for each element, and run over a subset")
	case a.Component != loop.All && (a.Component < 0 || a.Component >= a.Map.Arity()):
		return bad(fmt.Sprintf("%s has %s", a.Map.Name(), problem.ComponentRange(a.Map.Arity())), "")
	}
	return nil
}

// conflicts refuses loops whose result would depend on the order of elements, or of the kernel's
// own statements, because a dat is used in two ways at once.
func (b *Binding) conflicts() error {
	for i, a := range b.Args {
		for j, earlier := range b.Args[:i] {
			if a.Data == nil || earlier.Data == nil || a.Data.Storage() != earlier.Data.Storage() {
				continue
			}
			bad := func(msg, hint string) error { return b.wrong(i, msg, hint) }
			switch {
			case a.Access != earlier.Access:
				return bad(fmt.Sprintf("%s is also argument %d (%s): whether one sees what the other changes would depend on the order of elements", a.Data.Name(), entity.Ordinal(b.Args, j), earlier),
					"use one access for all, or a second "+a.Kind.String())
			case a.Op != earlier.Op:
				return bad(fmt.Sprintf("%s is also argument %d (%s), by another operation, or with another identity", a.Data.Name(), entity.Ordinal(b.Args, j), earlier), "use one for all, or two loops")
			case a.Access == loop.Read:
			case a.Data != earlier.Data && (a.Kind != loop.Mat || earlier.Kind != loop.Mat):
				return bad(fmt.Sprintf("%s is also argument %d (%s), by other sets: the kernel would change the same values twice", a.Data.Name(), entity.Ordinal(b.Args, j), earlier), "pass them once")
			case a.Data != earlier.Data:
				return bad(fmt.Sprintf("%s is also argument %d: the maps of only one of them leave out components", a.Data.Name(), entity.Ordinal(b.Args, j)),
					"give the other one maps that leave out components of an empty subset, or use two loops")
			case a.Access == loop.Inc || a.Access == loop.Reduce:
			case a.Kind == loop.Mat:
				return bad(fmt.Sprintf("%s is also argument %d: of two places that write a value only one would count", a.Data.Name(), entity.Ordinal(b.Args, j)), "pass it once")
			case a.Map == earlier.Map && (a.Component == earlier.Component || a.Component == loop.All || earlier.Component == loop.All):
				return bad(fmt.Sprintf("%s is also argument %d (%s): the kernel would change the same values twice", a.Data.Name(), entity.Ordinal(b.Args, j), earlier),
					"pass them once")
			case a.Kind == loop.Global:
				return bad(fmt.Sprintf("%s is also argument %d", a.Data.Name(), entity.Ordinal(b.Args, j)), "pass it once")
			}
		}
	}
	return nil
}
