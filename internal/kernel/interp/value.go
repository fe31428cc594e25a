package interp

import (
	"fmt"
	"go/constant"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
)

// value returns the value of e; for a place, the place itself.
func (m *Machine) value(e kernel.Expr) []uint64 {
	switch e := e.(type) {
	case *kernel.Ref:
		return m.vars[e.Var]
	case *kernel.ConstRef:
		return m.consts[e.Const.Name]
	case *kernel.Index:
		return m.element(e)
	case *kernel.Select:
		_, at := kernel.Elem(e.X.Type()).(*kernel.Struct).Field(e.Field)
		return m.value(e.X)[at : at+kernel.Count(e.T)]
	case *kernel.Deref:
		return m.value(e.X)
	case *kernel.AddrOf:
		return m.value(e.X)
	case *kernel.Call:
		return m.call(e.Func, m.args(e))[0]
	case *kernel.Math:
		return m.math(e)[0]
	case *kernel.Composite:
		return m.composite(e)
	}
	return []uint64{m.scalar(e)}
}

// scalar returns the value of e, which is a single scalar.
func (m *Machine) scalar(e kernel.Expr) uint64 {
	m.step()
	switch e := e.(type) {
	case *kernel.Lit:
		v, ok := m.literals[e]
		if !ok {
			v = literal(e)
			m.literals[e] = v
		}
		return v
	case *kernel.Unary:
		return unary(e.Op, kernel.Scalar(e.T), m.scalar(e.X))
	case *kernel.Binary:
		return m.binary(e)
	case *kernel.Convert:
		return convert(kernel.Scalar(e.X.Type()), kernel.Scalar(e.T), m.scalar(e.X))
	case *kernel.Ref, *kernel.ConstRef, *kernel.Index, *kernel.Select, *kernel.Deref, *kernel.Call, *kernel.Math:
		return m.value(e)[0]
	}
	panic(ErrUnknown)
}

// element returns the place X[I].
func (m *Machine) element(e *kernel.Index) []uint64 {
	i := int64(m.scalar(e.I))
	n := kernel.Count(e.T)
	values := m.value(e.X)
	if _, row := e.T.(*kernel.Pointer); row {
		n = m.rows[kernel.Root(e.X)]
	}
	if m.c {
		values = values[:cap(values)] // with what follows
	}
	length := int64(len(values) / n)
	if m.c && e.There > 0 {
		length = min(length, e.There-e.Before)
	}
	if i < 0 || i >= length {
		m.at = e.Pos()
		if i < 0 { // as Go says it
			panic(fmt.Errorf("index out of range [%d]", i))
		}
		panic(fmt.Errorf("index out of range [%d] with length %d", i+e.Before, length+e.Before))
	}
	at := int(i) * n
	if _, row := e.T.(*kernel.Pointer); row {
		return values[at : at+n : at+n]
	}
	return values[at : at+n]
}

func (m *Machine) binary(e *kernel.Binary) uint64 {
	switch e.Op {
	case kernel.LAnd:
		if m.scalar(e.X) == 0 {
			return 0
		}
		return m.scalar(e.Y)
	case kernel.LOr:
		if m.scalar(e.X) != 0 {
			return 1
		}
		return m.scalar(e.Y)
	}
	if kernel.Scalar(e.X.Type()) == loop.Invalid {
		panic(ErrUnknown)
	}
	y := m.scalar(e.Y)
	x := m.scalar(e.X)
	m.at = e.Pos()
	return operate(e.Op, kernel.Scalar(e.X.Type()), kernel.Scalar(e.Y.Type()), x, y)
}

func (m *Machine) composite(e *kernel.Composite) []uint64 {
	var cells []uint64
	for i, x := range e.Elems {
		if x != nil {
			cells = append(cells, m.value(x)...)
			continue
		}
		cells = append(cells, make([]uint64, kernel.Count(kernel.PartType(e.T, i)))...)
	}
	return cells
}

// literal returns the bits of a constant.
func literal(e *kernel.Lit) uint64 {
	s := kernel.Scalar(e.T)
	switch {
	case s == loop.Bool:
		return bit(constant.BoolVal(e.Value))
	case s == loop.Float32:
		f, _ := constant.Float32Val(e.Value)
		return float(s, float64(f))
	case s.Float():
		f, _ := constant.Float64Val(e.Value)
		return float(s, f)
	case s.Unsigned():
		u, _ := constant.Uint64Val(constant.ToInt(e.Value))
		return u
	}
	i, _ := constant.Int64Val(constant.ToInt(e.Value))
	return uint64(i)
}

// math returns the results of a function of package math, or of min or max.
func (m *Machine) math(e *kernel.Math) [][]uint64 {
	args := make([]uint64, len(e.Args))
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = m.scalar(e.Args[i])
	}
	if e.Name == "min" || e.Name == "max" {
		s := kernel.Scalar(e.T)
		best := args[0]
		for _, a := range args[1:] {
			best = better(e.Name, s, best, a)
		}
		return [][]uint64{{best}}
	}
	if f := mathfn.Lookup(e.Name); m.c && f != nil && f.C != "" {
		return [][]uint64{{inC(e, args)}}
	}
	return call(e.Name, args)
}

func (m *Machine) args(c *kernel.Call) [][]uint64 {
	values := make([][]uint64, len(c.Args))
	for i := len(c.Args) - 1; i >= 0; i-- {
		values[i] = m.value(c.Args[i])
	}
	for i, p := range c.Func.Params {
		if n := m.rows[kernel.Root(c.Args[i])]; n > 0 {
			m.rows[p] = n
		}
	}
	return values
}
