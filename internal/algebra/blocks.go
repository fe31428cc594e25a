package algebra

import (
	"math"

	"github.com/go-op2/op2/internal/loop"
)

// BlockMatrix is a matrix of blocks, each a matrix of its own; nil stands for zeros. Those in one row
// have the same rows, those in one column the same columns.
type BlockMatrix[T loop.Number] struct {
	Rows, Cols []Part
	Blocks     [][]*Matrix[T]

	spare  []Vector[T]      // for the products of single blocks
	lifted *liftedBlocks[T] // nil until conditions are applied to a right-hand side
}

// NewBlock returns a matrix of one block.
func NewBlock[T loop.Number](m *Matrix[T]) *BlockMatrix[T] {
	s := m.data.Sparsity()
	return &BlockMatrix[T]{Rows: []Part{{s.Rows(), s.Block().Rows}}, Cols: []Part{{s.Cols(), s.Block().Cols}}, Blocks: [][]*Matrix[T]{{m}}}
}

// Sub returns the blocks in some rows and columns.
func (m *BlockMatrix[T]) Sub(rows, cols []int) *BlockMatrix[T] {
	s := &BlockMatrix[T]{Blocks: make([][]*Matrix[T], len(rows))}
	for _, c := range cols {
		s.Cols = append(s.Cols, m.Cols[c])
	}
	for i, r := range rows {
		s.Rows = append(s.Rows, m.Rows[r])
		for _, c := range cols {
			s.Blocks[i] = append(s.Blocks[i], m.Blocks[r][c])
		}
	}
	return s
}

// All yields the blocks that there are, row by row.
func (m *BlockMatrix[T]) All(yield func(b *Matrix[T]) bool) {
	for _, row := range m.Blocks {
		for _, b := range row {
			if b != nil && !yield(b) {
				return
			}
		}
	}
}

// Empty reports whether there is no block.
func (m *BlockMatrix[T]) Empty() bool {
	for range m.All {
		return false
	}
	return true
}

// Mul sets y to the product with x.
func (m *BlockMatrix[T]) Mul(y, x []Vector[T]) error {
	return m.multiply(y, x, func(i, j int) *Matrix[T] { return m.Blocks[i][j] }, (*Matrix[T]).Mul)
}

// MulDot is Mul that returns the inner product of y and x, if there is a single block and the backend can
// compute both at once. It reports whether it did.
func (m *BlockMatrix[T]) MulDot(y, x []Vector[T]) (dot float64, ok bool, err error) {
	if len(m.Blocks) > 1 || m.Blocks[0][0] == nil {
		return 0, false, nil
	}
	return m.Blocks[0][0].MulDot(y[0], x[0])
}

// MulTranspose sets y to the product of the transposed matrix with x.
func (m *BlockMatrix[T]) MulTranspose(y, x []Vector[T]) error {
	return m.multiply(y, x, func(i, j int) *Matrix[T] { return m.Blocks[j][i] }, (*Matrix[T]).MulTranspose)
}

// multiply sets each y[i] to the sum of the products of the blocks with the x[j].
func (m *BlockMatrix[T]) multiply(y, x []Vector[T], block func(i, j int) *Matrix[T], product func(b *Matrix[T], y, x Vector[T]) error) error {
	for i := range y {
		first := true
		for j := range x {
			b := block(i, j)
			if b == nil {
				continue
			}
			if first {
				if err := product(b, y[i], x[j]); err != nil {
					return err
				}
				first = false
				continue
			}
			more, err := m.spareLike(y[i])
			if err != nil {
				return err
			}
			if err := product(b, more, x[j]); err != nil {
				return err
			}
			if err := y[i].Combine("add", nil, more); err != nil {
				return err
			}
		}
		if first {
			if err := y[i].Zero(); err != nil {
				return err
			}
		}
	}
	return nil
}

// spareLike returns a vector of the same set and dim, to be overwritten.
func (m *BlockMatrix[T]) spareLike(v Vector[T]) (Vector[T], error) {
	for _, s := range m.spare {
		if s.Set() == v.Set() && s.Dim() == v.Dim() {
			return s, nil
		}
	}
	s, err := NewVector[T](v.Set(), v.Dim(), nil, "product")
	if err == nil {
		s.SetLayout(v.Layout())
		m.spare = append(m.spare, s)
	}
	return s, err
}

// Norm returns the Frobenius norm.
func (m *BlockMatrix[T]) Norm() (float64, error) {
	square := 0.0
	for b := range m.All {
		if err := b.data.Bring(false); err != nil {
			return 0, err
		}
		n, err := b.Norm()
		if err != nil {
			return 0, err
		}
		square += n * n
	}
	return math.Sqrt(square), nil
}
