package mesh

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// Polygons returns the cells of a mesh in the plane as polygons with one number of corners, as package plot takes them:
//
//	cells, corners, err := m.Polygons()
//	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: cells, Corners: corners}, Values: values}
//
// The cells keep their order, one block after the other. Nodes on their edges are corners, too; those in their middle
// are left out. Where cells have different numbers of corners, the last one is repeated. Shape [Cells()][corners].
func (m *Mesh) Polygons() (cells []int32, corners int, err error) {
	if err := m.Valid(); err != nil {
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

// declarePolygons declares the map from cells to the corners of each.
func (to *Declared) declarePolygons() {
	offsets, corners := []int32{0}, []int32(nil)
	add := func(nodes []int32) {
		corners = append(corners, nodes...)
		offsets = append(offsets, int32(len(corners)))
	}
	switch {
	case !to.needs("WithPolygons", 2, "the faces of volumes are what WithFaces declares"):
	case to.mesh.share == nil:
		to.mesh.eachPolygon(add)
	default:
		to.check(to.mesh.eachPolygonDeclared(add))
	}
	if to.err != nil {
		to.Polygons = (*op2.Map)(entity.InertMap((*entity.Runtime)(to.rt), 1, "cell2polygon"))
		return
	}
	to.Polygons = op2.NewVaryingMap(to.Cells, to.Nodes, offsets, corners, "cell2polygon")
}

// eachPolygonDeclared calls f with the corners of each cell that this rank of a share declares, by their declared
// numbers: where there are several kinds, these are not the cells that it has. It is collective.
func (m *Mesh) eachPolygonDeclared(f func(nodes []int32)) error {
	s := m.share
	widest := 0 // of the kinds, which are the same on all ranks
	for _, b := range m.CellBlocks() {
		widest = max(widest, len(outline(b.Kind)))
	}
	var rows []int32
	block, element := 0, int32(-1)
	m.eachPolygon(func(nodes []int32) {
		for element++; int(element) == m.Blocks[block].Len(); element = 0 {
			block++
		}
		rows = append(append(rows, m.cellNumber(block, element)), s.declared(nodes)...)
		for range widest - len(nodes) {
			rows = append(rows, -1)
		}
	})
	rows, err := collectively(m, nil, func() ([]int32, error) { return spread(s.rt, s.cells, rows, 1+widest) })
	if err != nil {
		return err
	}
	for row := range slices.Chunk(rows, max(widest, 1)) {
		if end := slices.Index(row, -1); end >= 0 {
			row = row[:end]
		}
		f(row)
	}
	return nil
}
