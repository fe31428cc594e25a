// Package water computes a dam break in a closed basin with the shallow water equations, finite
// volumes with the flux of Harten, Lax and van Leer: many small loops, with a minimum over all
// cells in each step. The benchmarks run it.
package water

import (
	_ "embed"
	"math"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed kernels.go
var source string

// Water is the state of the basin, and the loops that advance it.
type Water struct {
	q  *op2.Dat[float64] // height, and discharge in x and y: [cells][3]
	dt *op2.Global[float64]

	loops []*op2.Loop
}

// New declares a basin of 2·n·n triangles in the runtime, with a dam across the middle that has
// just been removed, and prepares the loops.
func New(rt *op2.Runtime, n int) (*Water, error) {
	basin, err := mesh.Rectangle(mesh.Triangle, n, n, 1, 1)
	if err != nil {
		return nil, err
	}
	g, err := newGeometry(basin)
	if err != nil {
		return nil, err
	}
	m := basin.Declare(rt, mesh.WithEdges())
	side := op2.NewDat(m.Edges, 3, g.sides, "side")
	wallSide := op2.NewDat(m.Bedges, 3, g.walls, "wall")
	area := op2.NewDat(m.Cells, 1, g.area, "area")
	size := op2.NewDat(m.Cells, 1, g.size, "size")
	q := op2.NewDat(m.Cells, 3, g.dam, "q")
	d := op2.NewDat[float64](m.Cells, 3, nil, "d")
	dt := op2.NewGlobal(rt, []float64{0}, "dt")

	kernels := op2.Kernels(source)
	w := &Water{q: q, dt: dt}
	w.loops = []*op2.Loop{
		op2.NewLoop(kernels.Func(timestep), m.Cells, q.Read(), size.Read(), dt.Min()),
		op2.NewLoop(kernels.Func(flux), m.Edges, side.Read(),
			q.Read(m.EdgeCells.At(0)), q.Read(m.EdgeCells.At(1)), d.Inc(m.EdgeCells.At(0)), d.Inc(m.EdgeCells.At(1))),
		op2.NewLoop(kernels.Func(wall), m.Bedges, wallSide.Read(), q.Read(m.BedgeCell.At(0)), d.Inc(m.BedgeCell.At(0))),
		op2.NewLoop(kernels.Func(update), m.Cells, q.RW(), d.RW(), area.Read(), dt.Read()),
	}
	return w, rt.Err()
}

// Step advances the water by one time step.
func (w *Water) Step() error {
	if err := w.dt.Set(math.Inf(1)); err != nil {
		return err
	}
	for _, l := range w.loops {
		if err := l.Compute(); err != nil {
			return err
		}
	}
	return nil
}

// Q returns the state: height and discharge in x and y of each cell.
func (w *Water) Q() ([]float64, error) { return w.q.DataRO() }

// geometry holds what finite volumes need of a mesh.
type geometry struct {
	sides, walls []float64 // normal out of the first cell, and length: [][3]
	area, size   []float64
	dam          []float64
}

func newGeometry(m *mesh.Mesh) (*geometry, error) {
	f, err := m.Facets()
	if err != nil {
		return nil, err
	}
	normals := func(s *mesh.Sides) (all []float64) {
		for ends := range slices.Chunk(s.Blocks[0].Nodes, 2) {
			a, b := m.Point(ends[0]), m.Point(ends[1])
			length := math.Hypot(b[0]-a[0], b[1]-a[1])
			all = append(all, (b[1]-a[1])/length, (a[0]-b[0])/length, length)
		}
		return all
	}
	g := &geometry{sides: normals(&f.Interior), walls: normals(&f.Boundary)}
	if g.area, err = m.Measures(); err != nil {
		return nil, err
	}
	for c, area := range g.area {
		perimeter, middle := 0.0, 0.0
		for i, facet := range f.Cells[0][3*c : 3*c+3] {
			if inside := f.Interior.Len(); int(facet) < inside {
				perimeter += g.sides[3*facet+2]
			} else {
				perimeter += g.walls[3*(int(facet)-inside)+2]
			}
			middle += m.Point(m.Blocks[0].Element(c)[i])[0] / 3
		}
		g.size = append(g.size, 4*area/perimeter) // the diameter of the inscribed circle
		height := 1.0
		if middle < 0.5 {
			height = 2
		}
		g.dam = append(g.dam, height, 0, 0)
	}
	return g, nil
}
