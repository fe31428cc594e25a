package solve

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// fieldSplit preconditions for some parts of the unknowns after others, each with an engine of its
// own. M. F. Murphy, G. H. Golub, A. J. Wathen, A note on preconditioning for indefinite linear
// systems, 2000; the kinds are those of PETSc's PCFIELDSPLIT.
type fieldSplit struct {
	engine *native
	splits []*field
}

// field is a split: some parts of the unknowns.
type field struct {
	parts  []int
	engine *native
	right  []Vector // of the system that the engine solves
	step   []Vector // what the backward sweep adds

	before *Blocks // the rows of the split, in the columns of those before
	all    *Blocks // in all columns
}

func (e *native) newFieldSplit() (preconditioner, error) {
	if e.system.matrix == nil || len(e.space) == 1 {
		return nil, fmt.Errorf("the preconditioner fieldsplit needs a matrix of blocks, %s is none", e.system.name)
	}
	fields, err := e.config.Split.fields(len(e.space))
	if err != nil {
		return nil, err
	}
	if e.config.Split.schur() {
		return e.newSchur(fields)
	}
	f := &fieldSplit{engine: e}
	var before []int
	everything := slices.Concat(fields...)
	for i, parts := range fields {
		matrix := e.system.matrix.Sub(parts, parts)
		s, err := e.newField(i, parts, system{name: fmt.Sprintf("split %d of %s", i, e.system.name), apply: matrix.Mul, product: matrix, matrix: matrix})
		if err != nil {
			return nil, err
		}
		s.before, s.all = e.system.matrix.Sub(parts, before), e.system.matrix.Sub(parts, everything)
		before = append(before, parts...)
		f.splits = append(f.splits, s)
	}
	return f, nil
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

func (f *fieldSplit) update(keep bool) error {
	for _, s := range f.splits {
		if err := s.update(keep); err != nil {
			return err
		}
	}
	return nil
}

func (f *fieldSplit) apply(z, r krylov.Vector) error {
	to, from := f.engine.dats(z), f.engine.dats(r)
	kind := f.engine.config.Split.Kind
	var done []Vector
	for _, s := range f.splits {
		var err error
		if kind == "additive" || len(done) == 0 {
			err = s.solve(s.of(to), s.of(from))
		} else {
			err = s.solveLess(s.before, s.of(to), done, s.of(from))
		}
		if err != nil {
			return err
		}
		done = append(done, s.of(to)...)
	}
	if kind != "symmetric_multiplicative" {
		return nil
	}
	for _, s := range slices.Backward(f.splits[:len(f.splits)-1]) {
		if err := s.solveLess(s.all, s.step, done, s.of(from)); err != nil {
			return err
		}
		if err := combine("Add", s.of(to), s.step); err != nil {
			return err
		}
	}
	return nil
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

// precondition computes z = M⁻¹ r. Engines of splits keep what they work on, which dats of the
// program must not be.
func (e *native) precondition(z, r krylov.Vector) error {
	own := func(v krylov.Vector) bool { return v > vectorB }
	switch e.inner.(type) {
	case *fieldSplit, *schur:
		if own(z) && own(r) {
			break
		}
		if e.copies == nil {
			copies := []krylov.Vector{e.New(), e.New()}
			if e.err != nil {
				return e.err
			}
			e.copies = copies
		}
		e.Scale(e.copies[1], r, 1)
		e.try(func() error { return e.inner.apply(e.copies[0], e.copies[1]) })
		e.Scale(z, e.copies[0], 1)
		return e.err
	}
	return e.inner.apply(z, r)
}

// combine changes each part of a vector by a kernel of algebra with another vector.
func combine(kernel string, y, x []Vector) error {
	for i := range y {
		if err := y[i].Combine(kernel, nil, x[i]); err != nil {
			return err
		}
	}
	return nil
}

// subtractFrom sets y to x minus y.
func subtractFrom(x, y []Vector) error {
	if err := scale(y, -1); err != nil {
		return err
	}
	return combine("Add", y, x)
}

// scale multiplies a vector by a number.
func scale(v []Vector, a float64) error {
	for _, part := range v {
		if err := part.Combine("Scale", store.Bytes([]float64{a})); err != nil {
			return err
		}
	}
	return nil
}
