package main

import (
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

// The beam has a square section of side 1.
const beamLength = 10.0

// cantilever returns a beam that is clamped on the left and loaded on the right.
func cantilever(n int) (*mesh.Mesh, error) {
	m, err := mesh.Box(mesh.Tetrahedron, int(beamLength)*n, n, n, beamLength, 1, 1)
	if err != nil {
		return nil, err
	}
	return m.Quadratic(nil)
}

// bend returns the deflection of the cantilever's end, and that of S. Timoshenko's theory, with the
// correction for shear by G. R. Cowper (1966).
func bend(rt *op2.Runtime, m *mesh.Mesh, multigrid bool) (b *body, c solver.Convergence, deflection, theory float64, err error) {
	if b, err = newBody(rt, m); err != nil {
		return nil, c, 0, 0, err
	}
	if err = b.pull(shear, "right"); err != nil {
		return nil, c, 0, 0, err
	}
	if c, err = b.solve(multigrid, op2.Fix(b.NodesOf("left"), 0.0)); err != nil {
		return nil, c, 0, 0, err
	}
	end, height := b.NodesOf("right"), op2.NewGlobal(rt, []float64{0}, "height")
	if err = op2.ParLoop(b.kernels.Func(rise), end, b.u.Read(), height.Inc()); err != nil {
		return nil, c, 0, 0, err
	}
	sum, err := height.Value()
	deflection = -sum / float64(end.Size())
	const force, inertia, correction = shearLoad, 1.0 / 12, 10 * (1 + poisson) / (12 + 11*poisson)
	theory = force*beamLength*beamLength*beamLength/(3*young*inertia) + force*beamLength/(correction*mu)
	return b, c, deflection, theory, err
}

// plate returns a quarter of a round plate of radius 5 with a hole of radius 1 in the middle.
func plate(n int) (*mesh.Mesh, error) {
	m, err := mesh.Box(mesh.Tetrahedron, 4*n, 4*n, 1, 1, 1, 1)
	if err != nil {
		return nil, err
	}
	if m, err = m.Quadratic(nil); err != nil {
		return nil, err
	}
	for i := range m.Nodes() { // from (0, 0, 0) to (1, 1, 1): radius, angle, height
		p := m.Point(int32(i))
		r := math.Pow(5, p[0])
		sin, cos := math.Sincos(p[1] * math.Pi / 2)
		p[0], p[1], p[2] = r*cos, r*sin, p[2]/float64(4*n)
	}
	return m, nil
}

// pierce returns the largest stress at the hole of a plate that is pulled along x, which is 3 in theory.
func pierce(rt *op2.Runtime, m *mesh.Mesh, multigrid bool) (b *body, c solver.Convergence, largest float64, err error) {
	if b, err = newBody(rt, m); err != nil {
		return nil, c, 0, err
	}
	if err = b.pull(far, "right"); err != nil {
		return nil, c, 0, err
	}
	c, err = b.solve(multigrid,
		op2.Fix(b.NodesOf("front"), 0.0).Components(1), // planes of symmetry
		op2.Fix(b.NodesOf("back"), 0.0).Components(0),
		op2.Fix(b.NodesOf("bottom", "top"), 0.0).Components(2)) // plane strain
	if err != nil {
		return nil, c, 0, err
	}
	most := op2.NewGlobal(rt, []float64{0}, "most")
	if err = op2.ParLoop(b.kernels.Func(alongX), b.NodesOf("left"), b.stress.Read(), most.Max()); err != nil {
		return nil, c, 0, err
	}
	largest, err = most.Value()
	return b, c, largest, err
}
