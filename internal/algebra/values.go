package algebra

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Values is a dat with values of any plain type, for operations on all of them. Those that compute
// take each value apart: a struct into its fields, which must be numbers of one type.
type Values struct{ *core.Data }

// numbers is what a Vector does for Values, whose scalars it has.
type numbers interface {
	call(kernel string, over core.Range, parameters unsafe.Pointer, n int, others ...*core.Data) error
	copyAll(from *core.Data) error
	inner(other *core.Data) (float64, error)
}

// numbers returns the vector of the scalars that the values are stored as.
func (d Values) numbers() numbers {
	v := d.Data.Numbers()
	switch v.Scalar() {
	case loop.Float64:
		return Vector[float64]{v}
	case loop.Float32:
		return Vector[float32]{v}
	case loop.Int64:
		return Vector[int64]{v}
	case loop.Int32:
		return Vector[int32]{v}
	case loop.Int16:
		return Vector[int16]{v}
	case loop.Int8:
		return Vector[int8]{v}
	case loop.Uint64:
		return Vector[uint64]{v}
	case loop.Uint32:
		return Vector[uint32]{v}
	case loop.Uint16:
		return Vector[uint16]{v}
	}
	return Vector[uint8]{v}
}

// Copy copies the values of another dat with the same set, dim and type. With lazy evaluation it is a
// loop, which waits like others.
func (d Values) Copy(from Values) error {
	if d.Runtime().Lazy() && from.Data != d.Data {
		return d.CopyOver(d.Set().All(), from)
	}
	return d.numbers().copyAll(from.Numbers())
}

// CopyOver copies the values of another dat for some elements.
func (d Values) CopyOver(over core.Range, from Values) error {
	return d.numbers().call("copy", over, nil, 0, from.Numbers())
}

// Zero sets all values to zero: with lazy evaluation, by a loop.
func (d Values) Zero() error {
	if d.Runtime().Lazy() {
		var zero uint64 // of any type
		return d.numbers().call("fill", d.Set().All(), unsafe.Pointer(&zero), 1)
	}
	return d.Data.Zero()
}

// FillLazily sets every element's values to those at an address, n of them, or one for all. It reports
// whether it did: it is for lazy evaluation, and a few numbers.
func (d Values) FillLazily(values unsafe.Pointer, n int) (done bool, err error) {
	_, each := d.Value().Carrier()
	if !d.Runtime().Lazy() || n*each > mostNumbers {
		return false, nil
	}
	return true, d.numbers().call("fill", d.Set().All(), values, n*each)
}

// mostNumbers is the largest number of values that loops fill elements with.
const mostNumbers = 64

// Inner returns the sum of the products of the two dats' numbers, on all ranks, in float64.
func (d Values) Inner(other Values) (float64, error) {
	if err := d.computes("Inner"); err != nil {
		return 0, err
	}
	return d.numbers().inner(other.Numbers())
}

// Combine changes the dat by one of the elementwise kernels, which takes other dats and, at an
// address, some values as parameters.
func (d Values) Combine(operation, kernel string, parameters unsafe.Pointer, n int, others ...Values) error {
	if err := d.computes(operation); err != nil {
		return err
	}
	layout := d.Value()
	var list []*core.Data
	for _, other := range others {
		list = append(list, other.Data)
	}
	if factors := kernel != "add" && kernel != "sub"; factors && holdsComplex(layout) {
		return &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("%s is for numbers, and for structs and arrays of real numbers; the values are %s", operation, layout)}
	}
	_, each := layout.Carrier()
	for i := range list {
		list[i] = list[i].Numbers()
	}
	return d.numbers().call(kernel, d.Set().All(), parameters, n*each, list...)
}

// AddMany adds a linear combination of other dats: value i at a times x[i], in order.
func (d Values) AddMany(operation string, a unsafe.Pointer, x []Values) error {
	size := d.Value().Size
	for i := 0; i < len(x); i++ {
		if d.Value().Scalar != loop.Invalid && i+few <= len(x) {
			if err := d.Combine(operation, "maxpy", unsafe.Add(a, i*size), few, x[i:i+few]...); err != nil {
				return err
			}
			i += few - 1
			continue
		}
		if err := d.Combine(operation, "axpy", unsafe.Add(a, i*size), 1, x[i]); err != nil {
			return err
		}
	}
	return nil
}

// holdsComplex reports whether values contain complex numbers.
func holdsComplex(l *loop.Layout) bool {
	if l.Elem != nil {
		return holdsComplex(l.Elem)
	}
	return l.Complex || slices.ContainsFunc(l.Fields, func(f loop.Field) bool { return holdsComplex(f.Layout) })
}

// computes returns an error unless the values consist of numbers of one type.
func (d Values) computes(operation string) error {
	layout := d.Value()
	if s, _ := layout.Uniform(); s == loop.Invalid || s == loop.Bool {
		return &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("%s is for numbers, and for structs and arrays of numbers of one type; the values are %s", operation, layout),
			Hint: "a loop can do what is meant for each field"}
	}
	return nil
}

// call calls one of the elementwise kernels for the program: with lazy evaluation, the call waits.
func (d Vector[T]) call(kernel string, over core.Range, parameters unsafe.Pointer, n int, others ...*core.Data) error {
	k, args, g, err := d.elementwise(kernel, n, others)
	switch {
	case err != nil:
		return err
	case n == 0:
		return d.Runtime().Call(k, over, args...)
	}
	return core.CallWith(d.Runtime(), g.Data, unsafe.Slice((*T)(parameters), n), k, over, args...)
}

func (d Vector[T]) copyAll(from *core.Data) error { return d.Copy(Vector[T]{from}) }

func (d Vector[T]) inner(other *core.Data) (float64, error) { return d.Inner(Vector[T]{other}) }
