package op2

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/problem"
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
type Solver struct {
	rt       *core.Runtime
	operator Operator
	set      *core.Set
	dim      int
	config   solverConfig
	what     string // for messages
	engine   solverEngine
	kept     bool // the preconditioner is built, and should be kept
	reuse    atomic.Bool
	solving  atomic.Bool // by Solve, including while a function of the program runs
	held     bool        // the current call in the solver holds the runtime

	singularity *singularity // nil without a null space

	asymmetry string // last asymmetry found in a matrix that should be symmetric
	warned    bool   // about it
}

// solverEngine is an engine.
type solverEngine interface {
	// solve solves for x. Keep allows it to reuse the preconditioner. Failure to converge is not an
	// error; detail may say more about it.
	solve(x, b *Dat[float64], keep bool) (c Convergence, detail string, err error)
	// name returns the method and the preconditioner.
	name() string
	close() error
}

// NewSolver prepares a solver for systems with the operator a: a *Mat[float64] with as many rows as
// columns, or the result of NewOperator.
//
// Without options it uses conjugate gradients with Jacobi's preconditioner, to a relative tolerance
// of 1e-7. If something requested is not available, the error wraps ErrUnavailable.
func NewSolver(a Operator, options ...SolverOption) (*Solver, error) {
	c, err := configureSolver(options)
	if err != nil {
		return nil, err
	}
	set, dim, err := domainOf(a)
	if err != nil {
		return nil, err
	}
	if err := set.Runtime().Declare("solver of", a.Name()); err != nil {
		return nil, err
	}
	s := &Solver{rt: set.Runtime(), operator: a, set: set, dim: dim, config: c, held: true}
	defer s.leave()
	if set.Runtime().Config().Static {
		return nil, wrap("solver of "+a.Name(), ErrStatic)
	}
	if n := int64(set.Total()) * int64(dim); n > math.MaxInt32 {
		return nil, &problem.ShapeError{What: "solver of " + a.Name(), Msg: fmt.Sprintf("%d unknowns, at most %d are possible", n, math.MaxInt32)}
	}
	set.Runtime().Seal("solvers have been made", "that of "+a.Name())
	if c.engine == "petsc" {
		s.engine, err = newPETScEngine(s)
	} else {
		s.engine, err = newNativeEngine(s)
	}
	if err == nil {
		s.singularity, err = s.newSingularity()
	}
	if err != nil {
		return nil, wrap("solver of "+a.Name(), err)
	}
	s.what = fmt.Sprintf("solver %s of %s", s.engine.name(), a.Name())
	return s, nil
}

// Solve solves A x = b; both dats are on the operator's set and have its dim. The solver starts
// from zero, or from the values in x if it was created WithInitialGuess. On a device, the native
// engine makes AoS the layout of both from then on.
//
// If it does not converge, Solve returns a *SolverError along with the Convergence, unless the
// solver was created WithErrorIfNotConverged(false). x then contains the result so far; the native
// engine stores only finite values there.
func (s *Solver) Solve(x, b *Dat[float64]) (Convergence, error) {
	if s == nil || s.rt == nil {
		return Convergence{}, errors.New("op2: the solver is nil, or was not made by NewSolver")
	}
	if err := core.CheckDeclared(s.what, s.rt); err != nil {
		return Convergence{}, err
	}
	if !s.solving.CompareAndSwap(false, true) {
		return Convergence{}, ErrConcurrentUse
	}
	defer s.solving.Store(false)
	if err := s.enter(); err != nil {
		return Convergence{}, err
	}
	defer s.leave()
	return s.solve(x, b)
}

func (s *Solver) solve(x, b *Dat[float64]) (Convergence, error) {
	if s.engine == nil {
		return Convergence{}, fmt.Errorf("op2: %s: the solver is closed", s.what)
	}
	for _, d := range []*Dat[float64]{x, b} {
		if err := fits(s.what, "Solve", s.set, s.dim, d); err != nil {
			return Convergence{}, err
		}
	}
	if x == b {
		return Convergence{}, fmt.Errorf("op2: %s: Solve: %s is both the right-hand side and the solution", s.what, x.name())
	}
	keep := s.reuse.Load() && s.kept
	if !keep {
		for _, check := range []func() error{s.checkSymmetry, s.checkNullSpace} {
			if err := check(); err != nil {
				return Convergence{}, wrap(s.what, err)
			}
		}
	}
	if s.rt.Config().Backend.Poison { // before a loop of the solver itself is blamed for spreading it
		if strange := s.notFinite(x, b); strange != "" {
			return s.failed(Convergence{Reason: krylov.DivergedNaNOrInf}, strange, "")
		}
	}
	c, detail, err := s.engine.solve(x, b, keep)
	if err != nil {
		return c, wrap(s.what, err)
	}
	s.kept = s.kept || c.Reason != krylov.DivergedPCFailed
	if c.Reason.Converged() || !s.config.mustConverge {
		return c, nil
	}
	hint := solverHints[c.Reason]
	if s.asymmetry != "" {
		detail, hint = s.asymmetry, symmetryHint
	}
	if where := s.notFinite(x, b); where != "" {
		detail, hint = where, ""
	}
	return s.failed(c, detail, hint)
}

// failed returns Solve's results if there is no solution.
func (s *Solver) failed(c Convergence, detail, hint string) (Convergence, error) {
	if !s.config.mustConverge {
		return c, nil
	}
	return c, &SolverError{Solver: s.what, Convergence: c, Detail: detail, hint: hint}
}

// ReusePreconditioner makes Solve keep the last preconditioner, although the operator may have
// changed, until it is called with false. Otherwise the preconditioner is rebuilt for each solve.
func (s *Solver) ReusePreconditioner(on bool) { orEmpty(s).reuse.Store(on) }

func (s *Solver) enter() error {
	err := s.rt.Enter()
	s.held = err == nil
	return err
}

func (s *Solver) leave() {
	if s.held {
		s.held = false
		s.rt.Leave()
	}
}

// outside runs a function of the program, which may enter the runtime itself. After an error the
// solver may no longer hold the runtime.
func (s *Solver) outside(f func() error) error {
	s.leave()
	err := f()
	if again := s.enter(); err == nil {
		err = again
	}
	return err
}

// apply sets y to the operator times x.
func (s *Solver) apply(y, x *Dat[float64]) error {
	if m, ok := s.operator.(*Mat[float64]); ok {
		return m.mul(y, x)
	}
	return s.outside(func() error { return s.operator.Mul(y, x) })
}

// monitor returns the function to call at each iteration, or nil: it stops the solver when the
// runtime's context has ended, and calls the program's monitor.
func (s *Solver) monitor() func(iteration int, residual float64) error {
	flag := s.rt.Config().Backend.Stop
	if flag == nil && s.config.monitor == nil {
		return nil
	}
	return func(iteration int, residual float64) error {
		if err := flag.Err(); err != nil || s.config.monitor == nil {
			return err
		}
		return s.outside(func() error { return s.config.monitor(iteration, residual) })
	}
}

// Close releases what the solver holds. Closing twice is allowed, and so is closing nil.
func (s *Solver) Close() error {
	if s == nil || s.rt == nil {
		return nil
	}
	if !s.solving.CompareAndSwap(false, true) {
		return ErrConcurrentUse
	}
	defer s.solving.Store(false)
	if !s.rt.Take() {
		return ErrConcurrentUse
	}
	defer s.rt.Leave()
	if s.engine == nil {
		return nil
	}
	err := s.engine.close()
	s.engine = nil
	if err != nil {
		return wrap(s.what, err)
	}
	return nil
}

// wrap adds the solver's name to an error such that "op2" appears only once: operators are
// functions of the program, which mostly run loops.
func wrap(what string, err error) error {
	if strings.HasPrefix(err.Error(), "op2: ") {
		return problem.Errorf("%s: %w", what, err)
	}
	return problem.Errorf("op2: %s: %w", what, err)
}

// notFinite describes the first value in the input that is not finite; "" if there is none.
func (s *Solver) notFinite(x, b *Dat[float64]) string {
	name := func(kind, name string, v float64, place string) string {
		return fmt.Sprintf("%s %s holds %g, at %s", kind, name, v, place)
	}
	for _, d := range []struct {
		kind string
		dat  *Dat[float64]
	}{{"the right-hand side", b}, {"the first guess", x}} {
		values, err := d.dat.dataRO()
		if err != nil || d.dat == x && !s.config.guess {
			break
		}
		if i := core.FindNotFinite(values); i >= 0 {
			return name(d.kind, d.dat.name(), values[i], fmt.Sprintf("element %d of %s", i/s.dim, s.set.Name()))
		}
	}
	m, ok := s.operator.(*Mat[float64])
	if !ok {
		return ""
	}
	entries, err := entriesOf(m)
	if err != nil {
		return ""
	}
	i := core.FindNotFinite(entries.Values)
	if i < 0 {
		return ""
	}
	entry, row := int32(i/(s.dim*s.dim)), 0
	for entries.RowPtr[row+1] <= entry {
		row++
	}
	return name("the matrix", s.operator.Name(), entries.Values[i], fmt.Sprintf("row %d, column %d of %s", row, entries.ColIdx[entry], s.set.Name()))
}

// SolverError reports a solve that did not converge.
type SolverError struct {
	Solver string // "solver cg + jacobi of mass"
	Convergence
	Detail string // further information; or ""

	hint string
}

func (e *SolverError) Error() string {
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

var solverHints = map[Reason]string{
	krylov.DivergedIterations:    "allow more of them, or take another preconditioner or method",
	krylov.DivergedDTol:          "take another preconditioner or method",
	krylov.DivergedIndefiniteMat: "cg needs a symmetric positive definite operator: check the boundary conditions, or take gmres or bicgstab",
	krylov.DivergedIndefinitePC:  "cg needs a positive definite preconditioner: check the boundary conditions, or take gmres or bicgstab",
	krylov.DivergedPCFailed:      "check that the matrix is assembled, and that boundary conditions determine the solution",
	krylov.DivergedBreakdown:     "the operator may be singular: WithNullSpace names what it makes zero",
}
