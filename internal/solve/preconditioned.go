package solve

import (
	"slices"

	"github.com/go-op2/op2/internal/krylov"
)

// newNullSpace returns nil for engines without a null space.
func (e *native) newNullSpace() (*nullSpace, error) {
	given, err := e.solver.nullSpace(e.space, e.config.Null)
	if err != nil || len(given.values) == 0 {
		return nil, err
	}
	n := &nullSpace{clean: e.New()}
	if e.err != nil {
		return nil, e.err
	}
	basis, err := orthonormal(e.space, given.values)
	if err != nil {
		return nil, err
	}
	for _, v := range basis {
		n.vectors = append(n.vectors, e.adopt(v))
	}
	return n, nil
}

// remove removes the null space components from x.
func (e *native) remove(n *nullSpace, x krylov.Vector) {
	for _, v := range n.vectors {
		xv, _ := e.Dots(x, v)
		e.with(e.one, []float64{-xv}, e.axpy, none, change(x), read(v))
	}
}

// Precondition computes z = M⁻¹ r, and removes the null space from z and, with methods for symmetric
// operators, from r.
func (e *native) Precondition(z, r krylov.Vector) {
	if e.null != nil && slices.Contains(symmetricMethods, e.config.Method) {
		e.Scale(e.null.clean, r, 1)
		r = e.null.clean
		e.remove(e.null, r)
	}
	e.try(func() error { return e.precondition(z, r) })
	if e.null != nil {
		e.remove(e.null, z)
	}
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

func (e *native) UpdateResidual(r, z, w krylov.Vector, alpha float64) (zr, zz float64) {
	switch m := e.plain().(type) {
	case identity: // z is r
		e.with(e.one, []float64{alpha}, kernels.remain, e.sum, change(r), read(w))
		rr := e.read(e.sum)[0]
		return rr, rr
	case *diagonalPreconditioner: // all of a step in one loop, without z
		e.with(e.one, []float64{alpha}, kernels.descend, e.sums, change(r), read(m.inverse), read(w))
		return e.bothSums()
	}
	e.with(e.one, []float64{-alpha}, e.axpy, none, change(r), read(w))
	e.Precondition(z, r)
	return e.Dots(z, r)
}

func (e *native) UpdateSolution(x, p, z, r krylov.Vector, alpha, beta float64) {
	steps := []float64{alpha, beta}
	switch m := e.plain().(type) {
	case identity:
		e.with(e.two, steps, kernels.advance, none, change(x), change(p), read(r))
	case *diagonalPreconditioner:
		e.with(e.two, steps, kernels.advanceBy, none, change(x), change(p), read(m.inverse), read(r))
	default:
		e.with(e.two, steps, kernels.advance, none, change(x), change(p), read(z))
	}
}

// plain returns the preconditioner, unless a null space is removed as well.
func (e *native) plain() preconditioner {
	if e.null != nil {
		return nil
	}
	return e.inner
}
