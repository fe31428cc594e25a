package op2

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
)

// Condition fixes values of the unknowns at some elements of a set, all values or those of some
// components. [Fix] and [FixTo] create conditions for [NewDirichlet].
type Condition[T Scalar] algebra.Condition

// Fix returns the condition that values on a subset, a set or layers of columns are constant: one value for all
// components, or one for each; they are finite. Constants determine the type: 0.0, not 0.
func Fix[T Scalar](on IterationSet, values ...T) *Condition[T] {
	return (*Condition[T])(algebra.Fix(iteration(on), loop.Of[T](), store.Bytes(values)))
}

// FixTo returns the condition that values on a subset, a set or layers of columns equal those of a dat on that set, as
// they are whenever the condition is applied. The dat has the dim of the unknowns, or as many
// values per element as there are [Condition.Components].
func FixTo[T Scalar](on IterationSet, values *Dat[T]) *Condition[T] {
	return (*Condition[T])(algebra.FixTo(iteration(on), loop.Of[T](), algebra.Vector{Data: values.data()}))
}

// Components returns another condition: the same on some components of each element's values alone, such as 0 for
// u_x = 0 on a plane of symmetry.
func (c *Condition[T]) Components(components ...int) *Condition[T] {
	return c.other(func() *algebra.Condition { return c.algebra().Restricted(components) })
}

// Part returns another condition: the same on one part of the unknowns, where several are on its set.
func (c *Condition[T]) Part(i int) *Condition[T] {
	return c.other(func() *algebra.Condition { return c.algebra().OfPart(i) })
}

// other returns another condition, made within the runtime, if there is one.
func (c *Condition[T]) other(from func() *algebra.Condition) *Condition[T] {
	if c == nil {
		return nil
	}
	if rt := c.runtime(); rt != nil {
		rt.MustEnter()
		defer rt.Leave()
	}
	return (*Condition[T])(from())
}

// Err returns why the set or the dat of the condition could not be declared; nil if they were.
func (c *Condition[T]) Err() error {
	if c == nil || c.runtime() == nil {
		return entity.Called(errors.New("op2: condition: it was made by neither Fix nor FixTo"))
	}
	for _, rt := range c.algebra().Runtimes() {
		if rt.Failed() != nil {
			return rt.Failed()
		}
	}
	return nil
}

// Set changes the values of a condition that [Fix] made, from its next application on. Their number
// must not change.
func (c *Condition[T]) Set(values ...T) error {
	if err := c.Err(); err != nil {
		return err
	}
	if err := c.algebra().Check(len(values)); err != nil {
		return err
	}
	return (*Runtime)(c.runtime()).do(func() error { return c.algebra().Set(store.Bytes(values)) })
}

func (c *Condition[T]) algebra() *algebra.Condition { return (*algebra.Condition)(c) }

// runtime returns the runtime of the condition's set, or nil if it has none.
func (c *Condition[T]) runtime() *entity.Runtime { return c.algebra().On().Set.Runtime() }

// Dirichlet holds boundary conditions that fix values of the unknowns of a linear system. It
// applies them such that a symmetric matrix stays symmetric, for cg, cholesky and multigrid: rows
// and columns of the fixed values become zero, their diagonal one, and the columns' contributions
// move to the right-hand side.
//
// It can be applied to any number of matrices and right-hand sides.
type Dirichlet[T Scalar] algebra.Boundary

func (d *Dirichlet[T]) algebra() *algebra.Boundary { return (*algebra.Boundary)(d) }

// NewDirichlet combines conditions: each is on the part of the unknowns that is on its set. If several fix the same
// value, the last one wins. Conditions that overlap must be in one Dirichlet.
func NewDirichlet[T Scalar](conditions ...*Condition[T]) *Dirichlet[T] {
	own, on := make([]*algebra.Condition, len(conditions)), []*entity.Runtime{}
	for i, c := range conditions {
		own[i] = c.algebra()
		on = append(on, own[i].Runtimes()...)
	}
	return (*Dirichlet[T])(entity.Declare(entity.Declaration{On: on}, func() (*algebra.Boundary, error) { return algebra.NewBoundary(loop.Of[T](), own) }, algebra.InertBoundary))
}

// Err returns why the conditions could not be combined; nil if they were.
func (d *Dirichlet[T]) Err() error {
	if d.rt() == nil {
		return entity.Called(errors.New("op2: the conditions are nil, or were not made by NewDirichlet"))
	}
	return d.rt().Failed()
}

func (d *Dirichlet[T]) rt() *entity.Runtime { return d.algebra().Runtime() }

// SetDiagonal sets the diagonal value for the rows of fixed values, from the next application to a
// matrix on; the right-hand side there becomes that multiple of the fixed value. Default: 1. A
// negative definite matrix needs a negative one.
func (d *Dirichlet[T]) SetDiagonal(value T) error {
	if err := d.Err(); err != nil {
		return err
	}
	return d.rt().Do((*entity.Runtime).EnterData, func() error {
		return d.algebra().SetDiagonal(float64(value), store.Bytes([]T{value}))
	})
}

// Apply applies the conditions to an assembled matrix, and to the right-hand side b: the solution
// of the system then has the fixed values, and satisfies the other equations. The matrix keeps its
// pattern. A nil b applies them to the matrix alone. For right-hand sides, and values of the conditions,
// that change while the matrix stays, use [Dirichlet.ApplyRHS].
//
// A matrix that is assembled again, after [Mat.Zero] or by loops that write it, needs Apply again;
// so does one that was added to, whose columns then accumulate. A *Mat that was changed through
// [Mat.CSR] counts as assembled again if some zeroed value is no longer zero.
//
// Apply may be called again for the same system: a right-hand side that is unchanged since the last
// call is not lifted twice. One that has changed counts as assembled again.
func (d *Dirichlet[T]) Apply(m *Mat[T], b Vector[T]) error {
	return d.system("Apply", m, b, func(b []algebra.Vector) error {
		if err := d.rt().Agree(d.algebra().ApplyMat(m.matrix())); err != nil || b == nil {
			return err
		}
		return d.algebra().ApplyRHS(m.matrix(), b)
	})
}

// ApplyRHS applies the conditions, with their current values, to another right-hand side of a
// matrix that they have been applied to: it subtracts the contributions of the matrix's original
// columns, and sets the fixed values. In a right-hand side that is unchanged since the last call,
// it replaces the previous values of the conditions by the current ones; any other right-hand side
// must be newly assembled, without the previous subtraction.
func (d *Dirichlet[T]) ApplyRHS(m *Mat[T], b Vector[T]) error {
	return d.system("ApplyRHS", m, b, func(b []algebra.Vector) error { return d.algebra().ApplyRHS(m.matrix(), b) })
}

// system does an operation on a matrix and the parts of a right-hand side.
func (d *Dirichlet[T]) system(operation string, m *Mat[T], b Vector[T], f func(b []algebra.Vector) error) error {
	return d.operate(func() (run.Task, error) {
		parts, err := d.fits(operation, m, b)
		return run.Task{What: operation,
			Uses: func() run.Uses {
				return run.Uses{Reads: d.algebra().From(), Changes: append(m.matrix().Data(), algebra.DataOf(parts)...)}
			},
			Do: func() error { return f(parts) }}, err
	})
}

// ApplyTo sets the fixed values in a dat of the unknowns, such as an initial guess.
func (d *Dirichlet[T]) ApplyTo(u Vector[T]) error {
	return d.operate(func() (run.Task, error) {
		parts := algebra.PartsOf(u)
		if len(parts) == 0 || !parts[0].Made() {
			return run.Task{}, fmt.Errorf("op2: %s: ApplyTo: the dat is nil", d.algebra().Describe())
		}
		return run.Task{What: "ApplyTo",
			Uses: func() run.Uses { return run.Uses{Reads: d.algebra().From(), Changes: algebra.DataOf(parts)} },
			Do:   func() error { return d.algebra().ApplyTo(u.Name(), parts) },
		}, entity.CheckDeclared(d.algebra().Describe()+": ApplyTo", parts[0].Runtime())
	})
}

// operate does a task within the runtime that lists of operations can hold, unless the conditions are nil or failed to be
// declared.
func (d *Dirichlet[T]) operate(prepare func() (run.Task, error)) error {
	if err := d.Err(); err != nil {
		return err
	}
	return run.Operate(d.rt(), func() (run.Task, error) {
		t, err := prepare()
		t.Of = d.algebra().Describe()
		return t, err
	})
}

// fits checks that the conditions are on parts of the rows and columns of a matrix, and returns the parts of b, which
// belongs to it; nil for nil where Apply takes the matrix alone.
func (d *Dirichlet[T]) fits(operation string, m *Mat[T], b Vector[T]) ([]algebra.Vector, error) {
	if err := m.Err(); err != nil {
		return nil, err
	}
	if err := d.algebra().Fits(m.matrix()); err != nil || b == nil && operation == "Apply" {
		return nil, err
	}
	return algebra.FitParts(b, d.algebra().Describe(), operation, m.matrix().Rows)
}
