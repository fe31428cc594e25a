package solve

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/problem"
)

// field is a split: some parts of the unknowns.
type field struct {
	parts  []int
	engine *native
	right  []Vector // of the system that the engine solves
	step   []Vector // what the backward sweep adds

	before *Blocks // the rows of the split, in the columns of those before
	all    *Blocks // in all columns
}

// newField returns a split with an engine for a system of its parts.
func (e *native) newField(i int, parts []int, of system) (*field, error) {
	c, err := e.config.split(i)
	if err == nil {
		err = e.solver.checkReproducible(&c)
	}
	if err != nil {
		return nil, err
	}
	in := e.space.some(parts)
	s := &field{parts: parts}
	of.of, of.parts = e.system.name, parts
	if s.right, err = in.newVector("split"); err != nil {
		return nil, err
	}
	if e.config.Split.Kind == "symmetric_multiplicative" {
		if s.step, err = in.newVector("split"); err != nil {
			return nil, err
		}
	}
	if s.engine, err = newEngine(e.solver, in, &c, of); err != nil {
		return nil, fmt.Errorf("split %d: %w", i, err)
	}
	return s, nil
}

// of returns the parts of a vector that the split has.
func (s *field) of(v []Vector) []Vector {
	parts := make([]Vector, len(s.parts))
	for i, p := range s.parts {
		parts[i] = v[p]
	}
	return parts
}

// solve solves for the split. Failure to converge within the iterations is none.
func (s *field) solve(x, b []Vector) error {
	e := s.engine
	out, err := e.run(e.adopt(x), e.adopt(b))
	if err != nil || out.Reason.Converged() || out.Reason == krylov.DivergedIterations {
		return err
	}
	reason := krylov.DivergedPCFailed
	if out.Reason == krylov.DivergedNaNOrInf {
		reason = out.Reason
	}
	return &unsolved{reason, fmt.Sprintf("%s, solved by %s: %s after %s", e.system.name, e.name(), out.Reason, problem.Count(out.Iterations, "iteration"))}
}

// update rebuilds the split's preconditioner, or keeps it. It is collective.
func (s *field) update(keep bool) error {
	err := s.engine.update(keep)
	if failed := (*unsolved)(nil); errors.As(err, &failed) {
		return &unsolved{failed.reason, s.engine.system.name + ": " + failed.why}
	}
	return err
}

// solveLess solves for the split, with r minus a product with z as the right-hand side.
func (s *field) solveLess(m *Blocks, x, z, r []Vector) error {
	if err := m.Mul(s.right, z); err != nil {
		return err
	}
	if err := subtractFrom(r, s.right); err != nil {
		return err
	}
	return s.solve(x, s.right)
}
