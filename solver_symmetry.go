package op2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/sparse"
)

// What takes the matrix to be symmetric, by PETSc's names: methods, whose results or whose
// convergence are then not to be trusted, and preconditioners that look at one triangle of
// it alone, and so solve another system without a word.
var (
	symmetricMethods = []string{"cg", "fcg", "pipecg", "pipecgrr", "pipecg2", "pipefcg", "pipelcg", "groppcg", "cr", "pipecr", "minres", "symmlq",
		"nash", "stcg", "gltr", "qcg"}
	triangularPreconditioners = []string{"cholesky", "icc"}
)

// symmetryHint follows what says that a matrix is not symmetric.
const symmetryHint = "ZeroRows leaves the columns of fixed values, op2.NewDirichlet does not; gmres and bicgstab, with ilu or lu, take any matrix"

// checkSymmetry looks whether the solver takes a matrix to be symmetric that is not. It is
// an error where the result would be wrong, or with diagnostics on, and else a warning,
// once. It costs a pass over the matrix, and so, where nothing else wants it, is made only
// if rows of the matrix were zeroed.
func (s *Solver) checkSymmetry() error {
	m, ok := s.operator.(*Mat[float64])
	if !ok {
		return nil
	}
	method, preconditioner, _ := strings.Cut(strings.TrimPrefix(s.engine.name(), "petsc "), " + ")
	who, strict := method, s.rt.config.given.Poison
	switch {
	case slices.Contains(triangularPreconditioners, preconditioner):
		who, strict = preconditioner, true
	case !slices.Contains(symmetricMethods, method):
		return nil
	}
	e, isPETSc := s.engine.(*petscEngine)
	if isPETSc {
		e.inner.SetSymmetric(false)
	}
	known := preconditioner == "gamg" // which does less for a matrix that is known to be symmetric
	if !known && !strict && (!m.zeroedRows || s.warned) {
		return nil
	}
	s.asymmetry = ""
	if isPETSc || strict || !m.there() {
		csr, err := m.csr(false)
		if err != nil {
			return err
		}
		a, found := sparse.FindAsymmetry(m.sparsity.pattern, m.sparsity.blocks, csr.Values)
		if isPETSc {
			e.inner.SetSymmetric(!found)
		}
		if !found {
			return nil
		}
		s.asymmetry = fmt.Sprintf("%s takes the matrix to be symmetric, and row %d, column %d is %.6g where row %d, column %d is %.6g",
			who, a.Row, a.Col, a.Value, a.Col, a.Row, a.Mirrored)
	} else {
		s.asymmetry = fmt.Sprintf("%s takes the matrix to be symmetric, and rows of it were zeroed by ZeroRows", who)
	}
	if strict {
		return fmt.Errorf("%s\n  hint: %s", s.asymmetry, symmetryHint)
	}
	if !s.warned {
		s.warned = true
		s.rt.config.given.Warn(fmt.Sprintf("%s: %s\n  hint: %s", s.what, s.asymmetry, symmetryHint))
	}
	return nil
}
