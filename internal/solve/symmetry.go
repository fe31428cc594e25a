package solve

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
)

// symmetryHint follows the message that a matrix is not symmetric.
const symmetryHint = "ZeroRows leaves the columns of fixed values, op2.NewDirichlet does not; gmres and bicgstab, with ilu or lu, take any matrix"

// checkSymmetry checks the matrix if the solver requires a symmetric one. Asymmetry is an error if
// the result would be wrong, or with diagnostics on, and otherwise a warning, once. The check takes
// a pass over the matrix, and is therefore made, unless something else needs it, only if rows of
// the matrix were zeroed.
func (s *Solver) checkSymmetry() error {
	if s.operator.Matrix == nil {
		return nil
	}
	method, preconditioner, _ := strings.Cut(strings.TrimPrefix(s.engine.name(), "petsc "), " + ")
	who, strict := method, s.rt.Config().Backend.Poison
	switch {
	case slices.Contains(triangularPreconditioners, preconditioner):
		who, strict = preconditioner, true
	case !slices.Contains(symmetricMethods, method):
		return nil
	}
	m := s.operator.single()
	if m == nil {
		return s.probeSymmetry(who, strict)
	}
	e, isPETSc := s.engine.(*petscEngine)
	if isPETSc {
		e.inner.SetSymmetric(false)
	}
	known := preconditioner == "gamg" // which does less work for a matrix that is known to be symmetric
	if !known && !strict && (!m.ZeroedRows() || s.warned) {
		return nil
	}
	s.asymmetry = ""
	onHost := int64(0)
	if isPETSc || strict || !m.Editable() {
		onHost = 1
	}
	anyOnHost, err := entity.Combine(s.rt, loop.Max, onHost) // to which the others' values matter
	if err != nil {
		return err
	}
	if anyOnHost[0] > 0 {
		if err := m.Data().Bring(false); err != nil {
			return err
		}
		a, found, err := s.findAsymmetry(m)
		if err != nil {
			return err
		}
		here := ""
		if found {
			here = fmt.Sprintf("%s needs a symmetric matrix, but row %d, column %d is %.6g and row %d, column %d is %.6g",
				who, a.Row, a.Col, a.Value, a.Col, a.Row, a.Mirrored)
		}
		if s.asymmetry, _, err = s.rt.Tell(here != "", here); err != nil {
			return err
		}
		if isPETSc {
			e.inner.SetSymmetric(s.asymmetry == "")
		}
		if s.asymmetry == "" {
			return nil
		}
	} else {
		s.asymmetry = fmt.Sprintf("%s needs a symmetric matrix, but rows of it were zeroed by ZeroRows", who)
	}
	return s.reportAsymmetry(strict)
}

// reportAsymmetry returns the asymmetry as an error, or warns of it, once.
func (s *Solver) reportAsymmetry(strict bool) error {
	if strict {
		return fmt.Errorf("%s\n  hint: %s", s.asymmetry, symmetryHint)
	}
	if !s.warned {
		s.warned = true
		s.rt.Config().Backend.Warn(fmt.Sprintf("%s: %s\n  hint: %s", s.what, s.asymmetry, symmetryHint))
	}
	return nil
}

// probeSymmetry checks a matrix of blocks: of a symmetric one, the products with two vectors are alike
// from both sides.
func (s *Solver) probeSymmetry(who string, strict bool) error {
	zeroed := false
	for b := range s.operator.Matrix.All {
		zeroed = zeroed || b.ZeroedRows()
	}
	if !strict && (!zeroed || s.warned) {
		return nil
	}
	s.asymmetry = ""
	x, err := s.randomVector(1)
	if err != nil {
		return err
	}
	y, err := s.randomVector(2)
	if err != nil {
		return err
	}
	product, err := s.space.newVector("product")
	if err != nil {
		return err
	}
	var sides [2]float64
	size := 0.0
	for i, v := range [][]Vector{x, y} {
		if err := s.apply(product, v); err != nil {
			return err
		}
		if sides[i], err = inner(product, [][]Vector{y, x}[i]); err != nil {
			return err
		}
		norm, err := inner(product, product)
		if err != nil {
			return err
		}
		other, err := inner(v, v)
		if err != nil {
			return err
		}
		size = max(size, math.Sqrt(norm*other))
	}
	if !(math.Abs(sides[0]-sides[1]) > 1e-10*size) {
		return nil
	}
	s.asymmetry = fmt.Sprintf("%s needs a symmetric matrix, but the product of %s with one vector from the left and another from the right is %.6g, the other way around %.6g",
		who, s.operator.Name, sides[0], sides[1])
	return s.reportAsymmetry(strict)
}

// findAsymmetry returns a value in the rows or columns of this rank that differs from the one across
// the diagonal, in declared numbers, that of the lower row first. It is collective.
func (s *Solver) findAsymmetry(m *Matrix) (sparse.Asymmetry, bool, error) {
	across, foundAcross, err := s.findAsymmetryAcross(m)
	if err != nil {
		return across, false, err
	}
	a, found := sparse.FindAsymmetry(m.Data().Sparsity().Owned(), m.Data().Sparsity().Block(), valuesOf(m))
	if found {
		a.Row, a.Col = s.space[0].Declared(a.Row), s.space[0].Declared(a.Col)
	} else {
		a, found = across, foundAcross
	}
	if a.Row > a.Col {
		a = sparse.Asymmetry{Row: a.Col, Col: a.Row, Value: a.Mirrored, Mirrored: a.Value}
	}
	return a, found, nil
}
