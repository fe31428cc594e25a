package plot

import (
	"fmt"
	"math"
)

// Mesh is a set of polygons in the plane that all have the same number of
// corners.
type Mesh struct {
	// XY holds the coordinates of the nodes. Shape [nodes, 2].
	XY []float64

	// Cells holds the node numbers around each cell, clockwise or
	// counter-clockwise. Shape [cells, Corners]. A cell with fewer corners
	// repeats one of them.
	Cells []int32

	// Corners is the number of corners of every cell, at least 3.
	Corners int
}

func (m Mesh) nodes() int { return len(m.XY) / 2 }
func (m Mesh) cells() int { return len(m.Cells) / m.Corners }

// cell returns the node numbers around cell c.
func (m Mesh) cell(c int) []int32 {
	return m.Cells[c*m.Corners : (c+1)*m.Corners]
}

func (m Mesh) check() error {
	switch {
	case m.Corners < 3:
		return fmt.Errorf("plot: a cell has %d corners, want 3 or more", m.Corners)
	case len(m.XY)%2 != 0:
		return fmt.Errorf("plot: %d coordinates are not 2 per node", len(m.XY))
	case len(m.Cells)%m.Corners != 0:
		return fmt.Errorf("plot: %d corners are not %d per cell", len(m.Cells), m.Corners)
	case len(m.Cells) == 0:
		return fmt.Errorf("plot: the mesh has no cells")
	}
	nodes := m.nodes()
	for i, n := range m.Cells {
		if n < 0 || int(n) >= nodes {
			return fmt.Errorf("plot: cell %d, corner %d: node %d is not in [0, %d)", i/m.Corners, i%m.Corners, n, nodes)
		}
	}
	for i, v := range m.XY {
		if !finite(v) {
			return fmt.Errorf("plot: node %d lies at (%g, %g)", i/2, m.XY[i&^1], m.XY[i|1])
		}
	}
	return m.bounds().check("the mesh at")
}

// bounds returns the smallest window that holds every cell. Nodes of no cell
// do not count.
func (m Mesh) bounds() Rect {
	r := Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, n := range m.Cells {
		x, y := m.XY[2*n], m.XY[2*n+1]
		r.X0, r.X1 = min(r.X0, x), max(r.X1, x)
		r.Y0, r.Y1 = min(r.Y0, y), max(r.Y1, y)
	}
	return r
}

// frame returns the window that shows all of m: its bounds, and some space
// around them unless the mesh is a rectangle, with nodes at all their corners.
func (m Mesh) frame() Rect {
	r := m.bounds()
	space := 0.03 * max(r.width(), r.height())
	near := 1e-9 * max(r.width(), r.height())
	corners := 0 // a bit for each that was found
	for _, n := range m.Cells {
		left, right := m.XY[2*n]-r.X0 <= near, r.X1-m.XY[2*n] <= near
		low, high := m.XY[2*n+1]-r.Y0 <= near, r.Y1-m.XY[2*n+1] <= near
		switch {
		case left && low:
			corners |= 1
		case right && low:
			corners |= 2
		case left && high:
			corners |= 4
		case right && high:
			corners |= 8
		}
	}
	if corners == 15 {
		return r
	}
	return Rect{r.X0 - space, r.Y0 - space, r.X1 + space, r.Y1 + space}
}

// cellBounds returns the smallest window that holds cell c.
func (m Mesh) cellBounds(c int) Rect {
	part := Mesh{m.XY, m.cell(c), m.Corners}
	return part.bounds()
}

// area returns the area of cell c: positive where its corners are
// counter-clockwise.
func (m Mesh) area(c int) float64 {
	corners := m.cell(c)
	// Relative to one corner, or cells far from the origin lose their digits.
	x0, y0 := m.XY[2*corners[0]], m.XY[2*corners[0]+1]
	sum := 0.0
	for i := 1; i+1 < len(corners); i++ {
		a, b := corners[i], corners[i+1]
		sum += (m.XY[2*a]-x0)*(m.XY[2*b+1]-y0) - (m.XY[2*b]-x0)*(m.XY[2*a+1]-y0)
	}
	return sum / 2
}
