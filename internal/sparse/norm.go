package sparse

import "math"

// RowSums returns the sum of the magnitudes in each row.
func RowSums(p *Pattern, b Blocks, values []float64) []float64 {
	sums := make([]float64, p.Rows*b.Rows)
	Each(p, b, func(r, _, at int) { sums[r] += math.Abs(values[at]) })
	return sums
}

// ColumnSums returns the sum of the magnitudes in each column.
func ColumnSums(p *Pattern, b Blocks, values []float64) []float64 {
	sums := make([]float64, p.Cols*b.Cols)
	Each(p, b, func(_, c, at int) { sums[c] += math.Abs(values[at]) })
	return sums
}

// Each calls f for every value of a matrix: its row, its column, and its index.
func Each(p *Pattern, b Blocks, f func(r, c, at int)) {
	for r := range p.Rows {
		for k := int(p.RowPtr[r]); k < int(p.RowPtr[r+1]); k++ {
			for j := range b.Cols {
				for i := range b.Rows {
					f(r*b.Rows+i, int(p.ColIdx[k])*b.Cols+j, k*b.Size()+j*b.Rows+i)
				}
			}
		}
	}
}
