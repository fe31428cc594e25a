package mesh

import (
	"fmt"
	"slices"
)

// givenFacets returns the given facets, with the facets of each cell and the elements that are facets. It is an error
// unless they are the facets of the cells, oriented as [Sides] says.
func (m *Mesh) givenFacets() (*Facets, error) {
	if err := m.Valid(); err != nil {
		return nil, err
	}
	if m.polyhedral() {
		return m.polyhedraFacets()
	}
	f := &Facets{Interior: m.Given.Interior, Boundary: m.Given.Boundary, mesh: m, elems: make([][]int32, len(m.Blocks))}
	for _, b := range m.CellBlocks() {
		n := b.Len() * len(b.Kind.Facets())
		f.Cells, f.Signs = append(f.Cells, slices.Repeat([]int32{-1}, n)), append(f.Signs, make([]int8, n))
	}
	elements := facetElements{map[key]int32{}, make([]bool, m.Nodes())}
	for i := len(f.Cells); i < len(m.Blocks) && m.Blocks[i].Kind.Dim() == m.CellDim()-1; i++ {
		m.Blocks[i].keys(func(_ int, k key) { elements.number[k] = -1 })
		for _, n := range m.Blocks[i].Nodes {
			elements.nodes[n] = true
		}
	}
	if err := f.enter(&f.Interior, 2, 0, elements); err != nil {
		return nil, err
	}
	if err := f.enter(&f.Boundary, 1, f.Interior.Len(), elements); err != nil {
		return nil, err
	}
	for i, of := range f.Cells {
		if at := slices.Index(of, -1); at >= 0 {
			k := m.Blocks[i].Kind
			facets := k.Facets()
			return nil, fmt.Errorf("mesh: Given: expected all facets of the cells, not found: %s %d of %s %d",
				facetName(facets[0].Kind), at%len(facets), k, at/len(facets))
		}
	}
	for i := len(f.Cells); i < len(m.Blocks) && m.Blocks[i].Kind.Dim() == m.CellDim()-1; i++ {
		m.Blocks[i].keys(func(_ int, k key) { f.elems[i] = append(f.elems[i], elements.number[k]) })
	}
	return f, nil
}

// keys calls f for each element of the block with its key.
func (b *Block) keys(f func(e int, k key)) {
	part := itself(b.Kind)[0]
	for e := range b.Len() {
		k, _ := keyOf(b.Element(e), part)
		f(e, k)
	}
}

// facetElements are the elements of a mesh that may be facets.
type facetElements struct {
	number map[key]int32 // of the facet; -1: none
	nodes  []bool        // that some element has
}

// enter enters given facets, from a number on, in the cells they have: so many each.
func (f *Facets) enter(s *Sides, cells, number int, elements facetElements) error {
	if err := s.valid(f.mesh, f.mesh.CellDim()-1, cells, f.mesh.Cells()); err != nil {
		return err
	}
	s.Local = make([]uint8, 0, len(s.Cells))
	for i := range s.Blocks {
		b := &s.Blocks[i]
		part := itself(b.Kind)[0]
		for e := range b.Len() {
			nodes := b.Element(e)
			if elements.nodes[nodes[0]] {
				if k, _ := keyOf(nodes, part); elements.number[k] < 0 {
					elements.number[k] = int32(number)
				}
			}
			for c := range cells {
				cell := s.Cells[len(s.Local)]
				local := f.enterInCell(nodes[:b.Kind.Corners()], int(cell), c == 0, int32(number), sameNode)
				if local < 0 && cells == 2 {
					local = f.enterInCell(nodes[:b.Kind.Corners()], int(cell), c == 0, int32(number), f.mesh.samePlace)
				}
				if local < 0 {
					return fmt.Errorf("mesh: Given: the %s with nodes %s: cell %d has none such, or has it twice, or in the other direction",
						facetName(b.Kind), listed(nodes), cell)
				}
				s.Local = append(s.Local, uint8(local))
			}
			number++
		}
	}
	return nil
}

// enterInCell enters a facet in a cell, and returns which of the cell's it is, or -1. The corners of the cell's follow
// each other as those of the facet if the cell is the first, otherwise the other way around.
func (f *Facets) enterInCell(corners []int32, cell int, first bool, number int32, same func(a, b int32) bool) int {
	block, cell := f.mesh.locate(cell)
	b := &f.mesh.Blocks[block]
	facets, nodes, sign := b.Kind.Facets(), b.Element(cell), int8(-1)
	if first {
		sign = 1
	}
	for p := range facets {
		at := cell*len(facets) + p
		if f.Cells[block][at] < 0 && matches(corners, nodes, facets[p], int(sign), same) {
			f.Cells[block][at], f.Signs[block][at] = number, sign
			return p
		}
	}
	return -1
}

func sameNode(a, b int32) bool { return a == b }

// matches reports whether the corners of a part of an element are the given ones, in the same order (1) or the opposite
// one (-1), from any of them on.
func matches(corners, nodes []int32, part Part, direction int, same func(a, b int32) bool) bool {
	n := len(corners)
	if part.Kind.Corners() != n {
		return false
	}
	for start := range n {
		if !same(nodes[part.Nodes[start]], corners[0]) {
			continue
		}
		for i := 1; i < n; i++ {
			if !same(nodes[part.Nodes[(start+direction*i+n)%n]], corners[i]) {
				return false
			}
		}
		return n != 2 || (start == 0) == (direction == 1)
	}
	return false
}
