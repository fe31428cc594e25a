package vtk

import (
	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/vtu"
)

// tuples are the values of a field on some elements, of any type.
type tuples interface {
	dim() int
	len() int
	// rows returns the tuples of some elements.
	rows(elements []int32) tuples
	// join returns the tuples with others of the same type and dim after them, or nil if those are not the same.
	join(others tuples) tuples
	// array returns the values in tuples of a width, each component at its place, in single precision if wanted.
	array(width int, places []int, single bool) any
}

// rowsOf are tuples of type T. Shape of values [len][width].
type rowsOf[T op2.Scalar] struct {
	width  int
	values []T
}

func (r rowsOf[T]) dim() int { return r.width }
func (r rowsOf[T]) len() int { return len(r.values) / r.width }

func (r rowsOf[T]) rows(elements []int32) tuples {
	out := make([]T, 0, len(elements)*r.width)
	for _, e := range elements {
		out = append(out, r.values[int(e)*r.width:(int(e)+1)*r.width]...)
	}
	return rowsOf[T]{r.width, out}
}

func (r rowsOf[T]) join(others tuples) tuples {
	o, same := others.(rowsOf[T])
	if !same || o.width != r.width {
		return nil
	}
	return rowsOf[T]{r.width, append(r.values[:len(r.values):len(r.values)], o.values...)}
}

func (r rowsOf[T]) array(width int, places []int, single bool) any {
	if doubles, ok := any(r.values).([]float64); ok && single {
		return placed(floats(doubles), r.width, width, places)
	}
	return placed(r.values, r.width, width, places)
}

// placed returns tuples of width values: those of dim components at their places, and zeros.
func placed[T vtu.Scalar](values []T, dim, width int, places []int) []T {
	if dim == width {
		return values
	}
	out := make([]T, len(values)/dim*width)
	for i := range len(values) / dim {
		for c, place := range places {
			out[i*width+place] = values[i*dim+c]
		}
	}
	return out
}

// floats returns values in single precision.
func floats(values []float64) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return out
}
