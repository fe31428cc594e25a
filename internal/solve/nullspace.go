package solve

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// vectors returns the values here of an option's vectors, one part's after another's.
func (s *Solver) vectors(option string, in space, vectors [][]Vector) ([][]float64, error) {
	var list [][]float64
	for _, v := range vectors {
		if len(v) == 0 || !v[0].Made() {
			return nil, fmt.Errorf("%s: a vector is nil", option)
		}
		if len(v) != len(in) {
			return nil, fmt.Errorf("%s: a vector has %s, the unknowns have %d", option, problem.Count(len(v), "part"), len(in))
		}
		var all []float64
		for i, d := range v {
			values, err := s.partOf(option, in[i], d)
			if err != nil {
				return nil, err
			}
			all = append(all, values...)
		}
		list = append(list, all)
	}
	return list, nil
}

// partOf returns the values here of a part of a vector of an option.
func (s *Solver) partOf(option string, p Part, d Vector) ([]float64, error) {
	if err := d.Fits(s.what, option, p.Set, p.Dim); err != nil {
		return nil, err
	}
	values, err := entity.Reading[float64](d.Data)
	if err != nil {
		return nil, err
	}
	values = values[:p.Here()]
	bad, odd := "", entity.FindNotFinite(values)
	if odd >= 0 {
		bad = fmt.Sprintf("%s: %s holds %v", option, d.Name(), values[odd])
	}
	if bad, _, err = s.rt.Tell(odd >= 0, bad); err != nil {
		return nil, err
	}
	if bad != "" {
		return nil, errors.New(bad)
	}
	return values, nil
}

// nullVectors are the vectors of a null space: of all parts, one part's values here after another's.
type nullVectors struct {
	values [][]float64
	names  []string
}

// nullSpace returns the vectors of null spaces in a space. Some may be zero, such as a rotation of a
// straight beam around itself, but not all.
func (s *Solver) nullSpace(in space, null []NullSpace) (v nullVectors, err error) {
	for _, n := range null {
		switch {
		case n.Part == AnyPart && n.Vectors == nil && len(in) > 1:
			err = fmt.Errorf("WithNullSpace: the unknowns have %d parts\n  hint: WithPartNullSpace names the one of the constants", len(in))
		case n.Part == AnyPart:
			err = s.addNull(&v, "WithNullSpace", in, 0, len(in), n.Vectors)
		case n.Part < 0 || n.Part >= len(in):
			err = fmt.Errorf("WithPartNullSpace: there is no part %d: the unknowns have %s, numbered from 0", n.Part, problem.Count(len(in), "part"))
		default:
			err = s.addNull(&v, "WithPartNullSpace", in, n.Part, 1, n.Vectors)
		}
		if err != nil {
			return v, err
		}
	}
	if len(v.values) == 0 {
		return v, nil
	}
	nonzeros := int64(0)
	for _, values := range v.values {
		for _, x := range values {
			if x != 0 {
				nonzeros++
			}
		}
	}
	all, err := entity.Combine(s.rt, loop.Inc, nonzeros)
	if err == nil && all[0] == 0 && in.whole() > 0 {
		return v, errors.New("WithNullSpace: all vectors are zero: without vectors it is the constants")
	}
	return v, err
}

// addNull adds an option's vectors of some parts from the first one on, which are zero in the others.
func (s *Solver) addNull(v *nullVectors, option string, in space, first, parts int, vectors [][]Vector) error {
	of := in[first : first+parts]
	values, err := s.vectors(option, of, vectors)
	if err != nil {
		return err
	}
	if vectors == nil {
		values = constants(of[0])
	}
	for i, here := range values {
		all := make([]float64, in.here())
		copy(all[in[:first].here():], here)
		name := "constants"
		switch {
		case vectors != nil:
			name = vectors[i][0].Name()
		case of[0].Dim > 1:
			name = fmt.Sprintf("constants in component %d", i)
		}
		if parts < len(in) {
			name += in.in(first)
		}
		v.values, v.names = append(v.values, all), append(v.names, name)
	}
	return nil
}

// constants returns the values here of the vectors that are one in one component and zero in the
// others.
func constants(p Part) [][]float64 {
	constants := make([][]float64, p.Dim)
	for i := range constants {
		constants[i] = make([]float64, p.Here())
		for k := i; k < len(constants[i]); k += p.Dim {
			constants[i][k] = 1
		}
	}
	return constants
}

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

// randomVector returns a vector of random values.
func (s *Solver) randomVector(seed uint64) ([]Vector, error) {
	values, source := make([]float64, s.space.here()), rand.New(rand.NewPCG(seed, uint64(2+s.rt.Rank())))
	for i := range values {
		values[i] = source.Float64() - 0.5
	}
	return s.space.with(values, "random")
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

// square returns the square of a vector's norm.
func square(v []Vector) (float64, error) { return inner(v, v) }

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

// nullSpace keeps the iterates of native methods orthogonal to the operator's null space.
type nullSpace struct {
	vectors []krylov.Vector // orthonormal
	clean   krylov.Vector   // a right-hand side without null space components
}

// newNullSpace returns nil for engines without a null space.
func (e *native) newNullSpace() (*nullSpace, error) {
	given, err := e.solver.nullSpace(e.space, e.config.Null)
	if err != nil || len(given.values) == 0 {
		return nil, err
	}
	n := &nullSpace{clean: e.New()}
	if e.err != nil {
		return nil, e.err
	}
	basis, err := orthonormal(e.space, given.values)
	if err != nil {
		return nil, err
	}
	for _, v := range basis {
		n.vectors = append(n.vectors, e.adopt(v))
	}
	return n, nil
}

// remove removes the null space components from x.
func (e *native) remove(n *nullSpace, x krylov.Vector) {
	for _, v := range n.vectors {
		xv, _ := e.Dots(x, v)
		e.with(e.one, []float64{-xv}, e.axpy, none, change(x), read(v))
	}
}

// Precondition computes z = M⁻¹ r, and removes the null space from z and, with methods for symmetric
// operators, from r.
func (e *native) Precondition(z, r krylov.Vector) {
	if e.null != nil && slices.Contains(symmetricMethods, e.config.Method) {
		e.Scale(e.null.clean, r, 1)
		r = e.null.clean
		e.remove(e.null, r)
	}
	e.try(func() error { return e.precondition(z, r) })
	if e.null != nil {
		e.remove(e.null, z)
	}
}
