package mesh

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

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
	all := s.nodes(nil)
	sorting.Int32s(all)
	return slices.Compact(all)
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

// nodesOf returns the nodes of a facet.
func (s *Sides) nodesOf(n int) []int32 {
	nodes, _ := s.facet(n)
	return nodes
}

// cornersOf returns the corners of a facet.
func (s *Sides) cornersOf(n int) []int32 {
	nodes, kind := s.facet(n)
	return nodes[:kind.Corners():kind.Corners()]
}

// facet returns the nodes of a facet, and its kind.
func (s *Sides) facet(n int) ([]int32, Kind) {
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if n < b.Len() {
			return b.Element(n), b.Kind
		}
		n -= b.Len()
	}
	return nil, 0
}

// eachFace calls f with each facet: its number, interior ones first, its corners, and its cells.
func (f *Facets) eachFace(call func(number int, corners, cells []int32)) {
	interior := f.Interior.Len()
	for n, face := range elementsOf(f.Interior.Blocks) {
		call(n, face.nodes, f.Interior.Cells[2*n:2*n+2])
	}
	for n, face := range elementsOf(f.Boundary.Blocks) {
		call(interior+n, face.nodes, f.Boundary.Cells[n:n+1])
	}
}

// ofElements returns the facets without what only declarations need: those between two cells, and those of cells.
func (f *Facets) ofElements() *Facets {
	few := &Facets{Boundary: f.Boundary, mesh: f.mesh, interior: f.interior, all: f.all}
	for _, of := range f.elems {
		few.elems = append(few.elems, slices.Clone(of))
	}
	return few
}

// nodes appends the nodes of all facets.
func (s *Sides) nodes(to []int32) []int32 {
	for i := range s.Blocks {
		to = append(to, s.Blocks[i].Nodes...)
	}
	return to
}
