package algebra

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/store"
)

// The package knows the type of values as data. Only the loops in this file exist for each type; all
// else moves the bytes of values.

// values is the memory of values of some size.
type values struct {
	bytes []byte
	size  int
}

// valuesOf returns the host's values of a dat or a mat, whether or not they are valid.
func valuesOf(d *entity.Data) values { return values{entity.Host[byte](d), d.Scalar().Size()} }

// at returns value i.
func (v values) at(i int) []byte { return v.bytes[i*v.size : (i+1)*v.size : (i+1)*v.size] }

// typed is what is done with values of one type on the host.
type typed struct {
	one        []byte
	arithmetic func(name string) any

	// The first n values.
	inner       func(a, b *entity.Data, n int) float64
	products    func(to []float64, a, b *entity.Data, first int)
	differences func(a, b []byte, n int, at []int) int64

	// Of conditions.
	nonzeros func(of *entity.Data, at []int) int64
	keep     func(kept, from *entity.Data, at []int)
	lift     func(b, kept, fixed *entity.Data, rows, cols []int)
	pick     func(to, from []byte, at []int)
	put      func(to, from []byte, at []int)
	place    func(to, from *entity.Data, scale []byte, at []int)

	multiply, multiplyInOrder func(m *Matrix, y, x Vector, rows sparse.Division)
	multiplyTransposed        func(m *Matrix, y, x Vector)
}

var types = [...]typed{
	loop.Int8: typedOf[int8, uint8](), loop.Int16: typedOf[int16, uint16](), loop.Int32: typedOf[int32, uint32](), loop.Int64: typedOf[int64, uint64](),
	loop.Uint8: typedOf[uint8, uint8](), loop.Uint16: typedOf[uint16, uint16](), loop.Uint32: typedOf[uint32, uint32](), loop.Uint64: typedOf[uint64, uint64](),
	loop.Float32: typedOf[float32, float32](), loop.Float64: typedOf[float64, float64](),
}

// typedOf returns what is done with values of type T. Sums, differences and products of integers are those
// of unsigned ones, W.
func typedOf[T, W loop.Number]() typed {
	return typed{store.Bytes([]W{1}), arithmeticFor[T], inner[T], products[T], differences[W], nonzeroCount[W], keep[W], lift[W], pick[W], put[W], place[W],
		multiply[W], multiplyInOrder[W], multiplyTransposed[W]}
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

// products stores the products of values, from the first on.
func products[T loop.Number](to []float64, a, b *entity.Data, first int) {
	x, y := entity.Host[T](a)[first:], entity.Host[T](b)[first:]
	for i := range to {
		to[i] = float64(x[i]) * float64(y[i])
	}
}

// differences returns how many of n values differ from those of b, or from those of b at some places.
func differences[T loop.Number](a, b []byte, n int, at []int) int64 {
	x, y, differ := store.As[T](a)[:n], store.As[T](b), int64(0)
	for i, v := range x {
		k := i
		if at != nil {
			k = at[i]
		}
		if v != y[k] {
			differ++
		}
	}
	return differ
}

// nonzeroCount returns how many of some values are not zero.
func nonzeroCount[T loop.Number](of *entity.Data, at []int) (n int64) {
	values := entity.Host[T](of)
	for _, i := range at {
		if values[i] != 0 {
			n++
		}
	}
	return n
}

// keep adds the values at some places.
func keep[T loop.Number](kept, from *entity.Data, at []int) {
	to, values := entity.Host[T](kept), entity.Host[T](from)
	for k, i := range at {
		to[k] += values[i]
	}
}

// lift subtracts the product of each kept value with the fixed one of its column from its row.
func lift[T loop.Number](b, kept, fixed *entity.Data, rows, cols []int) {
	to, values := entity.Host[T](b), entity.Host[T](fixed)
	for k, v := range entity.Host[T](kept) {
		to[rows[k]] -= v * values[cols[k]]
	}
}

// pick copies the values at some places.
func pick[T loop.Number](to, from []byte, at []int) {
	picked, values := store.As[T](to), store.As[T](from)
	for k, i := range at {
		picked[k] = values[i]
	}
}

// put copies values to some places.
func put[T loop.Number](to, from []byte, at []int) {
	values := store.As[T](to)
	for k, v := range store.As[T](from) {
		values[at[k]] = v
	}
}

// place stores the values at some places, times scale.
func place[T loop.Number](to, from *entity.Data, scale []byte, at []int) {
	values, times := entity.Host[T](to), store.As[T](scale)[0]
	for _, i := range at {
		values[i] = times * entity.Host[T](from)[i]
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
