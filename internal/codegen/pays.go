package codegen

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// pays estimates whether packs of so many elements are faster: the arithmetic that
// they do at once against the values that are moved in and out of vectors, both in
// additions. It takes what it does not know for what is worse for packs.
func pays(in Input, l *lanes, elements int) string {
	if name := l.callsLibrary(); name != "" {
		return "calls " + name
	}
	moved := 4.0 // for what there is to each pack
	work := float64(workOf(in.Kernel.Entry().Body))
	contiguous := true // compilers use vectors for such loops by themselves
	for _, a := range in.Loop.Args {
		switch {
		case a.Kind == loop.Index:
			moved += 4
		case a.Kind == loop.Dat:
			moved += moveCost(in.Loop, a)
			contiguous = contiguous && !a.Indirect() && in.Loop.Dim(a) == 1
		case a.Reduces():
			work += 10 * float64(in.Loop.Dim(a)) // they wait for each other
		}
	}
	if contiguous && len(l.split) == 0 && !in.Loop.Reduces() {
		return "compilers do it"
	}
	if !contiguous {
		for s := range l.split {
			if _, isLoop := s.(*kernel.For); !isLoop {
				work += 4 // a jump that processors may not foresee
			}
		}
	}
	if work*(1-1/float64(elements)) <= 1.3*moved {
		return "moves more than it computes"
	}
	return ""
}

// moveCost is what it takes to move an argument's values of one element: little for
// those that lie side by side, and for rows of 4 or 2; more for single ones, and for
// additions in memory, one of which may wait for the one before.
func moveCost(l *loop.Loop, a loop.Arg) float64 {
	n, size := l.Dim(a), l.Type(a).Size()
	if n == 1 && !a.Indirect() {
		return 0.3
	}
	fours, twos, ones := n/4, n%4/2, n%2
	if size < 4 {
		fours, twos, ones = 0, 0, n
	}
	load := 3*float64(fours) + 1.6*float64(twos) + 1.2*float64(ones)
	store := 4*float64(fours) + 2.5*float64(2*twos+ones)
	increase := 6*float64(fours) + 6.5*float64(2*twos+ones)
	rows := float64(l.Arity(a))
	switch a.Access {
	case loop.Read:
		return rows * load
	case loop.Write:
		return rows * store
	case loop.Inc:
		return rows * increase
	case loop.RW:
		return rows * (load + store)
	}
	return rows * (load + increase)
}

// vectorised are the functions of math that compilers have vectors for; others are
// called element by element.
var vectorised = []string{"Abs", "Ceil", "Copysign", "FMA", "Floor", "IsNaN", "Max", "Min", "RoundToEven", "Sqrt", "Trunc", "max", "min"}

// callsLibrary names the first function that packs call for one element after the other,
// and before which all vectors are put aside; "" if the kernel calls none.
func (l *lanes) callsLibrary() string {
	name := ""
	for _, f := range l.in.Kernel.Funcs {
		kernel.Walk(f.Body, nil, func(e kernel.Expr) {
			if m, ok := e.(*kernel.Math); ok && name == "" && l.each(m) && !slices.Contains(vectorised, m.Name) {
				name = strings.ToLower(m.Name)
			}
		})
	}
	return name
}

// workOf is the arithmetic that one element takes for statements: what loops repeat as
// often as that is known, and of two ways the mean.
func workOf(stmts ...kernel.Stmt) int {
	work := 0
	for _, s := range stmts {
		switch s := s.(type) {
		case *kernel.Block:
			if s != nil {
				work += workOf(s.Stmts...)
			}
		case *kernel.For:
			work += workOf(s.Body) * tripsOf(s)
		case *kernel.If:
			work += costsOf(&kernel.Do{X: s.Cond})
			ways := workOf(s.Then)
			if s.Else != nil {
				ways += workOf(s.Else)
			}
			work += ways / 2
		case *kernel.Switch:
			ways := 0
			for _, c := range s.Cases {
				ways += workOf(c.Body)
			}
			work += ways / 2
		case *kernel.Assign:
			work += costsOf(s)
			if s.Op != kernel.None && kernel.Leaf(s.L.Type()).Float() {
				work++
				if s.Op == kernel.Div {
					work += divisionCost
				}
			}
		default:
			work += costsOf(s)
		}
	}
	return work
}

// costsOf is the arithmetic of the expressions in a statement.
func costsOf(s kernel.Stmt) int {
	cost := 0
	kernel.Walk(s, nil, func(e kernel.Expr) { cost += costOf(e) })
	return cost
}

const divisionCost = 9 // additions

// costOf is the arithmetic of e itself: of floats, since compilers do well with
// integers by themselves.
func costOf(e kernel.Expr) int {
	if !kernel.Leaf(e.Type()).Float() {
		return 0
	}
	switch e := e.(type) {
	case *kernel.Binary:
		if e.Op == kernel.Div {
			return 1 + divisionCost
		}
		return 1
	case *kernel.Math:
		if e.Name == "Sqrt" {
			return 1 + divisionCost
		}
		return 1
	case *kernel.Call:
		return workOf(e.Func.Body)
	}
	return 0
}

// tripsOf is how often a loop of the form for i := a; i < b; i++ runs; 1 if it is not
// known.
func tripsOf(s *kernel.For) int {
	from, to, counter := bounds(s)
	if counter == nil {
		return 1
	}
	return max(1, int(to-from))
}
