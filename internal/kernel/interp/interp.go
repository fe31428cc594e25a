// Package interp runs a kernel's IR, value by value, with the meaning of its language: slowly,
// without a compiler, and for a limited number of steps.
//
// It serves as a reference for a compiled function, and runs C kernels where there is no compiler.
// It is pure, and knows nothing of loops: its values are those of one element.
package interp

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Run runs the kernel on the values behind each of its parameters, which it changes, with the
// consts of k.Consts. Values are the bits of scalars, one after another, integers extended to 64
// bits, as Bits returns them.
//
// Every statement and every operation is a step. What would panic in Go is an error.
func Run(k *kernel.Kernel, params, consts [][]uint64, steps int) error {
	return Cover(k, params, consts, steps, map[*kernel.Block]bool{})
}

// Cover runs the kernel as Run does, and records the blocks that it reaches.
func Cover(k *kernel.Kernel, params, consts [][]uint64, steps int, seen map[*kernel.Block]bool) error {
	m := New(k, consts)
	m.seen = seen
	return m.Run(params, steps)
}

// Run runs the kernel as the function Run does. An error that is not ErrSteps or ErrUnknown is at
// At.
func (m *Machine) Run(params [][]uint64, steps int) (err error) {
	m.steps = steps
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case error:
			err = fault
		default:
			err = fmt.Errorf("%v", fault)
		}
	}()
	m.call(m.kernel.Entry(), params)
	return nil
}

// jump says how a statement ends: nil, a branch or a return.
type jump struct {
	branch  *kernel.Branch
	results [][]uint64
}

// call runs a function. Values are copied; pointers lead to the caller's memory. In C a pointer may be
// indexed beyond what it was given, to the end of that memory.
func (m *Machine) call(f *kernel.Func, args [][]uint64) [][]uint64 {
	before, c := m.vars, m.c
	m.vars, m.c = map[*kernel.Var][]uint64{}, f.C
	for i, p := range f.Params {
		if _, pointer := p.Type.(*kernel.Pointer); pointer && f.C {
			m.vars[p] = args[i][:cap(args[i])] // with what follows
		} else if pointer {
			m.vars[p] = args[i]
		} else {
			m.vars[p] = clone(args[i])
		}
	}
	j := m.list(f.Body.Stmts)
	m.vars, m.c = before, c
	if j == nil {
		return nil
	}
	return j.results
}

func clone(v []uint64) []uint64 { return slices.Clip(slices.Clone(v)) }

func (m *Machine) list(stmts []kernel.Stmt) *jump {
	for _, s := range stmts {
		if j := m.stmt(s); j != nil {
			return j
		}
	}
	return nil
}

func (m *Machine) stmt(s kernel.Stmt) *jump {
	m.step()
	switch s := s.(type) {
	case *kernel.Block:
		m.seen[s] = true
		return m.list(s.Stmts)
	case *kernel.Decl:
		v := make([]uint64, kernel.Count(s.Var.Type))
		if s.Init != nil {
			copy(v, m.value(s.Init))
		}
		m.vars[s.Var] = v
	case *kernel.Assign:
		m.assign(s)
	case *kernel.Do:
		m.do(s)
	case *kernel.If:
		if m.scalar(s.Cond) != 0 {
			return m.stmt(s.Then)
		} else if s.Else != nil {
			return m.stmt(s.Else)
		}
	case *kernel.For:
		return m.forStmt(s)
	case *kernel.Switch:
		return m.switchStmt(s)
	case *kernel.Branch:
		return &jump{branch: s}
	case *kernel.Return:
		j := &jump{results: make([][]uint64, len(s.Results))}
		for i := len(s.Results) - 1; i >= 0; i-- {
			j.results[i] = clone(m.value(s.Results[i]))
		}
		return j
	case *kernel.Barrier:
	default:
		panic(ErrUnknown)
	}
	return nil
}

// assign evaluates the value before the place, and copies it, since the two may overlap.
func (m *Machine) assign(s *kernel.Assign) {
	if s.Op == kernel.None {
		value := clone(m.value(s.R))
		copy(m.value(s.L), value)
		return
	}
	y := m.scalar(s.R)
	x := m.value(s.L)
	m.at = s.Pos
	left, right := kernel.Scalar(s.L.Type()), kernel.Scalar(s.R.Type())
	if left == loop.Float32 && right == loop.Float64 { // in C: the sum is one of the larger type
		x[0] = convert(right, left, operate(s.Op, right, right, convert(left, right, x[0]), y))
		return
	}
	x[0] = operate(s.Op, left, right, x[0], y)
}

func (m *Machine) do(s *kernel.Do) {
	var results [][]uint64
	switch {
	case s.Call != nil:
		results = m.call(s.Call.Func, m.args(s.Call))
	case s.Math != nil:
		results = m.math(s.Math)
	case s.X != nil:
		m.value(s.X)
		return
	default:
		panic(ErrUnknown)
	}
	for i, v := range s.Into {
		if v != nil {
			copy(m.vars[v], results[i])
		}
	}
}

func (m *Machine) forStmt(s *kernel.For) *jump {
	if s.Init != nil {
		m.stmt(s.Init)
	}
	for s.Cond == nil || m.scalar(s.Cond) != 0 {
		if j := m.stmt(s.Body); j != nil {
			if j.branch == nil || j.branch.Target != s {
				return j
			}
			if !j.branch.Continue {
				return nil
			}
		}
		if s.Post != nil {
			m.stmt(s.Post)
		}
	}
	return nil
}

func (m *Machine) switchStmt(s *kernel.Switch) *jump {
	for i := m.choose(s); i >= 0 && i < len(s.Cases); i++ {
		if j := m.stmt(s.Cases[i].Body); j != nil {
			if j.branch != nil && j.branch.Target == s {
				return nil
			}
			return j
		}
		if !s.Cases[i].Fallthrough {
			break
		}
	}
	return nil
}

// choose returns the number of the case at which a switch starts, or -1.
func (m *Machine) choose(s *kernel.Switch) int {
	tag, t := uint64(1), loop.Bool
	if s.Tag != nil {
		tag, t = m.scalar(s.Tag), kernel.Scalar(s.Tag.Type())
	}
	other := -1
	for i, c := range s.Cases {
		if c.Default {
			other = i
		}
		for _, v := range c.Values {
			if operate(kernel.Eq, t, t, tag, m.scalar(v)) != 0 {
				return i
			}
		}
	}
	return other
}
