package algebra

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
)

// ZeroRows sets the rows of some elements to zero, and their diagonal to a value, given as its bytes;
// nil leaves it zero.
func (m *Matrix) ZeroRows(rows entity.Range, diagonal []byte, components []int) error {
	m.zeroedRows = true
	if m.Editable() {
		z := m.zeroing(rows, components, diagonal != nil)
		if err := fill(true, entity.Range{}, z.rows, m.data, nil); err != nil || diagonal == nil {
			return err
		}
		return fill(true, entity.Range{}, z.diagonal, m.data, diagonal)
	}
	if err := m.data.Bring(true); err != nil {
		return err
	}
	rows = rows.Flat()
	values := m.values()
	m.eachInRows(rows, components, func(at int) { clear(values.at(at)) })
	if diagonal != nil {
		m.eachOnDiagonal(rows, components, func(at int) { copy(values.at(at), diagonal) })
	}
	return nil
}

// manyZeroings limits the number of cached zeroings.
const manyZeroings = 8

// zeroing returns the list for some rows.
func (m *Matrix) zeroing(rows entity.Range, components []int, diagonal bool) *zeroing {
	at := slices.IndexFunc(m.zeroings, func(z *zeroing) bool {
		return z.over == rows && slices.Equal(z.components, components) && (z.components == nil) == (components == nil) && (z.diagonal != nil) == diagonal
	})
	if at >= 0 {
		return m.zeroings[at]
	}
	z := &zeroing{over: rows, components: slices.Clone(components), rows: &places{of: m}}
	rows = rows.Flat()
	m.eachInRows(rows, components, z.rows.add)
	if diagonal {
		z.diagonal = &places{of: m}
		m.eachOnDiagonal(rows, components, z.diagonal.add)
	}
	if len(m.zeroings) == manyZeroings {
		m.zeroings = slices.Delete(m.zeroings, 0, 1)
	}
	m.zeroings = append(m.zeroings, z)
	return z
}

// eachInRows calls f with the index of each value in the rows of some elements.
func (m *Matrix) eachInRows(rows entity.Range, components []int, f func(at int)) {
	b, p := m.data.Sparsity().Block(), m.data.Sparsity().Pattern()
	rows.Each(func(e int) {
		for at := int(p.RowPtr[e]) * b.Size(); at < int(p.RowPtr[e+1])*b.Size(); at += b.Rows {
			eachComponent(b.Rows, components, func(i int) { f(at + i) })
		}
	})
}

// eachOnDiagonal calls f with the index of each value on the diagonal in the rows of some elements.
func (m *Matrix) eachOnDiagonal(rows entity.Range, components []int, f func(at int)) {
	rows.Each(func(e int) {
		eachComponent(m.data.Dim(), components, func(i int) { f(m.data.Sparsity().DiagonalAt(e, i)) })
	})
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
	return m.editDiagonal("Copy", to.Write(), m.data.Read())
}

// SetDiagonal sets the diagonal to the values of a vector.
func (m *Matrix) SetDiagonal(from Vector) error {
	return m.editDiagonal("Copy", m.data.Write(), from.Read())
}

// AddToDiagonal adds the values of a vector to the diagonal.
func (m *Matrix) AddToDiagonal(d Vector) error {
	return m.editDiagonal("Add", m.data.Inc(), d.Read())
}

// editDiagonal runs a kernel for the diagonal and a vector.
func (m *Matrix) editDiagonal(operation string, args ...entity.Arg) error {
	rows := entity.Range{Set: m.data.Sparsity().Rows()}
	if m.diagonal == nil {
		m.diagonal = &places{of: m}
		for e := range rows.Set.Total() {
			eachComponent(m.data.Dim(), nil, func(i int) { m.diagonal.add(m.data.Sparsity().DiagonalAt(e, i)) })
		}
	}
	return edit(m.Editable(), operation, rows, m.diagonal, args...)
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
