package solve

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/problem"
)

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

// hints are remedies by reason.
var hints = map[krylov.Reason]string{
	krylov.DivergedIterations:    "allow more of them, or take another preconditioner or method",
	krylov.DivergedDTol:          "check the boundary conditions, which may not determine the solution: WithNullSpace names what remains; or take another preconditioner or method",
	krylov.DivergedIndefiniteMat: "cg needs a symmetric positive definite operator: check the boundary conditions, name the null space of a singular one by WithNullSpace, or take gmres or bicgstab",
	krylov.DivergedIndefinitePC:  "cg needs a positive definite preconditioner: check the boundary conditions, or take gmres or bicgstab",
	krylov.DivergedPCFailed:      "check that the matrix is assembled, and that boundary conditions determine the solution",
	krylov.DivergedBreakdown:     "the operator may be singular: WithNullSpace names what it makes zero",
}
