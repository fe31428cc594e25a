package mesh

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// fewestFaces is the number of faces that a polyhedron has at least.
const fewestFaces = 4

// mostPlaces is the number of nodes, and of faces, that a polyhedron has at most.
const mostPlaces = math.MaxUint8

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

// eachFace calls f with each facet: its number, interior ones first, its corners, and its cells.
func (f *Facets) eachFace(call func(number int, corners, cells []int32)) {
	number := 0
	for i, s := range []*Sides{&f.Interior, &f.Boundary} {
		at := 0
		for k := range s.Blocks {
			b := &s.Blocks[k]
			for e := range b.Len() {
				call(number, b.Element(e), s.Cells[at:at+2-i])
				number++
				at += 2 - i
			}
		}
	}
}

// polyhedral reports whether the cells are polyhedra.
func (m *Mesh) polyhedral() bool { return len(m.Blocks) > 0 && m.Blocks[0].Kind == Polyhedron }

// shaped returns the error with which what needs cells of known shapes refuses polyhedra, or nil.
func (m *Mesh) shaped(what string) error {
	if !m.polyhedral() {
		return nil
	}
	return fmt.Errorf("mesh: %s: the cells are polyhedra, expected cells of known shapes\n"+
		"  hint: polyhedra have Facets, Measures, Check, Mark, Cut, IsoSurface, WithFaces, WithCellFaces and WriteVTU", what)
}

// polyhedraFacets returns the given faces of polyhedra with those of each cell. It is an error unless these enclose it.
func (m *Mesh) polyhedraFacets() (*Facets, error) {
	b := &m.Blocks[0]
	f := &Facets{Interior: m.Given.Interior, Boundary: m.Given.Boundary, mesh: m, elems: make([][]int32, len(m.Blocks))}
	for i, s := range []*Sides{&f.Interior, &f.Boundary} {
		if err := s.valid(m, 2, 2-i, b.Len()); err != nil {
			return nil, err
		}
		for _, face := range s.Blocks {
			if face.Kind != Polygon(face.Kind.Nodes()) {
				return nil, fmt.Errorf("mesh: Given: expected polygons as faces of polyhedra, found %s", plural(face.Kind))
			}
		}
		s.Local = make([]uint8, len(s.Cells))
	}
	f.Ends = make([]int32, b.Len())
	var err error
	f.eachFace(func(_ int, corners, cells []int32) {
		if len(cells) == 2 && cells[0] == cells[1] {
			err = fmt.Errorf("mesh: the face with nodes %s is between polyhedron %d and itself", listed(corners), cells[0])
		}
		for _, cell := range cells {
			f.Ends[cell]++
		}
	})
	if err != nil {
		return nil, err
	}
	most := 0
	for cell := range f.Ends {
		most = max(most, int(f.Ends[cell]), len(b.Element(cell)))
		if cell > 0 {
			f.Ends[cell] += f.Ends[cell-1]
		}
	}
	if most > mostPlaces {
		return nil, fmt.Errorf("mesh: a polyhedron has %d nodes or faces, at most %d are possible", most, mostPlaces)
	}
	total := len(f.Interior.Cells) + len(f.Boundary.Cells)
	f.Cells, f.Signs = [][]int32{make([]int32, total)}, [][]int8{make([]int8, total)}
	entered := make([]uint8, b.Len())
	interior := f.Interior.Len()
	f.eachFace(func(number int, _, cells []int32) {
		for i, cell := range cells {
			local := entered[cell]
			entered[cell]++
			first, _ := f.span(0, int(cell))
			f.Cells[0][first+int(local)], f.Signs[0][first+int(local)] = int32(number), int8(1-2*i)
			if number < interior {
				f.Interior.Local[2*number+i] = local
			} else {
				f.Boundary.Local[number-interior] = local
			}
		}
	})
	errs := make([]error, 1+len(spans(b.Len())))
	together(spans(b.Len()), func(part, lo, hi int) {
		for cell := lo; cell < hi && errs[part] == nil; cell++ {
			errs[part] = f.encloses(cell)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	f.findFaces()
	return f, nil
}

// encloses returns an error unless the faces of a polyhedron enclose it: they pass each of their edges twice, in opposite
// directions as seen from outside, and their corners are its nodes.
func (f *Facets) encloses(cell int) error {
	if first, end := f.span(0, cell); end-first < fewestFaces {
		return fmt.Errorf("mesh: polyhedron %d has %d faces, expected %d or more", cell, end-first, fewestFaces)
	}
	var open [][2]int32 // edges that one face has passed
	var nodes []int32
	for _, face := range f.Of(cell) {
		nodes = append(nodes, face...)
		for i, from := range face {
			to := face[(i+1)%len(face)]
			if k := slices.Index(open, [2]int32{to, from}); k >= 0 {
				open[k] = open[len(open)-1]
				open = open[:len(open)-1]
			} else {
				open = append(open, [2]int32{from, to})
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("mesh: the faces of polyhedron %d do not enclose it, all oriented outwards: that from node %d to node %d is an edge of one of them",
			cell, open[0][0], open[0][1])
	}
	sorting.Int32s(nodes)
	nodes = slices.Compact(nodes)
	if of := f.mesh.Blocks[0].Element(cell); !slices.Equal(of, nodes) {
		return fmt.Errorf("mesh: polyhedron %d: expected its nodes, %s, to be the corners of its faces, once each and ascending, which are %s",
			cell, listed(of), listed(nodes))
	}
	return nil
}

// findFaces finds the faces that elements of the mesh are.
func (f *Facets) findFaces() {
	var table faceTable
	var numbers []int32 // of the last facet with the corners of each face of the table
	for i := 1; i < len(f.mesh.Blocks) && f.mesh.Blocks[i].Kind.Dim() == 2; i++ {
		if table.faces == nil {
			f.eachFace(func(number int, corners, _ []int32) {
				at, added := table.number(corners)
				if added {
					numbers = append(numbers, 0)
				}
				numbers[at] = int32(number)
			})
		}
		b := &f.mesh.Blocks[i]
		for e := range b.Len() {
			n, _ := table.find(b.Element(e)[:b.Kind.Corners()])
			if n >= 0 {
				n = numbers[n]
			}
			f.elems[i] = append(f.elems[i], n)
		}
	}
}

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
