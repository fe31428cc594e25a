package main

import (
	_ "embed"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed kernels.go
var source string

// flow is a slow flow in the plane, by Taylor and Hood's elements: the velocity is quadratic, the pressure linear.
type flow struct {
	*mesh.Declared
	d       *op2.Declarations
	kernels *op2.Source
	u       *op2.Dat[float64]      // velocity: [nodes][2]
	p       *op2.Dat[float64]      // pressure, up to a constant: [corners]
	up      *op2.MixedDat[float64] // both
	all     *op2.MixedMap          // from a triangle to its nodes and its corners
}

// newFlow declares a flow in the runtime, on a mesh of triangles of second order.
func newFlow(rt *op2.Runtime, m *mesh.Mesh) (*flow, error) {
	d := op2.Declare(rt)
	op2.DeclareConst(d, "viscosity", &viscosity)
	f := &flow{Declared: m.Declare(d, mesh.WithCorners()), d: d, kernels: op2.Kernels(source)}
	f.u = op2.DeclareDat[float64](d, f.Nodes, 2, nil, "u")
	f.p = op2.DeclareDat[float64](d, f.Corners, 1, nil, "p")
	f.up = op2.DeclareMixedDat(d, []*op2.Dat[float64]{f.u, f.p}, "up")
	f.all = d.MixedMap([]*op2.Map{f.CellNodes, f.CellCorners}, "all")
	return f, d.Err()
}

// solve computes velocity and pressure, where the velocity on the boundary is what it is in u. Load, which may be nil, is
// a kernel that adds forces.
func (f *flow) solve(engine string, load any) (c op2.Convergence, err error) {
	d := f.d
	k := op2.DeclareMixedMat[float64](d, d.SquareMixedSparsity(f.all, []int{2, 1}, "k", [2]int{1, 1}), "k")
	m := op2.DeclareMat[float64](d, d.SquareSparsity(f.CellCorners, 1, "m"), "m")
	b := op2.DeclareMixedDat(d, []*op2.Dat[float64]{
		op2.DeclareDat[float64](d, f.Nodes, 2, nil, "momentum"), op2.DeclareDat[float64](d, f.Corners, 1, nil, "continuity")}, "b")
	x := f.X.Read(f.CellNodes)
	d.Check(op2.ParLoop(f.kernels.Func(saddle), f.Cells, x, k.Inc(f.all, f.all)))
	d.Check(op2.ParLoop(f.kernels.Func(mass), f.Cells, x, m.Inc(f.CellCorners, f.CellCorners)))
	if load != nil {
		d.Check(op2.ParLoop(f.kernels.Func(load), f.Cells, x, b.Inc(f.all)))
	}
	known := op2.DeclareDirichlet(d, op2.FixTo(f.NodesOf(), f.u))
	d.Check(op2.DeclareMixedDirichlet(d, known, nil).Apply(k, b))
	solver := d.MixedSolver(k, op2.WithEngine(op2.Engine(engine)), op2.WithRTol(1e-9), op2.WithPartNullSpace(1),
		op2.WithFieldSplit(op2.SchurUpper), op2.WithSchurMatrix(m),
		op2.WithSplit(0, op2.WithMethod(op2.CG), op2.WithRTol(1e-3)),
		op2.WithSplit(1, op2.WithMethod(op2.PreOnly)))
	if err := d.Err(); err != nil {
		return c, err
	}
	defer solver.Close()
	return solver.Solve(f.up, b)
}
