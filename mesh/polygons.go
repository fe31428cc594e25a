package mesh

import "fmt"

// Polygons returns the cells of a mesh in the plane as polygons with one number of corners, as package plot takes them:
//
//	cells, corners, err := m.Polygons()
//	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: cells, Corners: corners}, Values: values}
//
// The cells keep their order, one block after the other. Nodes on their edges are corners, too; those in their middle
// are left out. Where cells have different numbers of corners, the last one is repeated. Shape [Cells()][corners].
func (m *Mesh) Polygons() (cells []int32, corners int, err error) {
	if err := m.valid(); err != nil {
		return nil, 0, err
	}
	if m.Dim != 2 || m.CellDim() != 2 {
		return nil, 0, fmt.Errorf("mesh: expected areas in the plane, found cells of dimension %d in %d dimensions", m.CellDim(), m.Dim)
	}
	for _, b := range m.CellBlocks() {
		corners = max(corners, len(outline(b.Kind)))
	}
	m.eachPolygon(func(nodes []int32) {
		for i := range corners {
			cells = append(cells, nodes[min(i, len(nodes)-1)])
		}
	})
	return cells, corners, nil
}

// eachPolygon calls f with the corners of each cell here. They are valid until f returns.
func (m *Mesh) eachPolygon(f func(nodes []int32)) {
	var nodes []int32
	for _, b := range m.CellBlocks() {
		places := outline(b.Kind)
		for c := range b.Len() {
			nodes = nodes[:0]
			for _, place := range places {
				nodes = append(nodes, b.Element(c)[place])
			}
			f(nodes)
		}
	}
}

// outline returns the nodes on the edges of an area, one after the other, as places among its nodes.
func outline(k Kind) []uint8 {
	var places []uint8
	for _, edge := range k.Edges() {
		places = append(places, edge.Nodes[0])
		places = append(places, edge.Nodes[2:]...)
	}
	return places
}
