package plot

import (
	"errors"
	"fmt"
)

// Above returns the part of a field where other values, at the nodes of its mesh, are above a level. Cells that the line of
// that level crosses are cut along it, so that the part ends where the line runs, and not at the sides of cells: at a
// shore, if the values are the depth of the water.
//
//	sea, err := plot.Above(field, 0.01, depth)
//
// Values and vectors at nodes are interpolated on the line, those of cells stay as they are. Cells with one of the values
// not finite are left out. It is an error if values are not as many as nodes, or if nothing is above the level.
func Above(f Field, level float64, values []float64) (Field, error) {
	onNodes, err := f.check()
	if err != nil {
		return Field{}, err
	}
	if len(values) != f.Mesh.nodes() {
		return Field{}, fmt.Errorf("plot: %d values that are to be above %g are not one for each of %d nodes", len(values), level, f.Mesh.nodes())
	}
	c := clip{from: f, to: Field{Mesh: Mesh{Corners: f.Mesh.Corners + 1}}, level: level, values: values,
		kept: make([]int32, f.Mesh.nodes()), crossed: map[[2]int32]int32{},
		valuesOnNodes: onNodes, vectorsOnNodes: len(f.Vectors) == 2*f.Mesh.nodes()}
	for cell := range f.Mesh.cells() {
		c.add(cell)
	}
	if len(c.to.Mesh.Cells) == 0 {
		return Field{}, errors.New("plot: no value is above " + fmt.Sprint(level))
	}
	if c.to.Mesh.cells() == c.to.Mesh.nodes() { // values could be those of either
		c.node(0, 0, 0)
	}
	return c.to, nil
}

// clip makes the part of a field that is above a level.
type clip struct {
	from, to                      Field
	level                         float64
	values                        []float64
	valuesOnNodes, vectorsOnNodes bool

	kept    []int32            // for each node the new one there, plus 1
	crossed map[[2]int32]int32 // for each side that the line crosses, the node there
}

// add adds what of a cell is above.
func (c *clip) add(cell int) {
	corners := c.from.Mesh.cell(cell)
	for _, n := range corners {
		if !finite(c.values[n]) {
			return
		}
	}
	var polygon []int32
	before := corners[len(corners)-1]
	for _, n := range corners {
		above := c.values[n] > c.level
		if above != (c.values[before] > c.level) {
			polygon = append(polygon, c.crossing(before, n))
		}
		if above {
			polygon = append(polygon, c.keep(n))
		}
		before = n
	}
	if len(polygon) < 3 {
		return
	}
	m := &c.to.Mesh
	if len(polygon) > m.Corners { // several parts of a cell that is not convex in its values: as one
		m.widen(len(polygon))
	}
	for i := range m.Corners {
		m.Cells = append(m.Cells, polygon[min(i, len(polygon)-1)])
	}
	if !c.valuesOnNodes {
		c.to.Values = append(c.to.Values, c.from.Values[cell])
	}
	if len(c.from.Vectors) > 0 && !c.vectorsOnNodes {
		c.to.Vectors = append(c.to.Vectors, c.from.Vectors[2*cell:2*cell+2]...)
	}
}

// keep returns the new node for one that is above.
func (c *clip) keep(n int32) int32 {
	if c.kept[n] == 0 {
		c.kept[n] = c.node(n, n, 0) + 1
	}
	return c.kept[n] - 1
}

// crossing returns the new node where the line crosses the side between two nodes.
func (c *clip) crossing(a, b int32) int32 {
	side := [2]int32{min(a, b), max(a, b)}
	n, known := c.crossed[side]
	if !known {
		a, b = side[0], side[1]
		n = c.node(a, b, (c.level-c.values[a])/(c.values[b]-c.values[a]))
		c.crossed[side] = n
	}
	return n
}

// node adds a node at a part of the way from a to b.
func (c *clip) node(a, b int32, part float64) int32 {
	between := func(values []float64, k, width int) float64 {
		v, w := values[int(a)*width+k], values[int(b)*width+k]
		return v + part*(w-v)
	}
	m := &c.to.Mesh
	m.XY = append(m.XY, between(c.from.Mesh.XY, 0, 2), between(c.from.Mesh.XY, 1, 2))
	if c.valuesOnNodes {
		c.to.Values = append(c.to.Values, between(c.from.Values, 0, 1))
	}
	if len(c.from.Vectors) > 0 && c.vectorsOnNodes {
		c.to.Vectors = append(c.to.Vectors, between(c.from.Vectors, 0, 2), between(c.from.Vectors, 1, 2))
	}
	return int32(m.nodes() - 1)
}

// widen gives all cells more corners, the last one repeated.
func (m *Mesh) widen(corners int) {
	var cells []int32
	for c := range m.cells() {
		cell := m.cell(c)
		cells = append(cells, cell...)
		for range corners - m.Corners {
			cells = append(cells, cell[len(cell)-1])
		}
	}
	m.Cells, m.Corners = cells, corners
}
