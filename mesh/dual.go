package mesh

import "fmt"

// Dual returns a mesh with a cell around each node: polygons in the plane, polyhedra in space.
//
// The corners of a polygon are in the middle of the cells around its node. A node of the boundary is a corner of its cell, too, and so are the middles of the edges beside it. Of
// triangles, most of the polygons have six corners.
//
// The nodes of the dual are the middles of the cells, then those of the edges of the boundary, then the nodes of the
// boundary in ascending order. Its cells are sorted by the number of their corners, and then by node. The groups of edges of
// the boundary hold both halves of what they held; there are no others.
//
// In space, the polyhedra are those around the nodes in ascending order. A face between two of them is around an edge, with corners in
// the middle of the cells around that edge. On the boundary there is a quadrilateral at each corner of its faces, with its other
// corners in the middle of the face and of two edges; the groups of faces hold these.
//
// It is an error if cells are not linear or one is inverted, if the boundary passes a node twice, or if a polygon had more than 64 corners.
func (m *Mesh) Dual() (*Mesh, error) {
	if err := m.shaped("Dual"); err != nil {
		return nil, err
	}
	m, err := m.Joined()
	if err != nil {
		return nil, err
	}
	for _, b := range m.CellBlocks() {
		if b.Kind.Order() != 1 {
			return nil, fmt.Errorf("mesh: the dual: expected linear elements, found %s", b.Kind)
		}
	}
	if m.Dim != m.CellDim() || m.Dim < 2 {
		return nil, fmt.Errorf("mesh: the dual: expected areas in the plane or volumes, found cells of dimension %d in %d dimensions", m.CellDim(), m.Dim)
	}
	f, err := m.Facets()
	if err != nil {
		return nil, err
	}
	if err := m.inverted(); err != nil {
		return nil, err
	}
	if m.Dim == 3 {
		return m.dualOfVolumes(f)
	}
	d := &dualizer{m: m, f: f, to: &Mesh{Dim: 2}, own: make([]int32, m.Nodes()), steps: make([][][2]int32, m.Nodes())}
	d.place()
	d.step()
	if err := d.cells(); err != nil {
		return nil, err
	}
	return d.to, d.groups()
}
