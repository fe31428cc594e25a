// Package solver solves linear systems A x = b with Krylov methods: A is a matrix that loops assemble, or an operator
// that they apply; x and b are dats. New prepares a Solver by options; constants among them select method,
// preconditioner and engine:
//
//	cg := solver.New(stiffness, solver.CG, solver.SSOR, solver.WithRTol(1e-9))
//	if err := rt.Err(); err != nil {
//		return err
//	}
//	defer cg.Close()
//	result, err := cg.Solve(x, b)
//
// The engine native runs on all backends and ranks; the engine petsc passes systems to PETSc, where that is installed.
// docs/solvers.md describes both.
package solver

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/solve"
)

// Reason says why a solver stopped, under PETSc's name: CONVERGED_RTOL, DIVERGED_ITS and so on. Its
// method Converged reports whether it converged.
type Reason = krylov.Reason

// Convergence is the result of a solve: the number of iterations, the norms of the preconditioned
// residuals, starting with that of the initial guess, and the Reason.
type Convergence struct {
	Iterations int
	Residuals  []float64 // norms, starting with that of the initial guess
	Reason     Reason
}

// Solver solves linear systems with one operator, using a Krylov method. While Solve calls
// functions of the program, operators and monitors, these may use the runtime.
type Solver solve.Solver

func (s *Solver) core() *solve.Solver { return (*solve.Solver)(s) }

// New prepares a solver for systems with the operator a: a *op2.Mat[float64] with as many rows as
// columns, or the result of [NewOperator].
//
// Without options it uses conjugate gradients with Jacobi's preconditioner; on unknowns of several parts fgmres, with
// the preconditioner fieldsplit, of the kind multiplicative, for a matrix, and with none for other operators. The
// relative tolerance is 1e-7. If something requested is not available, Err wraps ErrUnavailable.
func New(a Operator, options ...Option) *Solver {
	operator, wrong := operatorOf(a)
	defaults := solve.Defaults()
	if len(operator.Parts) > 1 {
		defaults.Method, defaults.Preconditioner = "fgmres", "none"
		if operator.Matrix != nil {
			defaults.Preconditioner = "fieldsplit"
		}
	}
	return (*Solver)(entity.Declare(entity.Declaration{On: []*entity.Runtime{operator.Runtime()}, Together: true}, func() (*solve.Solver, error) {
		if wrong != nil {
			return nil, wrong
		}
		c, err := configure(defaults, options)
		if err != nil {
			return nil, err
		}
		return solve.New(operator, c)
	}, func(failed *entity.Runtime) *solve.Solver { return solve.Inert(failed, "solver") }))
}

// Err returns why the solver could not be prepared; nil if it was.
func (s *Solver) Err() error { return s.core().Runtime().Made("solver", "solver.New") }

// Solve solves A x = b; both are dats on the operator's set that have its dim, or mixed dats of its parts. The solver
// starts from zero, or from the values in x if it was created WithInitialGuess. On a device, the native
// engine makes AoS the layout of both from then on.
//
// If it does not converge, Solve returns a *Error along with the Convergence, unless the
// solver was created WithErrorIfNotConverged(false). x then contains the result so far; the native
// engine stores only finite values there.
func (s *Solver) Solve(x, b op2.Vector[float64]) (Convergence, error) {
	if err := s.Err(); err != nil {
		return Convergence{}, err
	}
	var parts [2][]algebra.Vector
	for i, v := range []op2.Vector[float64]{x, b} {
		var err error
		if parts[i], err = algebra.FitParts(v, s.core().Describe(), "Solve", s.core().Parts()); err != nil {
			return Convergence{}, s.core().Runtime().Report(entity.Called(err))
		}
	}
	c, failed, err := s.core().Solve(parts[0], parts[1])
	err = s.core().Runtime().Report(entity.Called(err))
	if failed != nil {
		err = &Error{Solver: s.core().Describe(), Convergence: Convergence(c), Detail: failed.Detail, hint: failed.Hint}
	}
	return Convergence(c), err
}

// ReusePreconditioner makes Solve keep the last preconditioner, although the operator may have
// changed, until it is called with false. Otherwise the preconditioner is rebuilt for each solve.
func (s *Solver) ReusePreconditioner(on bool) {
	if s != nil {
		s.core().Reuse(on)
	}
}

// Close releases what the solver holds. Closing twice is allowed, and so is closing nil.
func (s *Solver) Close() error {
	if s.core().Runtime() == nil {
		return nil
	}
	return s.core().Close()
}

// Error reports a solve that did not converge.
type Error struct {
	Solver string // "solver cg + jacobi of mass"
	Convergence
	Detail string // further information; or ""

	hint string
}

func (e *Error) Error() string {
	msg := fmt.Sprintf("no convergence after %d iterations: %s", e.Iterations, e.Reason)
	if e.Iterations == 1 {
		msg = fmt.Sprintf("no convergence after 1 iteration: %s", e.Reason)
	}
	if e.Detail != "" {
		msg += ": " + e.Detail
	} else if n := len(e.Residuals); n > 0 {
		msg += fmt.Sprintf(": the norm of the residual is %.3g", e.Residuals[n-1])
		if n > 1 {
			msg += fmt.Sprintf(", it was %.3g at first", e.Residuals[0])
		}
	}
	return problem.Message(e.Solver, msg, e.hint)
}
