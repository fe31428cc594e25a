package solve

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/krylov"
)

// fieldSplit preconditions for some parts of the unknowns after others, each with an engine of its
// own. M. F. Murphy, G. H. Golub, A. J. Wathen, A note on preconditioning for indefinite linear
// systems, 2000; the kinds are those of PETSc's PCFIELDSPLIT.
type fieldSplit struct {
	engine *native
	splits []*field
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
