package codegen

import (
	"go/constant"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// check refuses a function with something that vectors cannot do, and determines the size of the
// largest values that vary.
func (l *lanes) check(f *kernel.Func) {
	l.fn = f
	for _, p := range f.Params {
		l.variable(p)
	}
	for i, t := range f.Results {
		l.value(t, l.result(f, i))
	}
	kernel.Walk(f.Body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Decl:
			l.variable(s.Var)
			l.expr(s.Init)
		case *kernel.Assign:
			l.expr(s.L)
			l.expr(s.R)
			if l.each(s.L) {
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

func (l *lanes) variable(v *kernel.Var) { l.value(v.Type, l.varies(v)) }

// value records a type of values. Structs have no vectors, and those of C kernels are not split.
func (l *lanes) value(t kernel.Type, each bool) {
	s := kernel.Leaf(t)
	l.refuse(s == loop.Invalid, "structs")
	if each && s != loop.Bool {
		l.size = max(l.size, s.Size())
	}
}

func (l *lanes) expr(e kernel.Expr) {
	if e == nil {
		return
	}
	if s := kernel.Scalar(e.Type()); s != loop.Invalid {
		l.value(e.Type(), l.each(e))
	}
	switch e := e.(type) {
	case *kernel.Opaque:
		l.refuse(true, "C beyond numbers and arrays")
	case *kernel.Select:
		l.refuse(kernel.Root(e) != nil, "C beyond numbers and arrays") // not of a const
		l.expr(e.X)
	case *kernel.Index:
		l.refuse(l.each(e.I), "a subscript that differs from element to element")
		l.refuse(l.fn.C && !e.InRange, "a subscript that may be outside the array")
		l.expr(e.X)
		l.expr(e.I)
	case *kernel.Deref:
		l.expr(e.X)
	case *kernel.AddrOf:
		l.expr(e.X)
	case *kernel.Unary:
		l.expr(e.X)
	case *kernel.Binary:
		if l.each(e) {
			l.operation(e.Op, e.X, e.Y)
		}
		l.expr(e.X)
		l.expr(e.Y)
	case *kernel.Convert:
		if m := narrowed(e); m != nil && l.each(e) {
			l.expr(m)
			return
		}
		l.expr(e.X)
	case *kernel.Call:
		for i, a := range e.Args {
			_, pointer := e.Func.Params[i].Type.(*kernel.Pointer)
			l.refuse(pointer && kernel.Root(a) == nil, "a pointer to a const") // a const has no vectors to point to
			l.expr(a)
		}
	case *kernel.Math:
		for _, a := range e.Args {
			l.expr(a)
		}
	case *kernel.Composite:
		for _, x := range e.Elems {
			l.expr(x)
		}
	}
}

// operation refuses what may fault for one element and not for another: integer divisions by
// anything but a constant, and likewise shifts; and && and || that prevent it.
func (l *lanes) operation(op kernel.Op, x, y kernel.Expr) {
	l.refuse(mayFault(op, x, y), "an operation on integers that may fault")
	if op == kernel.LAnd || op == kernel.LOr {
		l.refuse(l.hazard(&kernel.Do{X: y}) || changes(y), "a condition that may fault or has effects")
	}
}

// exact lists the functions of math that give the same for float32 as for float64 and rounding.
var exact = []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven", "Copysign", "Max", "Min"}

// narrowed returns e on float32 throughout, if it is float32(math.Sqrt(float64(x))) or the like;
// otherwise nil.
func narrowed(e *kernel.Convert) *kernel.Math {
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
