package core

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// place checks that argument i is reachable from the set.
func (b *Binding) place(i int, a Arg) error {
	bad := func(msg, hint string) error { return b.wrong(i, msg, hint) }
	if err := a.CheckDeclared(b.argument(i)); err != nil {
		return err
	}
	switch {
	case a.fault == misfit:
		return bad(a.part.of.problem, a.part.of.hint)
	case a.fault != Sound:
		return bad(a.fault.String(), "")
	case a.kind == loop.Index:
		return nil
	case a.data == nil:
		return bad("it is empty", "arguments are made by the methods of dats and globals, as q.Read()")
	case !a.data.combines(a.access):
		return bad(a.data.notCombined(a.access))
	case a.data.rt != b.rt:
		return bad(fmt.Sprintf("%s belongs to %s; %s to %s", a.data.name, a.data.rt.Besides(b.rt), b.Over.Set.name, b.rt.Besides(a.data.rt)), "declare all that a loop uses on one runtime")
	case a.kind == loop.Global:
		return nil
	}
	if a.kind == loop.Mat {
		return b.placeMat(a, bad)
	}
	if a.m == nil {
		if a.data.set != b.Over.Set {
			hint := fmt.Sprintf("pass it through a map from %s to %s", b.Over.Set.name, a.data.set.name)
			if b.Over.Set.name == a.data.set.name {
				hint = "what belongs together is declared on one set"
			}
			return bad(fmt.Sprintf("%s is on %s, the loop is over %s", a.data.name, a.data.set.Besides(b.Over.Set), b.Over.besides(a.data.set)), hint)
		}
		return nil
	}
	switch {
	case a.m.from != b.Over.Set:
		return bad(fmt.Sprintf("%s leads from %s, the loop is over %s", a.m.name, a.m.from.Besides(b.Over.Set), b.Over.besides(a.m.from)), "")
	case a.m.to != a.data.set:
		return bad(fmt.Sprintf("%s leads to %s, %s is on %s", a.m.name, a.m.to.Besides(a.data.set), a.data.name, a.data.set.Besides(a.m.to)), "")
	case a.component != loop.All && (a.component < 0 || a.component >= a.m.arity):
		return bad(fmt.Sprintf("%s has %s", a.m.name, problem.ComponentRange(a.m.arity)), "")
	}
	return nil
}

// conflicts refuses loops whose result would depend on the order of elements, or of the kernel's
// own statements, because a dat is used in two ways at once.
func (b *Binding) conflicts() error {
	for i, a := range b.args {
		for j, earlier := range b.args[:i] {
			if a.data == nil || earlier.data == nil || a.data.storage != earlier.data.storage {
				continue
			}
			bad := func(msg, hint string) error { return b.wrong(i, msg, hint) }
			switch {
			case a.access != earlier.access:
				return bad(fmt.Sprintf("%s is also argument %d (%s): whether one sees what the other changes would depend on the order of elements", a.data.name, ordinal(b.args, j), earlier),
					"use one access for all, or a second "+a.kind.String())
			case a.op != earlier.op:
				return bad(fmt.Sprintf("%s is also argument %d (%s), by another operation, or with another identity", a.data.name, ordinal(b.args, j), earlier), "use one for all, or two loops")
			case a.access == loop.Read:
			case a.data != earlier.data && (a.kind != loop.Mat || earlier.kind != loop.Mat):
				return bad(fmt.Sprintf("%s is also argument %d (%s), by other sets: the kernel would change the same values twice", a.data.name, ordinal(b.args, j), earlier), "pass them once")
			case a.data != earlier.data:
				return bad(fmt.Sprintf("%s is also argument %d: the maps of only one of them leave out components", a.data.name, ordinal(b.args, j)),
					"give the other one maps that leave out components of an empty subset, or use two loops")
			case a.access == loop.Inc || a.access == loop.Reduce:
			case a.kind == loop.Mat:
				return bad(fmt.Sprintf("%s is also argument %d: of two places that write a value only one would count", a.data.name, ordinal(b.args, j)), "pass it once")
			case a.m == earlier.m && (a.component == earlier.component || a.component == loop.All || earlier.component == loop.All):
				return bad(fmt.Sprintf("%s is also argument %d (%s): the kernel would change the same values twice", a.data.name, ordinal(b.args, j), earlier),
					"pass them once")
			case a.kind == loop.Global:
				return bad(fmt.Sprintf("%s is also argument %d", a.data.name, ordinal(b.args, j)), "pass it once")
			}
		}
	}
	return nil
}
