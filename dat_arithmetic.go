package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// AXPY adds a times x to the dat. Like all of the dat's arithmetic it is a loop, which runs where
// the runtime's loops do. x must be on the same set, with the same dim, and not d itself.
//
// Values that are structs or arrays are combined number by number, also with a: it has a factor for
// each. Their numbers must have one type.
func (d *Dat[T]) AXPY(a T, x *Dat[T]) error {
	return d.dat().combine("AXPY", x.dat(), store.Bytes([]T{a}))
}

// MAXPY adds a linear combination of dats: a[i] times x[i], in order.
func (d *Dat[T]) MAXPY(a []T, x ...*Dat[T]) error {
	others := make([]*dat, len(x))
	for i := range x {
		others[i] = x[i].dat()
	}
	return d.dat().maxpy(len(a), store.Bytes(a), others)
}

//go:noinline
func (d *dat) maxpy(n int, a []byte, x []*dat) error {
	return d.operate(func() error {
		if n != len(x) {
			return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("MAXPY takes a factor for each dat; %s %s given for %d", problem.Count(n, "factor"), problem.Were(n), len(x))}
		}
		others := make([]algebra.Values, n)
		for i, other := range x {
			if err := d.apart("MAXPY", other); err != nil {
				return err
			}
			others[i] = other.values()
		}
		return d.values().AddMany(a, others)
	})
}

// Add adds x to the dat, value by value.
func (d *Dat[T]) Add(x *Dat[T]) error { return d.dat().combine("Add", x.dat(), nil) }

// Sub subtracts x from the dat, value by value.
func (d *Dat[T]) Sub(x *Dat[T]) error { return d.dat().combine("Sub", x.dat(), nil) }

// Mul multiplies the dat by x, value by value.
func (d *Dat[T]) Mul(x *Dat[T]) error { return d.dat().combine("Mul", x.dat(), nil) }

// Div divides the dat by x, value by value. It supports floating-point types only.
func (d *Dat[T]) Div(x *Dat[T]) error { return d.dat().combine("Div", x.dat(), nil) }

// Scale multiplies all values by a.
func (d *Dat[T]) Scale(a T) error { return d.dat().scale(store.Bytes([]T{a})) }

//go:noinline
func (d *dat) scale(a []byte) error {
	return d.operate(func() error { return d.values().Combine("Scale", a) })
}

// combine changes the dat by another one, and the bytes of a parameter, if any.
//
//go:noinline
func (d *dat) combine(operation string, x *dat, parameter []byte) error {
	return d.operate(func() error {
		if operation == "Div" && !d.data().Scalar().Float() {
			return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("Div is for floating-point numbers, the values are %s", d.data().Value())}
		}
		if err := d.apart(operation, x); err != nil {
			return err
		}
		return d.values().Combine(operation, parameter, x.values())
	})
}

// apart checks that other is a different dat that can be combined with d value by value.
func (d *dat) apart(operation string, other *dat) error {
	if err := d.alike(operation, other); err != nil {
		return err
	}
	if other == d {
		return fmt.Errorf("op2: %s: %s: the other dat is %s itself\n  hint: Duplicate gives a second one", d.describe(), operation, d.name())
	}
	return nil
}
