package mesh

import (
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// Joined returns the mesh without cuts. A cut is where a facet of the interior in [Mesh.Given] has its nodes from one of
// its cells, and the other cell has different nodes at the same places, as behind OP2's airfoil. Of nodes at one place
// the last one stays, and later numbers move up; cells, facets and groups keep their order. A mesh without a cut is
// returned as it is.
//
// Writers of other formats than new_grid.dat, [Mesh.Refine], [Mesh.Quadratic] and [Mesh.Orient] join the mesh first:
// without Given, a cut would be two boundaries. It is an error if the mesh has Given, and [Mesh.Facets] fails.
func (m *Mesh) Joined() (*Mesh, error) {
	if m == nil {
		return nil, errNil
	}
	if m.Given == nil || m.polyhedral() {
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
	for n := range m.Given.Interior.Len() {
		ends := m.Given.Interior.nodesOf(n)
		for _, cell := range m.Given.Interior.Cells[2*n : 2*n+2] {
			block, element := m.locate(int(cell))
			corners := m.Blocks[block].Element(element)
			for _, end := range ends {
				for _, twin := range m.twins(end, corners) {
					stands[min(twin, end)], cut = max(twin, end), true
				}
			}
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

// twins returns the corners of a cell at the place of a node that is none of them.
func (m *Mesh) twins(node int32, corners []int32) (at []int32) {
	if slices.Contains(corners, node) {
		return nil
	}
	for _, corner := range corners {
		if m.samePlace(corner, node) {
			at = append(at, corner)
		}
	}
	return at
}

// merged returns the mesh with the nodes that stand for themselves alone.
func (m *Mesh) merged(stands []int32) *Mesh {
	to := m.clone()
	kept := make([]bool, len(stands))
	for n := range stands {
		kept[n] = stands[n] == int32(n)
	}
	number := to.keepNodes(kept)
	for n := range stands {
		number[n] = number[stands[n]]
	}
	to.renumberNodes(number)
	for _, g := range to.Groups {
		for i := range g.Members {
			if p := &g.Members[i]; p.Block < 0 {
				sorting.Int32s(p.Elements)
				p.Elements = slices.Compact(p.Elements)
			}
		}
	}
	return to
}

// clone returns a copy of the mesh, whose numbers of cells in given facets are shared.
func (m *Mesh) clone() *Mesh {
	blocks := func(from []Block) (to []Block) {
		for _, b := range from {
			to = append(to, Block{b.Kind, slices.Clone(b.Nodes), b.Ends})
		}
		return to
	}
	to := &Mesh{Dim: m.Dim, Points: slices.Clone(m.Points), Blocks: blocks(m.Blocks), Groups: cloneGroups(m.Groups)}
	if m.Given != nil {
		to.Given = &Facets{
			Interior: Sides{Blocks: blocks(m.Given.Interior.Blocks), Cells: m.Given.Interior.Cells},
			Boundary: Sides{Blocks: blocks(m.Given.Boundary.Blocks), Cells: m.Given.Boundary.Cells}}
	}
	return to
}

// cloneGroups returns groups that share no memory with the given ones.
func cloneGroups(groups []Group) []Group {
	var to []Group
	for _, g := range groups {
		members := g.Members
		g.Members = nil
		for _, m := range members {
			g.Members = append(g.Members, Members{m.Block, append([]int32{}, m.Elements...)})
		}
		to = append(to, g)
	}
	return to
}
