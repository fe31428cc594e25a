package solve

import (
	"fmt"
	"testing"

	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/sparse"
)

// PETSc gets each value of a rank's rows once, at its row and PETSc's number of its column.
func TestSplit(t *testing.T) {
	numbers := []int32{10, 11, 12, 30, 4} // of three elements here, and of two of other ranks
	for dim := 1; dim <= 3; dim++ {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			m := &precondition.Matrix{Dim: dim, RowPtr: []int32{0, 2, 6, 7}, ColIdx: []int32{0, 1, 0, 1, 3, 4, 2}}
			want := map[[2]int]float64{}
			for r := range 3 {
				for _, c := range m.ColIdx[m.RowPtr[r]:m.RowPtr[r+1]] {
					for j := range dim {
						for i := range dim {
							m.Values = append(m.Values, float64(1+len(m.Values)))
							want[[2]int{r*dim + i, int(numbers[c])*dim + j}] = float64(len(m.Values))
						}
					}
				}
			}
			s := newSplit(m, numbers)
			p := s.pattern(numbers)
			parts := [2][]float64{make([]float64, 5*dim*dim), make([]float64, 2*dim*dim)}
			s.fill(parts[0], parts[1])
			for r := range len(p.RowOffsets) - 1 {
				row := p.Columns[p.RowOffsets[r]:p.RowOffsets[r+1]]
				for k, c := range row {
					if k > 0 && row[k-1] >= c {
						t.Fatalf("row %d has the columns %v", r, row)
					}
					part := 0
					if c < 10 || c > 12 {
						part = 1
					}
					for at := range dim * dim {
						place := [2]int{r*dim + at%dim, int(c)*dim + at/dim}
						if got := parts[part][at]; got != want[place] || got == 0 {
							t.Errorf("row %d, column %d: %g, want %g", place[0], place[1], got, want[place])
						}
						delete(want, place)
					}
					parts[part] = parts[part][dim*dim:]
				}
			}
			if len(want) > 0 {
				t.Errorf("missing: %v", want)
			}
		})
	}
}

// BenchmarkSplit compares the copy for PETSc, once in a solve, with a product, which each iteration
// has, on one core: 5-point stencils on a square, of which another rank has the updim half.
func BenchmarkSplit(b *testing.B) {
	for _, dim := range []int{1, 3} {
		const nx, ny = 1000, 300
		m := &precondition.Matrix{Dim: dim, RowPtr: []int32{0}}
		for r := range nx * ny {
			for _, c := range []int{r - nx, r - 1, r, r + 1, r + nx} {
				if c >= 0 {
					m.ColIdx = append(m.ColIdx, int32(c))
				}
			}
			m.RowPtr = append(m.RowPtr, int32(len(m.ColIdx)))
		}
		cols := nx*ny + nx
		m.Values = make([]float64, len(m.ColIdx)*dim*dim)
		numbers := make([]int32, cols)
		for i := range numbers {
			numbers[i] = int32(i)
		}
		x, y := make([]float64, cols*dim), make([]float64, nx*ny*dim)
		pattern := &sparse.Pattern{Rows: nx * ny, Cols: cols, RowPtr: m.RowPtr, ColIdx: m.ColIdx}
		b.Run(fmt.Sprintf("product/%d", dim), func(b *testing.B) {
			for b.Loop() {
				sparse.MultiplyRows(pattern, sparse.Blocks{Rows: dim, Cols: dim}, m.Values, x, y, pattern.Divide(sparse.AllRows(pattern.Rows), 1))
			}
		})
		s := newSplit(m, numbers)
		outside := make([]float64, len(s.others)*dim*dim)
		inside := make([]float64, len(m.Values)-len(outside))
		b.Run(fmt.Sprintf("copy/%d", dim), func(b *testing.B) {
			for b.Loop() {
				s.fill(inside, outside)
			}
		})
	}
}
