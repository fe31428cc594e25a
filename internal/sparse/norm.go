package sparse

import "math"

// SquareSum returns the sum of the squares of all values. Partial sums lose less precision than one
// long sum.
func SquareSum[T Number](values []T) float64 {
	const piece = 1024
	sum := 0.0
	for first := 0; first < len(values); first += piece {
		part := 0.0
		for _, v := range values[first:min(first+piece, len(values))] {
			part += float64(v) * float64(v)
		}
		sum += part
	}
	return sum
}

// RowSums returns the sum of the magnitudes in each row.
func RowSums[T Number](p *Pattern, b Blocks, values []T) []float64 {
	sums := make([]float64, p.Rows*b.Rows)
	Each(p, b, func(r, _, at int) { sums[r] += math.Abs(float64(values[at])) })
	return sums
}

// ColumnSums returns the sum of the magnitudes in each column.
func ColumnSums[T Number](p *Pattern, b Blocks, values []T) []float64 {
	sums := make([]float64, p.Cols*b.Cols)
	Each(p, b, func(_, c, at int) { sums[c] += math.Abs(float64(values[at])) })
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
