package solve

import (
	"fmt"
	"math"
	"time"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/store"
)

// block returns the block on the diagonal that a preconditioner of each part needs.
func (e *native) block(kind string, part int) (*Matrix, error) {
	if e.system.matrix == nil {
		return nil, fmt.Errorf("the preconditioner %s does not work with %s: jacobi, ilu, bjacobi and ssor do", kind, e.system.name)
	}
	m := e.system.matrix.Blocks[part][part]
	if m == nil {
		of := e.system.name
		if e.system.parts != nil {
			part, of = e.system.parts[part], e.system.of
		}
		return nil, fmt.Errorf("the preconditioner %s needs the block [%d][%d] of %s, which is absent\n  hint: give the Schur complement of a field split WithSelfP(), or WithSchurMatrix, or this split the preconditioner none", kind, part, part, of)
	}
	return m, nil
}

// scalar returns the matrix that the preconditioner is built from: one of values shares them, others are
// copied.
func (e *native) scalar() (*scalarMatrix, error) {
	if e.system.scalar != nil {
		return e.system.scalar, nil
	}
	if len(e.space) == 1 && e.space[0].Dim == 1 {
		m := e.system.matrix.Blocks[0][0]
		nonzeros, err := nonzerosOf(m)
		return &scalarMatrix{nonzeros, func() error { return m.Data().Bring(false) }}, err
	}
	whole, err := e.system.matrix.Whole(e.system.matrix.LayoutHere(false))
	if err != nil {
		return nil, err
	}
	to := &precondition.Matrix{Dim: 1, RowPtr: whole.RowPtr, ColIdx: whole.ColIdx, Values: make([]float64, len(whole.ColIdx))}
	return &scalarMatrix{to, func() error { return whole.Fill(store.Bytes(to.Values), nil, 0, math.MaxInt32) }}, nil
}

// identity is the preconditioner none.
type identity struct{ engine *native }

func (identity) update(bool) error { return nil }

func (p identity) apply(z, r krylov.Vector) error {
	return p.engine.call(kernels.copied, none, none, write(z), read(r))
}

// diagonalPreconditioner multiplies each value by the inverse of the diagonal, for jacobi.
type diagonalPreconditioner struct {
	engine  *native
	inverse krylov.Vector
	fill    func() error // computes the inverse
	filled  bool
}

func (e *native) newDiagonal() (preconditioner, error) {
	p := &diagonalPreconditioner{engine: e, inverse: e.New()}
	switch {
	case e.err != nil:
		return nil, e.err
	case e.system.scalar != nil:
		p.fill = p.fromScalar
		return p, nil
	case e.system.matrix == nil && e.system.diagonal == nil:
		return nil, fmt.Errorf("the preconditioner jacobi needs the diagonal of %s\n  hint: give it to NewOperator, or the operator a method Diagonal, or solve with solver.None", e.system.name)
	}
	var fills []func() error
	for part := range e.space {
		fill, err := p.fillPart(part)
		if err != nil {
			return nil, err
		}
		fills = append(fills, fill)
	}
	p.fill = func() error {
		if e.system.matrix == nil {
			if err := e.system.measure(); err != nil {
				return err
			}
		}
		for _, fill := range fills {
			if err := fill(); err != nil {
				return err
			}
		}
		return nil
	}
	return p, nil
}

// fillPart returns the function that computes the inverse of a part.
func (p *diagonalPreconditioner) fillPart(part int) (func() error, error) {
	e := p.engine
	if e.system.matrix == nil {
		diagonal := e.vector(e.system.diagonal).flat[part]
		v, err := e.newInverter(part, kernels.invert, e.values[part], e.vectors[p.inverse].flat[part].Write(), diagonal.Read())
		if err != nil {
			return nil, err
		}
		return v.invert, nil
	}
	m, err := e.block("jacobi", part)
	if err != nil {
		return nil, err
	}
	if !e.solver.rt.OnDevice() || !m.Data().Numberable() {
		return func() error { return p.fromHost(part, m) }, nil
	}
	v, err := e.valueInverter(part, m, p.inverse)
	if err != nil {
		return nil, err
	}
	return v.invert, nil
}

// fromHost inverts the diagonal of a matrix on the host.
func (p *diagonalPreconditioner) fromHost(part int, m *Matrix) error {
	inverse := entity.Overwriting[float64](p.engine.dats(p.inverse)[part].Data)
	nonzeros, err := nonzerosOf(m)
	if err != nil {
		return err
	}
	return p.engine.found(part, nonzeros.Diagonal(inverse))
}

// fromScalar inverts the diagonal of a matrix of all parts.
func (p *diagonalPreconditioner) fromScalar() error {
	e := p.engine
	if err := e.system.scalar.refill(); err != nil {
		return err
	}
	inverse := make([]float64, e.space.here())
	if err := e.system.scalar.matrix.Diagonal(inverse); err != nil {
		return e.found(allParts, err)
	}
	e.space.scatter(e.dats(p.inverse), inverse)
	return nil
}

func (p *diagonalPreconditioner) update(keep bool) error {
	if p.filled && keep {
		return nil
	}
	err := p.fill()
	p.filled = err == nil
	return err
}

func (p *diagonalPreconditioner) apply(z, r krylov.Vector) error {
	return p.engine.call(kernels.multiply, none, none, write(z), read(p.inverse), read(r))
}

// hostPreconditioner runs on the host, in the dats' slices.
type hostPreconditioner struct {
	engine *native
	part   int // or allParts
	inner  precondition.Preconditioner
	refill func() error // updates the values of the matrix that the inner one has
	live   bool         // the inner one reads the matrix each time, and cannot keep anything

	z, r []float64 // of several parts

	setUp, applied *profile.Stats
}

// count makes the profile count the calls.
func (p *hostPreconditioner) count(kind, name string) {
	profile, set := p.engine.solver.rt.Profile(), p.engine.space[max(p.part, 0)].Set.Name()
	p.setUp, p.applied = profile.Counter(kind+" set-up of "+name, set), profile.Counter(kind+" of "+name, set)
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
	if err := p.refill(); err != nil {
		return err
	}
	return p.engine.found(p.part, timed(p.setUp, p.inner.Update))
}

func (p *hostPreconditioner) apply(z, r krylov.Vector) error {
	to, from := p.engine.dats(z), p.engine.dats(r)
	if p.part == allParts && len(to) > 1 {
		return p.applyToAll(to, from)
	}
	part := max(p.part, 0)
	source, err := entity.Reading[float64](from[part].Data)
	if err != nil {
		return err
	}
	target := entity.Overwriting[float64](to[part].Data)
	return timed(p.applied, func() error {
		p.inner.Apply(target, source)
		return nil
	})
}

// applyToAll applies it to the parts as one vector.
func (p *hostPreconditioner) applyToAll(z, r []Vector) error {
	s := p.engine.space
	if p.z == nil {
		p.z, p.r = make([]float64, s.here()), make([]float64, s.here())
	}
	if err := s.gather(p.r, r); err != nil {
		return err
	}
	err := timed(p.applied, func() error {
		p.inner.Apply(p.z, p.r)
		return nil
	})
	s.scatter(z, p.z)
	return err
}

// pointBlocks is the preconditioner pbjacobi, part by part.
type pointBlocks []preconditioner

func (e *native) newPointBlocks() (preconditioner, error) {
	var p pointBlocks
	for part, of := range e.space {
		m, err := e.block("pbjacobi", part)
		if err != nil {
			return nil, err
		}
		if e.solver.rt.OnDevice() && of.Dim <= largestPoint {
			inner, err := e.newPoints(part, m)
			if err != nil {
				return nil, err
			}
			p = append(p, inner)
			continue
		}
		nonzeros, err := nonzerosOf(m)
		if err != nil {
			return nil, err
		}
		host := &hostPreconditioner{engine: e, part: part, inner: precondition.NewPoints(nonzeros, e.solver.rt.Config().Backend.Threads)}
		host.refill = func() error { return m.Data().Bring(false) }
		host.count("pbjacobi", m.Data().Name())
		p = append(p, host)
	}
	return p, nil
}

func (p pointBlocks) update(keep bool) error {
	for _, inner := range p {
		if err := inner.update(keep); err != nil {
			return err
		}
	}
	return nil
}

func (p pointBlocks) apply(z, r krylov.Vector) error {
	for _, inner := range p {
		if err := inner.apply(z, r); err != nil {
			return err
		}
	}
	return nil
}

// nonzerosOf returns the rows here of a square matrix for preconditioners, which shares the pattern
// and the values.
func nonzerosOf(m *Matrix) (*precondition.Matrix, error) {
	if err := m.Data().Bring(false); err != nil {
		return nil, err
	}
	p := m.Data().Sparsity().Owned()
	return &precondition.Matrix{Dim: m.Data().Dim(), RowPtr: p.RowPtr, ColIdx: p.ColIdx, Values: valuesOf(m)}, nil
}
