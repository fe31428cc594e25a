package main

import (
	_ "embed"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

//go:embed kernels.go
var source string

// body is an elastic body of tetrahedra with ten nodes.
type body struct {
	*mesh.Declared
	rt      *op2.Runtime
	kernels *op2.Source
	k       *op2.Mat[float64]
	load    *op2.Dat[float64]
	u       *op2.Dat[float64] // displacement: [nodes][3]
	stress  *op2.Dat[float64] // xx, yy, zz, xy, yz, xz: [nodes][6]
	mises   *op2.Dat[float64] // von Mises' stress
}

// newBody declares a body in the runtime, and assembles its matrix.
func newBody(rt *op2.Runtime, m *mesh.Mesh) (*body, error) {
	b := &body{Declared: m.Declare(rt, mesh.WithFaces()), rt: rt, kernels: op2.Kernels(source)}
	b.load = op2.NewDat[float64](b.Nodes, 3, nil, "load")
	b.u = op2.NewDat[float64](b.Nodes, 3, nil, "u")
	b.stress = op2.NewDat[float64](b.Nodes, 6, nil, "stress")
	b.mises = op2.NewDat[float64](b.Nodes, 1, nil, "mises")
	b.k = op2.NewMat[float64](op2.NewSquareSparsity(b.CellNodes, 3, "pattern"), "k")
	if err := rt.Err(); err != nil {
		return nil, err
	}
	return b, op2.ParLoop(b.kernels.Func(stiffness), b.Cells, b.X.Read(b.CellNodes), b.k.Inc(b.CellNodes, b.CellNodes))
}

// pull adds what a kernel computes to the load on the faces of a part of the boundary.
func (b *body) pull(kernel any, part string) error {
	return op2.ParLoop(b.kernels.Func(kernel), b.BoundaryOf(part), b.X.Read(b.BfaceNodes), b.load.Inc(b.BfaceNodes))
}

// solve computes displacement and stress, with conditions on the displacement.
func (b *body) solve(multigrid bool, conditions ...*op2.Condition[float64]) (solver.Convergence, error) {
	options := []solver.Option{solver.WithRTol(1e-9), solver.Jacobi}
	if multigrid {
		modes := solver.RigidBodyModes(b.X)
		options = []solver.Option{solver.WithRTol(1e-9), solver.PETSc, solver.Preconditioner("gamg"), solver.WithNearNullSpace(modes...)}
	}
	fixed := op2.NewDirichlet(conditions...)
	system := solver.New(b.k, options...)
	if err := b.rt.Err(); err != nil {
		return solver.Convergence{}, err
	}
	defer system.Close()
	if err := fixed.Apply(b.k, b.load); err != nil {
		return solver.Convergence{}, err
	}
	c, err := system.Solve(b.u, b.load)
	if err != nil {
		return c, err
	}
	count := op2.NewDat[float64](b.Nodes, 1, nil, "count")
	// It runs once: packs would take longer to compile than they save.
	err = op2.ParLoop(b.kernels.Func(stress).With(op2.WithSIMD(op2.Off)), b.Cells,
		b.X.Read(b.CellNodes), b.u.Read(b.CellNodes), b.stress.Inc(b.CellNodes), count.Inc(b.CellNodes))
	if err != nil {
		return c, err
	}
	return c, op2.ParLoop(b.kernels.Func(mean), b.Nodes, b.stress.RW(), count.Read(), b.mises.Write())
}
