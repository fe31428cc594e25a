package algebra

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
)

// Values is a dat with values of any plain type, for operations on all of them. Those that compute
// take each value apart: a struct into its fields, which must be numbers of one type.
type Values struct{ *entity.Data }

// numbers returns the vector of the scalars that the values are stored as.
func (d Values) numbers() Vector { return Vector{d.Data.Numbers()} }

// waits reports whether operations that the host can do are loops instead, which wait like others: with
// lazy evaluation, once no loop would be the one after which Renumber is refused; and for a component, whose values are apart.
func (d Values) waits() bool {
	return d.Whole() != nil || d.Runtime().Lazy() && d.Runtime().Sealed()
}

// over returns what arithmetic with other dats of the same set runs over.
func (d Values) over(others ...Values) entity.Range {
	for _, other := range others {
		if other.Whole() != nil {
			return other.All()
		}
	}
	return d.All()
}

// Copy copies the values of another dat with the same set, dim and type.
func (d Values) Copy(from Values) error {
	if (d.waits() || from.Whole() != nil) && from.Data != d.Data {
		return d.CopyOver(d.over(from), from)
	}
	return d.numbers().Copy(from.numbers())
}

// CopyOver copies the values of another dat for some elements.
func (d Values) CopyOver(over entity.Range, from Values) error {
	return d.numbers().call("Copy", over, nil, from.numbers())
}

// Zero sets all values to zero.
func (d Values) Zero() error {
	if d.waits() {
		return d.numbers().call("Fill", d.All(), make([]byte, d.Scalar().Size()))
	}
	return d.Data.Zero()
}

// Fill sets every element's values to those with these bytes, as many as an element has, or one for all.
func (d Values) Fill(element []byte) error {
	switch {
	case !d.waits():
		return d.fill(element)
	case len(element) > mostNumbers*d.Scalar().Size():
		element = slices.Clone(element)
		return run.Task{Of: d.Describe(), What: "Fill", Uses: func() run.Uses { return run.Uses{Replaces: []*entity.Data{d.Data}} }, Do: func() error { return d.fill(element) }}.Run(d.Runtime())
	}
	return d.numbers().call("Fill", d.All(), element)
}

func (d Values) fill(element []byte) error {
	values := entity.Overwriting[byte](d.Data)
	for n, chunk := copy(values, element), len(element); n < len(values); {
		n += copy(values[n:], values[:chunk])
		if chunk < 1<<13 {
			chunk = n
		}
	}
	d.ClearAbsent()
	d.Storage().Filled()
	return nil
}

// mostNumbers is the largest number of values that loops fill elements with.
const mostNumbers = 64

// Inner returns the sum of the products of the two dats' numbers, on all ranks, in float64.
func (d Values) Inner(other Values) (float64, error) {
	if err := d.computes("Inner"); err != nil {
		return 0, err
	}
	return d.numbers().Inner(other.numbers())
}

// Combine changes the dat by an operation of arithmetic, which takes other dats and the bytes of
// parameters.
func (d Values) Combine(operation string, parameters []byte, others ...Values) error {
	if err := d.computes(operation); err != nil {
		return err
	}
	if factors := operation != "Add" && operation != "Sub"; factors && holdsComplex(d.Value()) {
		return &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("%s is for numbers, and for structs and arrays of real numbers; the values are %s", operation, d.Value())}
	}
	numbers := make([]Vector, len(others))
	for i, other := range others {
		numbers[i] = other.numbers()
	}
	return d.numbers().call(operation, d.over(others...), parameters, numbers...)
}

// AddMany adds a linear combination of other dats: factor i, of the bytes of all, times x[i], in order.
func (d Values) AddMany(a []byte, x []Values) error {
	size := d.Value().Size
	for len(x) > 0 {
		n, operation := 1, "AXPY"
		if d.Value().Scalar != loop.Invalid && len(x) >= mostAddends {
			n, operation = mostAddends, "MAXPY"
		}
		if err := d.Combine(operation, a[:n*size], x[:n]...); err != nil {
			return err
		}
		a, x = a[n*size:], x[n:]
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

// call calls an operation of arithmetic for the program: with lazy evaluation, the call waits.
func (d Vector) call(operation string, over entity.Range, parameters []byte, others ...Vector) error {
	k, args, g, err := d.operation(operation, len(parameters), others)
	switch {
	case err != nil:
		return err
	case g == nil:
		return run.Call(d.Runtime(), k, over, args...)
	}
	return run.CallWith(d.Runtime(), g, parameters, k, over, args...)
}
