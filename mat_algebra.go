package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// Mul sets y to the matrix–vector product with x. x is on the set of the columns, with as many
// values per element as blocks have columns, y likewise on that of the rows; they must be different
// dats. It runs on all threads of the runtime, compiled where loops are, and the result does not
// depend on the number of threads.
func (m *Mat[T]) Mul(y, x *Dat[T]) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	s := m.sparsity()
	if err := m.checkProduct("Mul", y, s.Rows(), s.Block().Rows, x, s.Cols(), s.Block().Cols); err != nil {
		return err
	}
	return m.matrix().Mul(vector(y), vector(x))
}

// MulTranspose sets y to the product of the transposed matrix with x: x is on the set of the rows,
// y on that of the columns. The first call builds a transposed pattern, which the sparsity keeps,
// of 8 bytes for each block.
func (m *Mat[T]) MulTranspose(y, x *Dat[T]) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	s := m.sparsity()
	if err := m.checkProduct("MulTranspose", y, s.Cols(), s.Block().Cols, x, s.Rows(), s.Block().Rows); err != nil {
		return err
	}
	return m.matrix().MulTranspose(vector(y), vector(x))
}

func (m *Mat[T]) checkProduct(operation string, y *Dat[T], ySet *core.Set, yDim int, x *Dat[T], xSet *core.Set, xDim int) error {
	if err := m.checkVector(operation+" into y", y.dat(), ySet, yDim); err != nil {
		return err
	}
	if err := m.checkVector(operation+" of x", x.dat(), xSet, xDim); err != nil {
		return err
	}
	if x == y {
		return fmt.Errorf("op2: mat %s: %s: x and y are one dat, %s", m.name(), operation, x.dat().name())
	}
	return nil
}

// ZeroRows sets the rows of a subset's elements, or of all elements of a set, to zero and their
// diagonal to the given value, as for fixed values on a boundary. The pattern does not change. With
// components, only those rows of each element are affected, otherwise all.
//
// A diagonal value other than 0 requires a matrix whose rows and columns are the same set.
//
// The columns are not changed, so that a symmetric matrix becomes unsymmetric: cg may not converge,
// and cholesky refuses it. [NewDirichlet] preserves symmetry.
func (m *Mat[T]) ZeroRows(rows IterationSet, diagonal T, components ...int) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	if err := m.checkRows("ZeroRows", rows, components); err != nil {
		return err
	}
	if diagonal != 0 {
		if err := m.matrix().NeedsDiagonal("ZeroRows with a diagonal"); err != nil {
			return err
		}
	}
	var on []byte
	if diagonal != 0 {
		on = core.Bytes([]T{diagonal})
	}
	return m.matrix().ZeroRows(iteration(rows), on, components)
}

// checkRows checks that the elements belong to the set of the rows, and that the components exist.
func (m *Mat[T]) checkRows(operation string, rows IterationSet, components []int) error {
	set := iteration(rows).Set
	what := fmt.Sprintf("mat %s: %s", m.name(), operation)
	if set == nil {
		return fmt.Errorf("op2: %s: the set is nil", what)
	}
	if err := core.CheckDeclared(what, set.Runtime()); err != nil {
		return err
	}
	if set != m.sparsity().Rows() {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the rows are %s, elements of %s were given", m.sparsity().Rows().Name(), set.Name())}
	}
	for _, c := range components {
		if c < 0 || c >= m.dim() {
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the rows of an element have %s, not %d", problem.ComponentRange(m.dim()), c)}
		}
	}
	return nil
}

// Diagonal copies the diagonal to a dat, on the set of the rows with as many values per element as
// blocks have rows.
func (m *Mat[T]) Diagonal(to *Dat[T]) error {
	return m.onDiagonal("Diagonal", m.matrix().Diagonal, to)
}

// SetDiagonal sets the diagonal to the values of a dat as for [Mat.Diagonal].
func (m *Mat[T]) SetDiagonal(from *Dat[T]) error {
	return m.onDiagonal("SetDiagonal", m.matrix().SetDiagonal, from)
}

// AddToDiagonal adds the values of a dat as for [Mat.Diagonal] to the diagonal.
func (m *Mat[T]) AddToDiagonal(d *Dat[T]) error {
	return m.onDiagonal("AddToDiagonal", m.matrix().AddToDiagonal, d)
}

// onDiagonal calls f with a dat that fits the diagonal.
func (m *Mat[T]) onDiagonal(operation string, f func(algebra.Vector) error, d *Dat[T]) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	if err := m.matrix().NeedsDiagonal(operation); err != nil {
		return err
	}
	if err := m.checkVector(operation, d.dat(), m.sparsity().Rows(), m.dim()); err != nil {
		return err
	}
	return f(vector(d))
}

// checkVector checks that a dat has the set and the dim that an operation needs.
func (m *Mat[T]) checkVector(operation string, d *dat, set *core.Set, dim int) error {
	what := fmt.Sprintf("mat %s: %s", m.name(), operation)
	if d == nil || d.set() == nil {
		return fmt.Errorf("op2: %s: the dat is nil", what)
	}
	if err := core.CheckDeclared(what, d.rt()); err != nil {
		return err
	}
	if d.set() != set || d.dim() != dim {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("a dat on %s with dim %d is needed, %s is on %s and has dim %d", set.Besides(d.set()), dim, d.name(), d.set().Besides(set), d.dim())}
	}
	return nil
}
