package algebra

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/tune"
)

// Vector is a dat of scalars.
type Vector struct{ *entity.Data }

// NewVector returns a dat with a copy of the values, dim for each element of the set; nil stands
// for zeros. On a flat set it is a view of one on columns.
func NewVector[T loop.Number](set *entity.Set, dim int, values []T, name string) (Vector, error) {
	d, err := entity.NewDat(set.Columns(), dim, values, name)
	return Vector{d.Flat()}, err
}

// newZeros returns a vector of zeros.
func newZeros(set *entity.Set, dim int, s loop.Scalar, name string) (Vector, error) {
	d, err := entity.NewZeros(set.Columns(), dim, s, name)
	return Vector{d.Flat()}, err
}

// DataOf returns what vectors are to the runtime.
func DataOf(vectors []Vector) []*entity.Data {
	list := make([]*entity.Data, len(vectors))
	for i, v := range vectors {
		list[i] = v.Data.Columns()
	}
	return list
}

// Update brings the halo of the vector up to date, on several ranks.
func (d Vector) Update() error {
	u, err := d.StartUpdate()
	if err != nil {
		return err
	}
	return u.Finish()
}

// InOrder makes AoS the layout of a vector with several values for each element, or of the columns that it shows layer by
// layer: devices then have the values in the order of the host.
func (d Vector) InOrder() {
	if d.Width() > 1 || d.Columns() != d.Data {
		d.SetLayout(tune.AoS)
	}
}

// View returns a vector that shows the values on another set, dim for each element.
func (d Vector) View(set *entity.Set, dim int) Vector { return Vector{d.Data.View(set, dim)} }

// Fits returns an error unless the vector is on the set and has the dim that an operation needs.
func (d Vector) Fits(what, operation string, set *entity.Set, dim int) error {
	if !d.Made() {
		return fmt.Errorf("op2: %s: %s: the dat is nil", what, operation)
	}
	if err := entity.CheckDeclared(what+": "+operation, set.Runtime(), d.Runtime()); err != nil {
		return err
	}
	if d.Set() != set || d.Dim() != dim {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes a dat on %s with dim %d, %s is on %s and has dim %d",
			operation, set.Besides(d.Set()), dim, d.Name(), d.Set().Besides(set), d.Dim())}
	}
	return nil
}

// Value returns the first value of a global.
func Value[T loop.Number](g *entity.Data) (T, error) {
	values, err := entity.Reading[T](g)
	if err != nil {
		return 0, err
	}
	return values[0], nil
}

// Assign sets all values of a global.
func Assign[T loop.Number](g *entity.Data, values ...T) { copy(entity.Overwriting[T](g), values) }
