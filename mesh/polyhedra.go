package mesh

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// NewPolyhedra returns a mesh of polyhedra in space, given the coordinates of its nodes, [nodes][3], and the faces of its
// cells, between two cells and on the boundary, as [Sides] says: as OpenFOAM and other programs for finite volumes have them.
// Faces are blocks of [Polygon] kinds. Slices are shared with the mesh, whose faces are [Mesh.Given].
//
// It is an error if an index is out of range, if the faces of a cell do not enclose it, all oriented out of their first cell,
// or if a cell has fewer than four of them, or more than 255 nodes or faces.
//
//	m, err := mesh.NewPolyhedra(points,
//		mesh.Sides{Blocks: []mesh.Block{{Kind: mesh.Polygon(5), Nodes: pentagons}}, Cells: between},
//		mesh.Sides{Blocks: []mesh.Block{{Kind: mesh.Quadrilateral, Nodes: walls}}, Cells: of})
func NewPolyhedra(points []float64, interior, boundary Sides) (*Mesh, error) {
	m := &Mesh{Dim: 3, Points: points, Given: &Facets{Interior: interior, Boundary: boundary}}
	if err := m.fits(); err != nil {
		return nil, err
	}
	cells, most := 0, (len(interior.Cells)+len(boundary.Cells))/fewestFaces
	for _, cell := range slices.Concat(interior.Cells, boundary.Cells) {
		cells = max(cells, int(cell)+1)
	}
	if cells > most {
		return nil, fmt.Errorf("mesh: polyhedra: the sides of these faces are those of %d cells at most, each with %d or more, found cell %d", most, fewestFaces, cells-1)
	}
	for i, s := range []*Sides{&m.Given.Interior, &m.Given.Boundary} {
		if err := s.valid(m, 2, 2-i, cells); err != nil {
			return nil, err
		}
	}
	m.enclose(cells)
	if _, err := m.Facets(); err != nil {
		return nil, err
	}
	if err := m.inverted(); err != nil {
		return nil, err
	}
	return m, nil
}

// enclose makes the first block that of as many polyhedra: each has the corners of its faces, once and ascending.
func (m *Mesh) enclose(cells int) {
	nodes := make([][]int32, cells)
	m.Given.eachFace(func(_ int, corners, of []int32) {
		for _, cell := range of {
			nodes[cell] = append(nodes[cell], corners...)
		}
	})
	b := Block{Kind: Polyhedron}
	for _, of := range nodes {
		sorting.Int32s(of)
		b.Nodes = append(b.Nodes, slices.Compact(of)...)
		b.Ends = append(b.Ends, int32(len(b.Nodes)))
	}
	if len(m.Blocks) == 0 {
		m.Blocks = []Block{{}}
	}
	m.Blocks[0] = b
}

// Polyhedra returns the mesh with its cells as polyhedra, which have the same numbers and faces, so that a program for polyhedra
// takes it, too. It is an error if cells are no volumes, or not linear, or if [Mesh.Facets] fails.
func (m *Mesh) Polyhedra() (*Mesh, error) {
	m, err := m.Joined()
	if err != nil || m.polyhedral() {
		return m, err
	}
	cells := m.CellBlocks()
	for _, b := range cells {
		if b.Kind.Dim() != 3 || b.Kind.Order() != 1 {
			return nil, fmt.Errorf("mesh: polyhedra: expected linear volumes, found %s", plural(b.Kind))
		}
	}
	f, err := m.Facets()
	if err != nil {
		return nil, err
	}
	to := &Mesh{Dim: 3, Points: m.Points, Blocks: append([]Block{{}}, m.Blocks[len(cells):]...),
		Given: &Facets{Interior: f.Interior, Boundary: f.Boundary}}
	for _, g := range m.Groups {
		to.Groups = append(to.Groups, m.inOneBlock(g, len(cells)))
	}
	to.enclose(m.Cells())
	return to, nil
}

// inOneBlock returns a group of a mesh whose first blocks, so many, become one.
func (m *Mesh) inOneBlock(g Group, blocks int) Group {
	to := Group{Name: g.Name, Tag: g.Tag, Dim: g.Dim}
	var cells []int32
	for _, members := range g.Members {
		switch {
		case members.Block < 0:
			to.Members = append(to.Members, members)
		case members.Block >= blocks:
			to.Members = append(to.Members, Members{members.Block - blocks + 1, members.Elements})
		default:
			for _, e := range members.Elements {
				cells = append(cells, m.cellNumber(members.Block, e))
			}
		}
	}
	if cells != nil {
		sorting.Int32s(cells)
		to.Members = append(to.Members, Members{0, cells})
	}
	return to
}
