package solve

import (
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/profile"
)

// preconditioner is a preconditioner of the native engine.
type preconditioner interface {
	// update rebuilds it for the current operator, or keeps it.
	update(keep bool) error
	// apply computes z = M⁻¹ r.
	apply(z, r krylov.Vector) error
}

// newPreconditioner returns the solver's preconditioner.
func (e *native) newPreconditioner() (preconditioner, error) {
	s := e.solver
	kind := s.config.Preconditioner
	m := s.operator.Matrix
	if kind == "none" || kind == "jacobi" {
		return e.newDiagonal(kind, m)
	}
	if m == nil {
		return nil, fmt.Errorf("the preconditioner %s needs a matrix, %s is only applied\n  hint: jacobi needs its diagonal, none needs nothing",
			kind, s.operator.Name)
	}
	if kind == "pbjacobi" && s.rt.OnDevice() && s.dim <= largestPoint {
		return e.newPoints(m)
	}
	nonzeros, err := nonzerosOf(m)
	if err != nil {
		return nil, err
	}
	p := &hostPreconditioner{engine: e, matrix: m, live: kind == "ssor"}
	p.setUp = s.rt.Profile().Counter(kind+" set-up of "+m.Data().Name(), s.set.Name())
	p.applied = s.rt.Profile().Counter(kind+" of "+m.Data().Name(), s.set.Name())
	workers := s.rt.Config().Backend.Threads
	if kind == "pbjacobi" {
		p.inner = precondition.NewPoints(nonzeros, workers)
		return p, nil
	}
	var scalar *precondition.Matrix
	scalar, p.refill = nonzeros.Scalar()
	switch kind {
	case "ilu":
		p.inner, err = precondition.NewILU(scalar)
	case "bjacobi":
		p.inner, err = precondition.NewBlocks(scalar, s.config.Blocks, workers)
	case "ssor":
		p.inner, err = precondition.NewSSOR(scalar, s.config.Omega)
	}
	return p, err
}

// diagonalPreconditioner multiplies each value by a factor: the inverse of the diagonal for jacobi,
// one for none.
type diagonalPreconditioner struct {
	engine  *native
	inverse krylov.Vector
	fill    func() error // computes the inverse
	same    bool         // independent of the operator
	filled  bool
}

func (e *native) newDiagonal(kind string, m *Matrix) (preconditioner, error) {
	p := &diagonalPreconditioner{engine: e}
	var err error
	if p.inverse, err = e.New(); err != nil {
		return nil, err
	}
	var v *inverter
	o := e.solver.operator
	switch {
	case kind == "none":
		p.same = true
		p.fill = func() error { return e.with(e.one, []float64{1}, kernels.fill, none, write(p.inverse)) }
		return p, nil
	case m != nil && (!e.solver.rt.OnDevice() || !m.Data().Numberable()):
		p.fill = func() error { return p.fromHost(m) }
		return p, nil
	case m != nil:
		v, err = e.valueInverter(m, p.inverse)
	case o.Diagonal.Data == nil:
		return nil, fmt.Errorf("the preconditioner jacobi needs the diagonal of %s\n  hint: give it to NewOperator, or the operator a method Diagonal, or solve with op2.WithPreconditioner(\"none\")", o.Name)
	default:
		v, err = e.newInverter(kernels.invert, e.values, e.vectors[p.inverse].flat.Write(), e.vector(o.Diagonal).flat.Read())
	}
	if err != nil {
		return nil, err
	}
	p.fill = func() error {
		if err := e.solver.measure(); err != nil {
			return err
		}
		return v.invert()
	}
	return p, nil
}

// fromHost inverts the diagonal of a matrix on the host.
func (p *diagonalPreconditioner) fromHost(m *Matrix) error {
	inverse := p.engine.vectors[p.inverse].dat.Overwriting()
	nonzeros, err := nonzerosOf(m)
	if err != nil {
		return err
	}
	return p.engine.declared(nonzeros.Diagonal(inverse))
}

func (p *diagonalPreconditioner) update(keep bool) error {
	if p.filled && (keep || p.same) {
		return nil
	}
	err := p.fill()
	p.filled = err == nil
	return err
}

func (p *diagonalPreconditioner) apply(z, r krylov.Vector) error {
	return p.engine.run(kernels.multiply, none, none, write(z), read(p.inverse), read(r))
}

// hostPreconditioner runs on the host, in the dats' slices.
type hostPreconditioner struct {
	engine *native
	matrix *Matrix
	inner  precondition.Preconditioner
	refill func() // updates the inner one's copy of the matrix's values; nil if it reads the matrix itself
	live   bool   // the inner one reads the matrix each time, and cannot keep anything

	setUp, applied *profile.Stats
}

// timed counts a call of f.
func timed(s *profile.Stats, f func() error) error {
	start := time.Now()
	err := f()
	s.Calls++
	s.Time += time.Since(start)
	return err
}

func (p *hostPreconditioner) update(keep bool) error {
	if keep && !p.live {
		return nil
	}
	if err := p.matrix.Data().Bring(false); err != nil { // which may transfer the values to the host
		return err
	}
	if p.refill != nil {
		p.refill()
	}
	return p.engine.declared(timed(p.setUp, p.inner.Update))
}

func (p *hostPreconditioner) apply(z, r krylov.Vector) error {
	from, err := p.engine.vectors[r].dat.Reading()
	if err != nil {
		return err
	}
	to := p.engine.vectors[z].dat.Overwriting()
	return timed(p.applied, func() error {
		p.inner.Apply(to, from)
		return nil
	})
}

// nonzerosOf returns the rows here of a square matrix for preconditioners, which shares the pattern
// and the values.
func nonzerosOf(m *Matrix) (*precondition.Matrix, error) {
	if err := m.Data().Bring(false); err != nil {
		return nil, err
	}
	p := m.Data().Sparsity().Owned()
	return &precondition.Matrix{Dim: m.Data().Dim(), RowPtr: p.RowPtr, ColIdx: p.ColIdx, Values: m.Host()}, nil
}
