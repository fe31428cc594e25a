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
	u       *op2.Dat[float64] // velocity: [nodes][2]
	p       *op2.Dat[float64] // pressure, up to a constant: [corners]
}

// newFlow declares a flow in the runtime, on a mesh of triangles of second order.
func newFlow(rt *op2.Runtime, m *mesh.Mesh) (*flow, error) {
	d := op2.Declare(rt)
	op2.DeclareConst(d, "viscosity", &viscosity)
	f := &flow{Declared: m.Declare(d, mesh.WithCorners()), d: d, kernels: op2.Kernels(source)}
	f.u = op2.DeclareDat[float64](d, f.Nodes, 2, nil, "u")
	f.p = op2.DeclareDat[float64](d, f.Corners, 1, nil, "p")
	return f, d.Err()
}

// solve computes velocity and pressure, where the velocity on the boundary is what it is in u. Load, which may be nil, is
// a kernel that adds forces.
func (f *flow) solve(engine string, load any) (op2.Convergence, error) {
	s, err := f.assemble(load)
	if err != nil {
		return op2.Convergence{}, err
	}
	return s.solve(engine)
}
