package solve

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/store"
)

// selfP is the approximation A11 − A10 diag(A00)⁻¹ A01 of the Schur complement, on the host: the rows
// and columns of this rank.
type selfP struct {
	first, second space
	a00           *Blocks
	diagonal      []Vector // of A00
	a10, a01, a11 *mergedBlocks
	far           []*farRows // of A01, by part of the first split; nil on one process
	rows          []farRow   // of A01: those of this rank, then those of the halo, part by part
	matrix        *precondition.Matrix
}

// mergedBlocks is blocks as one matrix of values. Its rows and columns include those of the halo.
type mergedBlocks struct {
	*algebra.Whole
	values []float64
}

// farRow is a row of A01: columns of this rank, and where its values are.
type farRow struct {
	cols   []int32
	at     []int32
	values *[]float64
}

// newSelfP returns the matrix for two splits.
func newSelfP(of space, fields [][]int, a00, a01, a10, a11 *Blocks) (*scalarMatrix, error) {
	p := &selfP{first: of.some(fields[0]), second: of.some(fields[1]), a00: a00}
	for i := range p.first {
		if a00.Blocks[i][i] == nil {
			return nil, fmt.Errorf("fieldsplit: selfp needs the diagonal of the first split, whose block [%d][%d] is absent", i, i)
		}
	}
	var err error
	if p.diagonal, err = p.first.newVector("diagonal"); err != nil {
		return nil, err
	}
	for _, m := range []struct {
		to   **mergedBlocks
		from *Blocks
	}{{&p.a10, a10}, {&p.a01, a01}, {&p.a11, a11}} {
		if *m.to, err = newMerged(m.from); err != nil {
			return nil, err
		}
	}
	if err := p.findRows(); err != nil {
		return nil, err
	}
	p.build()
	return &scalarMatrix{p.matrix, p.refill}, nil
}

// newMerged returns blocks as one matrix, whose rows and columns are numbered part by part.
func newMerged(of *Blocks) (*mergedBlocks, error) {
	l := of.LayoutHere(true)
	l.Rows = 0
	for i, p := range of.Rows {
		l.First[i] = l.Rows
		l.Rows += p.Total()
	}
	w, err := of.Whole(l)
	if err != nil {
		return nil, err
	}
	return &mergedBlocks{w, make([]float64, len(w.ColIdx))}, nil
}

// refill updates the values.
func (m *mergedBlocks) refill() error { return m.Fill(store.Bytes(m.values), nil, 0, math.MaxInt32) }

// row returns the range of a row's values.
func (m *mergedBlocks) row(r int) (first, last int32) { return m.RowPtr[r], m.RowPtr[r+1] }

// owned returns, for each value of a vector here with the halo, its number among those of this rank,
// or -1.
func (s space) owned() []int32 {
	var numbers []int32
	n := int32(0)
	for _, p := range s {
		for i := range p.Total() {
			if i >= p.Here() {
				numbers = append(numbers, -1)
				continue
			}
			numbers = append(numbers, n)
			n++
		}
	}
	return numbers
}

// declared returns, for each value of a vector here with the halo, its number among those of all
// ranks, part by part.
func (s space) declared() []int64 {
	var numbers []int64
	before := int64(0)
	for _, p := range s {
		for e := range p.Set.Total() {
			for i := range p.Dim {
				numbers = append(numbers, before+p.Set.NumberHere(e)*int64(p.Dim)+int64(i))
			}
		}
		before += p.Set.Whole() * int64(p.Dim)
	}
	return numbers
}

// findRows lists the rows of A01 that the rows of A10 here need, also those that other ranks have.
func (p *selfP) findRows() error {
	own, declared := p.second.owned(), p.second.declared()
	here := make(map[int64]int32)
	for i, n := range own {
		if n >= 0 {
			here[declared[i]] = n
		}
	}
	r := 0
	for _, part := range p.first {
		first := r
		for range part.Here() {
			row := farRow{values: &p.a01.values}
			for k, last := p.a01.row(r); k < last; k++ {
				if c := own[p.a01.ColIdx[k]]; c >= 0 {
					row.cols, row.at = append(row.cols, c), append(row.at, k)
				}
			}
			p.rows = append(p.rows, row)
			r++
		}
		if !part.Set.Runtime().Several() {
			continue
		}
		far, err := newFarRows(part, p.a01, first, declared)
		if err != nil {
			return err
		}
		p.far = append(p.far, far)
		p.rows = append(p.rows, far.halo(here)...)
		r = first + part.Total()
	}
	return nil
}

// farRows sends the rows of a matrix of values to the ranks that have them in their halo: as a vector
// with as many values for each element as the longest rows have.
type farRows struct {
	part   Part
	matrix *mergedBlocks
	first  int    // row of the part
	length int    // of the longest row
	cols   Vector // of int64
	sent   Vector
	values []float64 // of the vector
}

// newFarRows sends the columns.
func newFarRows(part Part, m *mergedBlocks, first int, declared []int64) (*farRows, error) {
	f := &farRows{part: part, matrix: m, first: first}
	longest := int64(1)
	for r := range part.Here() {
		a, b := m.row(first + r)
		longest = max(longest, int64(b-a))
	}
	all, err := entity.Combine(part.Set.Runtime(), loop.Max, longest)
	if err != nil {
		return nil, err
	}
	f.length = int(all[0])
	if f.cols, err = algebra.NewVector[int64](part.Set, f.length*part.Dim, nil, "columns"); err != nil {
		return nil, err
	}
	if f.sent, err = algebra.NewVector[float64](part.Set, f.length*part.Dim, nil, "rows"); err != nil {
		return nil, err
	}
	cols := entity.Overwriting[int64](f.cols.Data)
	for i := range cols {
		cols[i] = -1
	}
	f.each(func(to, k int) { cols[to] = declared[m.ColIdx[k]] })
	return f, f.cols.Update()
}

// each calls f with each place in the vector, and the index of its value in the matrix.
func (f *farRows) each(do func(to, k int)) {
	for r := range f.part.Here() {
		a, b := f.matrix.row(f.first + r)
		for k := a; k < b; k++ {
			do(r*f.length+int(k-a), int(k))
		}
	}
}

// halo returns the rows of the halo, in columns that are here.
func (f *farRows) halo(here map[int64]int32) []farRow {
	var rows []farRow
	cols := entity.Host[int64](f.cols.Data)
	for r := f.part.Here(); r < f.part.Total(); r++ {
		row := farRow{values: &f.values}
		for i := range f.length {
			if c, ok := here[cols[r*f.length+i]]; ok {
				row.cols, row.at = append(row.cols, c), append(row.at, int32(r*f.length+i))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// refill sends the values.
func (f *farRows) refill() error {
	to := entity.Overwriting[float64](f.sent.Data)
	f.each(func(at, k int) { to[at] = f.matrix.values[k] })
	var err error
	f.values, err = withHalo[float64](f.sent)
	return err
}

// build builds the pattern.
func (p *selfP) build() {
	own := p.second.owned()
	m := &precondition.Matrix{Dim: 1, RowPtr: []int32{0}}
	for r, n := range own {
		if n < 0 {
			continue
		}
		cols := []int32{n}
		for k, last := p.a11.row(r); k < last; k++ {
			if c := own[p.a11.ColIdx[k]]; c >= 0 {
				cols = append(cols, c)
			}
		}
		for k, last := p.a10.row(r); k < last; k++ {
			cols = append(cols, p.rows[p.a10.ColIdx[k]].cols...)
		}
		sorting.Int32s(cols)
		m.ColIdx = append(m.ColIdx, slices.Compact(cols)...)
		m.RowPtr = append(m.RowPtr, int32(len(m.ColIdx)))
	}
	m.Values = make([]float64, len(m.ColIdx))
	p.matrix = m
}

// refill computes the values. It is collective.
func (p *selfP) refill() error {
	for _, m := range []*mergedBlocks{p.a10, p.a01, p.a11} {
		if err := m.refill(); err != nil {
			return err
		}
	}
	for _, f := range p.far {
		if err := f.refill(); err != nil {
			return err
		}
	}
	var inverse []float64
	for i, d := range p.diagonal {
		if err := p.a00.Blocks[i][i].Diagonal(d); err != nil {
			return err
		}
		values, err := withHalo[float64](d)
		if err != nil {
			return err
		}
		inverse = append(inverse, values[:p.first[i].Total()]...)
	}
	at := 0
	for i, part := range p.first {
		for r := range part.Total() {
			if inverse[at] == 0 {
				return &badPivot{fmt.Sprintf("selfp divides by the diagonal of the first split, which is zero at %s%s", part.Where(part.Declared(r)), p.first.in(i))}
			}
			inverse[at] = 1 / inverse[at]
			at++
		}
	}
	p.compute(inverse)
	return nil
}

// compute computes the values from those of the blocks, and the inverse of the diagonal of A00.
func (p *selfP) compute(inverse []float64) {
	own, m := p.second.owned(), p.matrix
	clear(m.Values)
	place := make([]int32, len(m.RowPtr)-1)
	for r, n := range own {
		if n < 0 {
			continue
		}
		for k := m.RowPtr[n]; k < m.RowPtr[n+1]; k++ {
			place[m.ColIdx[k]] = k
		}
		for k, last := p.a11.row(r); k < last; k++ {
			if c := own[p.a11.ColIdx[k]]; c >= 0 {
				m.Values[place[c]] += p.a11.values[k]
			}
		}
		for k, last := p.a10.row(r); k < last; k++ {
			u := p.a10.ColIdx[k]
			factor, row := p.a10.values[k]*inverse[u], &p.rows[u]
			for i, c := range row.cols {
				m.Values[place[c]] -= factor * (*row.values)[row.at[i]]
			}
		}
	}
}
