package mesh

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/sorting"
)

// Facets are the boundaries of the cells of a mesh: the edges of triangles and quadrilaterals, the faces of volumes.
//
// Facets between two cells and those of one cell are apart, each numbered from 0, in the order of [Mesh.Given], or else
// in that in which cells first have them. Where one number for all is needed, the interior ones come first.
type Facets struct {
	Interior Sides // between two cells
	Boundary Sides // of one cell

	// Cells holds the facets of each cell, in the order of [Kind.Facets], a slice for each block of cells:
	// interior ones by their number, boundary ones by theirs plus Interior.Len().
	// Shape of each [Block.Len()][facets]; of polyhedra, those of one after the other, each ascending, up to its of Ends.
	Cells [][]int32

	// Ends holds where the faces of each polyhedron end in Cells[0]. It is nil for other cells. Shape [Block.Len()].
	Ends []int32

	// Signs holds for each facet of a cell 1 where the facet's orientation is outwards, which it is from its first
	// cell, and -1 where it is inwards. Shapes as in Cells.
	Signs [][]int8

	mesh          *Mesh
	interior, all int32     // of a share: how many the whole mesh has
	elems         [][]int32 // for each block of the mesh, of elements that are facets: the number of the facet, or -1
}

// Sides are facets, of the interior or of the boundary.
type Sides struct {
	// Blocks holds their nodes, one block for each kind, numbered one after the other: more than one only where
	// faces are both triangles and quadrilaterals. The order of the nodes is that of the facet's
	// first cell: from there the orientation is outwards. In the plane, where cells are counterclockwise, the first
	// cell lies to the left as one goes from the first node to the second; in space a face is
	// counterclockwise seen from outside the first cell.
	Blocks []Block

	// Cells holds the cells of each facet, numbered across the blocks of the mesh. Unless the facets are given, the one of
	// the lower number is first.
	// Shape [Len()][2] of the interior, [Len()][1] of the boundary.
	Cells []int32

	// Local holds which facet of each of these cells it is, counted as in [Kind.Facets]. Shape as Cells.
	Local []uint8
}

// Len returns the number of facets.
func (s *Sides) Len() (n int) {
	for i := range s.Blocks {
		n += s.Blocks[i].Len()
	}
	return n
}

// Reversed returns the nodes of each facet in reverse order. In the plane, the first cell of an edge then lies to the
// right, as in OP2's airfoil.
func (s *Sides) Reversed() []int32 {
	nodes := []int32{}
	for i := range s.Blocks {
		nodes = append(nodes, s.Blocks[i].Nodes...)
		width := s.Blocks[i].Kind.Nodes()
		for first := len(nodes) - len(s.Blocks[i].Nodes); first < len(nodes); first += width {
			slices.Reverse(nodes[first : first+width])
		}
	}
	return nodes
}

// Nodes returns the nodes of all facets, each once and in ascending order.
func (s *Sides) Nodes() []int32 {
	var all []int32
	for i := range s.Blocks {
		all = append(all, s.Blocks[i].Nodes...)
	}
	sorting.Int32s(all)
	return slices.Compact(all)
}

// Facets finds the facets of the mesh's cells, in time proportional to their number, on all processors. The result
// does not depend on the number of processors.
//
// It is an error if a facet has more than two cells, if a cell has a node twice, if an index of the mesh is out of
// range, or if [Mesh.Given] does not hold the facets of the cells.
func (m *Mesh) Facets() (*Facets, error) {
	if err := m.valid(); err != nil {
		return nil, err
	}
	if m.Given != nil {
		return m.givenFacets()
	}
	o, err := m.occurrencesOf(m.facetParts)
	if err != nil {
		return nil, err
	}
	first, err := o.match(m.Cells())
	if err != nil {
		return nil, err
	}
	return facetsOf(o, first), nil
}

// facetParts returns the facets of an element of a kind: of cells their facets, of what may be a facet itself.
func (m *Mesh) facetParts(k Kind) []Part {
	switch k.Dim() {
	case m.CellDim():
		return k.Facets()
	case m.CellDim() - 1:
		return itself(k)
	}
	return nil
}

// itself returns an element of a kind as a part.
func itself(k Kind) []Part {
	nodes := make([]uint8, k.Nodes())
	for i := range nodes {
		nodes[i] = uint8(i)
	}
	return []Part{{k, nodes}}
}

// Elements returns for each element of a block of the mesh, whose elements have one dimension less than the cells, the
// facet that it is: a number as in Cells, or -1 if no cell has it. It is nil for other blocks.
func (f *Facets) Elements(block int) []int32 {
	if block < 0 || block >= len(f.elems) {
		return nil
	}
	return f.elems[block]
}

// Group returns the facets that the elements of a group are, by their numbers in Interior and in Boundary, ascending.
// It is an error if the elements do not have one dimension less than the cells, or if one is not a facet
// of a cell.
func (f *Facets) Group(g *Group) (interior, boundary []int32, err error) {
	if g.Dim != f.mesh.CellDim()-1 || g.Dim == 0 {
		return nil, nil, fmt.Errorf("mesh: group %q has elements of dimension %d, facets of the cells have %d", g.Name, g.Dim, f.mesh.CellDim()-1)
	}
	n := int32(f.Interior.Len())
	if f.mesh.share != nil {
		n = f.interior
	}
	for _, members := range g.Members {
		of := f.Elements(members.Block)
		for _, e := range members.Elements {
			if uint(e) >= uint(len(of)) || of[e] < 0 {
				return nil, nil, fmt.Errorf("mesh: group %q: element %d of block %d is not a facet of a cell", g.Name, e, members.Block)
			}
			if of[e] < n {
				interior = append(interior, of[e])
			} else {
				boundary = append(boundary, of[e]-n)
			}
		}
	}
	sorting.Int32s(interior)
	sorting.Int32s(boundary)
	return slices.Compact(interior), slices.Compact(boundary), nil
}

// BoundaryGroups returns for each facet of the boundary in which of the groups with the given names it is, counted from
// 1. It is an error if a facet is in none of them, or in several.
func (f *Facets) BoundaryGroups(names ...string) ([]int32, error) {
	of := make([]int32, f.Boundary.Len())
	for k, name := range names {
		for i := range f.mesh.Groups {
			g := &f.mesh.Groups[i]
			if g.Name != name || g.Dim != f.mesh.CellDim()-1 {
				continue
			}
			_, facets, err := f.Group(g)
			if err != nil {
				return nil, err
			}
			for _, n := range facets {
				if of[n] != 0 && of[n] != int32(k+1) {
					return nil, f.notInOne(n, names, "several")
				}
				of[n] = int32(k + 1)
			}
		}
	}
	if n := slices.Index(of, 0); n >= 0 {
		return nil, f.notInOne(int32(n), names, "none")
	}
	return of, nil
}

// notInOne returns the error that a facet of the boundary is not in exactly one of the groups with the given names.
func (f *Facets) notInOne(n int32, names []string, found string) error {
	return fmt.Errorf("mesh: the %s of the boundary with nodes %s: expected it in one of the groups %s, found it in %s",
		facetName(f.Boundary.Blocks[0].Kind), listed(f.Boundary.nodesOf(int(n))), quoted(slices.Clone(names)), found)
}

// Graph returns the dual graph of the mesh: for each cell, the cells it shares a facet with, in the order of its
// facets. Those of cell c are neighbors[start[c]:start[c+1]].
func (f *Facets) Graph() (start, neighbors []int32) {
	start = make([]int32, 1, f.mesh.Cells()+1)
	neighbors = make([]int32, 0, 2*f.Interior.Len())
	cell := int32(0)
	for i := range f.Cells {
		for e := range f.mesh.Blocks[i].Len() {
			first, end := f.span(i, e)
			for _, n := range f.Cells[i][first:end] {
				if other := f.across(n, cell); other >= 0 {
					neighbors = append(neighbors, other)
				}
			}
			start = append(start, int32(len(neighbors)))
			cell++
		}
	}
	return start, neighbors
}

// Of returns the corners of the facets of a cell, numbered across the blocks, in the order of Cells: of each oriented outwards, as
// [Kind.Facets] has them.
func (f *Facets) Of(cell int) [][]int32 {
	block, e := f.mesh.locate(cell)
	first, end := f.span(block, e)
	facets := make([][]int32, end-first)
	for i, n := range f.Cells[block][first:end] {
		s, n := &f.Interior, int(n)
		if n >= s.Len() {
			s, n = &f.Boundary, n-s.Len()
		}
		facets[i] = s.cornersOf(n)
		if f.Signs[block][first+i] < 0 {
			facets[i] = slices.Clone(facets[i])
			slices.Reverse(facets[i])
		}
	}
	return facets
}

// span returns where the facets of a cell are in the slice of its block, and where they end.
func (f *Facets) span(block, e int) (first, end int) {
	if f.Ends == nil {
		facets := len(f.mesh.Blocks[block].Kind.Facets())
		return e * facets, (e + 1) * facets
	}
	if e > 0 {
		first = int(f.Ends[e-1])
	}
	return first, int(f.Ends[e])
}

// across returns the cell on the other side of a facet, or -1.
func (f *Facets) across(facet, cell int32) int32 {
	if int(facet) >= f.Interior.Len() {
		return -1
	}
	pair := f.Interior.Cells[2*facet : 2*facet+2]
	if pair[0] == cell {
		return pair[1]
	}
	return pair[0]
}

// crowded returns the error that a facet has more than two cells, given the number of its third occurrence.
func (o *occurrences) crowded(first []int32, third int32) error {
	var cells []string
	in, e, p := o.at(third)
	for n := range first {
		if int32(n) == first[third] || first[n] == first[third] {
			other, element, _ := o.at(int32(n))
			if other.Kind.Dim() != in.Kind.Dim() {
				break // from here on it is elements that are facets
			}
			if len(cells) == 4 {
				cells = append(cells, "...")
				break
			}
			cells = append(cells, fmt.Sprintf("%s %d", other.Kind, element))
		}
	}
	var nodes []int32
	part := in.parts[p]
	for _, place := range part.Nodes[:part.Kind.Corners()] {
		nodes = append(nodes, in.Element(e)[place])
	}
	return fmt.Errorf("mesh: the %s with nodes %s has more than two cells: %s", facetName(part.Kind), listed(nodes), strings.Join(cells, ", "))
}

// facetName returns the name of facets of a kind.
func facetName(k Kind) string { return [4]string{"node", "edge", "face", ""}[k.Dim()] }

// listed lists numbers: "3, 7, 9".
func listed(numbers []int32) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}
