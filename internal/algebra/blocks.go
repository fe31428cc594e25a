package algebra

import (
	"fmt"
	"math"
	"weak"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
)

// BlockMatrix is a matrix of blocks, each a matrix of its own; nil stands for zeros. Those in one row
// have the same rows, those in one column the same columns.
type BlockMatrix struct {
	Name       string
	Rows, Cols []Part
	Blocks     [][]*Matrix

	spare  []Vector      // for the products of single blocks
	lifted *liftedBlocks // nil until conditions are applied to a right-hand side
}

// NewBlock returns a matrix of one block.
func NewBlock(m *Matrix) *BlockMatrix {
	s := m.data.Sparsity()
	return &BlockMatrix{Name: m.data.Name(), Rows: []Part{{Set: s.Rows(), Dim: s.Block().Rows}}, Cols: []Part{{Set: s.Cols(), Dim: s.Block().Cols}}, Blocks: [][]*Matrix{{m}}}
}

// Sub returns the blocks in some rows and columns.
func (m *BlockMatrix) Sub(rows, cols []int) *BlockMatrix {
	s := &BlockMatrix{Name: m.Name, Blocks: make([][]*Matrix, len(rows))}
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
func (m *BlockMatrix) All(yield func(b *Matrix) bool) {
	for _, row := range m.Blocks {
		for _, b := range row {
			if b != nil && !yield(b) {
				return
			}
		}
	}
}

// Data returns what the blocks are to the runtime.
func (m *BlockMatrix) Data() (list []*entity.Data) {
	for b := range m.All {
		list = append(list, b.data)
	}
	return list
}

// Empty reports whether there is no block.
func (m *BlockMatrix) Empty() bool {
	for range m.All {
		return false
	}
	return true
}

// size returns the size of a value in bytes.
func (m *BlockMatrix) size() int {
	for b := range m.All {
		return b.data.Scalar().Size()
	}
	return 0
}

// Mul sets y to the product with x.
func (m *BlockMatrix) Mul(y, x []Vector) error {
	return m.multiply(y, x, func(i, j int) *Matrix { return m.Blocks[i][j] }, (*Matrix).Mul)
}

// MulDot is Mul that returns the inner product of y and x, if there is a single block and the backend can
// compute both at once. It reports whether it did.
func (m *BlockMatrix) MulDot(y, x []Vector) (dot float64, ok bool, err error) {
	if len(m.Blocks) > 1 || m.Blocks[0][0] == nil {
		return 0, false, nil
	}
	return m.Blocks[0][0].MulDot(y[0], x[0])
}

// MulTranspose sets y to the product of the transposed matrix with x.
func (m *BlockMatrix) MulTranspose(y, x []Vector) error {
	return m.multiply(y, x, func(i, j int) *Matrix { return m.Blocks[j][i] }, (*Matrix).MulTranspose)
}

// multiply sets each y[i] to the sum of the products of the blocks with the x[j].
func (m *BlockMatrix) multiply(y, x []Vector, block func(i, j int) *Matrix, product func(b *Matrix, y, x Vector) error) error {
	for _, list := range [2][]Vector{y, x} {
		for _, v := range list {
			if v.Columns() != v.Data {
				v.InOrder()
			}
		}
	}
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
			if err := y[i].Combine("Add", nil, more); err != nil {
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
func (m *BlockMatrix) spareLike(v Vector) (Vector, error) {
	for _, s := range m.spare {
		if s.Set() == v.Set() && s.Dim() == v.Dim() {
			return s, nil
		}
	}
	s, err := newZeros(v.Set(), v.Dim(), v.Scalar(), "product")
	if err == nil {
		s.SetLayout(v.Layout())
		m.spare = append(m.spare, s)
	}
	return s, err
}

// Norm returns the Frobenius norm.
func (m *BlockMatrix) Norm() (float64, error) {
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

// OnDiagonal returns the block of part i of the rows with part i of the columns, for an operation that needs its
// diagonal.
func (m *BlockMatrix) OnDiagonal(operation string, i int) (*Matrix, error) {
	if i >= len(m.Cols) || m.Blocks[i][i] == nil {
		return nil, &problem.ShapeError{What: "mat " + m.Name, Msg: fmt.Sprintf("%s needs the block [%d][%d], which is absent", operation, i, i),
			Hint: "a sparsity makes it of pairs of maps that lead to its rows and its columns, unless it is listed as absent"}
	}
	return m.Blocks[i][i], m.Blocks[i][i].NeedsDiagonal(operation)
}

// rowOfBlocks is a row of a matrix of blocks.
type rowOfBlocks struct {
	of  *BlockMatrix
	row int
}

// liftedBlocks is the last right-hand side of a matrix, before and after conditions were applied.
type liftedBlocks struct {
	by            weak.Pointer[Boundary]
	before, after []Vector
}
