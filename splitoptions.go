package op2

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/solve"
)

// WithFieldSplit selects the preconditioner fieldsplit of a solver on several parts, and how it combines the
// splits of the unknowns, each of which is a part of the mixed dats unless [WithFields] says otherwise.
// The splits have solvers of their own, with the options of [WithSplit]. Default: multiplicative.
// PETSc's names are pc_type fieldsplit, pc_fieldsplit_type and pc_fieldsplit_schur_fact_type.
func WithFieldSplit(kind FieldSplit) SolverOption {
	return func(c *solverConfig) {
		c.Preconditioner = "fieldsplit"
		c.Split.Kind = cmp.Or(string(kind), c.Split.Kind)
	}
}

// WithFields makes each list of parts of the mixed dats one split of the preconditioner fieldsplit.
// Default: each part is a split.
func WithFields(fields ...[]int) SolverOption {
	return func(c *solverConfig) { c.Split.Fields = fields }
}

// WithSelfP builds the preconditioner of the second split from the matrix A11 − A10 diag(A00)⁻¹ A01,
// while its method works with the Schur complement itself. Default: from the block A11; the
// preconditioner none needs neither. PETSc's name is pc_fieldsplit_schur_precondition selfp.
func WithSelfP() SolverOption {
	return func(c *solverConfig) { c.Split.Precondition = "selfp" }
}

// WithSchurMatrix selects a matrix of the program for the preconditioner of the second split, such as
// the pressure's mass matrix, divided by minus the viscosity. Its current values are used whenever the
// preconditioner is built.
func WithSchurMatrix(m *Mat[float64]) SolverOption {
	return func(c *solverConfig) {
		c.Split.Precondition, c.Split.Matrix = "user", nil
		if m.Sparsity() != nil {
			c.Split.Matrix = m.matrix()
		}
	}
}

// WithSplit adds options of the solver of a split, numbered from 0: its method, preconditioner,
// tolerances and null space. Defaults: the method preonly, which applies the preconditioner once, or
// gmres if there is a Schur complement; the preconditioner jacobi; a relative tolerance of 1e-5. With
// PETSc these are the options with the prefix fieldsplit_0_ and so on.
//
// A split that iterates changes the preconditioner from one iteration to the next: fgmres allows for
// that.
func WithSplit(split int, options ...SolverOption) SolverOption {
	options = slices.Clone(options)
	return func(c *solverConfig) {
		c.Split.Options = append(slices.Clone(c.Split.Options), solve.SplitOptions{Split: split, Apply: func(s *solve.Config) {
			for _, o := range options {
				if o != nil {
					o(s)
				}
			}
		}})
	}
}

// WithPartNullSpace gives the null space of a singular matrix of blocks, by the vectors of one part,
// which are zero in the other parts; without vectors it is the constants of that part, in each
// component, such as those of a pressure. It may be given for several parts. See [WithNullSpace].
func WithPartNullSpace(part int, vectors ...*Dat[float64]) SolverOption {
	null := solve.NullSpace{Part: part}
	for _, v := range vectors {
		null.Vectors = append(null.Vectors, partsOf(v))
	}
	return addNull(null)
}
