package op2

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/spell"
)

// SolverOption is an option of NewSolver. Names and defaults are PETSc's.
type SolverOption func(*solverConfig)

// solverConfig is the configuration of a solver.
type solverConfig struct {
	engine, method, preconditioner string
	rtol, atol, divtol             float64
	iterations, restart            int
	blocks                         int
	omega                          float64
	guess                          bool
	mustConverge                   bool
	monitor                        func(iteration int, residual float64) error
	prefix, petsc                  string
	nearNull, null                 []*Dat[float64]
	singular                       bool // the matrix has a null space: null, or constants
}

// WithEngine selects the engine: "native", the library itself, or "petsc", which must be installed.
// An empty name leaves the choice as it is. Environment: OP2_SOLVER. Default: native.
func WithEngine(name string) SolverOption {
	return func(c *solverConfig) { c.engine = cmp.Or(name, c.engine) }
}

// WithMethod selects the Krylov method: "cg", for symmetric positive definite operators, "bicgstab"
// or "gmres". The PETSc engine accepts all names of KSPType. An empty name leaves the choice as it
// is. Default: cg.
func WithMethod(name string) SolverOption {
	return func(c *solverConfig) { c.method = cmp.Or(name, c.method) }
}

// WithPreconditioner selects the preconditioner: "none", "jacobi", "pbjacobi" (the inverse of each
// element's dim by dim block), "bjacobi" (ILU(0) of blocks of rows), "ilu" (ILU(0)) or "ssor". The
// PETSc engine accepts all names of PCType. An empty name leaves the choice as it is. Default:
// jacobi.
func WithPreconditioner(name string) SolverOption {
	return func(c *solverConfig) { c.preconditioner = cmp.Or(name, c.preconditioner) }
}

// WithRTol sets the relative tolerance: the solver stops when the norm of the preconditioned
// residual is at most this multiple of that of the preconditioned right-hand side. Default: 1e-7.
func WithRTol(rtol float64) SolverOption { return func(c *solverConfig) { c.rtol = rtol } }

// WithATol sets the absolute tolerance: the solver stops when the norm of the preconditioned
// residual is at most this. Default: 1e-50.
func WithATol(atol float64) SolverOption { return func(c *solverConfig) { c.atol = atol } }

// WithDivTol makes the solver give up when the norm of the preconditioned residual is at least this
// multiple of that of the preconditioned right-hand side. Default: 1e4.
func WithDivTol(divtol float64) SolverOption { return func(c *solverConfig) { c.divtol = divtol } }

// WithMaxIterations limits the number of iterations. Default: 10000.
func WithMaxIterations(n int) SolverOption { return func(c *solverConfig) { c.iterations = n } }

// WithRestart sets the number of directions, each a vector, that gmres keeps before it restarts.
// Default: 30.
func WithRestart(n int) SolverOption { return func(c *solverConfig) { c.restart = n } }

// WithBlocks sets the number of blocks of rows of the preconditioner bjacobi, which run in
// parallel. Default: 16.
func WithBlocks(n int) SolverOption { return func(c *solverConfig) { c.blocks = n } }

// WithOmega sets the relaxation factor of the preconditioner ssor, between 0 and 2. Default: 1.
func WithOmega(omega float64) SolverOption { return func(c *solverConfig) { c.omega = omega } }

// WithInitialGuess starts from the values in the solution's dat, instead of zero.
func WithInitialGuess(on bool) SolverOption { return func(c *solverConfig) { c.guess = on } }

// WithErrorIfNotConverged sets whether failure to converge is an error. Default: true.
func WithErrorIfNotConverged(on bool) SolverOption {
	return func(c *solverConfig) { c.mustConverge = on }
}

// WithMonitor makes Solve call a function in each iteration, with the iteration's number and the
// norm that the solver compares with its tolerances: the 2-norm of the preconditioned residual
// M⁻¹(b − A x). The first call, with iteration 0, comes before the first step and gets the norm of
// the initial guess; gmres computes the later norms without x, which it does not change until it
// restarts or ends. An error that the function returns stops the solver: Solve returns it, wrapped,
// and x contains the result so far.
//
// The function runs on the goroutine of Solve. It must not use x, b or the operator.
func WithMonitor(monitor func(iteration int, residual float64) error) SolverOption {
	return func(c *solverConfig) { c.monitor = monitor }
}

// WithPETScOptions passes options to the PETSc engine, as on PETSc's command line, such as
// "-pc_type gamg -ksp_view". They take precedence over all others. Options in the environment,
// PETSC_OPTIONS, apply to the solvers with their prefix; a solver that is given options but no
// prefix gets a unique one.
func WithPETScOptions(options string) SolverOption {
	return func(c *solverConfig) { c.petsc = options }
}

// WithPETScPrefix sets the prefix of the solver's options in PETSc's options database, such as
// "pressure_". Default: none.
func WithPETScPrefix(prefix string) SolverOption { return func(c *solverConfig) { c.prefix = prefix } }

// WithNearNullSpace gives the multigrid of the PETSc engine, gamg, the near null space of the
// matrix without boundary conditions: for elasticity, the result of [RigidBodyModes]. The dats are
// on the operator's set and have its dim; their values are read when the solver is created.
func WithNearNullSpace(vectors ...*Dat[float64]) SolverOption {
	return func(c *solverConfig) { c.nearNull = vectors }
}

// WithNullSpace gives the null space of a singular matrix, such as that of a pressure that is fixed
// nowhere; without vectors it is the constants, in each component. The solution then has no
// component in it beyond that of the initial guess, and that of the right-hand side is ignored if
// the method assumes a symmetric matrix. The dats are on the operator's set and have its dim; their
// values are read when the solver is created.
//
// If the operator does not map them to zero, the solution would be wrong: Solve then returns an
// error. To check, it multiplies each of the vectors whenever it builds the preconditioner.
func WithNullSpace(vectors ...*Dat[float64]) SolverOption {
	return func(c *solverConfig) { c.null, c.singular = vectors, true }
}

func configureSolver(options []SolverOption) (solverConfig, error) {
	c := solverConfig{
		engine: "native", method: "cg", preconditioner: "jacobi",
		rtol: 1e-7, atol: 1e-50, divtol: 1e4, iterations: 10000, restart: 30, blocks: 16, omega: 1, mustConverge: true,
	}
	if v := os.Getenv("OP2_SOLVER"); v != "" {
		c.engine = v
	}
	for _, o := range options {
		if o != nil {
			o(&c)
		}
	}
	return c, c.check()
}

func (c *solverConfig) check() error {
	for _, t := range []struct {
		name  string
		value float64
	}{{"relative tolerance", c.rtol}, {"absolute tolerance", c.atol}, {"divergence tolerance", c.divtol}} {
		if !(t.value >= 0) || math.IsInf(t.value, 0) {
			return fmt.Errorf("op2: solver: the %s is %g: a number from 0 is needed", t.name, t.value)
		}
	}
	switch {
	case c.rtol >= 1:
		return fmt.Errorf("op2: solver: the relative tolerance is %g: a number below 1 is needed", c.rtol)
	case c.iterations < 0:
		return fmt.Errorf("op2: solver: at most %d iterations: a number from 0 is needed", c.iterations)
	case c.restart < 1:
		return fmt.Errorf("op2: solver: a restart after %d directions: at least 1 is needed", c.restart)
	case c.blocks < 1:
		return fmt.Errorf("op2: solver: %d blocks: at least 1 is needed", c.blocks)
	case !(0 < c.omega && c.omega < 2):
		return fmt.Errorf("op2: solver: the relaxation factor is %g: a number between 0 and 2 is needed", c.omega)
	}
	switch c.engine {
	case "petsc":
		if given := strings.Fields(c.petsc); len(given) > 0 && !strings.HasPrefix(given[0], "-") {
			return fmt.Errorf("op2: solver: the options of PETSc begin with %q\n  hint: each begins with a dash, as on PETSc's command line: -pc_type gamg", given[0])
		}
		return nil
	case "native":
	default:
		return notOne("solver engine", c.engine, []string{"native", "petsc"}, "")
	}
	if canonical(&c.method, map[string]string{"bcgs": "bicgstab"}); !slices.Contains(nativeMethods, c.method) {
		return notOne("native method", c.method, nativeMethods, "; the engine petsc has more")
	}
	if canonical(&c.preconditioner, map[string]string{"sor": "ssor"}); !slices.Contains(nativePreconditioners, c.preconditioner) {
		return notOne("native preconditioner", c.preconditioner, nativePreconditioners, "; the engine petsc has more")
	}
	if c.petsc != "" || c.prefix != "" {
		return fmt.Errorf("op2: solver: options of PETSc are for the engine petsc, this one is native\n  hint: op2.WithEngine(\"petsc\")")
	}
	if c.nearNull != nil {
		return fmt.Errorf("op2: solver: near null spaces are for the engine petsc, this one is native\n  hint: op2.WithEngine(\"petsc\")")
	}
	return nil
}

var (
	nativeMethods         = []string{"cg", "bicgstab", "gmres"}
	nativePreconditioners = []string{"none", "jacobi", "pbjacobi", "bjacobi", "ilu", "ssor"}
)

// canonical replaces another engine's name for something by ours.
func canonical(name *string, names map[string]string) {
	if n, ok := names[*name]; ok {
		*name = n
	}
}

// notOne returns the error for an unknown name.
func notOne(kind, name string, names []string, more string) error {
	return fmt.Errorf("op2: there is no %s %q%s\n  hint: there are %s%s", kind, name, spell.DidYouMean(name, names), strings.Join(names, ", "), more)
}
