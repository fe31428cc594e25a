package op2

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/userkernel"
)

// MixedDat is a list of dats that is handled as one: a velocity on the nodes and a pressure on the
// corners of a mesh, say. Its parts may have different sets and dims; they remain ordinary dats.
//
// A kernel gets the values of all parts in one parameter, one part after the other, each of them
// through its part of a MixedMap: where a velocity of dim 2 comes through a map of arity 6, and a
// pressure through one of arity 3, as *[15]float64, or as a pointer to a struct with a field for each
// part:
//
//	*struct {
//		U [6][2]float64
//		P [3]float64
//	}
//
// In C it is double *x.
type MixedDat[T any] entity.MixedData

func (d *MixedDat[T]) core() *entity.MixedData { return (*entity.MixedData)(d) }

// NewMixedDat declares a mixed dat of the given parts, each of which is another dat.
func NewMixedDat[T any](parts []*Dat[T], name string) *MixedDat[T] {
	on := make([]*entity.Runtime, len(parts))
	for i, d := range parts {
		on[i] = d.dat().runtime()
	}
	return declareMixedDat(entity.Declaration{On: on, Enter: (*entity.Runtime).EnterLazily}, name, func() ([]*Dat[T], error) { return parts, nil })
}

// declareMixedDat declares the mixed dat of the parts that construct returns.
func declareMixedDat[T any](d entity.Declaration, name string, construct func() ([]*Dat[T], error)) *MixedDat[T] {
	return (*MixedDat[T])(entity.Declare(d, func() (*entity.MixedData, error) {
		parts, err := construct()
		if err != nil {
			return nil, err
		}
		list := make([]*entity.Data, len(parts))
		for i, d := range parts {
			list[i] = d.data()
		}
		return entity.NewMixedData(list, name)
	}, func(failed *entity.Runtime) *entity.MixedData {
		return entity.InertMixedData(failed, loop.TypeFor[T](), name)
	}))
}

// Err returns why the mixed dat could not be declared; nil if it was.
func (d *MixedDat[T]) Err() error { return d.runtime().Made("mixed dat", "NewMixedDat") }

func (d *MixedDat[T]) runtime() *entity.Runtime { return orEmpty(d.core()).Runtime() }

// Read passes the parts of the dat to a kernel that does not change them, each through its part of
// the map.
func (d *MixedDat[T]) Read(via *MixedMap) Arg { return d.pass(loop.Read, via) }

// Write passes the parts of the dat to a kernel that writes all of their values. It gets undefined
// ones.
func (d *MixedDat[T]) Write(via *MixedMap) Arg { return d.pass(loop.Write, via) }

// RW passes the parts of the dat to a kernel that reads and changes them.
func (d *MixedDat[T]) RW(via *MixedMap) Arg { return d.pass(loop.RW, via) }

// Inc passes zeros to the kernel, and adds what it leaves there to the parts of the dat.
func (d *MixedDat[T]) Inc(via *MixedMap) Arg { return d.pass(loop.Inc, via) }

// Min passes the parts of the dat as minimum reductions; see [Dat.Min].
func (d *MixedDat[T]) Min(via *MixedMap) Arg { return d.pass(loop.Min, via) }

// Max passes the parts of the dat as maximum reductions; see [Dat.Max].
func (d *MixedDat[T]) Max(via *MixedMap) Arg { return d.pass(loop.Max, via) }

// Reduce passes the identity of an operation to the kernel, and combines what it leaves there with the parts of the
// dat by the operation; see [Dat.Reduce].
func (d *MixedDat[T]) Reduce(op *Kernel, identity T, via *MixedMap) Arg {
	return Arg{entity.PassMixedReduce(d.core(), via.core(), (*userkernel.Kernel)(op), store.Bytes([]T{identity}))}
}

func (d *MixedDat[T]) pass(access loop.Access, via *MixedMap) Arg {
	return Arg{entity.PassMixed(access, d.core(), via.core())}
}

// Parts returns the dats.
func (d *MixedDat[T]) Parts() []*Dat[T] {
	var list []*Dat[T]
	for _, p := range orEmpty(d.core()).Parts() {
		list = append(list, (*Dat[T])(p))
	}
	return list
}

// Name returns the name the mixed dat was declared with.
func (d *MixedDat[T]) Name() string { return orEmpty(d.core()).Name() }

// Zero sets all values to zero.
func (d *MixedDat[T]) Zero() error { return d.each(func(_ int, p *Dat[T]) error { return p.Zero() }) }

// Fill sets all values of all parts to the given one.
func (d *MixedDat[T]) Fill(value T) error {
	return d.each(func(_ int, p *Dat[T]) error { return p.Fill(value) })
}

// Scale multiplies all values by a.
func (d *MixedDat[T]) Scale(a T) error {
	return d.each(func(_ int, p *Dat[T]) error { return p.Scale(a) })
}

// Copy copies the values of another mixed dat, whose parts have the same sets and dims.
func (d *MixedDat[T]) Copy(from *MixedDat[T]) error {
	return d.pairs("Copy", from, (*dat).alike, func(to, from *Dat[T]) error { return to.Copy(from) })
}

// Add adds x to the mixed dat, value by value. Like all arithmetic it takes mixed dats whose parts have the same sets
// and dims, and are other dats.
func (d *MixedDat[T]) Add(x *MixedDat[T]) error {
	return d.pairs("Add", x, (*dat).apart, (*Dat[T]).Add)
}

// Sub subtracts x from the mixed dat, value by value.
func (d *MixedDat[T]) Sub(x *MixedDat[T]) error {
	return d.pairs("Sub", x, (*dat).apart, (*Dat[T]).Sub)
}

// Mul multiplies the mixed dat by x, value by value.
func (d *MixedDat[T]) Mul(x *MixedDat[T]) error {
	return d.pairs("Mul", x, (*dat).apart, (*Dat[T]).Mul)
}

// Div divides the mixed dat by x, value by value. It supports floating-point types only.
func (d *MixedDat[T]) Div(x *MixedDat[T]) error {
	return d.pairs("Div", x, (*dat).apart, (*Dat[T]).Div)
}

// AXPY adds a times x to the mixed dat; see [Dat.AXPY].
func (d *MixedDat[T]) AXPY(a T, x *MixedDat[T]) error {
	return d.pairs("AXPY", x, (*dat).apart, func(p, q *Dat[T]) error { return p.AXPY(a, q) })
}

// MAXPY adds a linear combination of mixed dats: a[i] times x[i], in order.
func (d *MixedDat[T]) MAXPY(a []T, x ...*MixedDat[T]) error {
	for _, other := range x {
		if err := d.pairs("MAXPY", other, (*dat).apart, func(p, q *Dat[T]) error { return nil }); err != nil {
			return err
		}
	}
	return d.each(func(i int, p *Dat[T]) error {
		others := make([]*Dat[T], len(x))
		for k := range x {
			others[k] = x[k].Parts()[i]
		}
		return p.MAXPY(a, others...)
	})
}

// Inner returns the inner product: the sum of those of the parts.
func (d *MixedDat[T]) Inner(other *MixedDat[T]) (sum float64, err error) {
	err = d.pairs("Inner", other, (*dat).alike, func(p, q *Dat[T]) error {
		product, err := p.Inner(q)
		sum += product
		return err
	})
	return sum, err
}

// Norm returns the square root of the sum of the squares of all values.
func (d *MixedDat[T]) Norm() (float64, error) {
	square, err := d.Inner(d)
	return math.Sqrt(square), err
}

// Duplicate returns a new mixed dat with the same sets, dims and values. Its parts are named for it and
// for those that they are copies of.
func (d *MixedDat[T]) Duplicate(name string) *MixedDat[T] {
	return declareMixedDat(entity.Declaration{On: []*entity.Runtime{d.runtime()}, Enter: (*entity.Runtime).EnterDataLazily}, name, func() ([]*Dat[T], error) {
		parts, err := make([]*Dat[T], len(d.Parts())), d.Err()
		for i, p := range d.Parts() {
			if parts[i], err = p.duplicate(name + "." + p.Name()); err != nil {
				break
			}
		}
		return parts, err
	})
}

// each does something to each part, until it fails.
func (d *MixedDat[T]) each(do func(i int, p *Dat[T]) error) error {
	if err := d.Err(); err != nil {
		return err
	}
	for i, p := range d.Parts() {
		if err := do(i, p); err != nil {
			return err
		}
	}
	return nil
}

// pairs does something to each part and that of another mixed dat, if all of them fit.
func (d *MixedDat[T]) pairs(operation string, other *MixedDat[T], fit func(p *dat, operation string, q *dat) error, do func(p, q *Dat[T]) error) error {
	if err := d.Err(); err != nil {
		return err
	}
	if err := d.fits(operation, other, fit); err != nil {
		return d.report(err)
	}
	for i, p := range d.Parts() {
		if err := do(p, other.Parts()[i]); err != nil {
			return err
		}
	}
	return nil
}

// fits checks that another mixed dat has as many parts, each of which fits.
func (d *MixedDat[T]) fits(operation string, other *MixedDat[T], fit func(p *dat, operation string, q *dat) error) error {
	what := d.core().Describe()
	switch {
	case !other.core().Made():
		return fmt.Errorf("op2: %s: %s: the other mixed dat is nil, or was not made by NewMixedDat", what, operation)
	case other.Err() != nil:
		return other.Err()
	case len(other.Parts()) != len(d.Parts()):
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes a mixed dat of %s, %s, the other one, has %d", operation, problem.Count(len(d.Parts()), "part"), other.Name(), len(other.Parts()))}
	}
	for i, p := range d.Parts() {
		if err := fit(p.dat(), operation, other.Parts()[i].dat()); err != nil {
			return problem.In(fmt.Sprintf("%s: part %d", what, i), err)
		}
	}
	return nil
}

// report reports an error from outside of the runtime.
func (d *MixedDat[T]) report(err error) error { return d.runtime().Report(entity.Called(err)) }
