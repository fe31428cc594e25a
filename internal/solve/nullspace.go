package solve

import (
	"fmt"
	"math"
)

// singularity checks that an operator maps the vectors of WithNullSpace to zero: otherwise removing
// them from the solution would make it wrong, without any trace in the residuals.
type singularity struct {
	vectors [][]Vector
	names   []string
	random  []Vector // the products are compared with that of this vector
	product []Vector

	both  bool       // the transposed operator makes them zero, too
	basis [][]Vector // of the space that they span, orthonormal
	right []Vector   // a right-hand side without them
}

// nullTolerance is the largest product with a vector of the null space, relative to that with a
// random vector of the same norm. Operators assembled in double precision are well below it; a
// reaction term on a mesh of a million elements is above it.
const nullTolerance = 1e-9

// newSingularity returns nil for solvers without a null space. It copies the vectors, which belong
// to the program.
func (s *Solver) newSingularity() (*singularity, error) {
	given, err := s.nullSpace(s.space, s.config.Null)
	if err != nil || len(given.values) == 0 {
		return nil, err
	}
	n := &singularity{names: given.names}
	for _, values := range given.values {
		v, err := s.space.with(values, "null space")
		if err != nil {
			return nil, err
		}
		n.vectors = append(n.vectors, v)
	}
	if n.random, err = s.randomVector(1); err != nil {
		return nil, err
	}
	if n.product, err = s.space.newVector("product"); err != nil {
		return nil, err
	}
	if n.right, err = s.space.newVector("right-hand side"); err != nil {
		return nil, err
	}
	n.basis, err = orthonormal(s.space, given.values)
	return n, err
}

// consistent returns a right-hand side for which there is a solution: where the transposed operator, too, makes the
// null space zero, b without its components there, which no product of the operator has.
func (s *Solver) consistent(b []Vector) ([]Vector, error) {
	n := s.singularity
	if n == nil || !n.both {
		return b, nil
	}
	for i := range b {
		if err := n.right[i].Copy(b[i]); err != nil {
			return nil, err
		}
	}
	return n.right, remove(n.basis, n.right)
}

// gain returns the norm of the operator's product with a vector, relative to that of the vector; 0
// for the zero vector.
func (s *Solver) gain(v []Vector) (float64, error) {
	size, err := square(v)
	if err != nil || size == 0 {
		return 0, err
	}
	to := s.singularity.product
	if err := s.apply(to, v); err != nil {
		return 0, err
	}
	product, err := square(to)
	return math.Sqrt(product / size), err
}

// checkNullSpace returns an error if the current operator does not map the vectors of WithNullSpace
// to zero. It computes a product with each of them, and one with a random vector. That one also tells
// whether the transposed operator makes them zero: then all products are orthogonal to them.
func (s *Solver) checkNullSpace() error {
	n := s.singularity
	if n == nil {
		return nil
	}
	usual, err := s.gain(n.random)
	if err != nil {
		return err
	}
	if n.both, err = s.orthogonal(n.product); err != nil {
		return err
	}
	for i, v := range n.vectors {
		gain, err := s.gain(v)
		if err != nil {
			return err
		}
		if gain > nullTolerance*usual {
			return fmt.Errorf("WithNullSpace: the operator does not make %s zero: the product has %.2g times the norm of the vector, that with a random vector %.2g times\n"+
				"  hint: boundary conditions and terms without derivatives make an operator regular; such a one is solved without WithNullSpace", n.names[i], gain, usual)
		}
	}
	return nil
}

// orthogonal reports whether a product with a random vector is orthogonal to the null space: the
// transposed operator's products with that are then at most nullTolerance, as far as rounding allows
// to tell.
func (s *Solver) orthogonal(product []Vector) (bool, error) {
	size, err := square(product)
	if err != nil {
		return false, err
	}
	tolerance := max(1e-13, nullTolerance/math.Sqrt(float64(s.space.whole())))
	for _, v := range s.singularity.basis {
		along, err := inner(product, v)
		if err != nil || math.Abs(along) > tolerance*math.Sqrt(size) {
			return false, err
		}
	}
	return true, nil
}
