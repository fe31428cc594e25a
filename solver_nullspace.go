package op2

import (
	"math"

	"github.com/go-op2/op2/internal/krylov"
)

// vectors are the values of dats that an option gave.
func (s *Solver) vectors(option string, dats []*Dat[float64]) ([][]float64, error) {
	var vectors [][]float64
	for _, d := range dats {
		if err := fits("solver", option, s.set, s.dim, d); err != nil {
			return nil, err
		}
		values, err := d.dataRO()
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, values)
	}
	return vectors, nil
}

// nullSpace are the vectors that the operator makes zero.
func (s *Solver) nullSpace() ([][]float64, error) {
	if !s.config.singular || len(s.config.null) > 0 {
		return s.vectors("WithNullSpace", s.config.null)
	}
	constants := make([][]float64, s.dim)
	for i := range constants {
		constants[i] = make([]float64, s.set.size*s.dim)
		for k := i; k < len(constants[i]); k += s.dim {
			constants[i][k] = 1
		}
	}
	return constants, nil
}

// nullSpace keeps the native methods out of the vectors that the operator makes zero.
type nullSpace struct {
	vectors []krylov.Vector // orthonormal
	clean   krylov.Vector   // a right-hand side without them
}

// newNullSpace makes the vectors orthonormal. One that is a combination of those before it is
// left out.
func (e *nativeEngine) newNullSpace() (*nullSpace, error) {
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
		to := e.vectors[v].dat.dataWO()
		copy(to, values)
		_, before, err := e.Dots(v, v)
		if err != nil {
			return nil, err
		}
		for range 2 { // once would leave rounding
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
		if err := e.vectors[v].dat.run("scale", []float64{1 / math.Sqrt(after)}); err != nil {
			return nil, err
		}
		n.vectors = append(n.vectors, v)
	}
	return n, nil
}

// remove leaves no part of the null space in x.
func (e *nativeEngine) remove(n *nullSpace, x krylov.Vector) error {
	for _, v := range n.vectors {
		xv, _, err := e.Dots(x, v)
		if err != nil {
			return err
		}
		if err := e.with(e.one, []float64{-xv}, e.axpy, "ur", nil, x, v); err != nil {
			return err
		}
	}
	return nil
}

// Precondition is z = M⁻¹ r, without the null space: in z, and with cg, whose operator is
// symmetric, in r.
func (e *nativeEngine) Precondition(z, r krylov.Vector) error {
	if e.null == nil {
		return e.inner.apply(z, r)
	}
	if e.solver.config.method == "cg" {
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
