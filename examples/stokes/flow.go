package main

import (
	_ "embed"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

//go:embed kernels.go
var source string

// flow is a slow flow in the plane, by Taylor and Hood's elements: the velocity is quadratic, the pressure linear.
type flow struct {
	*mesh.Declared
	rt      *op2.Runtime
	kernels *op2.Source
	u       *op2.Dat[float64]      // velocity: [nodes][2]
	p       *op2.Dat[float64]      // pressure, up to a constant: [corners]
	up      *op2.MixedDat[float64] // both
	all     *op2.MixedMap          // from a triangle to its nodes and its corners
}

// newFlow declares a flow in the runtime, on a mesh of triangles of second order.
func newFlow(rt *op2.Runtime, m *mesh.Mesh) (*flow, error) {
	op2.NewConst(rt, "viscosity", &viscosity)
	f := &flow{Declared: m.Declare(rt, mesh.WithCorners()), rt: rt, kernels: op2.Kernels(source)}
	f.u = op2.NewDat[float64](f.Nodes, 2, nil, "u")
	f.p = op2.NewDat[float64](f.Corners, 1, nil, "p")
	f.up = op2.NewMixedDat([]*op2.Dat[float64]{f.u, f.p}, "up")
	f.all = op2.NewMixedMap([]*op2.Map{f.CellNodes, f.CellCorners}, "all")
	return f, rt.Err()
}

// solve computes velocity and pressure, where the velocity on the boundary is what it is in u. Load, which may be nil, is
// a kernel that adds forces.
func (f *flow) solve(engine string, load any) (c solver.Convergence, err error) {
	k := op2.NewMat[float64](op2.NewSquareSparsity(f.all, []int{2, 1}, "k", [2]int{1, 1}), "k")
	m := op2.NewMat[float64](op2.NewSquareSparsity(f.CellCorners, 1, "m"), "m")
	b := op2.NewMixedDat([]*op2.Dat[float64]{
		op2.NewDat[float64](f.Nodes, 2, nil, "momentum"), op2.NewDat[float64](f.Corners, 1, nil, "continuity")}, "b")
	known := op2.NewDirichlet(op2.FixTo(f.NodesOf(), f.u))
	system := solver.New(k, solver.Engine(engine), solver.WithRTol(1e-9), solver.WithPartNullSpace(1),
		solver.SchurUpper, solver.WithSchurMatrix(m),
		solver.WithSplit(0, solver.CG, solver.WithRTol(1e-3)),
		solver.WithSplit(1, solver.PreOnly))
	if err := f.rt.Err(); err != nil {
		return c, err
	}
	defer system.Close()

	x := f.X.Read(f.CellNodes)
	if err := op2.ParLoop(f.kernels.Func(saddle), f.Cells, x, k.Inc(f.all, f.all)); err != nil {
		return c, err
	}
	if err := op2.ParLoop(f.kernels.Func(mass), f.Cells, x, m.Inc(f.CellCorners, f.CellCorners)); err != nil {
		return c, err
	}
	if load != nil {
		if err := op2.ParLoop(f.kernels.Func(load), f.Cells, x, b.Inc(f.all)); err != nil {
			return c, err
		}
	}
	if err := known.Apply(k, b); err != nil {
		return c, err
	}
	return system.Solve(f.up, b)
}
