package algebra

import (
	"math"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
)

// Norm returns the Frobenius norm.
func (m *Matrix) Norm() (float64, error) {
	p, b := m.data.Sparsity().Owned(), m.data.Sparsity().Block()
	if rt := m.data.Runtime(); rt.Config().Backend.SameBits {
		sum, err := innerExactly(rt.Comm(), m.data, m.data, p.Nonzeros()*b.Size())
		return math.Sqrt(sum), err
	}
	sum, err := core.Combine(m.data.Runtime(), loop.Inc, types[m.data.Scalar()].inner(m.data, m.data, p.Nonzeros()*b.Size()))
	if err != nil {
		return 0, err
	}
	return math.Sqrt(sum[0]), nil
}

// NormInf returns the largest sum of magnitudes in a row.
func (m *Matrix) NormInf() (float64, error) {
	if err := m.data.Runtime().CheckOrder("mat " + m.data.Name() + ": NormInf"); err != nil {
		return 0, err
	}
	return m.largest(sparse.RowSums(m.data.Sparsity().Owned(), m.data.Sparsity().Block(), m.data.AsFloat64s()))
}

// Norm1 returns the largest sum of magnitudes in a column.
func (m *Matrix) Norm1() (float64, error) {
	if err := m.data.Runtime().CheckOrder("mat " + m.data.Name() + ": Norm1"); err != nil {
		return 0, err
	}
	s := m.data.Sparsity()
	sums := sparse.ColumnSums(s.Owned(), s.Block(), m.data.AsFloat64s())
	if m.data.Runtime().Several() {
		v, err := core.NewDatHere(s.Cols(), s.Block().Cols, sums, "sums")
		if err == nil {
			err = v.AddHalo()
		}
		if err != nil {
			return 0, err
		}
		sums = core.Host[float64](v)[:s.Cols().Size()*s.Block().Cols]
	}
	return m.largest(sums)
}

// largest returns the largest of sums on all ranks. It is NaN if any is.
func (m *Matrix) largest(sums []float64) (float64, error) {
	largest := 0.0
	for _, s := range sums {
		largest = max(largest, s)
	}
	all, err := core.Combine(m.data.Runtime(), loop.Max, largest)
	if err != nil {
		return 0, err
	}
	return all[0], nil
}
