package lanes

import (
	"go/constant"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// check refuses a function with something that vectors cannot do, and determines the size of the
// largest values that vary. It looks at the result of the fixed point: the same operation is allowed where it is one for
// all elements.
func (l *Lanes) check(f *kernel.Func) {
	l.fn = f
	for _, p := range f.Params {
		l.variable(p)
	}
	for i, t := range f.Results {
		l.value(t, l.Result(f, i))
	}
	kernel.Walk(f.Body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Decl:
			l.variable(s.Var)
			l.expr(s.Init)
		case *kernel.Assign:
			l.expr(s.L)
			l.expr(s.R)
			if l.Each(s.L) {
				l.operation(s.Op, s.L, s.R)
			}
		case *kernel.Do:
			l.refuse(s.Math != nil, "a function with two results")
			l.expr(s.X)
			if s.Call != nil {
				l.expr(s.Call)
			}
		case *kernel.If:
			l.expr(s.Cond)
		case *kernel.For:
			l.expr(s.Cond)
			l.refuse(l.split[s] && s.Post != nil && l.hazard(s.Post), "a step of a loop that may fault")
		case *kernel.Switch:
			l.expr(s.Tag)
			for _, c := range s.Cases {
				for _, v := range c.Values {
					l.expr(v)
				}
			}
			if chain := l.chains[s]; l.split[s] && chain != nil {
				for next, ok := chain, true; ok && next != nil; next, ok = next.Else.(*kernel.If) {
					l.expr(next.Cond)
				}
			}
		case *kernel.Return:
			for _, r := range s.Results {
				l.expr(r)
			}
		}
	}, nil)
}

func (l *Lanes) variable(v *kernel.Var) { l.value(v.Type, l.Varies(v)) }

// value records a type of values. Structs have no vectors, and those of C kernels are not split.
func (l *Lanes) value(t kernel.Type, each bool) {
	s := kernel.Leaf(t)
	l.refuse(s == loop.Invalid, "structs")
	if each && s != loop.Bool {
		l.size = max(l.size, s.Size())
	}
}

// expr refuses an expression that vectors cannot have: an unknown one, a struct, a subscript that is not the same for
// all elements, which would gather, and an operation that may fault.
func (l *Lanes) expr(e kernel.Expr) {
	if e == nil {
		return
	}
	if s := kernel.Scalar(e.Type()); s != loop.Invalid {
		l.value(e.Type(), l.Each(e))
	}
	switch e := e.(type) {
	case *kernel.Opaque:
		l.refuse(true, "C beyond numbers and arrays")
	case *kernel.Select:
		l.refuse(kernel.Root(e) != nil, "C beyond numbers and arrays") // not of a const
	case *kernel.Index:
		l.refuse(l.Each(e.I), "a subscript that differs from element to element")
		l.refuse(l.fn.C && !e.InRange, "a subscript that may be outside the array")
	case *kernel.Binary:
		if l.Each(e) {
			l.operation(e.Op, e.X, e.Y)
		}
	case *kernel.Convert:
		if m := Narrowed(e); m != nil && l.Each(e) {
			l.expr(m)
			return
		}
	case *kernel.Call:
		for i, a := range e.Args {
			pointer := kernel.Is[*kernel.Pointer](e.Func.Params[i].Type)
			l.refuse(pointer && kernel.Root(a) == nil, "a pointer to a const") // a const has no vectors to point to
			l.expr(a)
		}
		return
	}
	for _, x := range kernel.Operands(e) {
		l.expr(x)
	}
}

// operation refuses what may fault for one element and not for another: integer divisions by
// anything but a constant, and likewise shifts; and && and || that prevent it.
func (l *Lanes) operation(op kernel.Op, x, y kernel.Expr) {
	l.refuse(mayFault(op, x, y), "an operation on integers that may fault")
	if op == kernel.LAnd || op == kernel.LOr {
		l.refuse(l.hazard(&kernel.Do{X: y}) || facts.Changes(y), "a condition that may fault or has effects")
	}
}

// exact lists the functions of math that give the same for float32 as for float64 and rounding. A square root is
// rounded twice to the same number as once, since float64 has at least two more than twice the digits of float32
// (S. A. Figueroa, "When is double rounding innocuous?", ACM SIGNUM Newsletter 30(3), 1995). The others return an operand,
// perhaps with another sign, or an integer that float32 has: they round nothing.
var exact = []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven", "Copysign", "Max", "Min"}

// Narrowed returns e on float32 throughout, if it is float32(math.Sqrt(float64(x))) or the like;
// otherwise nil.
func Narrowed(e *kernel.Convert) *kernel.Math {
	m, ok := e.X.(*kernel.Math)
	if !ok || kernel.Scalar(e.Type()) != loop.Float32 || !slices.Contains(exact, m.Name) {
		return nil
	}
	n := &kernel.Math{At: kernel.At{T: e.Type(), At: m.Pos()}, Name: m.Name}
	for _, a := range m.Args {
		switch a := a.(type) {
		case *kernel.Convert:
			if kernel.Scalar(a.X.Type()) != loop.Float32 {
				return nil
			}
			n.Args = append(n.Args, a.X)
		case *kernel.Lit:
			f, _ := constant.Float64Val(constant.ToFloat(a.Value))
			if f != float64(float32(f)) || math.IsInf(float64(float32(f)), 0) {
				return nil
			}
			n.Args = append(n.Args, kernel.NewLit(a.Value, e.Type(), a.Pos()))
		default:
			return nil
		}
	}
	return n
}

// Code that no element of a pack reaches is executed all the same, under an empty mask. Hazards must not
// be: code that may fault, access beyond an array or not terminate.

// count finds the counters of f: variables of loops over literal numbers that nothing else changes.
func (l *Lanes) count(f *kernel.Func) {
	for _, loop := range kernel.All[*kernel.For](f.Body) {
		from, to, v := facts.Bounds(loop)
		if v != nil && !kernel.Stored(&kernel.Func{Body: loop.Body})[v] {
			l.counted[v] = span{from, to - 1}
		}
	}
}

// span returns the possible values of an integer, whether or not an element gets there: interval arithmetic
// (R. E. Moore, Interval Analysis, 1966) on literals and counters. Operands beyond 2^20 and integers of less
// than 32 bits are not followed. A result that wraps is therefore far outside any array, and no operand of
// another operation.
func (l *Lanes) span(e kernel.Expr) (s span, known bool) {
	switch e := e.(type) {
	case *kernel.Lit:
		i, ok := kernel.IntOf(e)
		return span{i, i}, ok
	case *kernel.Ref:
		s, ok := l.counted[e.Var]
		return s, ok
	case *kernel.Convert:
		s, ok := l.span(e.X)
		t := kernel.Scalar(e.Type())
		return s, ok && kernel.Scalar(e.X.Type()).Integer() && t.Integer() && 0 <= s.first && s.last <= math.MaxInt8
	case *kernel.Binary:
		x, xOK := l.span(e.X)
		y, yOK := l.span(e.Y)
		const small = 1 << 20
		if !xOK || !yOK || max(-x.first, x.last, -y.first, y.last) > small || kernel.Scalar(e.Type()).Size() < 4 {
			return span{}, false
		}
		switch e.Op {
		case kernel.Add:
			return span{x.first + y.first, x.last + y.last}, true
		case kernel.Sub:
			return span{x.first - y.last, x.last - y.first}, true
		case kernel.Mul:
			a, b, c, d := x.first*y.first, x.first*y.last, x.last*y.first, x.last*y.last
			return span{min(a, b, c, d), max(a, b, c, d)}, true
		}
	}
	return span{}, false
}

// safe reports whether the subscript of e is within its array even if no element gets there. What is not known is not
// safe: it may be the value that a variable has in a lane whose element took another path.
func (l *Lanes) safe(e *kernel.Index) bool {
	s, known := l.span(e.I)
	return known && 0 <= s.first && s.last < int64(l.length(e))
}

// length returns the number of elements of the indexed value; 0 if unknown.
func (l *Lanes) length(e *kernel.Index) int {
	if a, ok := kernel.Elem(e.X.Type()).(*kernel.Array); ok && a.Len > 0 {
		return a.Len
	}
	ref, ok := e.X.(*kernel.Ref)
	if !ok {
		return 0
	}
	for i, a := range l.in.Loop.Args {
		if v := l.in.Param(i); v == ref.Var {
			if _, scalar := kernel.Elem(v.Type).(kernel.Basic); scalar || !a.WholeMap() {
				return l.in.Loop.Arity(a) * l.in.Loop.Dim(a)
			}
			return l.in.Loop.Arity(a)
		}
	}
	return 0
}

// hazard reports whether statements may fault, access beyond an array or not terminate if no element reaches
// them. Loops terminate if they count between literals; any other operand of a loop may have any value in
// a lane whose element is elsewhere.
func (l *Lanes) hazard(stmts ...kernel.Stmt) bool {
	found := false
	for _, s := range stmts {
		kernel.Walk(s, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.For:
				_, _, counter := facts.Bounds(s)
				_, counts := l.counted[counter]
				found = found || !counts
			case *kernel.Assign:
				found = found || mayFault(s.Op, s.L, s.R)
			}
		}, func(e kernel.Expr) {
			switch e := e.(type) {
			case *kernel.Index:
				found = found || !l.safe(e)
			case *kernel.Binary:
				found = found || mayFault(e.Op, e.X, e.Y)
			case *kernel.Call:
				found = found || l.hazard(e.Func.Body)
			}
		})
	}
	return found
}

// mayFault reports whether x op y is a division by something that may be zero or a shift by a count
// that may be too large.
func mayFault(op kernel.Op, x, y kernel.Expr) bool {
	t := kernel.Scalar(x.Type())
	switch op {
	case kernel.Div, kernel.Rem:
		return t.Integer() && !facts.LiteralBetween(y, 1, math.MaxInt64)
	case kernel.Shl, kernel.Shr:
		return !facts.LiteralBetween(y, 0, int64(8*t.Size()-1))
	}
	return false
}

// Dear reports whether statements should only be executed if some element executes them: because
// they must, or because they cost more than the check. The check is a reduction over the mask and a jump.
func (l *Lanes) Dear(stmts ...kernel.Stmt) bool {
	return l.hazard(stmts...) || l.costs.Work(stmts...) > l.costs.Dear
}
