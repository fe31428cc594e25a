package lanes

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/mathfn"
)

// estimate decides whether packs are faster than single elements.
type estimate struct {
	*Lanes
	program *lower.Program // for packs
}

// Pays returns why packs of that many elements are not faster than single elements, with a program
// for packs; "" if they are.
//
// The estimate weighs the arithmetic that packs save against the cost of moving values in and out of
// vectors.
func (l *Lanes) Pays(program *lower.Program, elements int) string {
	e := &estimate{l, program}
	if e.vectorized() {
		if kernel.Has[*kernel.Barrier](e.in.Kernel) { // at which they do not, though they would without
			return ""
		}
		return codegen.ByCompilers
	}
	work := float64(e.costs.Work(e.in.Kernel.Entry().Body))
	for _, r := range e.program.Reductions {
		if r.Combine == lower.Combine { // element by element in packs, too
			continue
		}
		work += e.costs.Wait * float64(e.program.Locals[r.Local].Dim)
	}
	moved := e.costs.Pack
	for _, m := range e.program.Moves {
		moved += e.moveCost(m)
	}
	jumps, calls, name := e.branches()
	moved += e.costs.Library * float64(calls)
	if !e.contiguous() { // otherwise compilers have no jumps either
		work += e.costs.Jump * float64(jumps)
	}
	// A pack does the work of one element for all of its elements: it saves the others' share.
	switch saved := work * (1 - 1/float64(elements)); {
	case saved > moved:
		return ""
	case calls > 0:
		return "calls " + name + " in a branch"
	}
	return "moves more than it computes"
}

// moveCost returns the cost of a move, per element. A load or a store costs something for each value, an addition
// for each four values of a row and, of the rest, for each that fits into one instruction. Values of the element
// itself, one for each, are contiguous, and moved as one vector.
func (e *estimate) moveCost(m lower.Move) float64 {
	c := e.costs
	switch m.Place.Kind {
	case lower.ElementNo:
		return c.Number
	case lower.Values:
	default: // values that stay in registers
		if m.Do == lower.Combine {
			return c.Store * float64(m.Dim)
		}
		return 0
	}
	l := e.program.Locals[m.Local]
	if l.Role == lower.Number {
		return c.Number
	}
	values, places := float64(m.Rows*m.Dim), float64(m.Rows*placesOf(m.Dim, l.Type))
	cost := 0.0
	switch m.Do {
	case lower.Load:
		cost = c.Load * values
	case lower.Store, lower.Combine:
		cost = c.Store * values
		if m.Dim > c.Registers {
			cost *= c.Spill
		}
	case lower.Add:
		cost = c.Row*float64(m.Rows*(m.Dim/4)) + c.Increase*places
	case lower.Min, lower.Max: // element by element, since they may share the place
		cost = c.Combine * values
	}
	if Direct(m) && m.Dim == 1 {
		cost = min(cost, c.Beside)
	}
	if m.Do == lower.Add && !e.adds(e.in.Kernel.Entry().Body, e.program.Params[m.Param].Var) {
		cost += c.Skip * places
	}
	return cost
}

// Direct reports whether a move is of values at the element itself.
func Direct(m lower.Move) bool { return m.Place.Kind == lower.Values && m.Place.Map == loop.Direct }

// placesOf returns the number of additions for a row of dim values of type t, other than of 4 at once.
func placesOf(dim int, t loop.Scalar) int {
	n := dim % 4
	if t.Size() == 8 {
		return n/2 + n%2
	}
	return n
}

// adds reports whether all elements that reach b add to v, a parameter: it is neither in a branch
// that some skip, nor after an exit of some. Statements are followed in order up to the first that adds for sure; an if
// does where both of its branches do.
func (l *Lanes) adds(b *kernel.Block, v *kernel.Var) bool {
	if b == nil {
		return false
	}
	for _, s := range b.Stmts {
		if s, ok := s.(*kernel.If); ok && l.split[s] {
			yes, no := l.adds(s.Then, v), s.Else != nil && l.adds(&kernel.Block{Stmts: []kernel.Stmt{s.Else}}, v)
			if yes && no {
				return true
			}
			if facts.Returns(s) && !yes {
				return false
			}
			continue
		}
		if block, ok := s.(*kernel.Block); ok && l.adds(block, v) || !ok && !l.split[s] && assigns(s, v) {
			return true
		}
	}
	return false
}

// assigns reports whether s assigns to v or its pointee, or passes it to a function.
func assigns(s kernel.Stmt, v *kernel.Var) bool {
	leads := func(x kernel.Expr) bool { return kernel.Root(x) == v }
	return slices.ContainsFunc(kernel.All[*kernel.Assign](s), func(a *kernel.Assign) bool { return leads(a.L) }) ||
		slices.ContainsFunc(kernel.All[*kernel.Call](s), func(c *kernel.Call) bool { return slices.ContainsFunc(c.Args, leads) })
}

// vectorized reports whether compilers vectorize the loop by themselves: loops over contiguous, or
// nearly contiguous, values in which all elements end together, and which call nothing, reduce
// nothing and store no values conditionally.
func (e *estimate) vectorized() bool {
	if len(e.program.Reductions) > 0 || !e.near(e.costs.Near) {
		return false
	}
	for s := range e.split {
		if kernel.Is[*kernel.For](s) || e.storesSome(s) {
			return false
		}
	}
	return !slices.ContainsFunc(kernel.All[*kernel.Math](e.in.Kernel), e.called) && !(e.contiguous() && e.extremes())
}

// near reports whether all values of dats are at the element itself, at most n for each.
func (e *estimate) near(n int) bool {
	return !slices.ContainsFunc(e.program.Moves, func(m lower.Move) bool {
		return m.Place.Kind == lower.Values && (!Direct(m) || m.Dim > n)
	})
}

// contiguous reports whether all values of dats are contiguous with those of the next element.
func (e *estimate) contiguous() bool { return e.near(1) }

// extremes reports whether the kernel calls min or max, whose helpers prevent some compilers from
// vectorizing.
func (e *estimate) extremes() bool {
	return slices.ContainsFunc(kernel.All[*kernel.Math](e.in.Kernel), func(m *kernel.Math) bool { return slices.Contains(facts.Extremes, m.Name) })
}

// storesSome reports whether s changes only under some condition a copy that is loaded and stored.
func (e *estimate) storesSome(s kernel.Stmt) bool {
	return slices.ContainsFunc(kernel.All[*kernel.Assign](s), func(a *kernel.Assign) bool {
		return slices.ContainsFunc(e.program.Moves, func(m lower.Move) bool {
			return m.Do == lower.Store && e.program.Begins(m.Local) == lower.Load && e.program.Params[m.Param].Var == kernel.Root(a.L)
		})
	})
}

// called reports whether m is a call of a library for single elements.
func (l *Lanes) called(m *kernel.Math) bool {
	return l.Each(m) && !slices.Contains(facts.Extremes, m.Name) && !mathfn.Lookup(m.Name).Vector
}

// library reports whether packs make the call element by element, too.
func (l *Lanes) library(m *kernel.Math) bool {
	return l.called(m) && !(l.forms && mathfn.Lookup(m.Name).Form)
}

// branches counts what elements of a pack do differently: the jumps that a single element would
// make, and the library calls that only some elements would make; and it names one of the latter. It walks the statements
// as a run of the kernel would, into the functions that are called: statements of a loop count as often as the loop
// is expected to run.
func (l *Lanes) branches() (jumps, calls int, name string) {
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
		if l.split[s] && !kernel.Is[*kernel.For](s) && !facts.Returns(s) { // exits are well predicted
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
			visit(s.Body, times*facts.TripsOf(s, l.costs.Trips), inside || l.split[s])
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
