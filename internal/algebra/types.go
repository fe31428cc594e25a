package algebra

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/store"
)

// The package knows the type of values as data. Only the loops in this file exist for each type; all
// else moves the bytes of values.

// typed is what is done with values of one type on the host.
type typed struct {
	*plain
	divide, inProduct any // kernels of arithmetic

	// The first n values.
	inner    func(a, b *entity.Data, n int) float64
	products func(to []float64, a, b *entity.Data, first int)
}

// plain is what is done in the same way with signed and unsigned integers of a size.
type plain struct {
	one     []byte
	kernels map[string]any // of arithmetic, by operation

	multiply, multiplyInOrder func(m *Matrix, y, x Vector, rows sparse.Division)
	multiplyTransposed        func(m *Matrix, y, x Vector)
}

var types = func() [loop.Float64 + 1]typed {
	word8, word16, word32, word64 := plainOf[uint8](), plainOf[uint16](), plainOf[uint32](), plainOf[uint64]()
	return [...]typed{
		loop.Int8: typedOf[int8](word8), loop.Int16: typedOf[int16](word16), loop.Int32: typedOf[int32](word32), loop.Int64: typedOf[int64](word64),
		loop.Uint8: typedOf[uint8](word8), loop.Uint16: typedOf[uint16](word16), loop.Uint32: typedOf[uint32](word32), loop.Uint64: typedOf[uint64](word64),
		loop.Float32: typedOf[float32](plainOf[float32]()), loop.Float64: typedOf[float64](plainOf[float64]()),
	}
}()

func typedOf[T loop.Number](p *plain) typed {
	return typed{p, datDiv[T], datInner[T], inner[T], storeProducts[T]}
}

func plainOf[W loop.Number]() *plain {
	return &plain{store.Bytes([]W{1}), arithmeticFor[W](), multiply[W], multiplyInOrder[W], multiplyTransposed[W]}
}

// kernel returns an operation of arithmetic, which the backend go calls.
func (t *typed) kernel(operation string) any {
	switch operation {
	case "Div":
		return t.divide
	case "Inner":
		return t.inProduct
	}
	return t.kernels[operation]
}

// inner returns the sum of the products of the first n values. Partial sums lose less precision than one
// long sum.
func inner[T loop.Number](a, b *entity.Data, n int) float64 {
	const piece = 1024
	x, y := entity.Host[T](a)[:n], entity.Host[T](b)[:n]
	sum := 0.0
	for first := 0; first < n; first += piece {
		part := 0.0
		for i := first; i < min(first+piece, n); i++ {
			part += float64(x[i]) * float64(y[i])
		}
		sum += part
	}
	return sum
}

// storeProducts stores the products of values, from the first on.
func storeProducts[T loop.Number](to []float64, a, b *entity.Data, first int) {
	x, y := entity.Host[T](a)[first:], entity.Host[T](b)[first:]
	for i := range to {
		to[i] = float64(x[i]) * float64(y[i])
	}
}

func multiply[T loop.Number](m *Matrix, y, x Vector, rows sparse.Division) {
	s := m.data.Sparsity()
	sparse.MultiplyRows(s.Owned(), s.Block(), entity.Host[T](m.data), entity.Host[T](x.Data), entity.Host[T](y.Data), rows)
}

func multiplyInOrder[T loop.Number](m *Matrix, y, x Vector, rows sparse.Division) {
	s := m.data.Sparsity()
	sparse.MultiplyInOrder(s.Owned(), s.Block(), m.order, entity.Host[T](m.data), entity.Host[T](x.Data), entity.Host[T](y.Data), rows)
}

func multiplyTransposed[T loop.Number](m *Matrix, y, x Vector) {
	s := m.data.Sparsity()
	sparse.MultiplyTransposed(s.Transposed(), s.Block(), entity.Host[T](m.data), entity.Host[T](x.Data), entity.Host[T](y.Data), s.Threads())
}
