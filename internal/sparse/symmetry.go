package sparse

import "math"

// Asymmetry is a value of a square matrix that differs from the one across the diagonal.
type Asymmetry struct {
	Row, Col        int // of values, not of blocks
	Value, Mirrored float64
}

// asymmetry is the tolerance for two values, relative to the geometric mean of the diagonal in
// their rows, which bounds both if the matrix is positive definite: rounding errors in assembly are
// of that order, times the precision.
const asymmetry = 1e-8

// Differs reports whether two values across the diagonal differ by more than rounding. Row and col are
// those of their rows by [DiagonalRoots].
func Differs(v, w, row, col float64) bool {
	return math.Abs(v-w) > asymmetry*max(row*col, math.Abs(v), math.Abs(w))
}

// DiagonalRoots returns the square roots of the magnitudes of the diagonal, 0 where there is none.
func DiagonalRoots(p *Pattern, b Blocks, values []float64) []float64 {
	roots := make([]float64, p.Rows*b.Rows)
	for r := range p.Rows {
		if e := p.Find(int32(r), int32(r)); e >= 0 {
			for i := range b.Rows {
				roots[r*b.Rows+i] = math.Sqrt(math.Abs(values[int(e)*b.Size()+i*(b.Rows+1)]))
			}
		}
	}
	return roots
}

// FindAsymmetry returns the first value, by rows, that differs from the one across the diagonal by
// more than rounding. Rows and columns are the same set, and blocks are square; columns beyond the
// rows, those of other ranks, are left out. It traverses the pattern once.
func FindAsymmetry(p *Pattern, b Blocks, values []float64) (Asymmetry, bool) {
	diagonal := DiagonalRoots(p, b, values)
	next := append([]int32(nil), p.RowPtr[:p.Rows]...) // first nonzero of each row that row r has not passed
	for r := range p.Rows {
		for e := p.RowPtr[r]; e < p.RowPtr[r+1]; e++ {
			c := p.ColIdx[e]
			if int(c) >= p.Rows {
				break
			}
			for next[c] < p.RowPtr[c+1] && int(p.ColIdx[next[c]]) < r {
				next[c]++
			}
			mirrored := -1
			if next[c] < p.RowPtr[c+1] && int(p.ColIdx[next[c]]) == r {
				mirrored = int(next[c]) * b.Size()
			}
			for k := range b.Size() {
				i, j := k%b.Rows, k/b.Rows
				v, w := values[int(e)*b.Size()+k], 0.0
				if mirrored >= 0 {
					w = values[mirrored+i*b.Rows+j]
				}
				row, col := r*b.Rows+i, int(c)*b.Rows+j
				if Differs(v, w, diagonal[row], diagonal[col]) {
					return Asymmetry{Row: row, Col: col, Value: v, Mirrored: w}, true
				}
			}
		}
	}
	return Asymmetry{}, false
}
