package algebra

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// Mat is a matrix that a program has declared: the matrix of a sparsity.
type Mat struct {
	sparsity *Sparsity
	matrix   *BlockMatrix
	blocks   [][]*Mat // by parts; nil where absent; of a single pattern the mat itself
}

// NewMat returns a matrix of zeros. Blocks of parts are named for the matrix.
func NewMat(s *Sparsity, scalar loop.Scalar, name string) (*Mat, error) {
	if s.one != nil {
		of, err := NewMatrix(s.one, scalar, name)
		if err != nil {
			return nil, err
		}
		of.data.Runtime().Program().Declare(of.data)
		return matOf(s, of), nil
	}
	m := &Mat{sparsity: s, matrix: &BlockMatrix{Name: name, Rows: s.rows, Cols: s.cols}}
	for i, row := range s.blocks {
		m.blocks = append(m.blocks, make([]*Mat, len(row)))
		m.matrix.Blocks = append(m.matrix.Blocks, make([]*Matrix, len(row)))
		for j, of := range row {
			if of == nil {
				continue
			}
			b, err := NewMat(of, scalar, blockName(name, i, j))
			if err != nil {
				return nil, err
			}
			m.blocks[i][j], m.matrix.Blocks[i][j] = b, b.One()
		}
	}
	m.matrix.follow()
	return m, nil
}

// InertMat returns a matrix that failed to be declared.
func InertMat(rt *entity.Runtime, scalar loop.Scalar, name string) *Mat {
	return matOf(InertSparsity(rt, ""), InertMatrix(entity.InertMat(rt, scalar, name)))
}

// matOf returns the mat of a single pattern.
func matOf(s *Sparsity, of *Matrix) *Mat {
	m := &Mat{sparsity: s, matrix: NewBlock(of)}
	m.blocks = [][]*Mat{{m}}
	return m
}

// Sparsity returns the pattern of the matrix; nil if it was never declared.
func (m *Mat) Sparsity() *Sparsity {
	if m == nil {
		return nil
	}
	return m.sparsity
}

// Blocks returns the matrix as one of blocks; an empty one if it was never declared.
func (m *Mat) Blocks() *BlockMatrix {
	if m == nil || m.matrix == nil {
		return &BlockMatrix{}
	}
	return m.matrix
}

// Block returns the matrix of part i of the rows with part j of the columns; nil if it is absent.
func (m *Mat) Block(i, j int) *Mat {
	if m == nil {
		return nil
	}
	return blockAt(m.blocks, i, j)
}

// One returns the matrix of a single pattern; nil if there are several.
func (m *Mat) One() *Matrix {
	if m.Sparsity().One() == nil {
		return nil
	}
	return m.matrix.Blocks[0][0]
}
