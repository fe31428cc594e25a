package facts

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
	"github.com/go-op2/op2/internal/tune"
)

// Costs count the arithmetic of a kernel.
type Costs tune.Costs

// Work returns the arithmetic of statements for one element: the bodies of loops count as often
// as is known, of two branches the mean counts, and half of what follows an if that may return.
func (c *Costs) Work(stmts ...kernel.Stmt) int {
	work := 0
	for i, s := range stmts {
		if i > 0 {
			if _, is := stmts[i-1].(*kernel.If); is && Returns(stmts[i-1]) {
				return work + c.Work(stmts[i:]...)/2
			}
		}
		switch s := s.(type) {
		case *kernel.Block:
			if s != nil {
				work += c.Work(s.Stmts...)
			}
		case *kernel.For:
			work += c.Work(s.Body) * TripsOf(s, c.Trips)
		case *kernel.If:
			work += c.statement(&kernel.Do{X: s.Cond})
			ways := c.Work(s.Then)
			if s.Else != nil {
				ways += c.Work(s.Else)
			}
			work += ways / 2
		case *kernel.Switch:
			ways := 0
			for _, one := range s.Cases {
				ways += c.Work(one.Body)
			}
			work += ways / 2
		case *kernel.Assign:
			work += c.statement(s)
			if s.Op != kernel.None {
				work += c.expr(&kernel.Binary{At: kernel.At{T: s.L.Type()}, Op: s.Op, X: s.L, Y: s.R})
			}
		default:
			work += c.statement(s)
		}
	}
	return work
}

// statement returns the arithmetic of the expressions in a statement.
func (c *Costs) statement(s kernel.Stmt) int {
	cost := 0
	for _, e := range kernel.All[kernel.Expr](s) {
		cost += c.expr(e)
	}
	return cost
}

// expr returns the arithmetic of e itself: of floats, and of integers other than those that
// mostly are counters and subscripts.
func (c *Costs) expr(e kernel.Expr) int {
	if call, ok := e.(*kernel.Call); ok {
		return c.Work(call.Func.Body)
	}
	if t := kernel.Leaf(e.Type()); !t.Float() && (c.Floats || !t.Integer() || t.Size() > 4) {
		return 0
	}
	switch e := e.(type) {
	case *kernel.Binary:
		if e.Op == kernel.Div {
			return c.Division
		}
		return 1
	case *kernel.Math:
		if e.Name == "Sqrt" {
			return c.Division
		}
		if slices.Contains(Extremes, e.Name) {
			return c.Extreme * (len(e.Args) - 1)
		}
		if f := mathfn.Lookup(e.Name); f != nil && f.Form {
			return c.Form
		}
		return c.Function
	}
	return 0
}

// TripsOf returns the number of iterations of a loop of the form for i := a; i < b; i++, otherwise
// unknown.
func TripsOf(s *kernel.For, unknown int) int {
	from, to, counter := Bounds(s)
	if counter == nil {
		return unknown
	}
	return max(1, int(to-from))
}

// Extremes are the names of min and max.
var Extremes = []string{"Max", "Min", "max", "min"}

// Arithmetic returns the arithmetic of a kernel for one element, in additions of floats; 0 if its C is
// passed to the compiler as it is.
func Arithmetic(k *kernel.Kernel) int {
	if !k.Captured() {
		return 0
	}
	c := Costs(tune.DefaultCosts())
	return c.Work(k.Entry().Body)
}

// Operations returns the floating-point operations of a kernel for one element, as Work counts them: each arithmetic
// operation and each function of mathematics is one. It is 0 for what the IR does not capture.
func Operations(k *kernel.Kernel) int {
	c := Costs(tune.OperationCosts())
	return c.Work(k.Entry().Body)
}

// Cost returns an estimate of the work for one element of a loop, in additions of floats: the
// kernel's arithmetic, as far as the IR captures it, and moving the values.
func Cost(l *loop.Loop, k *kernel.Kernel) int {
	c := Costs(tune.ElementCosts())
	cost := float64(c.Work(k.Entry().Body))
	for _, a := range l.Args {
		if a.Access == loop.Read {
			cost += c.Load * float64(l.Values(a))
		} else {
			cost += c.Store * float64(l.Values(a))
		}
	}
	return int(cost)
}
