package precondition

// ILU is an incomplete factorization without fill-in: the factors L and U have nonzeros only where
// the matrix does. J. A. Meijerink, H. A. van der Vorst, 1977; as in Y. Saad, Iterative Methods for
// Sparse Linear Systems, 2003, algorithm 10.4.
type ILU struct {
	matrix      *Matrix
	first, last int       // range of rows and columns
	rowPtr      []int32   // [last-first+1], into the following arrays
	colIdx      []int32   // minus first
	from        []int32   // index of the nonzero in the matrix
	diagonal    []int32   // of each row
	values      []float64 // L, whose diagonal is 1, and U, with the inverse of its diagonal
	place       []int32   // of each column in the current row, plus one
}

// NewILU prepares the factorization of a matrix with Dim 1.
func NewILU(m *Matrix) (*ILU, error) { return newILU(m, 0, m.rows()) }

// newILU prepares that of the rows, and columns, [first, last).
func newILU(m *Matrix, first, last int) (*ILU, error) {
	n := last - first
	p := &ILU{matrix: m, first: first, last: last, rowPtr: make([]int32, n+1), diagonal: make([]int32, n), place: make([]int32, n)}
	for r := first; r < last; r++ {
		p.diagonal[r-first] = -1
		for e := m.RowPtr[r]; e < m.RowPtr[r+1]; e++ {
			c := int(m.ColIdx[e])
			if c < first || c >= last {
				continue
			}
			if c == r {
				p.diagonal[r-first] = int32(len(p.colIdx))
			}
			p.colIdx, p.from = append(p.colIdx, int32(c-first)), append(p.from, e)
		}
		if p.diagonal[r-first] < 0 {
			return nil, &PivotError{Row: r, Missing: true}
		}
		p.rowPtr[r-first+1] = int32(len(p.colIdx))
	}
	p.values = make([]float64, len(p.colIdx))
	return p, nil
}

// Update factorizes the matrix's current values.
func (p *ILU) Update() error {
	for e, from := range p.from {
		p.values[e] = p.matrix.Values[from]
	}
	for r := range p.diagonal {
		first, last := p.rowPtr[r], p.rowPtr[r+1]
		for e := first; e < last; e++ {
			p.place[p.colIdx[e]] = e + 1
		}
		for e := first; e < p.diagonal[r]; e++ {
			p.eliminate(e)
		}
		for e := first; e < last; e++ {
			p.place[p.colIdx[e]] = 0
		}
		pivot := &p.values[p.diagonal[r]]
		if *pivot == 0 {
			return &PivotError{Row: p.first + r}
		}
		*pivot = 1 / *pivot
	}
	return nil
}

// eliminate subtracts a multiple of an earlier row from the current row such that nonzero e becomes
// zero, and stores the multiple in its place.
func (p *ILU) eliminate(e int32) {
	k := p.colIdx[e]
	p.values[e] *= p.values[p.diagonal[k]]
	for u := p.diagonal[k] + 1; u < p.rowPtr[k+1]; u++ {
		if at := p.place[p.colIdx[u]]; at > 0 {
			p.values[at-1] -= p.values[e] * p.values[u]
		}
	}
}

// Apply solves L U z = r.
func (p *ILU) Apply(z, r []float64) {
	z, r = z[p.first:p.last], r[p.first:p.last]
	for i := range z {
		sum := r[i]
		first, diagonal := p.rowPtr[i], p.diagonal[i]
		columns := p.colIdx[first:diagonal]
		values := p.values[first:diagonal][:len(columns)]
		for e, c := range columns {
			sum -= values[e] * z[c]
		}
		z[i] = sum
	}
	for i := len(z) - 1; i >= 0; i-- {
		sum := z[i]
		diagonal, last := p.diagonal[i], p.rowPtr[i+1]
		columns := p.colIdx[diagonal+1 : last]
		values := p.values[diagonal+1 : last][:len(columns)]
		for e, c := range columns {
			sum -= values[e] * z[c]
		}
		z[i] = sum * p.values[diagonal]
	}
}
