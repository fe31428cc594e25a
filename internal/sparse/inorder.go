package sparse

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// InOrder returns for each row the indices of its nonzeros in ascending order of the numbers of
// their columns; nil if that is how they are stored.
func (p *Pattern) InOrder(numbers []int64) []int32 {
	compare := func(a, b int32) int { return cmp.Compare(numbers[p.ColIdx[a]], numbers[p.ColIdx[b]]) }
	order := make([]int32, p.Nonzeros())
	stored := true
	for k := range order {
		order[k] = int32(k)
	}
	for r := range p.Rows {
		if row := order[p.RowPtr[r]:p.RowPtr[r+1]]; !slices.IsSortedFunc(row, compare) {
			sorting.Int32sBy(row, compare)
			stored = false
		}
	}
	if stored {
		return nil
	}
	return order
}

// MultiplyInOrder sets some rows of y, with a worker for each part of them. Each value is summed as
// in generated products, in the order of nonzeros that InOrder returns.
func MultiplyInOrder[T Number](p *Pattern, b Blocks, order []int32, values, x, y []T, rows Division) {
	rows.each(func(lo, hi int) {
		for r := lo; r < hi; r++ {
			sums := y[r*b.Rows : (r+1)*b.Rows]
			clear(sums)
			for k := p.RowPtr[r]; k < p.RowPtr[r+1]; k++ {
				block := int(k)
				if order != nil {
					block = int(order[k])
				}
				at, from := block*b.Size(), int(p.ColIdx[block])*b.Cols
				for _, v := range x[from : from+b.Cols] {
					for i := range sums {
						sums[i] += T(values[at+i] * v) // the conversion rounds
					}
					at += b.Rows
				}
			}
		}
	})
}
