// Package water computes a dam break in a closed basin with the shallow water equations, finite
// volumes with the flux of Harten, Lax and van Leer: many small loops, with a minimum over all
// cells in each step. The benchmarks run it.
package water

import (
	_ "embed"
	"math"

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
	m, err := mesh.Rectangle(n, n, 1, 1)
	if err != nil {
		return nil, err
	}
	g := newGeometry(m)
	cells := op2.Must(rt.NewSet(m.Cells, "cells"))
	sides := op2.Must(rt.NewSet(len(g.sideCells)/2, "sides"))
	walls := op2.Must(rt.NewSet(len(g.wallCell), "walls"))
	side2cell := op2.Must(op2.NewMap(sides, cells, 2, g.sideCells, "side2cell"))
	wall2cell := op2.Must(op2.NewMap(walls, cells, 1, g.wallCell, "wall2cell"))
	sideNormal := op2.Must(op2.NewDat(sides, 3, g.sides, "side"))
	wallNormal := op2.Must(op2.NewDat(walls, 3, g.walls, "wall"))
	area := op2.Must(op2.NewDat(cells, 1, g.area, "area"))
	size := op2.Must(op2.NewDat(cells, 1, g.size, "size"))
	q := op2.Must(op2.NewDat(cells, 3, g.dam, "q"))
	d := op2.Must(op2.NewDat[float64](cells, 3, nil, "d"))
	dt := op2.Must(op2.NewGlobal(rt, []float64{0}, "dt"))

	kernels := op2.Kernels(source)
	w := &Water{q: q, dt: dt}
	w.loops = []*op2.Loop{
		op2.Must(op2.NewLoop(kernels.Func(timestep), cells, q.Read(), size.Read(), dt.Min())),
		op2.Must(op2.NewLoop(kernels.Func(flux), sides, sideNormal.Read(),
			q.Read(side2cell.At(0)), q.Read(side2cell.At(1)), d.Inc(side2cell.At(0)), d.Inc(side2cell.At(1)))),
		op2.Must(op2.NewLoop(kernels.Func(wall), walls, wallNormal.Read(), q.Read(wall2cell.At(0)), d.Inc(wall2cell.At(0)))),
		op2.Must(op2.NewLoop(kernels.Func(update), cells, q.RW(), d.RW(), area.Read(), dt.Read())),
	}
	return w, nil
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
	sideCells, wallCell []int32
	sides, walls        []float64 // normal out of the first cell, and length: [][3]
	area, size          []float64
	dam                 []float64
}

func newGeometry(m *mesh.Triangles) *geometry {
	g := &geometry{}
	first := map[[2]int32]int32{} // the first cell at each side, by its nodes
	at := func(n int32) (x, y float64) { return m.XY[2*n], m.XY[2*n+1] }
	normal := func(a, b int32) []float64 {
		ax, ay := at(a)
		bx, by := at(b)
		length := math.Hypot(bx-ax, by-ay)
		return []float64{(by - ay) / length, (ax - bx) / length, length}
	}
	for c := range int32(m.Cells) {
		corners := m.CellNodes[3*c : 3*c+3]
		perimeter, middle := 0.0, 0.0
		for i := range 3 {
			a, b := corners[i], corners[(i+1)%3]
			perimeter += normal(a, b)[2]
			middle += m.XY[2*a] / 3
			if other, met := first[[2]int32{b, a}]; met {
				g.sideCells = append(g.sideCells, other, c)
				g.sides = append(g.sides, normal(b, a)...)
				delete(first, [2]int32{b, a})
			} else {
				first[[2]int32{a, b}] = c
			}
		}
		ax, ay := at(corners[0])
		bx, by := at(corners[1])
		cx, cy := at(corners[2])
		area := ((bx-ax)*(cy-ay) - (cx-ax)*(by-ay)) / 2
		g.area = append(g.area, area)
		g.size = append(g.size, 4*area/perimeter) // the diameter of the inscribed circle
		height := 1.0
		if middle < 0.5 {
			height = 2
		}
		g.dam = append(g.dam, height, 0, 0)
	}
	for c := range int32(m.Cells) { // in order, unlike the map
		for i := range 3 {
			side := [2]int32{m.CellNodes[3*c+int32(i)], m.CellNodes[3*c+int32(i+1)%3]}
			if _, left := first[side]; left {
				g.wallCell = append(g.wallCell, c)
				g.walls = append(g.walls, normal(side[0], side[1])...)
			}
		}
	}
	return g
}
