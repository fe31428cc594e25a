package fromc

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// ownCounters gives each loop that sets a variable first, for (i = 0; ...), a variable of its own, as
// for (int i = 0; ...) does, where only such loops use it. It then has a value only where the loop
// runs, and so the same one for all elements of a pack that take a branch.
//
// A variable is renamed if all of its uses are in loops that set it first. The uses in a loop nested in another one of
// the same variable are counted twice, so that the sums differ, and the variable stays: it would need a decision on
// which of the two loops a use belongs to.
func ownCounters(body *kernel.Block) {
	uses, inside := map[*kernel.Var]int{}, map[*kernel.Var]int{}
	loops := map[*kernel.Var][]*kernel.For{}
	kernel.Walk(body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Decl:
			if s.Init != nil {
				uses[s.Var]++
			}
		case *kernel.Do:
			for _, v := range s.Into {
				uses[v]++
			}
		case *kernel.For:
			if v := setFirst(s); v != nil {
				loops[v] = append(loops[v], s)
				inside[v] += len(refs(s, v)) // those of nested loops count twice
			}
		}
	}, func(e kernel.Expr) {
		if r, ok := e.(*kernel.Ref); ok {
			uses[r.Var]++
		}
	})
	for v, list := range loops {
		if uses[v] != inside[v] {
			continue
		}
		for _, s := range list {
			own := &kernel.Var{Name: v.Name, Type: v.Type, Pos: v.Pos}
			for _, r := range refs(s, v) {
				r.Var = own
			}
			set := s.Init.(*kernel.Assign)
			s.Init = &kernel.Decl{Var: own, Init: set.R, Pos: set.Pos}
		}
		kernel.Walk(body, func(s kernel.Stmt) {
			if b, ok := s.(*kernel.Block); ok {
				b.Stmts = slices.DeleteFunc(b.Stmts, func(s kernel.Stmt) bool {
					d, ok := s.(*kernel.Decl)
					return ok && d.Var == v
				})
			}
		}, nil)
	}
}

// setFirst returns the integer that a loop sets first; nil if there is none, or if its first value depends on what it
// was before.
func setFirst(s *kernel.For) *kernel.Var {
	a, ok := s.Init.(*kernel.Assign)
	if !ok || a.Op != kernel.None {
		return nil
	}
	r, ok := a.L.(*kernel.Ref)
	if t := kernel.Scalar(a.L.Type()); !ok || t == loop.Invalid || !t.Integer() || len(refs(&kernel.Do{X: a.R}, r.Var)) > 0 {
		return nil
	}
	return r.Var
}

func refs(s kernel.Stmt, v *kernel.Var) []*kernel.Ref {
	return slices.DeleteFunc(kernel.All[*kernel.Ref](s), func(r *kernel.Ref) bool { return r.Var != v })
}
