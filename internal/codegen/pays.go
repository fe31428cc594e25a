package codegen

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
)

// The unit of the estimate is one addition of floats. Its constants were found with go run ./bench
// -kernels with gcc and clang, for AVX2 and AVX-512. Where the optimum is flat they are round.
// docs/performance.md says how good they are.
const (
	divisionCost  = 9   // also a square root
	extremeCost   = 6   // min and max with Go's meaning: comparisons, selections, NaN
	jumpCost      = 30  // one that is mispredicted half of the time
	waitCost      = 20  // a value of a reduction, which the next element waits for
	libraryCost   = 20  // half a library call: packs call for all elements where only some would
	packCost      = 2   // overhead of a pack
	besideCost    = 0.3 // a value contiguous with that of the next element
	loadCost      = 0.5 // a value that is gathered
	storeCost     = 2   // a value that is stored
	increaseCost  = 3   // a value, or a pair of 8 bytes each, added in memory: it may wait for the previous one
	rowCost       = 4   // 4 values added in memory at once
	skipCost      = 9   // a value or pair that a single element would often not add at all
	combineCost   = 16  // a minimum or maximum in memory
	registerCount = 16  // values of an element beyond which vectors are spilled
)

// pays estimates whether packs of that many elements are faster: the arithmetic they save against
// the cost of moving values in and out of vectors. It returns why not, or "" if they are.
func pays(in Input, l *lanes, elements int) string {
	if l.vectorized() {
		return "compilers vectorize it"
	}
	work := float64(workOf(in.Kernel.Entry().Body))
	moved := float64(packCost)
	for i, a := range in.Loop.Args {
		switch {
		case a.Kind == loop.Index:
			moved += 4
		case a.Kind == loop.Dat:
			moved += moveCost(in.Loop, a)
			if a.Access == loop.Inc && !l.adds(in.Kernel.Entry().Body, in.param(i)) {
				moved += skipCost * float64(in.Loop.Arity(a)*placesOf(in.Loop, a))
			}
		case a.Reduces():
			work += waitCost * float64(in.Loop.Dim(a))
		}
	}
	jumps, calls, name := l.branches()
	moved += libraryCost * float64(calls)
	if !l.contiguous() { // otherwise compilers have no jumps either
		work += jumpCost * float64(jumps)
	}
	switch saved := work * (1 - 1/float64(elements)); {
	case saved > moved:
		return ""
	case calls > 0:
		return "calls " + name + " in a branch"
	}
	return "moves more than it computes"
}

// moveCost returns the cost of moving an argument's values of one element.
func moveCost(l *loop.Loop, a loop.Arg) float64 {
	n := l.Dim(a)
	if n == 1 && !a.Indirect() {
		return besideCost
	}
	load, store, increase := loadCost*float64(n), storeCost*float64(n), rowCost*float64(n/4)+increaseCost*float64(placesOf(l, a))
	if n > registerCount {
		store *= 3
	}
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
	return rows * (load + combineCost*float64(n)) // element by element, since they may share the place
}

// placesOf returns the number of additions for the values of an element of a, other than rows of 4.
func placesOf(l *loop.Loop, a loop.Arg) int {
	n := l.Dim(a) % 4
	if l.Type(a).Size() == 8 {
		return n/2 + n%2
	}
	return n
}

// adds reports whether all elements that reach b add to v, a parameter: it is neither in a branch
// that some skip, nor after an exit of some.
func (l *lanes) adds(b *kernel.Block, v *kernel.Var) bool {
	if b == nil {
		return false
	}
	for _, s := range b.Stmts {
		if s, ok := s.(*kernel.If); ok && l.split[s] {
			yes, no := l.adds(s.Then, v), s.Else != nil && l.adds(&kernel.Block{Stmts: []kernel.Stmt{s.Else}}, v)
			if yes && no {
				return true
			}
			if returns(s) && !yes {
				return false
			}
			continue
		}
		if block, ok := s.(*kernel.Block); ok {
			if l.adds(block, v) {
				return true
			}
			continue
		}
		if !l.split[s] && assigns(s, v) {
			return true
		}
	}
	return false
}

// assigns reports whether s assigns to v, or to what it points to, or passes it to a function.
func assigns(s kernel.Stmt, v *kernel.Var) bool {
	found := false
	kernel.Walk(s, func(s kernel.Stmt) {
		a, ok := s.(*kernel.Assign)
		found = found || ok && kernel.Root(a.L) == v
	}, func(e kernel.Expr) {
		c, ok := e.(*kernel.Call)
		found = found || ok && slices.ContainsFunc(c.Args, func(x kernel.Expr) bool { return kernel.Root(x) == v })
	})
	return found
}

// vectorized reports whether compilers vectorize the loop by themselves: loops over contiguous, or
// nearly contiguous, values in which all elements end together, and which call nothing, reduce
// nothing and store no values conditionally.
func (l *lanes) vectorized() bool {
	const near = 4 // values of an element
	for _, a := range l.in.Loop.Args {
		if a.Reduces() || a.Kind == loop.Dat && (a.Indirect() || l.in.Loop.Dim(a) > near) {
			return false
		}
	}
	found := false
	for s := range l.split {
		_, isLoop := s.(*kernel.For)
		found = found || isLoop || l.storesSome(s)
	}
	for _, f := range l.in.Kernel.Funcs {
		kernel.Walk(f.Body, nil, func(e kernel.Expr) { found = found || l.library(e) })
	}
	return !found && !(l.contiguous() && l.extremes())
}

// contiguous reports whether all values of dats are contiguous with those of the next element.
func (l *lanes) contiguous() bool {
	return !slices.ContainsFunc(l.in.Loop.Args, func(a loop.Arg) bool {
		return a.Kind == loop.Dat && (a.Indirect() || l.in.Loop.Dim(a) > 1)
	})
}

// extremes reports whether the kernel calls min or max, whose helpers prevent some compilers from
// vectorizing.
func (l *lanes) extremes() bool {
	found := false
	for _, f := range l.in.Kernel.Funcs {
		kernel.Walk(f.Body, nil, func(e kernel.Expr) {
			m, ok := e.(*kernel.Math)
			found = found || ok && slices.Contains(extremes, m.Name)
		})
	}
	return found
}

// extremes are the names of min and max.
var extremes = []string{"Max", "Min", "max", "min"}

// storesSome reports whether s changes values of the loop only under some condition.
func (l *lanes) storesSome(s kernel.Stmt) bool {
	found := false
	kernel.Walk(s, func(s kernel.Stmt) {
		if a, ok := s.(*kernel.Assign); ok {
			for i, arg := range l.in.Loop.Args {
				found = found || arg.Access == loop.RW && l.in.param(i) == kernel.Root(a.L)
			}
		}
	}, nil)
	return found
}

// library reports whether e is a call that packs make element by element.
func (l *lanes) library(e kernel.Expr) bool {
	m, ok := e.(*kernel.Math)
	return ok && l.each(m) && !slices.Contains(extremes, m.Name) && !mathfn.Lookup(m.Name).Vector
}

// branches counts what elements of a pack do differently: the jumps that a single element would
// make, and the library calls that only some elements would make; and it names one of the latter.
func (l *lanes) branches() (jumps, calls int, name string) {
	var visit func(s kernel.Stmt, times int, inside bool)
	look := func(s kernel.Stmt, times int, inside bool) {
		kernel.Walk(s, nil, func(e kernel.Expr) {
			switch e := e.(type) {
			case *kernel.Math:
				if inside && l.library(e) {
					calls += times
					name = strings.ToLower(e.Name)
				}
			case *kernel.Call:
				visit(e.Func.Body, times, inside)
			}
		})
	}
	visit = func(s kernel.Stmt, times int, inside bool) {
		if _, isLoop := s.(*kernel.For); l.split[s] && !isLoop && !returns(s) { // exits are well predicted
			jumps += times
		}
		switch s := s.(type) {
		case *kernel.Block:
			if s != nil {
				for _, t := range s.Stmts {
					visit(t, times, inside)
				}
			}
		case *kernel.If:
			look(&kernel.Do{X: s.Cond}, times, inside)
			visit(s.Then, times, inside || l.split[s])
			if s.Else != nil {
				visit(s.Else, times, inside || l.split[s])
			}
		case *kernel.For:
			visit(s.Body, times*tripsOf(s), inside || l.split[s])
		case *kernel.Switch:
			for _, c := range s.Cases {
				visit(c.Body, times, inside || l.split[s])
			}
		default:
			look(s, times, inside)
		}
	}
	visit(l.in.Kernel.Entry().Body, 1, false)
	return jumps, calls, name
}

// workOf returns the arithmetic of statements for one element: the bodies of loops count as often
// as is known, of two branches the mean counts, and half of what follows an if that may return.
func workOf(stmts ...kernel.Stmt) int {
	work := 0
	for i, s := range stmts {
		if i > 0 {
			if _, is := stmts[i-1].(*kernel.If); is && returns(stmts[i-1]) {
				return work + workOf(stmts[i:]...)/2
			}
		}
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
			if s.Op != kernel.None {
				work += costOf(&kernel.Binary{At: kernel.At{T: s.L.Type()}, Op: s.Op, X: s.L, Y: s.R})
			}
		default:
			work += costsOf(s)
		}
	}
	return work
}

// costsOf returns the arithmetic of the expressions in a statement.
func costsOf(s kernel.Stmt) int {
	cost := 0
	kernel.Walk(s, nil, func(e kernel.Expr) { cost += costOf(e) })
	return cost
}

// costOf returns the arithmetic of e itself: of floats, and of integers other than those that
// mostly are counters and subscripts.
func costOf(e kernel.Expr) int {
	if c, ok := e.(*kernel.Call); ok {
		return workOf(c.Func.Body)
	}
	if t := kernel.Leaf(e.Type()); !t.Float() && (!t.Integer() || t.Size() > 4) {
		return 0
	}
	switch e := e.(type) {
	case *kernel.Binary:
		if e.Op == kernel.Div {
			return divisionCost
		}
		return 1
	case *kernel.Math:
		if e.Name == "Sqrt" {
			return divisionCost
		}
		if slices.Contains(extremes, e.Name) {
			return extremeCost * (len(e.Args) - 1)
		}
		return 1
	}
	return 0
}

// tripsOf returns the number of iterations of a loop of the form for i := a; i < b; i++; 1 if
// unknown.
func tripsOf(s *kernel.For) int {
	from, to, counter := bounds(s)
	if counter == nil {
		return 1
	}
	return max(1, int(to-from))
}
