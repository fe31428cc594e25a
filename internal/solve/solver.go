// Package solve solves linear systems: a Solver has an operator, of one part of unknowns or several, a
// method, and a preconditioner. The engine native runs the methods of package krylov as loops, with
// preconditioners that are loops (kernels.go), or run on the host (package precondition), or solve for
// some parts after others (field splits and Schur complements). The engine petsc passes everything to PETSc.
//
// Package solver checks what a program passes, and calls it.
package solve

import (
	"fmt"
	"sync/atomic"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/problem"
)

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
