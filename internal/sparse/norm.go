package sparse

import "math"

// Frobenius returns the square root of the sum of the squares of all values. Partial sums lose less
// precision than one long sum.
func Frobenius[T Number](values []T) float64 {
	const piece = 1024
	sum := 0.0
	for first := 0; first < len(values); first += piece {
		part := 0.0
		for _, v := range values[first:min(first+piece, len(values))] {
			part += float64(v) * float64(v)
		}
		sum += part
	}
	return math.Sqrt(sum)
}

// NormInf returns the largest sum of magnitudes in a row.
func NormInf[T Number](p *Pattern, b Blocks, values []T) float64 {
	return largestSum(p, b, values, p.Rows*b.Rows, func(r, c int) int { return r })
}

// Norm1 returns the largest sum of magnitudes in a column.
func Norm1[T Number](p *Pattern, b Blocks, values []T) float64 {
	return largestSum(p, b, values, p.Cols*b.Cols, func(r, c int) int { return c })
}

// largestSum returns the largest of n sums of magnitudes, where which maps row and column of a
// value to its sum. It is NaN if any value is.
func largestSum[T Number](p *Pattern, b Blocks, values []T, n int, which func(r, c int) int) float64 {
	sums := make([]float64, n)
	Each(p, b, func(r, c, at int) { sums[which(r, c)] += math.Abs(float64(values[at])) })
	largest := 0.0
	for _, s := range sums {
		largest = math.Max(largest, s)
	}
	return largest
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
