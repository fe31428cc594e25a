package op2

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Global is a few values shared by a whole loop: parameters, or reductions.
type Global[T Scalar] struct {
	data // [dim]
}

// NewGlobal declares a global with a copy of the given values.
func NewGlobal[T Scalar](rt *Runtime, values []T, name string) (*Global[T], error) {
	if err := rt.declare("global", name); err != nil {
		return nil, err
	}
	defer rt.leave()
	return newGlobal(rt, values, name)
}

func newGlobal[T Scalar](rt *Runtime, values []T, name string) (*Global[T], error) {
	if len(values) == 0 {
		return nil, &problem.ShapeError{What: "global " + name, Msg: "at least one value is needed"}
	}
	g := &Global[T]{data: data{kind: loop.Global, rt: rt, dim: len(values), scalar: scalarOf[T](), name: name}}
	g.storage = core.NewStorage(device.Shape{Elements: 1, Dim: g.dim, Size: g.scalar.Size()})
	g.storage.Memory()
	copy(g.values(), values)
	g.share()
	return g, nil
}

// made returns an error for a global that NewGlobal did not make.
func (g *Global[T]) made() error {
	if g == nil || g.rt == nil {
		return errors.New("op2: the global is nil, or was not made by NewGlobal")
	}
	return nil
}

// common returns what globals have in common with dats and mats; nil for a nil global.
func (g *Global[T]) common() *data {
	if g == nil {
		return nil
	}
	return &g.data
}

// begin enters the runtime, unless the global is nil or undeclared.
func (g *Global[T]) begin() error {
	if err := g.made(); err != nil {
		return err
	}
	return g.data.begin()
}

// Read passes the global to a kernel that does not change it.
func (g *Global[T]) Read() Arg { return g.common().arg(loop.Global, loop.Read, nil) }

// Inc passes the global as a sum over all elements that includes its current values once.
func (g *Global[T]) Inc() Arg { return g.common().arg(loop.Global, loop.Inc, nil) }

// Min passes the global as a minimum reduction that includes its current values.
func (g *Global[T]) Min() Arg { return g.common().arg(loop.Global, loop.Min, nil) }

// Max passes the global as a maximum reduction that includes its current values.
func (g *Global[T]) Max() Arg { return g.common().arg(loop.Global, loop.Max, nil) }

// Dim returns the number of values.
func (g *Global[T]) Dim() int { return orEmpty(g).dim }

// Name returns the name the global was declared with.
func (g *Global[T]) Name() string { return orEmpty(g).name }

// Data returns the values for reading and writing, in a slice that is valid as long as that of
// [Dat.Data].
func (g *Global[T]) Data() ([]T, error) {
	if err := g.begin(); err != nil {
		return nil, err
	}
	defer g.rt.leave()
	if err := g.bring(true); err != nil {
		return nil, err
	}
	return g.values(), nil
}

// DataRO returns the values for reading only.
func (g *Global[T]) DataRO() ([]T, error) {
	if err := g.begin(); err != nil {
		return nil, err
	}
	defer g.rt.leave()
	return g.dataRO()
}

// values returns the host's values, whether or not they are valid.
func (g *Global[T]) values() []T { return core.Values[T](g.storage) }

// dataRO is DataRO for callers within the runtime.
func (g *Global[T]) dataRO() ([]T, error) {
	if err := g.bring(false); err != nil {
		return nil, err
	}
	return g.values(), nil
}

// Value returns the first value: the result of a reduction of dim 1.
func (g *Global[T]) Value() (T, error) {
	if err := g.begin(); err != nil {
		return 0, err
	}
	defer g.rt.leave()
	return g.value()
}

func (g *Global[T]) value() (T, error) {
	values, err := g.dataRO()
	if err != nil {
		return 0, err
	}
	return values[0], nil
}

// Set sets all dim values.
func (g *Global[T]) Set(values ...T) error {
	if err := g.begin(); err != nil {
		return err
	}
	defer g.rt.leave()
	if len(values) != g.dim {
		return &problem.ShapeError{What: "global " + g.name, Msg: fmt.Sprintf("Set takes %s, %d %s given", problem.Count(g.dim, "value"), len(values), problem.Were(len(values)))}
	}
	g.assign(values...)
	return nil
}

// assign is Set for callers within the runtime.
func (g *Global[T]) assign(values ...T) {
	g.storage.Discard()
	copy(g.values(), values)
}

// clear zeroes the values.
func (g *Global[T]) clear() error { return dataError(g.storage.Zero()) }
