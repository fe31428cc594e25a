package precondition

// SSOR is a forward and a backward sweep of successive over-relaxation from zero, with the factor 1:
// M⁻¹ = (D + U)⁻¹ D (D + L)⁻¹, where A = L + D + U.
// Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, section 10.2.
type SSOR struct {
	matrix   *Matrix
	diagonal []int32 // index of each row's diagonal nonzero
	ends     []int32 // of each row's nonzeros in columns of this rank
	inverse  []float64
}

// NewSSOR prepares the sweeps over a matrix with Dim 1.
func NewSSOR(m *Matrix) (*SSOR, error) {
	p := &SSOR{matrix: m, diagonal: make([]int32, m.rows()), ends: m.Ends(), inverse: make([]float64, m.rows())}
	for r := range p.diagonal {
		if p.diagonal[r] = m.diagonal(r); p.diagonal[r] < 0 {
			return nil, &PivotError{Row: r, Missing: true}
		}
	}
	return p, nil
}

// Update checks the diagonal; the other values are read from the matrix itself.
func (p *SSOR) Update() error {
	for r, e := range p.diagonal {
		v := p.matrix.Values[e]
		if v == 0 {
			return &PivotError{Row: r}
		}
		p.inverse[r] = 1 / v
	}
	return nil
}

// Apply runs both sweeps.
func (p *SSOR) Apply(z, r []float64) {
	m := p.matrix
	for i := range p.diagonal {
		sum := r[i]
		first, diagonal := m.RowPtr[i], p.diagonal[i]
		columns := m.ColIdx[first:diagonal]
		values := m.Values[first:diagonal][:len(columns)]
		for e, c := range columns {
			sum -= values[e] * z[c]
		}
		z[i] = sum * p.inverse[i]
	}
	// Now z times D is the right-hand side of the backward sweep.
	for i := len(p.diagonal) - 1; i >= 0; i-- {
		sum := 0.0
		diagonal, last := p.diagonal[i], p.ends[i]
		columns := m.ColIdx[diagonal+1 : last]
		values := m.Values[diagonal+1 : last][:len(columns)]
		for e, c := range columns {
			sum += values[e] * z[c]
		}
		z[i] -= p.inverse[i] * sum
	}
}
