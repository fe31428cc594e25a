package op2

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/problem"
)

// Operator is a square linear operator on dats of one set and dim, for a Solver: a *Mat[float64],
// or a *FuncOperator, which NewOperator makes from a function.
type Operator interface {
	// Mul sets y to the operator times x. Both are on its set, have its dim, and must differ.
	Mul(y, x *Dat[float64]) error
	// Name returns the name the operator was declared with.
	Name() string
}

// FuncOperator is a matrix-free Operator.
type FuncOperator struct {
	set      *core.Set
	dim      int
	apply    func(y, x *Dat[float64]) error
	diagonal *Dat[float64]
	name     string
}

// NewOperator declares the operator that apply applies, usually by loops: apply sets all of y to
// the operator times x, for dats on the set with dim values per element. Diagonal contains the
// operator's diagonal, which preconditioners may need; it may be nil.
func NewOperator(set *Set, dim int, apply func(y, x *Dat[float64]) error, diagonal *Dat[float64], name string) (*FuncOperator, error) {
	what, on := "operator "+name, set.core()
	switch {
	case set == nil:
		return nil, fmt.Errorf("op2: %s: there is no set", what)
	case apply == nil:
		return nil, fmt.Errorf("op2: %s: there is no function", what)
	case dim < 1:
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("a dim of at least 1 is needed, %d was given", dim)}
	case diagonal != nil && (diagonal.set() != on || diagonal.dim() != dim):
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("the diagonal must be on %s with dim %d, %s is on %s and has dim %d",
			on.Besides(diagonal.set()), dim, diagonal.name(), diagonal.set().Besides(on), diagonal.dim())}
	}
	if err := on.Runtime().Declare("operator", name); err != nil {
		return nil, err
	}
	defer on.Runtime().Leave()
	return &FuncOperator{set: on, dim: dim, apply: apply, diagonal: diagonal, name: name}, nil
}

// Mul sets y to the operator times x. The function may use the runtime like any other code of the
// program.
func (o *FuncOperator) Mul(y, x *Dat[float64]) error {
	if o == nil || o.apply == nil {
		return errors.New("op2: the operator is nil, or was not made by NewOperator")
	}
	for _, d := range []*Dat[float64]{y, x} {
		if err := fits("operator "+o.name, "Mul", o.set, o.dim, d); err != nil {
			return err
		}
	}
	if x == y {
		return fmt.Errorf("op2: operator %s: Mul: %s is both the factor and the product", o.name, x.name())
	}
	return o.apply(y, x)
}

// Name returns the name the operator was declared with.
func (o *FuncOperator) Name() string { return orEmpty(o).name }

// fits checks that d has the set and the dim that an operation needs.
func fits[T Scalar](what, operation string, set *core.Set, dim int, d *Dat[T]) error {
	if d == nil || d.set() == nil {
		return errors.New("op2: " + what + ": " + operation + ": the dat is nil")
	}
	if err := core.CheckDeclared(what+": "+operation, set.Runtime(), d.rt()); err != nil {
		return err
	}
	if d.set() != set || d.dim() != dim {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes a dat on %s with dim %d, %s is on %s and has dim %d",
			operation, set.Besides(d.set()), dim, d.name(), d.set().Besides(set), d.dim())}
	}
	return nil
}

// domainOf returns the set and the dim of the dats that an operator acts on.
func domainOf(a Operator) (*core.Set, int, error) {
	none := errors.New("op2: NewSolver: there is no operator")
	switch a := a.(type) {
	case nil:
		return nil, 0, none
	case *FuncOperator:
		if a == nil || a.set == nil {
			return nil, 0, none
		}
		return a.set, a.dim, nil
	case *Mat[float64]:
		if a.made() != nil {
			return nil, 0, none
		}
		s := a.sparsity()
		if s.Rows() != s.Cols() || s.Block().Rows != s.Block().Cols {
			return nil, 0, &problem.ShapeError{What: "mat " + a.name(), Msg: fmt.Sprintf("a solver takes a square matrix, this one has rows on %s with dim %d, and columns on %s with dim %d",
				s.Rows().Name(), s.Block().Rows, s.Cols().Name(), s.Block().Cols)}
		}
		return s.Rows(), s.Block().Rows, nil
	}
	return nil, 0, fmt.Errorf("op2: solver of %s: it is a %T\n  hint: a solver takes a *op2.Mat[float64], or what op2.NewOperator makes", a.Name(), a)
}

// entriesOf returns a square matrix for preconditioners, which shares the pattern and the values.
func entriesOf(m *Mat[float64]) (*precondition.Matrix, error) {
	csr, err := m.csr(false)
	return &precondition.Matrix{Dim: csr.RowDim, RowPtr: csr.RowPtr, ColIdx: csr.ColIdx, Values: csr.Values}, err
}
