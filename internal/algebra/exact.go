package algebra

import (
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/exact"
	"github.com/go-op2/op2/internal/loop"
)

// innerExactly returns the sum of the products of the leading values of two vectors here and, unless
// the comm is nil, on other ranks: each product is rounded, their sum once.
func innerExactly[T loop.Number](rt *core.Runtime, others comm.Comm, a, b []T) (float64, error) {
	return core.SumExactly(rt, others, len(a), func(s *exact.Sum, first, last int) {
		var products [512]float64
		for first < last {
			n := min(last-first, len(products))
			for i := range n {
				products[i] = float64(a[first+i]) * float64(b[first+i])
			}
			exact.Add(s, products[:n]...)
			first += n
		}
	})
}
