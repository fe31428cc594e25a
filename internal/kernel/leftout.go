package kernel

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// A call may leave out arguments. Then the kernel is lowered without the parameters: what is done only if they are there is no
// part of it.

// LeaveOut removes the parameters with these shapes from a kernel that a front end has lowered for them, in which comparisons of
// these parameters with nil, and the lengths of slices, are constants. It returns where the kernel uses them all the same.
func (k *Kernel) LeaveOut(shapes []Shape) []Problem {
	if !slices.ContainsFunc(shapes, func(s Shape) bool { return s.LeftOut }) {
		return nil
	}
	for _, f := range k.Funcs {
		prune(f.Body)
	}
	entry := k.Entry()
	missing := map[*Var]bool{}
	var params []*Var
	for i, v := range entry.Params {
		if i < len(shapes) && shapes[i].LeftOut {
			missing[v] = true
			k.LeftOut = append(k.LeftOut, LeftOut{i, v})
		} else {
			params = append(params, v)
		}
	}
	entry.Params = params
	if !k.IsC() { // whose source has all of its functions
		k.dropUncalled()
	}
	var found []Problem
	for _, r := range All[*Ref](entry.Body) {
		if missing[r.Var] && r.At.At != r.Var.Pos { // there it stands for what the IR cannot express
			delete(missing, r.Var)
			found = append(found, k.usesMissing(r))
		}
	}
	return found
}

// dropUncalled removes the functions that are not called any more.
func (k *Kernel) dropUncalled() {
	called := map[*Func]bool{k.Entry(): true}
	for _, f := range slices.Backward(k.Funcs) { // callers before callees
		if called[f] {
			for _, c := range All[*Call](f.Body) {
				called[c.Func] = true
			}
		}
	}
	k.Funcs = slices.DeleteFunc(k.Funcs, func(f *Func) bool { return !called[f] })
}

// usesMissing returns the problem of a use of a parameter that is left out.
func (k *Kernel) usesMissing(r *Ref) Problem {
	test := fmt.Sprintf("if %s != nil { ... }", r.Var.Name)
	switch {
	case k.IsC():
		test = fmt.Sprintf("if (%s) { ... }", r.Var.Name)
	case r.Var.Slices > 0:
		test = fmt.Sprintf("if len(%s) > 0 { ... }", r.Var.Name)
	}
	return Problem{Pos: r.At.At, Msg: fmt.Sprintf("%s is used, but the call leaves it out", r.Var.Name), Hint: "use it only where the kernel has found that it is there: " + test}
}

// Number returns the place of parameter i among those of the source.
func (k *Kernel) Number(i int) int {
	for _, m := range k.LeftOut {
		if m.At <= i {
			i++
		}
	}
	return i
}

// TakesMissing reports whether parameter v, of an argument that is left out, could take values of the given shape and type.
func (k *Kernel) TakesMissing(v *Var, s Shape, wholeMap bool, scalar loop.Scalar) bool {
	if v.Slices == 0 {
		return k.Takes(v, s, wholeMap, scalar)
	}
	elem := sliceElem(v)
	row := paramElem(s, false, scalar)
	return Same(elem, s.valueType(scalar)) && !s.Number || v.Slices == 1 && Same(elem, row)
}

// prune removes what is never reached, since conditions are constants, from a block.
func prune(b *Block) {
	var kept []Stmt
	for _, s := range b.Stmts {
		s = pruned(s)
		if s == nil {
			continue
		}
		kept = append(kept, s)
		if Ends(s) {
			break
		}
	}
	b.Stmts = kept
}

// pruned returns a statement without what is never reached in it; nil if nothing is left.
func pruned(s Stmt) Stmt {
	switch s := s.(type) {
	case *Block:
		prune(s)
	case *Decl:
		s.Init = reduced(s.Init)
	case *Assign:
		s.R = reduced(s.R)
	case *If:
		s.Cond = reduced(s.Cond)
		if holds, known := Truth(s.Cond); known {
			if holds {
				return pruned(s.Then)
			}
			if s.Else == nil {
				return nil
			}
			return pruned(s.Else)
		}
		prune(s.Then)
		if s.Else != nil {
			s.Else = pruned(s.Else)
		}
	case *For:
		s.Cond = reduced(s.Cond)
		if holds, known := Truth(s.Cond); known && !holds || s.never() {
			return nil
		}
		prune(s.Body)
	case *Switch:
		s.prune()
	}
	return s
}

// never reports whether a loop that counts up has no iterations.
func (f *For) never() bool {
	init, ok := f.Init.(*Decl)
	cond, isBinary := f.Cond.(*Binary)
	if !ok || !isBinary || init.Init == nil || cond.Op != Lt {
		return false
	}
	r, ok := cond.X.(*Ref)
	from, fromKnown := integer(init.Init)
	to, toKnown := integer(cond.Y)
	return ok && r.Var == init.Var && fromKnown && toKnown && from >= to
}

// prune removes the cases of a switch over conditions that are never true, and those after one that always is.
func (s *Switch) prune() {
	through := slices.ContainsFunc(s.Cases, func(c *Case) bool { return c.Fallthrough })
	for _, c := range s.Cases {
		prune(c.Body)
	}
	if s.Tag != nil || through {
		return
	}
	s.Cases = slices.DeleteFunc(s.Cases, func(c *Case) bool {
		c.Values = slices.DeleteFunc(c.Values, func(v Expr) bool {
			holds, known := Truth(reduced(v))
			return known && !holds
		})
		return len(c.Values) == 0 && !c.Default
	})
	always := slices.IndexFunc(s.Cases, func(c *Case) bool {
		return slices.ContainsFunc(c.Values, func(v Expr) bool { holds, _ := Truth(reduced(v)); return holds })
	})
	if always >= 0 {
		s.Cases = slices.DeleteFunc(s.Cases[:always+1], func(c *Case) bool { return c.Default })
	}
}

// reduced returns a condition as a constant if it is one, without the operands that do not matter; other expressions stay as they are.
func reduced(e Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		if e.Op != Not {
			break
		}
		e.X = reduced(e.X)
		if holds, known := Truth(e.X); known {
			return NewBool(!holds, e.At.At)
		}
	case *Binary:
		if e.Op == LAnd || e.Op == LOr {
			return e.reduced()
		}
		x, knownX := integer(e.X)
		y, knownY := integer(e.Y)
		if e.Op.Compares() && knownX && knownY {
			holds, _ := decide(e.Op, interval{x, x}, interval{y, y})
			return NewBool(holds, e.At.At)
		}
	}
	return e
}

// reduced returns x && y, or x || y, without the operand that does not matter.
func (b *Binary) reduced() Expr {
	b.X, b.Y = reduced(b.X), reduced(b.Y)
	decides := b.Op == LOr // the result, if an operand has this value
	x, knownX := Truth(b.X)
	y, knownY := Truth(b.Y)
	switch {
	case knownX && x == decides:
		return b.X
	case knownX:
		return b.Y
	case knownY && y != decides:
		return b.X
	case knownY && !Has[*Call](b.X):
		return b.Y
	}
	return b
}

// integer returns the value of an integer constant, maybe converted.
func integer(e Expr) (value int64, known bool) {
	if c, ok := e.(*Convert); ok && Scalar(c.T).Integer() {
		e = c.X
	}
	return IntOf(e)
}
