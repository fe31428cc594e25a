package op2

import (
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/userkernel"
)

// Global is a few values of a plain type T, as of a [Dat], shared by a whole loop: parameters, or
// reductions.
type Global[T any] entity.Data

// data returns the runtime's object for the global; nil for a nil global.
func (g *Global[T]) data() *entity.Data { return (*entity.Data)(g) }

// NewGlobal declares a global with a copy of the given values.
func NewGlobal[T any](rt *Runtime, values []T, name string) *Global[T] {
	d := entity.Declaration{On: []*entity.Runtime{rt.core()}, What: "global " + name, Of: "runtime", Enter: (*entity.Runtime).EnterLazily}
	return (*Global[T])(entity.Declare(d, func() (*entity.Data, error) {
		g, err := entity.NewGlobal(rt.core(), values, name)
		return named(g, err), err
	},
		func(failed *entity.Runtime) *entity.Data {
			return entity.InertGlobal(failed, len(values), loop.TypeFor[T](), name)
		}))
}

// Err returns why the global could not be declared; nil if it was.
func (g *Global[T]) Err() error { return orEmpty(g.data()).Runtime().Made("global", "NewGlobal") }

// Read passes the global to a kernel that does not change it.
func (g *Global[T]) Read() Arg { return g.pass(loop.Read) }

// Inc passes the global as a sum over all elements that includes its current values once.
func (g *Global[T]) Inc() Arg { return g.pass(loop.Inc) }

// Min passes the global as a minimum reduction that includes its current values.
func (g *Global[T]) Min() Arg { return g.pass(loop.Min) }

// Max passes the global as a maximum reduction that includes its current values.
func (g *Global[T]) Max() Arg { return g.pass(loop.Max) }

// Reduce passes the global as a reduction by an operation of the program, which includes its current
// values once: a minimum with a payload, a product, a sum of exponentials.
//
// The operation is a kernel of two values, func op(into, from *T), in Go or in C. It leaves in *into
// the combination of both, and depends on and changes nothing else. The identity is a value that
// changes none that it is combined with: each element's kernel gets it, and what the kernel leaves is
// combined. Partial results, of blocks of elements, of work-items or of ranks, start from it, too.
//
// Values are combined in an order that is always the same, but depends on the backend and on the
// number of ranks. An operation must therefore be associative and commutative, but for rounding:
// which of two equal values wins, for example, should not depend on their order, but on something in
// them.
func (g *Global[T]) Reduce(op *Kernel, identity T) Arg {
	return Arg{entity.PassReduce(loop.Global, g.data(), entity.Via{}, (*userkernel.Kernel)(op), store.Bytes([]T{identity}))}
}

func (g *Global[T]) pass(access loop.Access) Arg {
	return Arg{entity.Pass(loop.Global, access, g.data(), entity.Via{})}
}

// Dim returns the number of values.
func (g *Global[T]) Dim() int { return orEmpty(g.data()).Dim() }

// Name returns the name the global was declared with.
func (g *Global[T]) Name() string { return orEmpty(g.data()).Name() }

// Data returns the values for reading and writing, in a slice that is valid as long as that of
// [Dat.Data].
func (g *Global[T]) Data() ([]T, error) { return g.get(entity.Writing[T]) }

func (g *Global[T]) get(f func(*entity.Data) ([]T, error)) (values []T, err error) {
	if err := g.Err(); err != nil {
		return nil, err
	}
	rt := g.data().Runtime()
	if err := rt.EnterDataLazily(); err != nil {
		return nil, err
	}
	defer rt.LeaveWith(&err)
	return f(g.data())
}

// DataRO returns the values for reading only.
func (g *Global[T]) DataRO() ([]T, error) { return g.get(entity.Reading[T]) }

// Value returns the first value: the result of a reduction of dim 1.
func (g *Global[T]) Value() (value T, err error) {
	values, err := g.DataRO()
	if err == nil {
		value = values[0]
	}
	return value, err
}

// Set sets all dim values.
func (g *Global[T]) Set(values ...T) error {
	if err := g.Err(); err != nil {
		return err
	}
	return g.data().Runtime().Operate(func() error {
		if len(values) != g.Dim() {
			return &problem.ShapeError{What: "global " + g.Name(), Msg: fmt.Sprintf("Set takes %s, %d %s given", problem.Count(g.Dim(), "value"), len(values), problem.Were(len(values)))}
		}
		run.Assign(g.data(), store.Bytes(values))
		return nil
	})
}

// NewConst declares the variable at ptr as a const: kernels read it by name. For Go kernels it must
// be the package variable of that name itself, of a plain type as that of a [Dat]: loops refuse a
// kernel that clearly reads another. Its value may change between loops without any recompilation.
//
// An error is that of [Runtime.Err].
func NewConst[V any](rt *Runtime, name string, ptr *V) {
	type nothing = struct{}
	entity.Declare(entity.Declaration{On: []*entity.Runtime{rt.core()}, What: "const " + name, Of: "runtime"},
		func() (nothing, error) {
			return nothing{}, rt.core().NewConst(name, loop.TypeFor[V](), unsafe.Pointer(ptr))
		},
		func(*entity.Runtime) nothing { return nothing{} })
}
