package algebra

import (
	"github.com/go-op2/op2/internal/entity"
)

// Matrices, conditions and vectors for products follow elements that move to other ranks: what was prepared for those that were
// here is prepared anew when it is needed. They implement entity.Follower.

// Movable returns no error.
func (m *Matrix) Movable() error { return nil }

// Moved drops what was prepared. What conditions took out of the matrix comes with Arrive.
func (m *Matrix) Moved() {
	*m = Matrix{data: m.data, lifted: m.lifted, firstOf: m.firstOf, liftings: m.liftings, zeroedRows: m.zeroedRows}
}

// Movable returns no error.
func (m *BlockMatrix) Movable() error { return nil }

// Moved drops vectors for products. The last right-hand side is carried.
func (m *BlockMatrix) Moved() { m.spare = nil }

// Movable returns no error.
func (d *Dirichlet) Movable() error { return nil }

// Moved drops the lists of fixed values.
func (d *Dirichlet) Moved() {
	d.dim, d.owner, d.values, d.over, d.fixed, d.takes = 0, Vector{}, Vector{}, nil, nil, nil
	clear(d.seen)
}

// follow makes the matrix follow.
func (m *BlockMatrix) follow() {
	for i, row := range m.Blocks {
		for _, b := range row {
			if b != nil {
				b.firstOf = rowOfBlocks{m, i}
				break
			}
		}
	}
	for b := range m.All {
		entity.Follow(b.data.Runtime(), m)
		return
	}
}
