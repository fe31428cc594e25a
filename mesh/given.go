package mesh

import (
	"fmt"
	"slices"
)

// givenFacets returns the given facets, with the facets of each cell and the elements that are facets. It is an error
// unless they are the facets of the cells, oriented as [Sides] says.
func (m *Mesh) givenFacets() (*Facets, error) {
	if err := m.valid(); err != nil {
		return nil, err
	}
	f := &Facets{Interior: m.Given.Interior, Boundary: m.Given.Boundary, mesh: m, elems: make([][]int32, len(m.Blocks))}
	for _, b := range m.CellBlocks() {
		n := b.Len() * len(b.Kind.Facets())
		f.Cells, f.Signs = append(f.Cells, slices.Repeat([]int32{-1}, n)), append(f.Signs, make([]int8, n))
	}
	elements := map[key]int32{} // the number of each facet that is an element
	for i := len(f.Cells); i < len(m.Blocks) && m.Blocks[i].Kind.Dim() == m.CellDim()-1; i++ {
		m.Blocks[i].keys(func(_ int, k key) { elements[k] = -1 })
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
		m.Blocks[i].keys(func(_ int, k key) { f.elems[i] = append(f.elems[i], elements[k]) })
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

// enter enters given facets in their cells, of which each has so many. Number is that of the first facet.
func (f *Facets) enter(s *Sides, cells, number int, elements map[key]int32) (err error) {
	if len(s.Cells) != cells*s.Len() {
		return fmt.Errorf("mesh: Given: expected %d cells for each of %d facets, found %d in all", cells, s.Len(), len(s.Cells))
	}
	if err := indices(s.Cells, "Cells", "cell", f.mesh.Cells()); err != nil {
		return fmt.Errorf("mesh: Given%w", err)
	}
	s.Local = make([]uint8, 0, len(s.Cells))
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if err := b.valid(f.mesh.Nodes()); err != nil {
			return fmt.Errorf("mesh: Given: %s%w", plural(b.Kind), err)
		}
		b.keys(func(e int, k key) {
			if _, found := elements[k]; found {
				elements[k] = int32(number)
			}
			for c := range cells {
				cell := s.Cells[len(s.Local)]
				if local := f.enterInCell(b.Element(e)[:b.Kind.Corners()], k, int(cell), c == 0, int32(number)); local >= 0 {
					s.Local = append(s.Local, uint8(local))
				} else if s.Local = append(s.Local, 0); err == nil {
					err = fmt.Errorf("mesh: Given: the %s with nodes %s: cell %d has none such, or has it twice, or in the other direction",
						facetName(b.Kind), listed(b.Element(e)), cell)
				}
			}
			number++
		})
	}
	return err
}

// enterInCell enters a facet in a cell, and returns which of the cell's it is, or -1. The first cell has it in the same
// orientation.
func (f *Facets) enterInCell(corners []int32, k key, cell int, first bool, number int32) int {
	block := 0
	for cell >= f.mesh.Blocks[block].Len() {
		cell -= f.mesh.Blocks[block].Len()
		block++
	}
	b := &f.mesh.Blocks[block]
	facets := b.Kind.Facets()
	for p, part := range facets {
		at := cell*len(facets) + p
		if own, _ := keyOf(b.Element(cell), part); own != k || f.Cells[block][at] >= 0 {
			continue
		}
		if first && len(corners) > 1 && !b.follows(cell, part, corners) {
			continue
		}
		f.Cells[block][at], f.Signs[block][at] = number, -1
		if first {
			f.Signs[block][at] = 1
		}
		return p
	}
	return -1
}

// follows reports whether the second of some corners is the one after the first in a part of an element.
func (b *Block) follows(e int, part Part, corners []int32) bool {
	nodes, n := b.Element(e), part.Kind.Corners()
	for i := range n {
		if nodes[part.Nodes[i]] == corners[0] {
			return nodes[part.Nodes[(i+1)%n]] == corners[1] && (n > 2 || i == 0)
		}
	}
	return false
}
