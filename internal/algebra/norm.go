package algebra

import (
	"math"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// Norm returns the Frobenius norm.
func (m *Matrix) Norm() (float64, error) {
	p, b := m.data.Sparsity().Owned(), m.data.Sparsity().Block()
	if rt := m.data.Runtime(); rt.Config().Backend.SameBits {
		sum, err := innerExactly(rt.Comm(), m.data, m.data, p.Nonzeros()*b.Size())
		return math.Sqrt(sum), err
	}
	sum, err := entity.Combine(m.data.Runtime(), loop.Inc, types[m.data.Scalar()].inner(m.data, m.data, p.Nonzeros()*b.Size()))
	if err != nil {
		return 0, err
	}
	return math.Sqrt(sum[0]), nil
}
