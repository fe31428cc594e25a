package op2

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
func (e *nativeEngine) newPreconditioner() (preconditioner, error) {
	s := e.solver
	kind := s.config.preconditioner
	m, isMatrix := s.operator.(*Mat[float64])
	if kind == "none" || kind == "jacobi" {
		return e.newDiagonal(kind, m)
	}
	if !isMatrix {
		return nil, fmt.Errorf("the preconditioner %s needs a matrix, %s is only applied\n  hint: jacobi needs its diagonal, none needs nothing",
			kind, s.operator.Name())
	}
	if kind == "pbjacobi" && s.rt.OnDevice() && s.dim <= largestPoint {
		return e.newPoints(m)
	}
	entries, err := entriesOf(m)
	if err != nil {
		return nil, err
	}
	p := &hostPreconditioner{engine: e, matrix: m, live: kind == "ssor"}
	p.setUp = s.rt.Profile().Counter(kind+" set-up of "+m.name(), s.set.Name())
	p.applied = s.rt.Profile().Counter(kind+" of "+m.name(), s.set.Name())
	workers := s.rt.Config().Backend.Threads
	if kind == "pbjacobi" {
		p.inner = precondition.NewPoints(entries, workers)
		return p, nil
	}
	var scalar *precondition.Matrix
	scalar, p.refill = entries.Scalar()
	switch kind {
	case "ilu":
		p.inner, err = precondition.NewILU(scalar)
	case "bjacobi":
		p.inner, err = precondition.NewBlocks(scalar, s.config.blocks, workers)
	case "ssor":
		p.inner, err = precondition.NewSSOR(scalar, s.config.omega)
	}
	return p, err
}

// diagonalPreconditioner multiplies each value by a factor: the inverse of the diagonal for jacobi,
// one for none.
type diagonalPreconditioner struct {
	engine  *nativeEngine
	inverse krylov.Vector
	fill    func() error // computes the inverse
	same    bool         // independent of the operator
	filled  bool
}

func (e *nativeEngine) newDiagonal(kind string, m *Mat[float64]) (preconditioner, error) {
	p := &diagonalPreconditioner{engine: e}
	var err error
	if p.inverse, err = e.New(); err != nil {
		return nil, err
	}
	var v *inverter
	o, _ := e.solver.operator.(*FuncOperator)
	switch {
	case kind == "none":
		p.same = true
		p.fill = func() error { return e.with(e.one, []float64{1}, solverKernels.fill, "w", nil, p.inverse) }
		return p, nil
	case m != nil && (!e.solver.rt.OnDevice() || !m.numberable()):
		p.fill = func() error { return p.fromHost(m) }
		return p, nil
	case m != nil:
		v, err = e.valueInverter(m, p.inverse)
	case o.diagonal == nil:
		return nil, fmt.Errorf("the preconditioner jacobi needs the diagonal of %s\n  hint: give it to NewOperator, or solve with op2.WithPreconditioner(\"none\")", o.name)
	default:
		v, err = e.newInverter(solverKernels.invert, e.values, e.vectors[p.inverse].flat.data().Write(), e.vector(o.diagonal).flat.data().Read())
	}
	if err != nil {
		return nil, err
	}
	p.fill = v.invert
	return p, nil
}

// fromHost inverts the diagonal of a matrix on the host.
func (p *diagonalPreconditioner) fromHost(m *Mat[float64]) error {
	inverse := p.engine.vectors[p.inverse].dat.dataWO()
	entries, err := entriesOf(m)
	if err != nil {
		return err
	}
	return entries.Diagonal(inverse)
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
	return p.engine.run(solverKernels.multiply, "wrr", nil, nil, z, p.inverse, r)
}

// hostPreconditioner runs on the host, in the dats' slices.
type hostPreconditioner struct {
	engine *nativeEngine
	matrix *Mat[float64]
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
	if err := p.matrix.bring(false); err != nil { // which may transfer the values to the host
		return err
	}
	if p.refill != nil {
		p.refill()
	}
	return timed(p.setUp, p.inner.Update)
}

func (p *hostPreconditioner) apply(z, r krylov.Vector) error {
	from, err := p.engine.vectors[r].dat.dataRO()
	if err != nil {
		return err
	}
	to := p.engine.vectors[z].dat.dataWO()
	return timed(p.applied, func() error {
		p.inner.Apply(to, from)
		return nil
	})
}
