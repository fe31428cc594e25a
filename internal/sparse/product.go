package sparse

import "github.com/go-op2/op2/internal/parallel"

// Number is the type of the values of a matrix.
type Number interface {
	float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8
}

// Blocks is the shape of a matrix's blocks, Rows by Cols. The values of a block are stored column
// by column.
type Blocks struct{ Rows, Cols int }

// Size returns the number of values of a block.
func (b Blocks) Size() int { return b.Rows * b.Cols }

// MultiplyRows sets some rows of y to those of the product of the matrix with x. Each value of y is
// computed by the worker of a part of the rows, in the order of the columns.
func MultiplyRows[T Number](p *Pattern, b Blocks, values, x, y []T, rows Division) {
	rows.each(func(lo, hi int) {
		switch b {
		case Blocks{1, 1}:
			multiply1(p, values, x, y, lo, hi)
		case Blocks{2, 2}:
			multiply2(p, values, x, y, lo, hi)
		case Blocks{3, 3}:
			multiply3(p, values, x, y, lo, hi)
		default:
			multiply(p, b, values, x, y, lo, hi)
		}
	})
}

// Divide divides runs of rows for workers: for one, if there is little to do.
func (p *Pattern) Divide(runs []Run, workers int) Division {
	if Nonzeros(p.RowPtr, runs) <= 4*few {
		workers = 1
	}
	return Divide(p.RowPtr, runs, workers)
}

// each calls f for the runs of all parts, with a worker for each part.
func (d *Division) each(f func(lo, hi int)) {
	parallel.Run(len(d.Ends)-1, func(part int) {
		for _, r := range d.Of(part) {
			f(int(r.First), int(r.Last))
		}
	})
}

// search returns the smallest number up to n that has a property which all larger ones have.
func search(n int, has func(int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		middle := int(uint(lo+hi) >> 1)
		if has(middle) {
			hi = middle
		} else {
			lo = middle + 1
		}
	}
	return lo
}

// The products of rows lo to hi are written out for blocks of 1, 2 and 3: the sums of a row of blocks stay in
// registers. Blocks are stored by columns, so that values[at+i] for i below the number of rows is a column.
func multiply1[T Number](p *Pattern, values, x, y []T, lo, hi int) {
	at := int(p.RowPtr[lo])
	ends, y := p.RowPtr[lo+1:hi+1], y[lo:hi]
	y = y[:len(ends)] // eliminates bounds checks in the loop, as does row
	for r, end := range ends {
		columns := p.ColIdx[at:end]
		row := values[at:end]
		row = row[:len(columns)]
		sum := T(0)
		for k, c := range columns {
			sum += row[k] * x[uint32(c)]
		}
		y[r] = sum
		at = int(end)
	}
}

func multiply2[T Number](p *Pattern, values, x, y []T, lo, hi int) {
	for r := lo; r < hi; r++ {
		var s, t T
		at := 4 * int(p.RowPtr[r])
		for _, c := range p.Row(r) {
			a, v := values[at:at+4], x[2*int(c):2*int(c)+2]
			s += a[0]*v[0] + a[2]*v[1]
			t += a[1]*v[0] + a[3]*v[1]
			at += 4
		}
		y[2*r], y[2*r+1] = s, t
	}
}

func multiply3[T Number](p *Pattern, values, x, y []T, lo, hi int) {
	for r := lo; r < hi; r++ {
		var s, t, u T
		at := 9 * int(p.RowPtr[r])
		for _, c := range p.Row(r) {
			a, v := values[at:at+9], x[3*int(c):3*int(c)+3]
			s += a[0]*v[0] + a[3]*v[1] + a[6]*v[2]
			t += a[1]*v[0] + a[4]*v[1] + a[7]*v[2]
			u += a[2]*v[0] + a[5]*v[1] + a[8]*v[2]
			at += 9
		}
		y[3*r], y[3*r+1], y[3*r+2] = s, t, u
	}
}

func multiply[T Number](p *Pattern, b Blocks, values, x, y []T, lo, hi int) {
	for r := lo; r < hi; r++ {
		sums := y[r*b.Rows : (r+1)*b.Rows]
		clear(sums)
		at := b.Size() * int(p.RowPtr[r])
		for _, c := range p.Row(r) {
			for j := range b.Cols {
				v := x[int(c)*b.Cols+j]
				for i := range sums {
					sums[i] += values[at+i] * v
				}
				at += b.Rows
			}
		}
	}
}

// Transposed is a transposed pattern, with the index of each of its nonzeros in the original
// pattern.
type Transposed struct {
	Pattern
	From []int32
}

// Transpose transposes the pattern, in linear time.
func (p *Pattern) Transpose() *Transposed {
	t := &Transposed{From: make([]int32, p.Nonzeros())}
	t.Pattern = Pattern{Rows: p.Cols, Cols: p.Rows, ColIdx: make([]int32, p.Nonzeros())}
	first := make([]int32, p.Cols+2) // counts are shifted by one; listing shifts them back
	for _, c := range p.ColIdx {
		first[c+2]++
	}
	for c := range p.Cols {
		first[c+2] += first[c+1]
	}
	next := first[1:]
	for r := range p.Rows {
		for k := p.RowPtr[r]; k < p.RowPtr[r+1]; k++ {
			at := &next[p.ColIdx[k]]
			t.ColIdx[*at], t.From[*at] = int32(r), k
			*at++
		}
	}
	t.RowPtr = first[:p.Cols+1]
	return t
}

// MultiplyTransposed sets y to the product of the transposed matrix with x; values and b belong to
// the original matrix.
func MultiplyTransposed[T Number](t *Transposed, b Blocks, values, x, y []T, workers int) {
	d := t.Divide(AllRows(t.Rows), workers)
	d.each(func(lo, hi int) {
		for r := lo; r < hi; r++ {
			sums := y[r*b.Cols : (r+1)*b.Cols]
			clear(sums)
			for k := t.RowPtr[r]; k < t.RowPtr[r+1]; k++ {
				at, v := int(t.From[k])*b.Size(), x[int(t.ColIdx[k])*b.Rows:][:b.Rows]
				for j := range sums {
					sum := T(0)
					for i := range v {
						sum += values[at+i] * v[i]
					}
					sums[j] += sum
					at += b.Rows
				}
			}
		}
	})
}
