package main

import (
	_ "embed"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed kernels.go
var source string

// water is water on a bed, parts of which may be dry land, and the loops that make it flow.
type water struct {
	sea          *mesh.Declared
	area         *op2.Dat[float64]
	q            *op2.Dat[float64] // see kernels.go: [cells][4]
	highest      *op2.Dat[float64] // the highest level that the water has reached; that of the bed where there was none
	dt           *op2.Global[float64]
	changes      *op2.Chain // of the cells, and dt
	update, show *op2.Loop
	time         float64
	steps        int

	surface, depth, velocity *op2.Dat[float64] // at the last call of show
}

// height is a height at each place: that of the bed, or that of the water's surface.
type height func(x, y float64) float64

// newWater declares water at rest with the given level over the bed, on a mesh of triangles. The boundary is that of
// the groups "coast", "open sea" and "inflow", as far as the mesh has them.
func newWater(rt *op2.Runtime, m *mesh.Mesh, bed, level height) (*water, error) {
	areas, err := m.Measures()
	if err != nil {
		return nil, err
	}
	state, levels := atRest(m, bed, level)
	op2.NewConst(rt, "drag", &drag)
	op2.NewConst(rt, "now", &now)
	sea := m.Declare(rt, mesh.WithEdges())
	area := op2.NewDat(sea.Cells, 1, areas, "area")
	q := op2.NewDat(sea.Cells, 4, state, "q")
	changes := op2.NewDat[float64](sea.Cells, 4, nil, "changes")
	highest := op2.NewDat(sea.Cells, 1, levels, "highest")
	dt := op2.NewGlobal(rt, []float64{0}, "dt")
	surface := op2.NewDat[float64](sea.Cells, 1, nil, "surface")
	depth := op2.NewDat[float64](sea.Cells, 1, nil, "depth")
	u := op2.NewDat[float64](sea.Cells, 2, nil, "u")
	kernels := op2.Kernels(source)
	left, right := sea.EdgeCells.At(0), sea.EdgeCells.At(1)
	w := &water{sea: sea, area: area, q: q, highest: highest, dt: dt, surface: surface, depth: depth, velocity: u,
		update: op2.NewLoop(kernels.Func(update), sea.Cells, area.Read(), changes.RW(), q.RW(), highest.RW(), dt.Read()),
		show:   op2.NewLoop(kernels.Func(show), sea.Cells, q.Read(), surface.Write(), depth.Write(), u.Write())}
	loops := []*op2.Loop{op2.NewLoop(kernels.Func(flux), sea.Edges,
		sea.X.Read(sea.EdgeNodes), q.Read(left), q.Read(right), changes.Inc(left), changes.Inc(right))}
	for _, part := range []struct {
		name   string
		kernel any
	}{{"coast", coast}, {"open sea", openSea}, {"inflow", inflow}} {
		if m.Group(part.name) != nil {
			loops = append(loops, op2.NewLoop(kernels.Func(part.kernel), sea.BoundaryOf(part.name),
				sea.X.Read(sea.BedgeNodes), q.Read(sea.BedgeCell), changes.Inc(sea.BedgeCell)))
		}
	}
	loops = append(loops, op2.NewLoop(kernels.Func(limit), sea.Cells, area.Read(), changes.Read(), dt.Min()))
	w.changes = op2.NewChain(loops...)
	return w, rt.Err()
}

// atRest returns the state of cells where the water does not move, and its levels.
func atRest(m *mesh.Mesh, bed, level height) (q, levels []float64) {
	for c := range m.Cells() {
		x, y := middle(m, c)
		z := bed(x, y)
		h := max(level(x, y)-z, 0)
		q = append(q, h, 0, 0, z)
		levels = append(levels, h+z)
	}
	return q, levels
}

// middle returns the middle of a triangle.
func middle(m *mesh.Mesh, cell int) (x, y float64) {
	for _, node := range m.Blocks[0].Element(cell) {
		p := m.Point(node)
		x, y = x+p[0]/3, y+p[1]/3
	}
	return x, y
}

// advance lets the water flow until the given time.
func (w *water) advance(until float64) error {
	for w.time < until {
		if err := w.step(until); err != nil {
			return err
		}
	}
	return nil
}

// step takes a step in time, as long as is stable, but not beyond the given time.
func (w *water) step(until float64) error {
	now = w.time
	if err := w.dt.Set(until - w.time); err != nil {
		return err
	}
	if err := w.changes.Compute(); err != nil {
		return err
	}
	dt, err := w.dt.Value()
	if err != nil {
		return err
	}
	w.time = min(w.time+dt, until)
	w.steps++
	return w.update.Compute()
}
