package solve

import (
	"math"
	"math/rand/v2"

	"github.com/go-op2/op2/internal/store"
)

// orthonormal returns a basis of the space that vectors span, by the modified Gram-Schmidt process: those that are
// linear combinations of previous ones have no part in it.
func orthonormal(in space, vectors [][]float64) (basis [][]Vector, err error) {
	for _, values := range vectors {
		v, err := in.with(values, "null space")
		if err != nil {
			return nil, err
		}
		before, err := square(v)
		if err != nil {
			return nil, err
		}
		for range 2 { // once would leave rounding errors
			if err := remove(basis, v); err != nil {
				return nil, err
			}
		}
		after, err := square(v)
		if err != nil {
			return nil, err
		}
		if after <= 1e-20*before {
			continue
		}
		if err := scale(v, 1/math.Sqrt(after)); err != nil {
			return nil, err
		}
		basis = append(basis, v)
	}
	return basis, nil
}

// remove removes the components of a vector in the space that a basis spans.
func remove(basis [][]Vector, from []Vector) error {
	for _, v := range basis {
		along, err := inner(from, v)
		if err != nil {
			return err
		}
		for i := range v {
			if err := from[i].Combine("AXPY", store.Bytes([]float64{-along}), v[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// inner returns the inner product of two vectors.
func inner(v, w []Vector) (float64, error) {
	sum := 0.0
	for i := range v {
		s, err := v[i].Inner(w[i])
		if err != nil {
			return 0, err
		}
		sum += s
	}
	return sum, nil
}

// square returns the square of a vector's norm.
func square(v []Vector) (float64, error) { return inner(v, v) }

// scale multiplies a vector by a number.
func scale(v []Vector, a float64) error {
	for _, part := range v {
		if err := part.Combine("Scale", store.Bytes([]float64{a})); err != nil {
			return err
		}
	}
	return nil
}

// combine changes each part of a vector by a kernel of algebra with another vector.
func combine(kernel string, y, x []Vector) error {
	for i := range y {
		if err := y[i].Combine(kernel, nil, x[i]); err != nil {
			return err
		}
	}
	return nil
}

// subtractFrom sets y to x minus y.
func subtractFrom(x, y []Vector) error {
	if err := scale(y, -1); err != nil {
		return err
	}
	return combine("Add", y, x)
}

// randomVector returns a vector of random values.
func (s *Solver) randomVector(seed uint64) ([]Vector, error) {
	values, source := make([]float64, s.space.here()), rand.New(rand.NewPCG(seed, uint64(2+s.rt.Rank())))
	for i := range values {
		values[i] = source.Float64() - 0.5
	}
	return s.space.with(values, "random")
}
