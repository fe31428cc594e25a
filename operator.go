package op2

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/solve"
)

// Operator is a square linear operator on dats of one set and dim, for a Solver: a *Mat[float64], a
// *FuncOperator, which NewOperator makes from a function, or a type of the program's own.
//
// Preconditioners that need the diagonal take it from a method Diagonal(to *Dat[float64]) error, if
// the operator has one, as *Mat has: it sets all of a dat on the operator's set and with its dim.
type Operator interface {
	// Mul sets y to the operator times x. Both are on its set, have its dim, and differ. The solver
	// calls it while it does not hold the runtime, so that it can run loops.
	Mul(y, x *Dat[float64]) error
	// Domain returns the set and the dim of the dats that the operator acts on.
	Domain() (set *Set, dim int)
	// Name returns the operator's name, for messages.
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
func NewOperator(set *Set, dim int, apply func(y, x *Dat[float64]) error, diagonal *Dat[float64], name string) *FuncOperator {
	what, on := "operator "+name, set.core()
	d := core.Declaration{On: []*core.Runtime{on.Runtime()}, What: what, Of: "set"}
	if diagonal != nil {
		d.On = append(d.On, diagonal.dat().rt())
	}
	return core.Declare(d, func() (*FuncOperator, error) {
		switch {
		case apply == nil:
			return nil, fmt.Errorf("op2: %s: there is no function", what)
		case dim < 1:
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("a dim of at least 1 is needed, %d was given", dim)}
		case diagonal != nil && (diagonal.dat().set() != on || diagonal.dat().dim() != dim):
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("the diagonal must be on %s with dim %d, %s is on %s and has dim %d",
				on.Besides(diagonal.dat().set()), dim, diagonal.dat().name(), diagonal.dat().set().Besides(on), diagonal.dat().dim())}
		}
		return &FuncOperator{set: on, dim: dim, apply: apply, diagonal: diagonal, name: name}, nil
	}, func(failed *core.Runtime) *FuncOperator {
		return &FuncOperator{set: core.InertSet(failed, ""), dim: dim, name: name}
	})
}

// Err returns why the operator could not be declared; nil if it was.
func (o *FuncOperator) Err() error {
	return orEmpty(o).set.Runtime().Made("operator", "NewOperator")
}

// Mul sets y to the operator times x. The function may use the runtime like any other code of the
// program.
func (o *FuncOperator) Mul(y, x *Dat[float64]) error {
	if err := o.Err(); err != nil {
		return err
	}
	for _, d := range []*Dat[float64]{y, x} {
		if err := vector(d).Fits("operator "+o.name, "Mul", o.set, o.dim); err != nil {
			return err
		}
	}
	if x == y {
		return fmt.Errorf("op2: operator %s: Mul: %s is both the factor and the product", o.name, x.dat().name())
	}
	return o.apply(y, x)
}

// Domain returns the set and the dim of the dats that the operator acts on.
func (o *FuncOperator) Domain() (set *Set, dim int) { return (*Set)(orEmpty(o).set), orEmpty(o).dim }

// Name returns the name the operator was declared with.
func (o *FuncOperator) Name() string { return orEmpty(o).name }

// operatorOf returns an operator for the engines.
func operatorOf(a Operator) (solve.Operator, error) {
	none := errors.New("op2: NewSolver: there is no operator")
	if a == nil {
		return solve.Operator{}, none
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Pointer && v.IsNil() {
		return solve.Operator{}, none
	}
	set, dim := a.Domain()
	if set.core().Runtime() == nil {
		return solve.Operator{}, none
	}
	o := solve.Operator{Name: a.Name(), Parts: []solve.Part{{Set: set.core(), Dim: dim}}}
	apply := func(y, x []algebra.Vector) error {
		return a.Mul((*Dat[float64])(y[0].Data), (*Dat[float64])(x[0].Data))
	}
	switch a := a.(type) {
	case *Mat[float64]:
		s := a.sparsity()
		if s.Rows() != s.Cols() || s.Block().Rows != s.Block().Cols {
			return o, &problem.ShapeError{What: "mat " + a.name(), Msg: fmt.Sprintf("a solver takes a square matrix, this one has rows on %s with dim %d, and columns on %s with dim %d",
				s.Rows().Name(), s.Block().Rows, s.Cols().Name(), s.Block().Cols)}
		}
		o.Matrix = algebra.NewBlock(a.matrix())
	case *FuncOperator:
		o.Apply = apply
		if a.diagonal != nil {
			o.Diagonal = []algebra.Vector{vector(a.diagonal)}
		}
	default:
		if dim < 1 {
			return o, &problem.ShapeError{What: "operator " + o.Name, Msg: fmt.Sprintf("a dim of at least 1 is needed, Domain returns %d", dim)}
		}
		o.Apply = apply
		if a, ok := a.(interface{ Diagonal(*Dat[float64]) error }); ok {
			o.Measure = func(to []algebra.Vector) error { return a.Diagonal((*Dat[float64])(to[0].Data)) }
		}
	}
	return o, nil
}
