package kernel

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// stray records that the subscript i of e, in a variable or a field whose valid subscripts are there,
// is not within them. It is certain to be a mistake only if it cannot be one of possible.
func (a *analysis) stray(e *Index, base location, i, there, possible interval) {
	v := Root(e.X)
	isConst := base.root == local && base.local.of != nil
	if isConst {
		v = &Var{Name: base.local.of.Name}
	}
	if a.s == nil || !a.c || base.vague || v == nil || there.hi < there.lo {
		return
	}
	leaves, certain := i.hi < there.lo || there.hi < i.lo, i.hi < possible.lo || possible.hi < i.lo
	a.addStray(Stray{Pos: e.Pos(), Param: max(base.root, local), Var: v, lo: i.lo, hi: i.hi, first: there.lo, last: there.hi,
		Leaves: leaves, Certain: leaves && certain && !a.s.maybe, isConst: isConst})
}

// measure records the valid subscripts of e; an empty interval stands for unknown ones.
func (a *analysis) measure(e *Index, there interval) {
	if a.s == nil {
		return
	}
	before, known := a.there[e]
	switch {
	case !known:
		a.there[e] = there
		e.There, e.Before = there.hi-there.lo+1, -there.lo
	case before != there:
		e.There, e.Before = 0, 0
	}
}

// leaves records that the subscript i of e, in a Go kernel, certainly leaves a slice or an array, whose
// valid subscripts are there. Of constants and arrays, the type checker knows as much.
func (a *analysis) leaves(e *Index, base location, i, there interval) {
	if v := Root(e.X); a.s != nil && !a.s.maybe && v != nil && (i.hi < there.lo || there.hi < i.lo) {
		a.addStray(Stray{Pos: e.Pos(), Param: max(base.root, local), Var: v, lo: i.lo, hi: i.hi, first: there.lo, last: there.hi, Leaves: true, Certain: true})
	}
}

func (a *analysis) addStray(s Stray) {
	if s.Param >= 0 {
		s.Var = a.k.Entry().Params[s.Param]
	}
	for n, known := range a.k.Strays {
		if known.Pos == s.Pos {
			if s.Leaves && !known.Leaves || s.Certain && !known.Certain {
				a.k.Strays[n] = s
			}
			return
		}
	}
	a.k.Strays = append(a.k.Strays, s)
}

// checkStrays refuses subscripts that certainly leave their argument.
func checkStrays(k *Kernel) []Problem {
	var found []Problem
	for _, s := range k.Strays {
		if s.Certain {
			hint := "the argument has no such value: what lies there is another one's"
			switch {
			case s.isConst:
				hint = "the const has no such value: what lies there is another one's"
			case !k.IsC() && s.Var.Slices == 0:
				hint = "the kernel would end there for each element: compare the subscript with len"
			case !k.IsC():
				hint = "the slice has a fixed length in each loop: compare the subscript with len"
			}
			found = append(found, Problem{Pos: s.Pos, Msg: s.String(), Hint: hint})
		}
	}
	return found
}

// Doubts describes what Check cannot decide about a C kernel, line by line with positions; "" if
// there is nothing.
func Doubts(k *Kernel, access []loop.Access) string {
	var doubts []string
	for _, s := range k.Strays {
		if !s.Certain {
			doubts = append(doubts, fmt.Sprintf("%s: %s", s.Pos, s))
		}
	}
	for _, p := range k.Unseen {
		doubts = append(doubts, p.String())
	}
	if k.IsC() && !k.Exact { // else the divisor is checked
		for _, pos := range k.divisions() {
			doubts = append(doubts, fmt.Sprintf("%s: an integer is divided by what may be zero: that ends the program", pos))
		}
	}
	for i, v := range k.Entry().Params {
		if use := k.Uses[i]; k.IsC() && access[i] == loop.Read && !v.Const && use.Opaque.Known() {
			doubts = append(doubts, fmt.Sprintf("%s: %s is passed with Read, and may be changed through a pointer; declare it const", use.Opaque, v.Name))
		}
	}
	return strings.Join(doubts, "\n  ")
}
