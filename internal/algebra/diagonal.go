package algebra

import (
	"fmt"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// ZeroRows sets the rows of some elements to zero, and their diagonal to a value.
func (m *Matrix[T]) ZeroRows(rows core.Range, diagonal T, components []int) error {
	m.zeroedRows = true
	if m.Editable() {
		return m.zeroRowsOnDevice(rows, diagonal, components)
	}
	if err := m.data.Bring(true); err != nil {
		return err
	}
	b, p := m.data.Sparsity().Block(), m.data.Sparsity().Pattern()
	values := m.Host()
	rows.Each(func(e int) {
		for at := int(p.RowPtr[e]) * b.Size(); at < int(p.RowPtr[e+1])*b.Size(); at += b.Rows {
			eachComponent(b.Rows, components, func(i int) { values[at+i] = 0 })
		}
		if diagonal != 0 {
			eachComponent(b.Rows, components, func(i int) { values[m.data.Sparsity().DiagonalAt(e, i)] = diagonal })
		}
	})
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

// Diagonal copies the diagonal to a vector.
func (m *Matrix[T]) Diagonal(to Vector[T]) error {
	return m.withDiagonal("mat_diagonal", to, false, func(diagonal, value *T) { *value = *diagonal })
}

// SetDiagonal sets the diagonal to the values of a vector.
func (m *Matrix[T]) SetDiagonal(from Vector[T]) error {
	return m.withDiagonal("mat_set_diagonal", from, true, func(diagonal, value *T) { *diagonal = *value })
}

// AddToDiagonal adds the values of a vector to the diagonal.
func (m *Matrix[T]) AddToDiagonal(d Vector[T]) error {
	return m.withDiagonal("mat_add_to_diagonal", d, true, func(diagonal, value *T) { *diagonal += *value })
}

// withDiagonal calls f with each diagonal value and that of the dat, one of which it changes; or it
// runs the equivalent kernel on a device.
func (m *Matrix[T]) withDiagonal(kernel string, d Vector[T], changes bool, f func(diagonal, value *T)) error {
	if m.Editable() {
		return m.diagonalOnDevice(kernel, d)
	}
	if err := m.data.Bring(changes); err != nil {
		return err
	}
	if err := d.Bring(!changes); err != nil {
		return err
	}
	values, of := m.Host(), d.Host()
	for e := range m.data.Sparsity().Rows().Size() {
		for i := range m.data.Dim() {
			f(&values[m.data.Sparsity().DiagonalAt(e, i)], &of[e*m.data.Dim()+i])
		}
	}
	return nil
}

// NeedsDiagonal returns an error for a matrix without a diagonal.
func (m *Matrix[T]) NeedsDiagonal(operation string) error {
	s := m.data.Sparsity()
	if s.Square() && s.Block().Rows == s.Block().Cols {
		return nil
	}
	return &problem.ShapeError{What: "mat " + m.data.Name(), Msg: fmt.Sprintf("%s takes a square matrix, the rows are %s with dim %d, the columns %s with dim %d",
		operation, s.Rows().Name(), s.Block().Rows, s.Cols().Name(), s.Block().Cols)}
}
