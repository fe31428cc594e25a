package op2

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/problem"
)

// AXPY adds a times x to the dat. Like all of the dat's arithmetic it is a loop, which runs where
// the runtime's loops do. x must be on the same set, with the same dim, and not d itself.
//
// Values that are structs or arrays are combined number by number, also with a: it has a factor for
// each. Their numbers must have one type.
func (d *Dat[T]) AXPY(a T, x *Dat[T]) error { return d.combine("AXPY", "axpy", x, a) }

// MAXPY adds a linear combination of dats: a[i] times x[i], in order.
func (d *Dat[T]) MAXPY(a []T, x ...*Dat[T]) (err error) {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().LeaveWith(&err)
	if len(a) != len(x) {
		return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("MAXPY takes a factor for each dat; %s %s given for %d", problem.Count(len(a), "factor"), problem.Were(len(a)), len(x))}
	}
	for _, other := range x {
		if err := d.apart("MAXPY", other); err != nil {
			return err
		}
	}
	others := make([]algebra.Values, len(x))
	for i := range x {
		others[i] = x[i].values()
	}
	return d.values().AddMany("MAXPY", unsafe.Pointer(unsafe.SliceData(a)), others)
}

// Add adds x to the dat, value by value.
func (d *Dat[T]) Add(x *Dat[T]) error { return d.combine("Add", "add", x) }

// Sub subtracts x from the dat, value by value.
func (d *Dat[T]) Sub(x *Dat[T]) error { return d.combine("Sub", "sub", x) }

// Mul multiplies the dat by x, value by value.
func (d *Dat[T]) Mul(x *Dat[T]) error { return d.combine("Mul", "mul", x) }

// Div divides the dat by x, value by value. It supports floating-point types only.
func (d *Dat[T]) Div(x *Dat[T]) (err error) {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().LeaveWith(&err)
	if !d.scalar().Float() {
		return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("Div is for floating-point numbers, the values are %s", reflect.TypeFor[T]())}
	}
	if err := d.apart("Div", x); err != nil {
		return err
	}
	return d.values().Combine("Div", "div", nil, 0, x.values())
}

// Scale multiplies all values by a.
func (d *Dat[T]) Scale(a T) (err error) {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().LeaveWith(&err)
	return d.values().Combine("Scale", "scale", unsafe.Pointer(&a), 1)
}

// CopyOver copies the values of another dat of the same set and dim for the elements of a
// subset.
func (d *Dat[T]) CopyOver(over IterationSet, from *Dat[T]) (err error) {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().LeaveWith(&err)
	if err := d.apart("CopyOver", from); err != nil {
		return err
	}
	elements := iteration(over)
	set := elements.Set
	switch {
	case set == nil:
		return fmt.Errorf("op2: %s: CopyOver: the set is nil", d.describe())
	case set != d.set():
		return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("CopyOver takes elements of %s, those of %s are of %s", d.set().Name(), over.Name(), set.Name())}
	}
	return d.values().CopyOver(elements, from.values())
}

// combine changes the dat by another one, and a parameter, if any.
func (d *Dat[T]) combine(operation, kernel string, x *Dat[T], parameter ...T) (err error) {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().LeaveWith(&err)
	if err := d.apart(operation, x); err != nil {
		return err
	}
	return d.values().Combine(operation, kernel, unsafe.Pointer(unsafe.SliceData(parameter)), len(parameter), x.values())
}

// apart checks that other is a different dat that can be combined with d value by value.
func (d *Dat[T]) apart(operation string, other *Dat[T]) error {
	if err := d.alike(operation, other); err != nil {
		return err
	}
	if other == d {
		return fmt.Errorf("op2: %s: %s: the other dat is %s itself\n  hint: Duplicate gives a second one", d.describe(), operation, d.name())
	}
	return nil
}
