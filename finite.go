package op2

import (
	"math"

	"github.com/go-op2/op2/internal/problem"
)

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one.
func (d *Dat[T]) CheckFinite() error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt.leave()
	return d.checkFinite()
}

// everywhere stands for all elements.
const everywhere = -1

func (d *Dat[T]) findNonFinite(element int) *ValueError {
	values, first := d.values(), 0
	if element != everywhere {
		first = element * d.dim
		values = values[first : first+d.dim]
	}
	at := findNonFinite(values)
	if at < 0 {
		return nil
	}
	at += first
	return problem.NotFinite(d.describe(), d.set.name, at/d.dim, at%d.dim, float64(d.values()[at]))
}

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one. With diagnostics on, this is checked after every loop that changes the matrix.
func (m *Mat[T]) CheckFinite() error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt.leave()
	return m.checkFinite()
}

func (m *Mat[T]) findNonFinite(int) *ValueError {
	b := m.sparsity.blocks
	at := findNonFinite(m.values())
	if at < 0 {
		return nil
	}
	block, in := int32(at/b.Size()), at%b.Size()
	row := m.sparsity.pattern.RowOf(block)
	return problem.NotFinite("mat "+m.name, "", row*b.Rows+in%b.Rows, int(m.sparsity.pattern.ColIdx[block])*b.Cols+in/b.Rows, float64(m.values()[at]))
}

// checkFinite transfers the values to the host and looks for one that is not finite.
func (d *data) checkFinite() error {
	if err := d.bring(false); err != nil {
		return err
	}
	if err := d.firstNonFinite(everywhere); err != nil {
		return err
	}
	return nil
}

// findNonFinite returns the index of the first infinite or NaN value, or -1.
func findNonFinite[T Scalar](values []T) int {
	for i, v := range values {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return i
		}
	}
	return -1
}
