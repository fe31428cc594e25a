// Package solve solves linear systems: a Solver has an operator, of one part of unknowns or several, a
// method, and a preconditioner. The engine native runs the methods of package krylov as loops, with
// preconditioners that are loops (kernels.go), or run on the host (package precondition), or solve for
// some parts after others (field splits and Schur complements). The engine petsc passes everything to PETSc.
//
// Package solver checks what a program passes, and calls it.
package solve

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/problem"
)

// Vector and Matrix are the operands of solvers: a part of the unknowns, and a block of the matrix.
type (
	Vector = algebra.Vector
	Matrix = algebra.Matrix
	Blocks = algebra.BlockMatrix
)

// valuesOf returns the host's values of a matrix, whether or not they are valid.
func valuesOf(m *Matrix) []float64 { return entity.Host[float64](m.Data()) }

// Operator is a square linear operator on vectors of one part, or of several: those are the unknowns
// of a matrix of blocks.
type Operator struct {
	Name   string
	Parts  []Part
	Matrix *Blocks // nil for a matrix-free operator, which has the rest

	// Apply sets y to the operator times x. It is a function of the program: the solver does not
	// hold the runtime while it runs. So is Measure, unless it is nil: it sets Diagonal, before each
	// preconditioner is built.
	Apply    func(y, x []Vector) error
	Measure  func(to []Vector) error
	Diagonal []Vector // nil if unknown
}

// Runtime returns the runtime of the operator; nil if it has no parts.
func (a *Operator) Runtime() *entity.Runtime {
	if len(a.Parts) == 0 {
		return nil
	}
	return a.Parts[0].Set.Runtime()
}

// single returns the matrix of an operator on vectors of one part; nil if there is none.
func (a *Operator) single() *Matrix {
	if a.Matrix == nil || len(a.Parts) > 1 {
		return nil
	}
	return a.Matrix.Blocks[0][0]
}

// Solver solves linear systems with one operator, using a Krylov method.
type Solver struct {
	rt       *entity.Runtime
	operator Operator
	space    space
	config   Config
	what     string // for messages
	engine   engine
	kept     bool // the preconditioner is built, and can be kept
	reuse    atomic.Bool
	solving  atomic.Bool // by Solve, including while a function of the program runs
	calling  atomic.Bool // such a function
	held     bool        // the current call in the solver holds the runtime

	singularity *singularity // nil without a null space
	moved       bool         // elements have moved to other ranks since the engine was made

	asymmetry string // last asymmetry found in a matrix that should be symmetric
	warned    bool   // about it
}

// engine is a way to solve systems.
type engine interface {
	// solve solves for x. Keep allows it to reuse the preconditioner. Failure to converge is not an
	// error; detail may say more about it.
	solve(x, b []Vector, keep bool) (c krylov.Outcome, detail string, err error)
	// name returns the method and the preconditioner.
	name() string
	close() error
}

// Failure is a solve that did not converge.
type Failure struct {
	Detail string // further information; or ""
	Hint   string
}

// New prepares a solver.
func New(a Operator, c Config) (_ *Solver, err error) {
	s := &Solver{rt: a.Parts[0].Set.Runtime(), operator: a, space: a.Parts, config: c, held: true, what: "solver of " + a.Name}
	if s.rt.Config().Static {
		return nil, problem.In(s.what, problem.ErrStatic)
	}
	unknowns := int64(0)
	for _, p := range a.Parts {
		unknowns += int64(p.Set.Total()) * int64(p.Dim)
	}
	if unknowns > math.MaxInt32 {
		return nil, &problem.ShapeError{What: s.what, Msg: fmt.Sprintf("%d unknowns, at most %d are possible", unknowns, math.MaxInt32)}
	}
	if a.Measure != nil {
		if err := s.newDiagonal(); err != nil {
			return nil, err
		}
	}
	if err := s.rt.Seal("solvers have been made", "that of "+a.Name); err != nil {
		return nil, err
	}
	if err := s.checkReproducible(&s.config); err != nil {
		return nil, problem.In(s.what, err)
	}
	if err := s.start(); err != nil {
		return nil, problem.In(s.what, err)
	}
	s.what = fmt.Sprintf("solver %s of %s", s.engine.name(), a.Name)
	entity.Follow(s.rt, s)
	return s, nil
}

// newDiagonal makes the vector that Measure sets.
func (s *Solver) newDiagonal() (err error) {
	s.operator.Diagonal, err = s.space.newVector("diagonal of " + s.operator.Name)
	return err
}

// start makes the engine.
func (s *Solver) start() (err error) {
	if s.config.Engine == "petsc" {
		s.engine, err = newPETSc(s)
	} else {
		s.engine, err = newNative(s)
	}
	if err == nil {
		s.singularity, err = s.newSingularity()
	}
	return err
}

// Movable returns an error while the solver solves: a function of the program that it calls wants to move elements. It
// implements entity.Follower.
func (s *Solver) Movable() error {
	if s.solving.Load() {
		return fmt.Errorf("op2: Rebalance: %s: it is solving: its own operator, diagonal or monitor calls it\n  hint: call Rebalance between solutions", s.what)
	}
	return nil
}

// Moved makes the next Solve begin with a new engine: all that the engine has is for the elements that were here.
func (s *Solver) Moved() { s.moved = true }

// restart makes a new engine if elements have moved to other ranks. It is collective.
func (s *Solver) restart() error {
	if !s.moved {
		return nil
	}
	err := s.engine.close()
	if err == nil && s.operator.Measure != nil {
		err = s.newDiagonal()
	}
	if err == nil {
		err = s.start()
	}
	s.moved, s.kept = false, false
	return s.rt.Agree(err)
}

// Inert returns a solver that failed to be declared.
func Inert(rt *entity.Runtime, what string) *Solver { return &Solver{rt: rt, what: what} }

// Runtime returns the runtime of the operator; nil for a solver that New did not make.
func (s *Solver) Runtime() *entity.Runtime {
	if s == nil {
		return nil
	}
	return s.rt
}

// Parts returns the parts of the unknowns.
func (s *Solver) Parts() []Part { return s.space }

// Describe returns a description for messages: "solver cg + jacobi of mass".
func (s *Solver) Describe() string { return s.what }

// Solve solves A x = b. If that does not converge, the Failure says more.
func (s *Solver) Solve(x, b []Vector) (krylov.Outcome, *Failure, error) {
	if !s.solving.CompareAndSwap(false, true) {
		return krylov.Outcome{}, nil, s.busy("Solve")
	}
	defer s.solving.Store(false)
	if err := s.enter(); err != nil {
		return krylov.Outcome{}, nil, err
	}
	defer s.leave()
	return s.solve(x, b)
}

func (s *Solver) solve(x, b []Vector) (krylov.Outcome, *Failure, error) {
	none := krylov.Outcome{}
	if s.engine == nil {
		return none, nil, fmt.Errorf("op2: %s: the solver is closed", s.what)
	}
	if err := s.restart(); err != nil {
		return none, nil, problem.In(s.what, err)
	}
	for i, p := range s.space {
		for _, d := range []Vector{x[i], b[i]} {
			if err := d.Fits(s.what, "Solve", p.Set, p.Dim); err != nil {
				return none, nil, err
			}
		}
		if x[i] == b[i] {
			return none, nil, fmt.Errorf("op2: %s: Solve: %s is both the right-hand side and the solution", s.what, x[i].Name())
		}
	}
	keep := s.reuse.Load() && s.kept
	if !keep {
		for _, check := range []func() error{s.checkSymmetry, s.checkNullSpace} {
			if err := s.rt.Agree(check()); err != nil {
				return none, nil, problem.In(s.what, err)
			}
		}
	}
	if s.rt.Config().Backend.Poison { // before a loop of the solver itself is blamed for spreading it
		where, err := s.notFinite(x, b)
		if err != nil {
			return none, nil, err
		}
		if where != "" {
			return krylov.Outcome{Reason: krylov.DivergedNaNOrInf}, s.failed(where, ""), nil
		}
	}
	right, err := s.consistent(b)
	if err != nil {
		return none, nil, problem.In(s.what, err)
	}
	c, detail, err := s.engine.solve(x, right, keep)
	if !keep { // a failure may have left it half built
		s.kept = err == nil && c.Reason != krylov.DivergedPCFailed
	}
	if err != nil {
		return c, nil, problem.In(s.what, err)
	}
	if c.Reason.Converged() || !s.config.MustConverge {
		return c, nil, nil
	}
	hint := hints[c.Reason]
	if s.asymmetry != "" {
		detail, hint = s.asymmetry, symmetryHint
	}
	where, err := s.notFinite(x, b)
	if err != nil {
		return c, nil, err
	}
	if where != "" {
		detail, hint = where, ""
	}
	return c, s.failed(detail, hint), nil
}

// failed returns the failure to report if there is no solution; nil if none is to be reported.
func (s *Solver) failed(detail, hint string) *Failure {
	if !s.config.MustConverge {
		return nil
	}
	return &Failure{detail, hint}
}

// Reuse makes Solve keep the last preconditioner.
func (s *Solver) Reuse(on bool) { s.reuse.Store(on) }

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
	s.calling.Store(true)
	defer s.calling.Store(false)
	err := f()
	if again := s.enter(); err == nil {
		err = again
	}
	return err
}

// busy returns the error for a verb of the solver while it solves.
func (s *Solver) busy(verb string) error {
	if s.calling.Load() {
		return &nested{s.what, verb}
	}
	return problem.ErrConcurrentUse
}

// nested is the ErrConcurrentUse of a function of the program that calls the solver it is called by.
type nested struct{ what, verb string }

func (e *nested) Error() string {
	return fmt.Sprintf("op2: %s: %s: it is solving: its own operator, diagonal or monitor calls it\n  hint: make a second solver", e.what, e.verb)
}

func (e *nested) Is(target error) bool { return target == problem.ErrConcurrentUse }

// apply sets y to the operator times x.
func (s *Solver) apply(y, x []Vector) error {
	if m := s.operator.Matrix; m != nil {
		return m.Mul(y, x)
	}
	return s.outside(func() error { return s.operator.Apply(y, x) })
}

// measure updates the diagonal of a matrix-free operator that computes it.
func (s *Solver) measure() error {
	if s.operator.Measure == nil {
		return nil
	}
	return s.outside(func() error { return s.operator.Measure(s.operator.Diagonal) })
}

// monitor returns the function to call at each iteration, or nil: it stops the solver when the
// runtime's context has ended, and calls the program's monitor, on each rank. An error of the
// monitor on one rank stops all.
func (s *Solver) monitor(c *Config) func(iteration int, residual float64) error {
	flag := s.rt.Config().Backend.Stop
	if flag == nil && c.Monitor == nil {
		return nil
	}
	return func(iteration int, residual float64) error {
		err := flag.Err()
		if err == nil && c.Monitor != nil {
			err = s.outside(func() error { return c.Monitor(iteration, residual) })
		}
		if c.Monitor == nil && s.config.Engine != "petsc" {
			return err
		}
		return s.rt.Agree(err) // such that all leave the solve in the same place
	}
}

// Close releases the resources of the solver. Closing twice is allowed.
func (s *Solver) Close() error {
	if !s.solving.CompareAndSwap(false, true) {
		return s.busy("Close")
	}
	defer s.solving.Store(false)
	if !s.rt.Take() {
		return problem.ErrConcurrentUse
	}
	defer s.rt.Leave()
	if s.engine == nil {
		return nil
	}
	err := s.engine.close()
	s.engine = nil
	if err != nil {
		return problem.In(s.what, err)
	}
	return nil
}

// notFinite describes the first value in the input that is not finite, on any rank; "" if there is
// none.
func (s *Solver) notFinite(x, b []Vector) (string, error) {
	here := s.notFiniteHere(x, b)
	where, _, err := s.rt.Tell(here != "", here)
	return where, err
}

func (s *Solver) notFiniteHere(x, b []Vector) string {
	name := func(kind, name string, v float64, place string) string {
		return fmt.Sprintf("%s %s holds %g, at %s", kind, name, v, place)
	}
	for _, d := range []struct {
		kind string
		dats []Vector
		read bool
	}{{"the right-hand side", b, true}, {"the first guess", x, s.config.InitialGuess}} {
		for i, p := range s.space {
			if !d.read {
				break
			}
			values, err := entity.Reading[float64](d.dats[i].Data)
			if err != nil {
				return ""
			}
			if k := entity.FindNotFinite(values[:p.Here()]); k >= 0 {
				return name(d.kind, d.dats[i].Name(), values[k], fmt.Sprintf("element %d of %s", p.Set.NumberHere(k/p.Dim), p.Set.Name()))
			}
		}
	}
	if s.operator.Matrix == nil {
		return ""
	}
	for m := range s.operator.Matrix.All {
		if where := s.notFiniteIn(m, name); where != "" {
			return where
		}
	}
	return ""
}

// notFiniteIn describes the first value of a matrix here that is not finite, by a function; "" if
// there is none.
func (s *Solver) notFiniteIn(m *Matrix, name func(kind, name string, v float64, place string) string) string {
	if err := m.Data().Bring(false); err != nil {
		return ""
	}
	sparsity := m.Data().Sparsity()
	p, size := sparsity.Owned(), sparsity.Block().Size()
	i := entity.FindNotFinite(valuesOf(m)[:p.Nonzeros()*size])
	if i < 0 {
		return ""
	}
	block, row := int32(i/size), 0
	for p.RowPtr[row+1] <= block {
		row++
	}
	rows, cols := sparsity.Rows(), sparsity.Cols()
	place := fmt.Sprintf("row %d, column %d of %s", rows.NumberHere(row), cols.NumberHere(int(p.ColIdx[block])), rows.Name())
	if rows != cols {
		place = fmt.Sprintf("row %d of %s, column %d of %s", rows.NumberHere(row), rows.Name(), cols.NumberHere(int(p.ColIdx[block])), cols.Name())
	}
	of := s.operator.Name
	if len(s.space) > 1 {
		of = m.Data().Name()
	}
	return name("the matrix", of, valuesOf(m)[i], place)
}

// hints are remedies by reason.
var hints = map[krylov.Reason]string{
	krylov.DivergedIterations:    "allow more of them, or take another preconditioner or method",
	krylov.DivergedDTol:          "take another preconditioner or method",
	krylov.DivergedIndefiniteMat: "cg needs a symmetric positive definite operator: check the boundary conditions, name the null space of a singular one by WithNullSpace, or take gmres or bicgstab",
	krylov.DivergedIndefinitePC:  "cg needs a positive definite preconditioner: check the boundary conditions, or take gmres or bicgstab",
	krylov.DivergedPCFailed:      "check that the matrix is assembled, and that boundary conditions determine the solution",
	krylov.DivergedBreakdown:     "the operator may be singular: WithNullSpace names what it makes zero",
}
