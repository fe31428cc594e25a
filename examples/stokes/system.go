package main

import (
	"errors"

	"github.com/go-op2/op2"
)

// system is the linear system for corrections of velocity and pressure, which are zero where the velocity is known:
//
//	( a  bᵀ ) ( du )   ( momentum   )
//	( b  0  ) ( dp ) = ( continuity )
type system struct {
	*flow
	a, b       *op2.Mat[float64]
	mass       *op2.Dat[float64] // the diagonal of the pressure's mass matrix, divided by the viscosity
	momentum   *op2.Dat[float64]
	continuity *op2.Dat[float64]
}

// assemble assembles the system, whose right-hand sides are the residuals.
func (f *flow) assemble(load any) (*system, error) {
	d, all := f.d, f.CellNodes
	boundary := f.NodesOf()
	if err := d.Err(); err != nil {
		return nil, err
	}
	free, err := all.Masked(boundary, "free")
	if err != nil {
		return nil, err
	}
	s := &system{flow: f}
	s.a = op2.DeclareMat[float64](d, d.SquareSparsity(all, 2, "a"), "a")
	s.b = op2.DeclareMat[float64](d, d.Sparsity([]op2.MapPair{{Rows: f.CellCorners, Cols: free}}, 1, 2, "b"), "b")
	s.mass = op2.DeclareDat[float64](d, f.Corners, 1, nil, "mass")
	s.momentum = op2.DeclareDat[float64](d, f.Nodes, 2, nil, "momentum")
	s.continuity = op2.DeclareDat[float64](d, f.Corners, 1, nil, "continuity")
	x := f.X.Read(all)
	d.Check(op2.ParLoop(f.kernels.Func(viscous), f.Cells, x, s.a.Inc(all, all)))
	d.Check(op2.ParLoop(f.kernels.Func(divergence), f.Cells, x, s.b.Inc(f.CellCorners, free)))
	d.Check(op2.ParLoop(f.kernels.Func(mass), f.Cells, x, s.mass.Inc(f.CellCorners)))
	d.Check(op2.ParLoop(f.kernels.Func(residual), f.Cells, x, f.u.Read(all), f.p.Read(f.CellCorners), s.momentum.Inc(all), s.continuity.Inc(f.CellCorners)))
	if load != nil {
		d.Check(op2.ParLoop(f.kernels.Func(load), f.Cells, x, s.momentum.Inc(all)))
	}
	d.Check(op2.DeclareDirichlet(d, op2.Fix(boundary, 0.0)).Apply(s.a, s.momentum))
	return s, d.Err()
}

// solve eliminates the velocity: it solves b a⁻¹ bᵀ dp = b a⁻¹ momentum - continuity by conjugate gradients.
func (s *system) solve(engine string) (c op2.Convergence, err error) {
	d := s.d
	du := op2.DeclareDat[float64](d, s.Nodes, 2, nil, "du")
	force := op2.DeclareDat[float64](d, s.Nodes, 2, nil, "force")
	dp := op2.DeclareDat[float64](d, s.Corners, 1, nil, "dp")
	right := op2.DeclareDat[float64](d, s.Corners, 1, nil, "right")
	inner := []op2.SolverOption{op2.WithEngine(engine), op2.WithRTol(1e-12)}
	if engine == "petsc" {
		inner = append(inner, op2.WithPreconditioner("gamg"))
	}
	velocity := d.Solver(s.a, inner...)
	defer velocity.Close()
	velocity.ReusePreconditioner(true)
	accelerate := func(force *op2.Dat[float64]) error { // du = a⁻¹ force
		_, err := velocity.Solve(du, force)
		return err
	}
	schur := d.Operator(s.Corners, 1, func(y, x *op2.Dat[float64]) error {
		return errors.Join(s.b.MulTranspose(force, x), accelerate(force), s.b.Mul(y, du))
	}, s.mass, "schur")
	pressure := d.Solver(schur, op2.WithEngine(engine), op2.WithRTol(1e-9), op2.WithNullSpace())
	defer pressure.Close()
	if err := d.Err(); err != nil {
		return c, err
	}
	if err := errors.Join(accelerate(s.momentum), s.b.Mul(right, du), right.AXPY(-1, s.continuity)); err != nil {
		return c, err
	}
	if c, err = pressure.Solve(dp, right); err != nil {
		return c, err
	}
	return c, errors.Join(s.b.MulTranspose(force, dp), s.momentum.AXPY(-1, force), accelerate(s.momentum),
		s.u.AXPY(1, du), s.p.AXPY(1, dp))
}
