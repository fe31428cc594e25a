package algebra

import (
	"fmt"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Vector is a dat whose values have type T.
type Vector[T loop.Number] struct{ *core.Data }

// NewVector returns a dat with a copy of the values, dim for each element of the set; nil stands
// for zeros.
func NewVector[T loop.Number](set *core.Set, dim int, values []T, name string) (Vector[T], error) {
	d, err := core.NewDat(set, dim, values, name)
	return Vector[T]{d}, err
}

// NewVectorHere returns a dat with a copy of the values of the elements that this rank has.
func NewVectorHere[T loop.Number](set *core.Set, dim int, values []T, name string) (Vector[T], error) {
	d, err := core.NewDatHere(set, dim, values, name)
	return Vector[T]{d}, err
}

// Update brings the halo of the vector up to date, on several ranks.
func (d Vector[T]) Update() error {
	u, err := d.StartUpdate()
	if err != nil {
		return err
	}
	return u.Finish()
}

// View returns a vector that shows the values on another set, dim for each element.
func (d Vector[T]) View(set *core.Set, dim int) Vector[T] { return Vector[T]{d.Data.View(set, dim)} }

// Host returns the host's values, whether or not they are valid; nil if there are none yet.
func (d Vector[T]) Host() []T { return core.Host[T](d.Data) }

// Reading returns the values on the host, for reading only.
func (d Vector[T]) Reading() ([]T, error) { return core.Reading[T](d.Data) }

// Writing returns the values on the host, for reading and writing.
func (d Vector[T]) Writing() ([]T, error) { return core.Writing[T](d.Data) }

// Overwriting returns the values on the host for a caller that overwrites all of them.
func (d Vector[T]) Overwriting() []T { return core.Overwriting[T](d.Data) }

// Fits returns an error unless the vector is on the set and has the dim that an operation needs.
func (d Vector[T]) Fits(what, operation string, set *core.Set, dim int) error {
	if !d.Made() {
		return fmt.Errorf("op2: %s: %s: the dat is nil", what, operation)
	}
	if err := core.CheckDeclared(what+": "+operation, set.Runtime(), d.Runtime()); err != nil {
		return err
	}
	if d.Set() != set || d.Dim() != dim {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes a dat on %s with dim %d, %s is on %s and has dim %d",
			operation, set.Besides(d.Set()), dim, d.Name(), d.Set().Besides(set), d.Dim())}
	}
	return nil
}

// Scalars is a global whose values have type T.
type Scalars[T loop.Number] struct{ *core.Data }

// NewScalars returns a global with a copy of the values.
func NewScalars[T loop.Number](rt *core.Runtime, values []T, name string) (Scalars[T], error) {
	g, err := core.NewGlobal(rt, values, name)
	return Scalars[T]{g}, err
}

// Reading returns the values, for reading only.
func (g Scalars[T]) Reading() ([]T, error) { return core.Reading[T](g.Data) }

// Value returns the first value.
func (g Scalars[T]) Value() (T, error) {
	values, err := g.Reading()
	if err != nil {
		return 0, err
	}
	return values[0], nil
}

// Assign sets all values.
func (g Scalars[T]) Assign(values ...T) { copy(core.Overwriting[T](g.Data), values) }
