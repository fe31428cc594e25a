package vtk

import (
	"reflect"

	"github.com/go-op2/op2/internal/vtu"
)

// tuples are the values of a field on some elements. Shape of values, a slice of numbers of any type: [len()][dim].
type tuples struct {
	dim    int
	values any
}

func (t tuples) len() int { return reflect.ValueOf(t.values).Len() / t.dim }

// kind returns the type of the values.
func (t tuples) kind() reflect.Type { return reflect.TypeOf(t.values).Elem() }

// rows returns the tuples of some elements.
func (t tuples) rows(elements []int32) tuples {
	to := tuples{t.dim, vtu.Make(t.kind(), len(elements)*t.dim)}
	from, out, width := vtu.Bytes(t.values), vtu.Bytes(to.values), t.dim*int(t.kind().Size())
	for i, e := range elements {
		copy(out[i*width:], from[int(e)*width:(int(e)+1)*width])
	}
	return to
}

// join returns the tuples with others of the same type and dim after them; false if those are not the same.
func (t tuples) join(others tuples) (tuples, bool) {
	if t.dim != others.dim || t.kind() != others.kind() {
		return t, false
	}
	return tuples{t.dim, reflect.AppendSlice(reflect.ValueOf(t.values), reflect.ValueOf(others.values)).Interface()}, true
}

// array returns the values in tuples of a width, each component at its place and the others zero, in single precision if
// wanted.
func (t tuples) array(width int, places []int, single bool) any {
	if doubles, ok := t.values.([]float64); ok && single {
		t.values = floats(doubles)
	}
	if width == t.dim {
		return t.values
	}
	to, size := vtu.Make(t.kind(), t.len()*width), int(t.kind().Size())
	from, out := vtu.Bytes(t.values), vtu.Bytes(to)
	for i := range t.len() {
		for c, place := range places {
			copy(out[(i*width+place)*size:], from[(i*t.dim+c)*size:(i*t.dim+c+1)*size])
		}
	}
	return to
}

// floats returns values in single precision.
func floats(values []float64) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return out
}
