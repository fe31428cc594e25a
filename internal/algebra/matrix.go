package algebra

import (
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/sparse"
)

// Matrix is a sparse matrix whose values have type T.
type Matrix[T loop.Number] struct {
	data *core.Data // [blocks][colDim][rowDim]

	stages   []stage        // of a product; nil until the first one
	dotting  *dotting       // of a product with an inner product, likewise
	order    []int32        // in which a product adds up the nonzeros of rows; nil: as stored
	products *profile.Stats // likewise
	nonzeros *nonzeros[T]   // nil until values are set on a device
	lifted   []*lifting[T]  // what boundary conditions took out of the matrix

	zeroedRows bool // by ZeroRows
}

// NewMatrix returns a matrix of zeros.
func NewMatrix[T loop.Number](s *core.Sparsity, name string) (*Matrix[T], error) {
	d, err := core.NewMat(s, loop.Of[T](), name)
	if err != nil {
		return nil, err
	}
	return &Matrix[T]{data: d}, nil
}

// InertMatrix returns a matrix that failed to be declared.
func InertMatrix[T loop.Number](d *core.Data) *Matrix[T] { return &Matrix[T]{data: d} }

// Data returns what the matrix is to the runtime; nil for a nil matrix.
func (m *Matrix[T]) Data() *core.Data {
	if m == nil {
		return nil
	}
	return m.data
}

// Host returns the host's values, whether or not they are valid; nil if there are none yet.
func (m *Matrix[T]) Host() []T { return core.Host[T](m.data) }

// ZeroedRows reports whether ZeroRows made the matrix unsymmetric, perhaps.
func (m *Matrix[T]) ZeroedRows() bool { return m.zeroedRows }

// Clear sets all values to zero, for a new assembly.
func (m *Matrix[T]) Clear() error {
	m.forgetLifted()
	m.zeroedRows = false
	return m.data.Zero()
}

// Find returns the index of the value in row i and column j, or -1 if the pattern does not have it.
func (m *Matrix[T]) Find(i, j int) int {
	b := m.data.Sparsity().Block()
	block := m.data.Sparsity().Pattern().Find(int32(i/b.Rows), int32(j/b.Cols))
	if block < 0 {
		return -1
	}
	return int(block)*b.Size() + j%b.Cols*b.Rows + i%b.Rows
}

// Each calls f with the row, the column and the index of each value in the rows of this rank.
func (m *Matrix[T]) Each(f func(i, j, at int)) {
	sparse.Each(m.data.Sparsity().Owned(), m.data.Sparsity().Block(), f)
}

// Editable reports whether the device has the values, and loops can change them one by one.
func (m *Matrix[T]) Editable() bool { return m.data.OnDevice() && m.data.Numberable() }
