package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// ZeroRows sets the rows of a subset's elements, or of all elements of a set, to zero and their
// diagonal to the given value, as for fixed values on a boundary. The pattern does not change. With
// components, only those rows of each element are affected, otherwise all.
//
// A diagonal value other than 0 requires a matrix whose rows and columns are the same set.
//
// The columns are not changed, so that a symmetric matrix becomes unsymmetric: cg may not converge,
// and cholesky refuses it. [NewDirichlet] preserves symmetry.
func (m *Mat[T]) ZeroRows(rows IterationSet, diagonal T, components ...int) error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	if err := m.checkRows("ZeroRows", rows, components); err != nil {
		return err
	}
	if diagonal != 0 {
		if err := m.needsDiagonal("ZeroRows with a diagonal"); err != nil {
			return err
		}
	}
	m.zeroedRows = true
	if m.there() {
		return m.zeroRowsThere(rows, diagonal, components)
	}
	if err := m.bring(true); err != nil {
		return err
	}
	b, p := m.sparsity().Block(), m.sparsity().Pattern()
	values := m.values()
	iteration(rows).Each(func(e int) {
		for at := int(p.RowPtr[e]) * b.Size(); at < int(p.RowPtr[e+1])*b.Size(); at += b.Rows {
			eachComponent(b.Rows, components, func(i int) { values[at+i] = 0 })
		}
		if diagonal != 0 {
			eachComponent(b.Rows, components, func(i int) { values[m.sparsity().DiagonalAt(e, i)] = diagonal })
		}
	})
	return nil
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

func eachComponent(n int, components []int, f func(i int)) {
	if components == nil {
		for i := range n {
			f(i)
		}
	}
	for _, i := range components {
		f(i)
	}
}

// needsDiagonal returns an error for a matrix without a diagonal.
func (m *Mat[T]) needsDiagonal(operation string) error {
	s := m.sparsity()
	if s.Square() && s.Block().Rows == s.Block().Cols {
		return nil
	}
	return &problem.ShapeError{What: "mat " + m.name(), Msg: fmt.Sprintf("%s takes a square matrix, the rows are %s with dim %d, the columns %s with dim %d",
		operation, s.Rows().Name(), s.Block().Rows, s.Cols().Name(), s.Block().Cols)}
}

// Diagonal copies the diagonal to a dat, on the set of the rows with as many values per element as
// blocks have rows.
func (m *Mat[T]) Diagonal(to *Dat[T]) error {
	return m.withDiagonal("Diagonal", "mat_diagonal", to, false, func(diagonal, value *T) { *value = *diagonal })
}

// SetDiagonal sets the diagonal to the values of a dat as for [Mat.Diagonal].
func (m *Mat[T]) SetDiagonal(from *Dat[T]) error {
	return m.withDiagonal("SetDiagonal", "mat_set_diagonal", from, true, func(diagonal, value *T) { *diagonal = *value })
}

// AddToDiagonal adds the values of a dat as for [Mat.Diagonal] to the diagonal.
func (m *Mat[T]) AddToDiagonal(d *Dat[T]) error {
	return m.withDiagonal("AddToDiagonal", "mat_add_to_diagonal", d, true, func(diagonal, value *T) { *diagonal += *value })
}

// withDiagonal calls f with each diagonal value and that of the dat, one of which it changes; or it
// runs the equivalent kernel on a device.
func (m *Mat[T]) withDiagonal(operation, kernel string, d *Dat[T], changes bool, f func(diagonal, value *T)) error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	if err := m.needsDiagonal(operation); err != nil {
		return err
	}
	if err := m.checkVector(operation, d, m.sparsity().Rows(), m.dim()); err != nil {
		return err
	}
	if m.there() {
		return m.diagonalThere(kernel, d)
	}
	if err := m.bring(changes); err != nil {
		return err
	}
	if err := d.bring(!changes); err != nil {
		return err
	}
	values, of := m.values(), d.values()
	for e := range m.sparsity().Rows().Total() {
		for i := range m.dim() {
			f(&values[m.sparsity().DiagonalAt(e, i)], &of[e*m.dim()+i])
		}
	}
	return nil
}

// checkVector checks that a dat has the set and the dim that an operation needs.
func (m *Mat[T]) checkVector(operation string, d *Dat[T], set *core.Set, dim int) error {
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
