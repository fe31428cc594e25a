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
	cell := int32(0)
	if !m.polyhedral() {
		for _, b := range m.CellBlocks() {
			k := b.Kind.Linear()
			for e := range b.Len() {
				f(cell, solid{b.Element(e), k.Edges(), k.Facets()})
				cell++
			}
		}
		return nil
	}
	of, err := m.Facets()
	if err != nil {
		return err
	}
	for ; int(cell) < m.Cells(); cell++ {
		f(cell, of.solid(int(cell)))
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
