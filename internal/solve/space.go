package solve

import (
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
)

// Part is one part of the unknowns: the values on a set.
type Part struct {
	Set *core.Set
	Dim int
}

// here returns the number of values that belong to this rank.
func (p Part) here() int { return p.Set.Size() * p.Dim }

// declared returns the declared number of a row of values here.
func (p Part) declared(row int) int {
	return int(p.Set.NumberHere(row/p.Dim))*p.Dim + row%p.Dim
}

// where describes the place of a value, by its declared number.
func (p Part) where(row int) string {
	if p.Dim > 1 {
		return fmt.Sprintf("value %d of element %d of %s", row%p.Dim, row/p.Dim, p.Set.Name())
	}
	return fmt.Sprintf("element %d of %s", row, p.Set.Name())
}

// space is the space that the vectors of a system are in: one part, usually.
type space []Part

// here returns the number of values of a vector that belong to this rank.
func (s space) here() int {
	n := 0
	for _, p := range s {
		n += p.here()
	}
	return n
}

// whole returns the number of values of a vector on all ranks.
func (s space) whole() int64 {
	n := int64(0)
	for _, p := range s {
		n += p.Set.Whole() * int64(p.Dim)
	}
	return n
}

// newVector returns a vector of zeros.
func (s space) newVector(name string) ([]Vector, error) {
	v := make([]Vector, len(s))
	for i, p := range s {
		var err error
		if v[i], err = algebra.NewVector[float64](p.Set, p.Dim, nil, name); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// scatter copies the values here, one part's after another's, to a vector.
func (s space) scatter(v []Vector, values []float64) {
	for i, p := range s {
		copy(v[i].Overwriting(), values[:p.here()])
		values = values[p.here():]
	}
}

// gather copies the values of a vector here to a slice, one part's after another's.
func (s space) gather(values []float64, v []Vector) error {
	for i, p := range s {
		from, err := v[i].Reading()
		if err != nil {
			return err
		}
		values = values[copy(values[:p.here()], from):]
	}
	return nil
}

// in names a part in messages, if there are several.
func (s space) in(part int) string {
	if len(s) == 1 {
		return ""
	}
	return fmt.Sprintf(", in part %d", part)
}

// some returns the parts with these numbers.
func (s space) some(parts []int) space {
	t := make(space, len(parts))
	for i, p := range parts {
		t[i] = s[p]
	}
	return t
}
