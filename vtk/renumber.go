package vtk

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/mesh"
)

// stored returns the declared numbers of a set's elements in their order in memory.
func stored(set *op2.Set) []int32 { return (*core.Set)(set).StoredNumbers() }

// renumbered returns the mesh as a runtime has ordered its nodes and its cells in memory: one set for each kind.
func renumbered(m *mesh.Mesh, nodes *op2.Set, cells []*op2.Set) (*mesh.Mesh, error) {
	blocks := m.CellBlocks()
	if nodes.Size() != m.Nodes() {
		return nil, fmt.Errorf("the mesh has %d nodes, the set has %d", m.Nodes(), nodes.Size())
	}
	if len(cells) != len(blocks) {
		return nil, fmt.Errorf("the mesh has %d kinds of cells, the sets are %d", len(blocks), len(cells))
	}
	out := &mesh.Mesh{Dim: m.Dim, Points: make([]float64, 0, len(m.Points))}
	declared := stored(nodes)
	for _, n := range declared {
		out.Points = append(out.Points, m.Point(n)...)
	}
	number := [][]int32{inverse(declared)} // of the nodes, and of the elements of each block, by their old ones
	for i := range m.Blocks {
		b := &m.Blocks[i]
		var order []int32
		if i < len(blocks) {
			if cells[i].Size() != b.Len() {
				return nil, fmt.Errorf("the mesh has %d %ss, the set has %d", b.Len(), b.Kind, cells[i].Size())
			}
			order = stored(cells[i])
		} else {
			for e := range b.Len() {
				order = append(order, int32(e))
			}
		}
		number = append(number, inverse(order))
		to := mesh.Block{Kind: b.Kind, Nodes: make([]int32, 0, len(b.Nodes))}
		for _, e := range order {
			for _, n := range b.Element(int(e)) {
				to.Nodes = append(to.Nodes, number[0][n])
			}
		}
		out.Blocks = append(out.Blocks, to)
	}
	for _, g := range m.Groups {
		group := mesh.Group{Name: g.Name, Tag: g.Tag, Dim: g.Dim}
		for _, members := range g.Members {
			to := mesh.Members{Block: members.Block}
			for _, e := range members.Elements {
				to.Elements = append(to.Elements, number[members.Block+1][e])
			}
			group.Members = append(group.Members, to)
		}
		out.Groups = append(out.Groups, group)
	}
	return out, nil
}

// inverse returns the inverse of a permutation.
func inverse(order []int32) []int32 {
	out := make([]int32, len(order))
	for i, n := range order {
		out[n] = int32(i)
	}
	return out
}
