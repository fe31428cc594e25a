package solve

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/loop"
)

// here returns the number of values of a vector that belong to this rank.
func (s *Solver) here() int { return s.set.Size() * s.dim }

// vectors returns the values here of an option's dats.
func (s *Solver) vectors(option string, dats []Vector) ([][]float64, error) {
	var vectors [][]float64
	for _, d := range dats {
		if err := d.Fits("solver", option, s.set, s.dim); err != nil {
			return nil, err
		}
		values, err := d.Reading()
		if err != nil {
			return nil, err
		}
		values = values[:s.here()]
		bad, odd := "", core.FindNotFinite(values)
		if odd >= 0 {
			bad = fmt.Sprintf("%s: %s holds %v", option, d.Name(), values[odd])
		}
		if bad, _, err = s.rt.Tell(odd >= 0, bad); err != nil {
			return nil, err
		}
		if bad != "" {
			return nil, errors.New(bad)
		}
		vectors = append(vectors, values)
	}
	return vectors, nil
}

// nullSpace returns the vectors of the operator's null space. Some may be zero, such as a rotation of a straight beam
// around itself, but not all.
func (s *Solver) nullSpace() ([][]float64, error) {
	if !s.config.Singular || len(s.config.Null) > 0 {
		vectors, err := s.vectors("WithNullSpace", s.config.Null)
		if err != nil || len(vectors) == 0 {
			return nil, err
		}
		nonzeros := int64(0)
		for _, v := range vectors {
			for _, x := range v {
				if x != 0 {
					nonzeros++
				}
			}
		}
		all, err := core.Combine(s.rt, loop.Inc, nonzeros)
		if err == nil && all[0] == 0 && s.set.Whole() > 0 {
			return nil, errors.New("WithNullSpace: all vectors are zero: without vectors it is the constants")
		}
		return vectors, err
	}
	constants := make([][]float64, s.dim)
	for i := range constants {
		constants[i] = make([]float64, s.here())
		for k := i; k < len(constants[i]); k += s.dim {
			constants[i][k] = 1
		}
	}
	return constants, nil
}

// singularity checks that an operator maps the vectors of WithNullSpace to zero: otherwise removing
// them from the solution would make it wrong, without any trace in the residuals.
type singularity struct {
	vectors []Vector
	names   []string
	random  Vector // the products are compared with that of this vector
	product Vector
}

// nullTolerance is the largest product with a vector of the null space, relative to that with a
// random vector of the same norm. Operators assembled in double precision are well below it; a
// reaction term on a mesh of a million elements is above it.
const nullTolerance = 1e-9

// newSingularity returns nil for solvers without a null space. It copies the vectors, which belong
// to the program.
func (s *Solver) newSingularity() (*singularity, error) {
	given, err := s.nullSpace()
	if err != nil || len(given) == 0 {
		return nil, err
	}
	n := &singularity{}
	for i, values := range given {
		v, err := s.newVector(values, "null space")
		if err != nil {
			return nil, err
		}
		name := "constants"
		switch {
		case len(s.config.Null) > 0:
			name = s.config.Null[i].Name()
		case s.dim > 1:
			name = fmt.Sprintf("constants in component %d", i)
		}
		n.vectors, n.names = append(n.vectors, v), append(n.names, name)
	}
	values, source := make([]float64, s.here()), rand.New(rand.NewPCG(1, uint64(2+s.rt.Rank())))
	for i := range values {
		values[i] = source.Float64() - 0.5
	}
	if n.random, err = s.newVector(values, "random"); err == nil {
		n.product, err = algebra.NewVector[float64](s.set, s.dim, nil, "product")
	}
	return n, err
}

// newVector returns a vector with a copy of the values here.
func (s *Solver) newVector(values []float64, name string) (Vector, error) {
	v, err := algebra.NewVector[float64](s.set, s.dim, nil, name)
	if err == nil {
		copy(v.Overwriting(), values)
	}
	return v, err
}

// gain returns the norm of the operator's product with a vector, relative to that of the vector; 0
// for the zero vector.
func (s *Solver) gain(v Vector) (float64, error) {
	size, err := v.Inner(v)
	if err != nil || size == 0 {
		return 0, err
	}
	to := s.singularity.product
	if err := s.apply(to, v); err != nil {
		return 0, err
	}
	product, err := to.Inner(to)
	return math.Sqrt(product / size), err
}

// checkNullSpace returns an error if the current operator does not map the vectors of WithNullSpace
// to zero. It computes a product with each of them, and one more.
func (s *Solver) checkNullSpace() error {
	n := s.singularity
	if n == nil {
		return nil
	}
	usual, err := s.gain(n.random)
	if err != nil {
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

// nullSpace keeps the iterates of native methods orthogonal to the operator's null space.
type nullSpace struct {
	vectors []krylov.Vector // orthonormal
	clean   krylov.Vector   // a right-hand side without null space components
}

// newNullSpace orthonormalizes the vectors, dropping those that are linear combinations of previous
// ones.
func (e *native) newNullSpace() (*nullSpace, error) {
	given, err := e.solver.nullSpace()
	if err != nil || len(given) == 0 {
		return nil, err
	}
	n := &nullSpace{}
	if n.clean, err = e.New(); err != nil {
		return nil, err
	}
	for _, values := range given {
		v, err := e.New()
		if err != nil {
			return nil, err
		}
		to := e.vectors[v].dat.Overwriting()
		copy(to, values)
		_, before, err := e.Dots(v, v)
		if err != nil {
			return nil, err
		}
		for range 2 { // once would leave rounding errors
			if err := e.remove(n, v); err != nil {
				return nil, err
			}
		}
		_, after, err := e.Dots(v, v)
		if err != nil {
			return nil, err
		}
		if after <= 1e-20*before {
			continue
		}
		if err := e.vectors[v].dat.Combine("scale", []float64{1 / math.Sqrt(after)}); err != nil {
			return nil, err
		}
		n.vectors = append(n.vectors, v)
	}
	return n, nil
}

// remove removes the null space components from x.
func (e *native) remove(n *nullSpace, x krylov.Vector) error {
	for _, v := range n.vectors {
		xv, _, err := e.Dots(x, v)
		if err != nil {
			return err
		}
		if err := e.with(e.one, []float64{-xv}, e.axpy, none, change(x), read(v)); err != nil {
			return err
		}
	}
	return nil
}

// Precondition computes z = M⁻¹ r, and removes the null space from z and, with cg, whose operator
// is symmetric, from r.
func (e *native) Precondition(z, r krylov.Vector) error {
	if e.null == nil {
		return e.inner.apply(z, r)
	}
	if e.solver.config.Method == "cg" {
		if err := e.Scale(e.null.clean, r, 1); err != nil {
			return err
		}
		r = e.null.clean
		if err := e.remove(e.null, r); err != nil {
			return err
		}
	}
	if err := e.inner.apply(z, r); err != nil {
		return err
	}
	return e.remove(e.null, z)
}
