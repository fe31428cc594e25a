package mesh

import "slices"

// solid is a cell of a mesh of volumes that ends at its corners: its nodes, and its edges and faces as places among them.
type solid struct {
	nodes        []int32
	edges, faces []Part
}

// eachSolid calls f with all cells of a valid mesh of volumes. Slices are valid until f returns. It is an error if the faces of
// polyhedra do not enclose them.
func (m *Mesh) eachSolid(f func(cell int32, s solid)) error {
	if !m.polyhedral() {
		for n, cell := range elementsOf(m.CellBlocks()) {
			k := cell.kind.Linear()
			f(int32(n), solid{cell.nodes, k.Edges(), k.Facets()})
		}
		return nil
	}
	of, err := m.Facets()
	if err != nil {
		return err
	}
	for n := range m.Cells() {
		f(int32(n), of.solid(n))
	}
	return nil
}

// solid returns a polyhedron.
func (f *Facets) solid(cell int) solid {
	s := solid{nodes: f.mesh.Blocks[0].Element(cell)}
	for _, face := range f.Of(cell) {
		places := make([]uint8, len(face))
		for i, n := range face {
			place, _ := slices.BinarySearch(s.nodes, n)
			places[i] = uint8(place)
		}
		s.faces = append(s.faces, Part{Polygon(len(face)), places})
		for i, from := range places {
			if to := places[(i+1)%len(places)]; from < to { // another face passes it in the other direction
				s.edges = append(s.edges, Part{Line, []uint8{from, to}})
			}
		}
	}
	return s
}
