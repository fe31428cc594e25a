package solver

import (
	"cmp"
	"os"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/solve"
)

// Option is an option of [New]: an [Engine], a [Method], a [Preconditioner] or a [FieldSplit], or the result of a
// function. Names and defaults are PETSc's.
type Option interface{ apply(*config) }

type config = solve.Config

type option func(*config)

func (o option) apply(c *config) { o(c) }

// WithRTol sets the relative tolerance: the solver stops when the norm of the preconditioned
// residual is at most this multiple of that of the preconditioned right-hand side. Default: 1e-7.
func WithRTol(rtol float64) Option { return option(func(c *config) { c.RTol = rtol }) }

// WithATol sets the absolute tolerance: the solver stops when the norm of the preconditioned
// residual is at most this. Default: 1e-50.
func WithATol(atol float64) Option { return option(func(c *config) { c.ATol = atol }) }

// WithMaxIterations limits the number of iterations. Default: 10000.
func WithMaxIterations(n int) Option { return option(func(c *config) { c.MaxIterations = n }) }

// WithRestart sets the number of directions, each a vector, that gmres keeps before it restarts.
// Default: 30.
func WithRestart(n int) Option { return option(func(c *config) { c.Restart = n }) }

// WithBlocks sets the number of blocks of rows of the preconditioner bjacobi, which run in
// parallel. Default: 16.
func WithBlocks(n int) Option { return option(func(c *config) { c.Blocks = n }) }

// WithInitialGuess starts from the values in the solution's dat, instead of zero.
func WithInitialGuess(on bool) Option { return option(func(c *config) { c.InitialGuess = on }) }

// WithErrorIfNotConverged sets whether failure to converge is an error. Default: true.
func WithErrorIfNotConverged(on bool) Option {
	return option(func(c *config) { c.MustConverge = on })
}

// WithMonitor makes Solve call a function in each iteration, with the iteration's number and the
// norm that the solver compares with its tolerances: the 2-norm of the preconditioned residual
// M⁻¹(b − A x). The first call, with iteration 0, comes before the first step and gets the norm of
// the initial guess; gmres computes the later norms without x, which it does not change until it
// restarts or ends. An error that the function returns stops the solver: Solve returns it, wrapped,
// and x contains the result so far.
//
// The function runs on the goroutine of Solve. It must not use x, b or the operator.
func WithMonitor(monitor func(iteration int, residual float64) error) Option {
	return option(func(c *config) { c.Monitor = monitor })
}

// WithPETScOptions passes options to the PETSc engine, as on PETSc's command line, such as
// "-pc_type gamg -ksp_view". They take precedence over all others. Options in the environment,
// PETSC_OPTIONS, apply to the solvers with their prefix; a solver that is given options but no
// prefix gets a unique one.
func WithPETScOptions(options string) Option {
	return option(func(c *config) { c.PETSc = options })
}

// WithNearNullSpace gives the multigrid of the PETSc engine, gamg, the near null space of the
// matrix without boundary conditions: for elasticity, the result of [RigidBodyModes]. The dats are
// on the operator's set and have its dim; their values are read when the solver is created.
func WithNearNullSpace(vectors ...op2.Vector[float64]) Option {
	return option(func(c *config) { c.NearNull = partsOfAll(vectors) })
}

// WithNullSpace gives the null space of a singular matrix, such as that of a pressure that is fixed
// nowhere; without vectors it is the constants, in each component. The solution then has no
// component in it beyond that of the initial guess, and that of the right-hand side is ignored if
// the method assumes a symmetric matrix, or if the transposed operator maps the vectors to zero, too.
// The dats are on the operator's set and have its dim; their values are read when the solver is
// created.
//
// If the operator does not map them to zero, the solution would be wrong: Solve then returns an
// error. To check, it multiplies each of the vectors whenever it builds the preconditioner.
func WithNullSpace(vectors ...op2.Vector[float64]) Option {
	return addNull(solve.NullSpace{Part: solve.AnyPart, Vectors: partsOfAll(vectors)})
}

// addNull returns the option that adds vectors to the null space.
func addNull(null solve.NullSpace) Option {
	return option(func(c *config) { c.Null = append(slices.Clone(c.Null), null) })
}

// configure changes the defaults by the options.
func configure(c solve.Config, options []Option) (solve.Config, error) {
	c.Engine = cmp.Or(os.Getenv("OP2_SOLVER"), c.Engine)
	applyAll(options, &c)
	return c, c.Check()
}

// applyAll applies the options that are not nil.
func applyAll(options []Option, c *config) {
	for _, o := range options {
		if o != nil {
			o.apply(c)
		}
	}
}
