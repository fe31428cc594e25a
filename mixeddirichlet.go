package op2

import (
	"errors"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
)

// MixedDirichlet holds boundary conditions on the parts of the unknowns of a system of a MixedMat. It
// applies them in all blocks such that a symmetric matrix stays symmetric: rows and columns of the
// fixed values become zero, their diagonal one, and the columns' contributions move to the parts of
// the right-hand side.
type MixedDirichlet[T Scalar] struct {
	mixed algebra.MixedDirichlet
}

// NewMixedDirichlet combines conditions, one Dirichlet for each part of the unknowns; nil for a part
// without conditions.
func NewMixedDirichlet[T Scalar](parts ...*Dirichlet[T]) *MixedDirichlet[T] {
	var on []*core.Runtime
	for _, p := range parts {
		if p != nil {
			on = append(on, p.set().Runtime())
		}
	}
	return core.Declare(core.Declaration{On: on}, func() (*MixedDirichlet[T], error) {
		d, some := &MixedDirichlet[T]{}, false
		for _, p := range parts {
			if err := p.Err(); p != nil && err != nil {
				return nil, err
			}
			some = some || p != nil
			d.mixed.Parts = append(d.mixed.Parts, p.algebra())
		}
		if !some {
			return nil, errors.New("op2: NewMixedDirichlet: no part has conditions")
		}
		return d, nil
	}, func(failed *core.Runtime) *MixedDirichlet[T] {
		return &MixedDirichlet[T]{mixed: algebra.MixedDirichlet{Parts: []*algebra.Dirichlet{algebra.InertDirichlet(failed)}}}
	})
}

// Err returns why the conditions could not be combined; nil if they were.
func (d *MixedDirichlet[T]) Err() error {
	if d == nil || d.mixed.Parts == nil {
		return errors.New("op2: the mixed conditions are nil, or were not made by NewMixedDirichlet")
	}
	for _, p := range d.mixed.Parts {
		if p != nil {
			return (*Dirichlet[T])(p).Err()
		}
	}
	return nil
}

// Apply applies the conditions to an assembled matrix, and to the right-hand side b; see
// [Dirichlet.Apply].
func (d *MixedDirichlet[T]) Apply(m *MixedMat[T], b *MixedDat[T]) (err error) {
	rt, err := d.begin(m, b, "Apply")
	if err != nil {
		return err
	}
	defer rt.LeaveWith(&err)
	if err := rt.Agree(d.mixed.ApplyMat(m.matrix)); err != nil {
		return err
	}
	return d.mixed.ApplyRHS(m.matrix, mixedVectors(b))
}

// ApplyMat applies the conditions to a matrix alone; see [Dirichlet.ApplyMat].
func (d *MixedDirichlet[T]) ApplyMat(m *MixedMat[T]) (err error) {
	rt, err := d.begin(m, nil, "ApplyMat")
	if err != nil {
		return err
	}
	defer rt.LeaveTogether(&err)
	return d.mixed.ApplyMat(m.matrix)
}

// ApplyRHS applies the conditions, with their current values, to another right-hand side of a matrix
// that they have been applied to; see [Dirichlet.ApplyRHS].
func (d *MixedDirichlet[T]) ApplyRHS(m *MixedMat[T], b *MixedDat[T]) (err error) {
	rt, err := d.begin(m, b, "ApplyRHS")
	if err != nil {
		return err
	}
	defer rt.LeaveWith(&err)
	return d.mixed.ApplyRHS(m.matrix, mixedVectors(b))
}

// ApplyTo sets the fixed values in a mixed dat of the unknowns, such as an initial guess.
func (d *MixedDirichlet[T]) ApplyTo(u *MixedDat[T]) error {
	if err := d.Err(); err != nil {
		return err
	}
	if u.Len() != len(d.mixed.Parts) {
		return partsFit(u, "mixed conditions", "ApplyTo", make([]algebra.Part, len(d.mixed.Parts)))
	}
	for i, p := range d.mixed.Parts {
		if p == nil {
			continue
		}
		if err := (*Dirichlet[T])(p).ApplyTo(u.Part(i)); err != nil {
			return err
		}
	}
	return nil
}

// begin enters the runtime, if the conditions fit the matrix, and the right-hand side if an operation
// takes one.
func (d *MixedDirichlet[T]) begin(m *MixedMat[T], b *MixedDat[T], operation string) (_ *core.Runtime, err error) {
	if err := d.Err(); err != nil {
		return nil, err
	}
	if err := m.begin(); err != nil {
		return nil, err
	}
	rt := m.rt()
	what := "mixed mat " + m.name
	if err = d.mixed.Fits(what, m.matrix); err == nil && operation != "ApplyMat" {
		err = partsFit(b, what, operation, m.matrix.Rows)
	}
	if err != nil {
		rt.LeaveWith(&err)
		return nil, err
	}
	return rt, nil
}
