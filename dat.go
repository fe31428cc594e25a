package op2

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/userkernel"
)

// Dat is data on a set: dim values of type T for each element. T is a plain type: a number, of the
// program's own type or not, a bool, a complex number, or an array or a struct of plain types.
type Dat[T any] entity.Data

// data returns the runtime's object for the dat; nil for a nil dat.
func (d *Dat[T]) data() *entity.Data { return (*entity.Data)(d) }

// dat returns the dat without the type of its values.
func (d *Dat[T]) dat() *dat { return (*dat)(d) }

// dat is a Dat of any type, so that the code of its methods is compiled once. Those that contain closures are not inlined:
// the closures would be compiled for each type, in each package.
type dat entity.Data

func (d *dat) data() *entity.Data { return (*entity.Data)(d) }

// values returns the dat for operations value by value.
func (d *dat) values() algebra.Values { return algebra.Values{Data: d.data().Operand()} }

// NewDat declares a dat with a copy of the values, dim for each element of the set, element by
// element. Nil stands for zeros.
func NewDat[T any](set *Set, dim int, values []T, name string) *Dat[T] {
	d := entity.Declaration{On: []*entity.Runtime{set.core().Runtime()}, What: "dat " + name, Of: "set", Enter: (*entity.Runtime).EnterLazily}
	return declareDat(d, dim, name, func() (*Dat[T], error) { return newDat(set.core(), dim, values, name) })
}

func declareDat[T any](d entity.Declaration, dim int, name string, construct func() (*Dat[T], error)) *Dat[T] {
	return entity.Declare(d, construct, func(failed *entity.Runtime) *Dat[T] {
		return (*Dat[T])(entity.InertDat(failed, dim, loop.TypeFor[T](), name))
	})
}

// Err returns why the dat could not be declared; nil if it was.
func (d *Dat[T]) Err() error {
	if whole := orEmpty(d.data()).Whole(); whole != nil {
		return (*dat)(whole).made()
	}
	return d.dat().made()
}

// Component returns one value of each element of the dat, for arguments of loops: the kernel gets what it gets of a dat of dim 1,
// directly or through maps, and may do with it what the access says. Arguments with different components of a dat may have
// different accesses. Arithmetic with dats of dim 1 takes components of numbers, too: Zero, Fill, Copy, Scale, Add, AXPY and the
// like. For all else, as norms and solvers, Copy it into a dat of dim 1. A component has no memory and no halo of its own.
func (d *Dat[T]) Component(i int) *Dat[T] {
	if d.data().Made() {
		return (*Dat[T])(d.data().Component(i))
	}
	return d
}

// runtime returns the runtime that the dat belongs to; nil for a nil dat.
func (d *dat) runtime() *entity.Runtime { return orEmpty(d.data()).Runtime() }

// newDat does the work of NewDat for callers that have entered the runtime.
func newDat[T any](set *entity.Set, dim int, values []T, name string) (*Dat[T], error) {
	d, err := entity.NewDat(set, dim, values, name)
	return (*Dat[T])(named(d, err)), err
}

// made returns an error for a dat that NewDat did not make, or not without one.
func (d *dat) made() error { return d.runtime().Made("dat", "NewDat") }

// usable is made for arithmetic, which takes components, too.
func (d *dat) usable() error { return orEmpty(d.data().Operand()).Runtime().Made("dat", "NewDat") }

// do does something within the runtime.
func (d *dat) do(f func() error) error {
	if err := d.made(); err != nil {
		return err
	}
	return d.rt().Do((*entity.Runtime).EnterDataLazily, f)
}

// operate does something within the runtime that lists of operations can hold.
func (d *dat) operate(f func() error) error {
	if err := d.usable(); err != nil {
		return err
	}
	return d.data().Operand().Runtime().Operate(f)
}

// get returns the bytes of values that f returns within the runtime; where owned is set, those of the
// elements that belong to this rank.
func (d *dat) get(f func(*entity.Data) ([]byte, error), owned bool) (values []byte, err error) {
	err = d.do(func() error {
		if values, err = f(d.data()); owned && values != nil {
			n := d.set().Size() * d.dim() * d.data().Value().Size
			values = values[:n:n]
		}
		return err
	})
	return values, err
}

// Read passes the dat to a kernel that does not change it: directly, if it is on the loop's set, or
// via a map.
func (d *Dat[T]) Read(via ...Via) Arg { return d.pass(loop.Read, via) }

// Write passes the dat to a kernel that writes all of it. The kernel gets undefined values.
//
// Where several elements write the same value through a map, that of one of them stays: the last one
// on the backend sequential, on others one that depends on the plan, but not on the number of threads.
// Use Min, Max or Reduce where the result must not depend on that.
func (d *Dat[T]) Write(via ...Via) Arg { return d.pass(loop.Write, via) }

// RW passes the dat to a kernel that reads and changes it.
func (d *Dat[T]) RW(via ...Via) Arg { return d.pass(loop.RW, via) }

// Inc passes zeros to the kernel, and adds what it leaves there to the dat.
func (d *Dat[T]) Inc(via ...Via) Arg { return d.pass(loop.Inc, via) }

// Min passes the dat as a minimum reduction: it keeps the smaller of its value and
// what the kernel leaves.
func (d *Dat[T]) Min(via ...Via) Arg { return d.pass(loop.Min, via) }

// Max passes the dat as a maximum reduction: it keeps the larger of its value and
// what the kernel leaves.
func (d *Dat[T]) Max(via ...Via) Arg { return d.pass(loop.Max, via) }

// Reduce passes the identity of an operation to the kernel, and combines what it leaves there with
// the dat by the operation, as [Global.Reduce] does with a global.
func (d *Dat[T]) Reduce(op *Kernel, identity T, via ...Via) Arg {
	return Arg{entity.PassReduce(loop.Dat, d.data(), way(via), (*userkernel.Kernel)(op), store.Bytes([]T{identity}))}
}

func (d *Dat[T]) pass(access loop.Access, via []Via) (a Arg) {
	a.core.Pass(loop.Dat, access, d.data(), way(via))
	return a
}

// Set returns the set that the dat is on.
func (d *Dat[T]) Set() *Set { return (*Set)(orEmpty(d.data()).On()) }

// Dim returns the number of values per element.
func (d *Dat[T]) Dim() int { return d.dat().each() }

// Name returns the name the dat was declared with.
func (d *Dat[T]) Name() string { return orEmpty(d.data()).Name() }

// Data returns the values on the host, dim for each element, for reading and writing, in declared
// order. On several ranks they are those of the elements that the rank owns, in the order of
// [Set.DeclaredNumbers]; each rank must call it. Where the elements have another order in memory,
// which [Runtime.Renumber] gives them, the values are copied there and back.
//
// The slice is valid until the next loop, or other call, that changes the dat, and may be
// written until the next one that uses the dat: call Data again after that. Its memory stays
// allocated, but what it shows then, and whether loops see later writes, depends on the
// backend. If loops run on a device, diagnostics report writes that come too late as an error
// of the next call that uses the dat.
func (d *Dat[T]) Data() ([]T, error) {
	values, err := d.dat().get((*entity.Data).Lend, true)
	return store.As[T](values), err
}

// DataRO returns the values on the host for reading only. The slice is valid as long as that of
// [Dat.Data]; changes to it may be lost.
func (d *Dat[T]) DataRO() ([]T, error) {
	values, err := d.dat().get((*entity.Data).Show, true)
	return store.As[T](values), err
}

// DataWO returns the values on the host for a caller that writes all of them: their contents are undefined, so
// nothing is copied from a device first. With diagnostics, floating-point numbers are NaN until they are written. In
// all else it is [Dat.Data].
func (d *Dat[T]) DataWO() ([]T, error) {
	values, err := d.dat().get(func(d *entity.Data) ([]byte, error) { return d.LendBlank(), nil }, true)
	return store.As[T](values), err
}

// DatState says where the values of a dat are valid.
type DatState struct {
	// Host and Device say where the values are valid. Neither is set while all are zero and have no memory.
	Host, Device bool
	// StaleHalo says that values in the halo of this rank are not those of their owners. Loops that read them
	// update them first.
	StaleHalo bool
}

// State returns where the values are valid now. It moves none; with lazy evaluation, queued loops run first.
func (d *Dat[T]) State() DatState { return d.dat().state() }

func (d *dat) state() DatState {
	if d.made() != nil {
		return DatState{}
	}
	d.rt().MustEnter()
	defer d.rt().Leave()
	host, device, stale := d.data().State()
	return DatState{host, device, stale}
}

// ToDevice makes the values valid on the device, from which a loop then need not wait for them. It does nothing if
// they are there, or if loops run on the host.
func (d *Dat[T]) ToDevice() error { return d.dat().do(d.data().ToDevice) }

// ToHost makes the values valid on the host, where they stay valid on the device, too. It does nothing if they are.
func (d *Dat[T]) ToHost() error {
	return d.dat().do(func() error { return d.data().Bring(false) })
}

// DataWithHalos returns the values on the host, for reading only, of all elements that the rank has:
// those that it owns, as [Dat.DataRO] returns them, and those of its halo, which are brought up to
// date. On several ranks it is collective. The caller owns the slice.
func (d *Dat[T]) DataWithHalos() ([]T, error) {
	var values []T
	_, err := d.dat().get(func(d *entity.Data) ([]byte, error) {
		if err := d.Update(); err != nil {
			return nil, err
		}
		shown, err := d.Show()
		values = slices.Clone(store.As[T](shown)) // before the next call may change them
		return shown, err
	}, false)
	return values, err
}

// Zero sets all values to zero.
func (d *Dat[T]) Zero() error { return d.dat().operate(d.dat().values().Zero) }

// Fill sets every element's values to the given ones: dim of them, or one for all.
func (d *Dat[T]) Fill(element ...T) error { return d.dat().fill(len(element), store.Bytes(element)) }

//go:noinline
func (d *dat) fill(n int, element []byte) error {
	return d.operate(func() error {
		if n != d.each() && n != 1 {
			return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("Fill takes %s, %d %s given", problem.OneOr(d.each()), n, problem.Were(n))}
		}
		return d.values().Fill(element)
	})
}

// Copy copies the values of another dat with the same set and dim: all, or those of the elements of a subset.
func (d *Dat[T]) Copy(from *Dat[T], over ...IterationSet) error {
	if len(over) == 0 {
		return d.dat().copy(from.dat())
	}
	for _, some := range over {
		if err := d.dat().copyOver(some, from.dat()); err != nil {
			return err
		}
	}
	return nil
}

func (d *dat) copy(from *dat) error {
	if err := d.alike("Copy", from); err != nil {
		return d.report(err)
	}
	return d.operate(func() error { return d.values().Copy(from.values()) })
}

//go:noinline
func (d *dat) copyOver(over IterationSet, from *dat) error {
	return d.operate(func() error {
		if err := d.apart("Copy", from); err != nil {
			return err
		}
		elements := elements(over)
		set := elements.Set
		switch {
		case set == nil:
			return fmt.Errorf("op2: %s: Copy: the set is nil", d.describe())
		case set != d.set():
			return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("Copy takes elements of %s, those of %s are of %s", d.set().Besides(set), over.Name(), set.Besides(d.set()))}
		}
		return d.values().CopyOver(elements, from.values())
	})
}

// Duplicate returns a new dat with the same set, dim and values.
func (d *Dat[T]) Duplicate(name string) *Dat[T] {
	return declareDat(entity.Declaration{On: []*entity.Runtime{d.dat().runtime()}, Enter: (*entity.Runtime).EnterDataLazily}, d.Dim(), name, func() (*Dat[T], error) {
		if err := d.dat().made(); err != nil {
			return nil, err
		}
		return d.duplicate(name)
	})
}

// duplicate does the work of Duplicate for callers that have entered the runtime.
func (d *Dat[T]) duplicate(name string) (*Dat[T], error) {
	duplicate, err := newDat[T](d.data().On(), d.dat().each(), nil, name)
	if err != nil {
		return nil, err
	}
	duplicate.data().SetLayout(d.data().Layout())
	return duplicate, duplicate.dat().values().Copy(d.dat().values())
}

// Norm returns the square root of the sum of the squares of all values: of structs and arrays, of all
// numbers in them, which must have one type.
func (d *Dat[T]) Norm() (float64, error) {
	square, err := d.Inner(d)
	return math.Sqrt(square), err
}

// Inner returns the inner product: the sum, over all elements and their values, of the products of
// the two dats' values, in float64: of structs and arrays, of all numbers in them, which must have one
// type; of complex numbers, of their real and their imaginary parts.
func (d *Dat[T]) Inner(other *Dat[T]) (float64, error) { return d.dat().inner(other.dat()) }

func (d *dat) inner(other *dat) (product float64, err error) {
	if err := d.alike("Inner", other); err != nil {
		return 0, d.report(err)
	}
	if err := other.made(); err != nil { // a component
		return 0, d.report(err)
	}
	err = d.do(func() error {
		product, err = d.values().Inner(other.values())
		return err
	})
	return product, err
}

// report reports an error from outside of the runtime, unless there is none.
func (d *dat) report(err error) error {
	if d.made() != nil { // which err says, with its place
		return err
	}
	return d.rt().Report(entity.Called(err))
}

// alike checks that other can be combined with d value by value.
func (d *dat) alike(operation string, other *dat) error {
	if err := d.usable(); err != nil {
		return err
	}
	what := d.describe()
	if !other.data().Made() {
		return fmt.Errorf("op2: %s: %s: the other dat is nil, or was not made by NewDat", what, operation)
	}
	if err := entity.CheckDeclared(what+": "+operation, other.data().Operand().Runtime()); err != nil {
		return err
	}
	if on, others := d.data().On(), other.data().On(); others != on || other.dim() != d.dim() {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes a dat on %s with dim %d, %s is on %s and has dim %d",
			operation, on.Besides(others), d.each(), other.data().Besides(d.data()), others.Besides(on), other.each())}
	}
	return nil
}

// NBytes returns the size of the values in bytes. If loops run on a device, the dat may occupy as
// much again there.
func (d *Dat[T]) NBytes() int64 {
	return int64(d.Set().Size()) * int64(d.Dim()) * int64(unsafe.Sizeof(*new(T)))
}

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one.
func (d *Dat[T]) CheckFinite() error { return d.dat().do(d.data().CheckFinite) }

// AllowNonFinite makes diagnostics accept infinity and NaN in the dat, where they have a meaning:
// infinity as an unknown distance, say.
func (d *Dat[T]) AllowNonFinite() { d.dat().change((*entity.Data).AllowNonFinite) }

// change changes a dat that there is.
func (d *dat) change(f func(*entity.Data)) {
	if d.made() != nil {
		return
	}
	d.rt().MustEnter()
	defer d.rt().Leave()
	f(d.data())
}

// SetLayout sets the device's layout of the dat, overriding the runtime's [WithLayout]. A [Loop]
// that has already been prepared keeps the previous layout: if it alternates with others, the
// values go to the host and back. On other backends it has no effect.
func (d *Dat[T]) SetLayout(l Layout) error {
	c, err := checked(WithLayout(l))
	if err != nil {
		return err
	}
	d.dat().change(func(d *entity.Data) { d.SetLayout(c.Backend.Choices.Layout) })
	return d.dat().made()
}
