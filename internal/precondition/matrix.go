// Package precondition is the preconditioners of the native solvers that need more of a
// matrix than its diagonal: ILU(0), blocks of it, SSOR, and the inverses of small blocks
// on the diagonal. They work on the host, in slices.
//
// Package op2 calls it from within its solvers; internal/krylov sees only the result.
package precondition

import "fmt"

// Preconditioner applies the inverse of something like the matrix.
type Preconditioner interface {
	// Update looks at the values of the matrix anew. A *PivotError says that there is no
	// inverse.
	Update() error
	// Apply is z = M⁻¹ r.
	Apply(z, r []float64)
}

// Matrix is a square sparse matrix in compressed rows, each entry a block of Dim times
// Dim values, one column of the block after the other. Columns are ascending in each row.
type Matrix struct {
	Dim    int
	RowPtr []int32   // [rows+1]
	ColIdx []int32   // [entries]
	Values []float64 // [entries][Dim][Dim]
}

func (m *Matrix) rows() int { return len(m.RowPtr) - 1 }

// diagonal is the entry on the diagonal of row r, or -1.
func (m *Matrix) diagonal(r int) int32 {
	for e := m.RowPtr[r]; e < m.RowPtr[r+1]; e++ {
		if int(m.ColIdx[e]) == r {
			return e
		}
	}
	return -1
}

// A PivotError is a row whose pivot cannot be divided by.
type PivotError struct {
	Row     int // of values, not of blocks
	Missing bool
}

func (e *PivotError) Error() string {
	if e.Missing {
		return fmt.Sprintf("row %d has no entry on the diagonal", e.Row)
	}
	return fmt.Sprintf("the pivot of row %d is zero", e.Row)
}

// Scalar is m with entries of one value: m itself, if it has them, or a larger matrix
// that refill fills from m's values.
func (m *Matrix) Scalar() (scalar *Matrix, refill func()) {
	if m.Dim == 1 {
		return m, func() {}
	}
	d, rows := m.Dim, m.rows()
	s := &Matrix{Dim: 1, RowPtr: make([]int32, rows*d+1), ColIdx: make([]int32, len(m.Values)), Values: make([]float64, len(m.Values))}
	for r := range rows {
		first, last := int(m.RowPtr[r]), int(m.RowPtr[r+1])
		width := (last - first) * d
		for i := range d {
			at := first*d*d + i*width
			s.RowPtr[r*d+i+1] = int32(at + width)
			for _, c := range m.ColIdx[first:last] {
				for j := range d {
					s.ColIdx[at] = c*int32(d) + int32(j)
					at++
				}
			}
		}
	}
	return s, func() {
		for r := range rows {
			first, last := int(m.RowPtr[r]), int(m.RowPtr[r+1])
			for i := range d {
				to := s.Values[s.RowPtr[r*d+i]:]
				for e := first; e < last; e++ {
					for j := range d {
						to[(e-first)*d+j] = m.Values[(e*d+j)*d+i]
					}
				}
			}
		}
	}
}

// Diagonal writes the inverse of each value on the diagonal into inverse.
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
