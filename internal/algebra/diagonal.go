package algebra

import (
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// ZeroRows sets the rows of some elements to zero, and their diagonal to a value, given as its bytes;
// nil leaves it zero.
func (m *Matrix) ZeroRows(rows entity.Range, diagonal []byte, components []int) error {
	m.zeroedRows = true
	if m.Editable() {
		return m.zeroRowsOnDevice(rows, diagonal, components)
	}
	if err := m.data.Bring(true); err != nil {
		return err
	}
	b, p := m.data.Sparsity().Block(), m.data.Sparsity().Pattern()
	values := m.values()
	rows.Each(func(e int) {
		for at := int(p.RowPtr[e]) * b.Size(); at < int(p.RowPtr[e+1])*b.Size(); at += b.Rows {
			eachComponent(b.Rows, components, func(i int) { clear(values.at(at + i)) })
		}
		if diagonal != nil {
			eachComponent(b.Rows, components, func(i int) { copy(values.at(m.data.Sparsity().DiagonalAt(e, i)), diagonal) })
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
func (m *Matrix) Diagonal(to Vector) error {
	return m.withDiagonal("matDiagonal", to, false, func(diagonal, value []byte) { copy(value, diagonal) })
}

// SetDiagonal sets the diagonal to the values of a vector.
func (m *Matrix) SetDiagonal(from Vector) error {
	return m.withDiagonal("matSetDiagonal", from, true, func(diagonal, value []byte) { copy(diagonal, value) })
}

// AddToDiagonal adds the values of a vector to the diagonal.
func (m *Matrix) AddToDiagonal(d Vector) error {
	sum := loop.Reduction{Access: loop.Inc, Type: d.Scalar(), Dim: 1}
	return m.withDiagonal("matAddToDiagonal", d, true, func(diagonal, value []byte) {
		sum.Combine(unsafe.Pointer(unsafe.SliceData(diagonal)), unsafe.Pointer(unsafe.SliceData(value)))
	})
}

// withDiagonal calls f with each diagonal value and that of the dat, one of which it changes; or it
// runs the equivalent kernel on a device.
func (m *Matrix) withDiagonal(kernel string, d Vector, changes bool, f func(diagonal, value []byte)) error {
	if m.Editable() {
		return m.diagonalOnDevice(kernel, d)
	}
	if err := m.data.Bring(changes); err != nil {
		return err
	}
	if err := d.Bring(!changes); err != nil {
		return err
	}
	values, of := m.values(), valuesOf(d.Data)
	for e := range m.data.Sparsity().Rows().Size() {
		for i := range m.data.Dim() {
			f(values.at(m.data.Sparsity().DiagonalAt(e, i)), of.at(e*m.data.Dim()+i))
		}
	}
	return nil
}

// NeedsDiagonal returns an error for a matrix without a diagonal.
func (m *Matrix) NeedsDiagonal(operation string) error {
	s := m.data.Sparsity()
	if s.Square() && s.Block().Rows == s.Block().Cols {
		return nil
	}
	return &problem.ShapeError{What: "mat " + m.data.Name(), Msg: fmt.Sprintf("%s takes a square matrix, the rows are %s with dim %d, the columns %s with dim %d",
		operation, s.Rows().Besides(s.Cols()), s.Block().Rows, s.Cols().Besides(s.Rows()), s.Block().Cols)}
}
