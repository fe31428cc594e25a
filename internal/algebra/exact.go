package algebra

import (
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/exact"
)

// innerExactly returns the sum of the products of the first n values of two dats or mats here and, unless
// the comm is nil, on other ranks: each product is rounded, their sum once.
func innerExactly(others comm.Comm, a, b *entity.Data, n int) (float64, error) {
	return bind.SumExactly(a.Runtime(), others, n, func(s *exact.Sum, first, last int) {
		var products [512]float64
		for first < last {
			n := min(last-first, len(products))
			types[a.Scalar()].products(products[:n], a, b, first)
			exact.Add(s, products[:n]...)
			first += n
		}
	})
}
