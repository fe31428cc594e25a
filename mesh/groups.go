package mesh

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/spell"
)

// Group returns the group with a name, or nil. Where groups of several dimensions share it, it is the one of
// the lowest dimension.
func (m *Mesh) Group(name string) *Group {
	var found *Group
	for g := range m.Groups {
		if m.Groups[g].Name == name && (found == nil || m.Groups[g].Dim < found.Dim) {
			found = &m.Groups[g]
		}
	}
	return found
}

// Len returns the number of elements or nodes in the group.
func (g *Group) Len() int {
	var n int
	for _, members := range g.Members {
		n += len(members.Elements)
	}
	return n
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

// GroupNodes returns the nodes of the elements in the groups of the given names, each once and in ascending order. It
// is an error if there is no such group.
func (m *Mesh) GroupNodes(names ...string) ([]int32, error) {
	if err := m.Valid(); err != nil {
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

// partsOfElements returns the numbers of the parts of elements, the same number for each element, from a first
// number on.
func partsOfElements(elements []int32, first, parts int) []int32 {
	to := make([]int32, 0, len(elements)*parts)
	for _, e := range elements {
		for k := range parts {
			to = append(to, int32(first+int(e)*parts+k))
		}
	}
	return to
}
