package solver

import (
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/solve"
)

// WithFields makes each list of parts of the mixed dats one split of the preconditioner fieldsplit.
// Default: each part is a split.
func WithFields(fields ...[]int) Option {
	return option(func(c *config) { c.Split.Fields = fields })
}

// WithSelfP builds the preconditioner of the second split from the matrix A11 − A10 diag(A00)⁻¹ A01,
// while its method works with the Schur complement itself. Default: from the block A11; the
// preconditioner none needs neither. PETSc's name is pc_fieldsplit_schur_precondition selfp.
func WithSelfP() Option {
	return option(func(c *config) { c.Split.Precondition = "selfp" })
}

// WithSchurMatrix selects a matrix of the program for the preconditioner of the second split, such as
// the pressure's mass matrix, divided by minus the viscosity. Its current values are used whenever the
// preconditioner is built.
func WithSchurMatrix(m *op2.Mat[float64]) Option {
	return option(func(c *config) {
		c.Split.Precondition, c.Split.Matrix = "user", nil
		if m.Sparsity() != nil {
			c.Split.Matrix = (*algebra.Mat)(m).Blocks()
		}
	})
}

// WithSplit adds options of the solver of a split, numbered from 0: its method, preconditioner,
// tolerances and null space. Defaults: the method preonly, which applies the preconditioner once, or
// gmres if there is a Schur complement; the preconditioner jacobi; a relative tolerance of 1e-5. With
// PETSc these are the options with the prefix fieldsplit_0_ and so on.
//
// A split that iterates changes the preconditioner from one iteration to the next: fgmres allows for
// that.
func WithSplit(split int, options ...Option) Option {
	options = slices.Clone(options)
	return option(func(c *config) {
		c.Split.Options = append(slices.Clone(c.Split.Options), solve.SplitOptions{Split: split, Apply: func(s *solve.Config) { applyAll(options, s) }})
	})
}

// WithPartNullSpace gives the null space of a singular matrix of blocks, by the vectors of one part,
// which are zero in the other parts; without vectors it is the constants of that part, in each
// component, such as those of a pressure. It may be given for several parts. See [WithNullSpace].
func WithPartNullSpace(part int, vectors ...*op2.Dat[float64]) Option {
	null := solve.NullSpace{Part: part}
	for _, v := range vectors {
		null.Vectors = append(null.Vectors, algebra.PartsOf(v))
	}
	return addNull(null)
}
