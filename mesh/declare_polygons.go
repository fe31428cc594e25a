package mesh

import (
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

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
