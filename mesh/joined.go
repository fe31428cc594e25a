package mesh

import "slices"

// Joined returns the mesh without cuts. A cut is where a facet of the interior in [Mesh.Given] has its nodes from one of
// its cells, and the other cell has different nodes at the same places, as behind OP2's airfoil. Of nodes at one place
// the last one stays, and later numbers move up; cells, facets and groups keep their order. A mesh without a cut is
// returned as it is.
//
// Writers of other formats than new_grid.dat, [Mesh.Refine], [Mesh.Quadratic] and [Mesh.Orient] join the mesh first:
// without Given, a cut would be two boundaries. It is an error if the mesh has Given, and [Mesh.Facets] fails.
func (m *Mesh) Joined() (*Mesh, error) {
	if m.Given == nil {
		return m, nil
	}
	if _, err := m.givenFacets(); err != nil {
		return nil, err
	}
	stands := make([]int32, m.Nodes()) // the node in whose place each node stands
	for n := range stands {
		stands[n] = int32(n)
	}
	cut := false
	s := &m.Given.Interior
	facet := 0
	for i := range s.Blocks {
		for e := range s.Blocks[i].Len() {
			for _, cell := range s.Cells[2*facet : 2*facet+2] {
				block, element := m.locate(int(cell))
				corners := m.Blocks[block].Element(element)
				for _, end := range s.Blocks[i].Element(e) {
					if slices.Contains(corners, end) {
						continue
					}
					for _, n := range corners {
						if m.samePlace(n, end) {
							stands[min(n, end)], cut = max(n, end), true
						}
					}
				}
			}
			facet++
		}
	}
	if !cut {
		return m, nil
	}
	for n := len(stands) - 1; n >= 0; n-- {
		stands[n] = stands[stands[n]]
	}
	return m.merged(stands), nil
}

// locate returns the block of a cell that is numbered across the blocks, and its number there.
func (m *Mesh) locate(cell int) (block, element int) {
	for cell >= m.Blocks[block].Len() {
		cell -= m.Blocks[block].Len()
		block++
	}
	return block, cell
}

// merged returns the mesh with the nodes that stand for themselves alone.
func (m *Mesh) merged(stands []int32) *Mesh {
	to := &Mesh{Dim: m.Dim}
	number := make([]int32, len(stands))
	for n := range stands {
		if number[n] = int32(to.Nodes()); stands[n] == int32(n) {
			to.Points = append(to.Points, m.Point(int32(n))...)
		}
	}
	for n := range stands {
		number[n] = number[stands[n]]
	}
	blocks := func(from []Block) (to []Block) {
		for _, b := range from {
			to = append(to, Block{b.Kind, renumbered(b.Nodes, number)})
		}
		return to
	}
	to.Blocks = blocks(m.Blocks)
	for _, g := range m.Groups {
		g.Members = slices.Clone(g.Members)
		for i := range g.Members {
			if p := &g.Members[i]; p.Block < 0 {
				p.Elements = renumbered(p.Elements, number)
				slices.Sort(p.Elements)
				p.Elements = slices.Compact(p.Elements)
			}
		}
		to.Groups = append(to.Groups, g)
	}
	to.Given = &Facets{
		Interior: Sides{Blocks: blocks(m.Given.Interior.Blocks), Cells: m.Given.Interior.Cells},
		Boundary: Sides{Blocks: blocks(m.Given.Boundary.Blocks), Cells: m.Given.Boundary.Cells}}
	return to
}
