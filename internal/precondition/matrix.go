// Package precondition implements the preconditioners of the native solvers that need more of a
// matrix than its diagonal: ILU(0), ILU(0) by blocks, SSOR, and the inverses of small diagonal
// blocks. They run on the host, on slices; the inverses, as kernels, also on devices.
//
// Package solve builds and applies them; package krylov sees only the results.
package precondition

import "fmt"

// Preconditioner applies an approximate inverse of a matrix.
type Preconditioner interface {
	// Update rebuilds it from the matrix's current values. A *PivotError reports that there is no
	// inverse.
	Update() error
	// Apply computes z = M⁻¹ r.
	Apply(z, r []float64)
}

// Matrix is a square sparse matrix in CSR format, each nonzero a block of Dim by Dim values stored
// column by column. Columns are ascending in each row. Columns beyond the rows are those of other
// ranks, and couplings with them are ignored.
type Matrix struct {
	Dim    int
	RowPtr []int32   // [rows+1]
	ColIdx []int32   // [nonzeros]
	Values []float64 // [nonzeros][Dim][Dim]
}

func (m *Matrix) rows() int { return len(m.RowPtr) - 1 }

// diagonal returns the index of the diagonal nonzero of row r, or -1.
func (m *Matrix) diagonal(r int) int32 {
	for e := m.RowPtr[r]; e < m.RowPtr[r+1]; e++ {
		if int(m.ColIdx[e]) == r {
			return e
		}
	}
	return -1
}

// A PivotError reports a row whose pivot is zero or missing.
type PivotError struct {
	Row     int // of values, not of blocks
	Missing bool
}

func (e *PivotError) Error() string {
	if e.Missing {
		return fmt.Sprintf("row %d has no nonzero on the diagonal", e.Row)
	}
	return fmt.Sprintf("the pivot of row %d is zero", e.Row)
}

// Ends returns the end of each row's nonzeros in columns of this rank.
func (m *Matrix) Ends() []int32 {
	ends := make([]int32, m.rows())
	for r := range ends {
		ends[r] = m.RowPtr[r+1]
		for ends[r] > m.RowPtr[r] && int(m.ColIdx[ends[r]-1]) >= m.rows() {
			ends[r]--
		}
	}
	return ends
}

// Diagonal writes the inverse of each value on the diagonal to inverse.
func (m *Matrix) Diagonal(inverse []float64) error {
	d := m.Dim
	for r := range m.rows() {
		e := int(m.diagonal(r))
		if e < 0 {
			return &PivotError{Row: r * d, Missing: true}
		}
		for i := range d {
			v := m.Values[(e*d+i)*d+i]
			if v == 0 {
				return &PivotError{Row: r*d + i}
			}
			inverse[r*d+i] = 1 / v
		}
	}
	return nil
}
