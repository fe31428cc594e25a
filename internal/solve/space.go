package solve

import (
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
)

// Part is one part of the unknowns: the values on a set.
type Part = algebra.Part

// space is the space that the vectors of a system are in: one part, usually.
type space []Part

// here returns the number of values of a vector that belong to this rank.
func (s space) here() int {
	n := 0
	for _, p := range s {
		n += p.Here()
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

// with returns a vector with a copy of the values here, one part's after another's.
func (s space) with(values []float64, name string) ([]Vector, error) {
	v, err := s.newVector(name)
	if err == nil {
		s.scatter(v, values)
	}
	return v, err
}

// scatter copies the values here, one part's after another's, to a vector.
func (s space) scatter(v []Vector, values []float64) {
	for i, p := range s {
		copy(entity.Overwriting[float64](v[i].Data), values[:p.Here()])
		values = values[p.Here():]
	}
}

// gather copies the values of a vector here to a slice, one part's after another's.
func (s space) gather(values []float64, v []Vector) error {
	for i, p := range s {
		from, err := entity.Reading[float64](v[i].Data)
		if err != nil {
			return err
		}
		values = values[copy(values[:p.Here()], from):]
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

// Vector and Matrix are the operands of solvers: a part of the unknowns, and a block of the matrix.
type (
	Vector = algebra.Vector
	Matrix = algebra.Matrix
	Blocks = algebra.BlockMatrix
)

// valuesOf returns the host's values of a matrix, whether or not they are valid.
func valuesOf(m *Matrix) []float64 { return entity.Host[float64](m.Data()) }
