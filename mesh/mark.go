package mesh

import (
	"fmt"
	"slices"
	"sort"

	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/spell"
)

// Mark adds a group of those facets of the boundary whose middle, the mean of their corners, is where the function
// reports true: an inflow, a wall. It adds elements for facets that the mesh has none for.
//
//	err := m.Mark("inflow", func(x []float64) bool { return x[0] == 0 })
//
// It is an error if the name is taken, if there is no such facet, or where [Mesh.Facets] fails.
func (m *Mesh) Mark(name string, where func(x []float64) bool) error {
	f, err := m.Facets()
	if err != nil {
		return err
	}
	if m.Group(name) != nil {
		return fmt.Errorf("mesh: there is a group %q already", name)
	}
	if m.CellDim() < 2 {
		return fmt.Errorf("mesh: group %q: the cells of the mesh are no areas or volumes", name)
	}
	known := make([]int32, f.Boundary.Len()) // the element of the mesh that a facet is, plus 1
	for i := range m.Blocks {
		for e, n := range f.Elements(i) {
			if n -= int32(f.Interior.Len()); n >= 0 {
				known[n] = int32(e) + 1
			}
		}
	}
	g := Group{Name: name, Tag: m.newTag(), Dim: m.CellDim() - 1}
	n := 0
	for i := range f.Boundary.Blocks {
		facets := &f.Boundary.Blocks[i]
		var elements, missing []int32
		for e := range facets.Len() {
			if where(m.middle(facets.Element(e)[:facets.Kind.Corners()])) {
				if known[n] > 0 {
					elements = append(elements, known[n]-1)
				} else {
					missing = append(missing, facets.Element(e)...)
				}
			}
			n++
		}
		if len(elements) > 0 || len(missing) > 0 {
			block, added := m.appendElements(facets.Kind, missing)
			elements = append(elements, added...)
			sorting.Int32s(elements)
			g.Members = append(g.Members, Members{block, elements})
		}
	}
	if len(g.Members) == 0 {
		return fmt.Errorf("mesh: group %q: no facet of the boundary is there", name)
	}
	m.Groups = append(m.Groups, g)
	return nil
}

// middle returns the mean of nodes.
func (m *Mesh) middle(nodes []int32) []float64 {
	x := make([]float64, m.Dim)
	for _, n := range nodes {
		for d, v := range m.Point(n) {
			x[d] += v / float64(len(nodes))
		}
	}
	return x
}

// newTag returns a tag that no group has.
func (m *Mesh) newTag() int {
	tag := 1
	for i := range m.Groups {
		tag = max(tag, m.Groups[i].Tag+1)
	}
	return tag
}

// appendElements appends elements of a kind to the block of that kind, or to a new one behind all of higher
// or equal dimension. It returns the block's index, and those of the elements.
func (m *Mesh) appendElements(kind Kind, nodes []int32) (block int, elements []int32) {
	for block < len(m.Blocks) && m.Blocks[block].Kind.Dim() >= kind.Dim() && m.Blocks[block].Kind != kind {
		block++
	}
	if block == len(m.Blocks) || m.Blocks[block].Kind != kind {
		m.Blocks = slices.Insert(m.Blocks, block, Block{Kind: kind})
		for i := range m.Groups {
			for k := range m.Groups[i].Members {
				if b := &m.Groups[i].Members[k].Block; *b >= block {
					*b++
				}
			}
		}
	}
	b := &m.Blocks[block]
	for e := range len(nodes) / kind.Nodes() {
		elements = append(elements, int32(b.Len()+e))
	}
	b.Nodes = append(b.Nodes, nodes...)
	return block, elements
}

// find returns the group with a name, or an error that lists those there are. Where several groups share it, it is
// that of the elements of the given dimension, if there is one.
func (m *Mesh) find(name string, dim int) (*Group, error) {
	var names []string
	for i := range m.Groups {
		if g := &m.Groups[i]; g.Name == name && g.Dim == dim {
			return g, nil
		} else if g.Name != "" {
			names = append(names, g.Name)
		}
	}
	if g := m.Group(name); g != nil {
		return g, nil
	}
	hint := spell.DidYouMean(name, names)
	if len(names) == 0 {
		return nil, fmt.Errorf("mesh: there is no group %q: the mesh has none with a name", name)
	}
	return nil, fmt.Errorf("mesh: there is no group %q among %s%s", name, quoted(names), hint)
}

// quoted lists names: "left", "right".
func quoted(names []string) string {
	sort.Strings(names)
	text := ""
	for i, n := range slices.Compact(names) {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", n)
	}
	return text
}

// GroupNodes returns the nodes of the elements in the groups of the given names, each once and in ascending order. It
// is an error if there is no such group.
func (m *Mesh) GroupNodes(names ...string) ([]int32, error) {
	if err := m.valid(); err != nil {
		return nil, err
	}
	return m.groupNodes(names)
}

// groupNodes is GroupNodes of a valid mesh.
func (m *Mesh) groupNodes(names []string) ([]int32, error) {
	var nodes []int32
	for _, name := range names {
		if _, err := m.find(name, m.CellDim()-1); err != nil {
			return nil, err
		}
		for i := range m.Groups {
			if m.Groups[i].Name == name {
				nodes = m.appendNodes(nodes, &m.Groups[i])
			}
		}
	}
	sorting.Int32s(nodes)
	return slices.Compact(nodes), nil
}

// appendNodes appends the nodes of a group.
func (m *Mesh) appendNodes(nodes []int32, g *Group) []int32 {
	for _, members := range g.Members {
		if members.Block < 0 {
			nodes = append(nodes, members.Elements...)
			continue
		}
		for _, e := range members.Elements {
			nodes = append(nodes, m.Blocks[members.Block].Element(int(e))...)
		}
	}
	return nodes
}
