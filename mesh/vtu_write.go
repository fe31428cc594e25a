package mesh

import (
	"fmt"
	"io"

	"github.com/go-op2/op2/internal/vtu"
)

// WriteVTU writes the mesh as a file of VTK, .vtu, which ParaView shows and [ReadVTU] reads: binary and compressed,
// with the elements of all blocks, one block after the other. Groups become data of cells and nodes: the array
// group:NAME holds the tag of the group for its members, and 0 for others. Package vtk writes results.
func (m *Mesh) WriteVTU(w io.Writer) error {
	if err := m.Valid(); err != nil {
		return err
	}
	m, err := m.Joined()
	if err != nil {
		return err
	}
	nodes, cells, err := m.groupsToVTU()
	if err != nil {
		return err
	}
	format := vtu.Format{Compressed: true}
	blocks := make([]vtu.Block, len(m.Blocks))
	for i, b := range m.Blocks {
		blocks[i] = vtu.Block{Type: b.Kind.VTKType(), Arity: b.Kind.Nodes(), Nodes: b.Nodes, Ends: b.Ends}
	}
	if m.polyhedral() {
		f, err := m.Facets()
		if err != nil {
			return err
		}
		blocks[0].Faces, blocks[0].FaceEnds = vtu.FacesOf(m.Cells(), f.Of)
	}
	file := format.Geometry(max(m.Dim, 1), m.Points, blocks)
	for _, a := range nodes {
		file.PointData = append(file.PointData, format.Encode(a))
	}
	for _, a := range cells {
		file.CellData = append(file.CellData, format.Encode(a))
	}
	if err := format.Write(w, file); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
}
