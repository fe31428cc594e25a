package mesh

import (
	"math/rand/v2"
	"slices"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/sorting"
)

// Shuffle renumbers the nodes, the elements of each block and the given facets at random, like a generator that pays no
// attention to order. Equal seeds give equal numbers. A mesh that [ReadShare] has read stays as it is.
func (m *Mesh) Shuffle(seed uint64) {
	if m.share != nil {
		return
	}
	r := rand.New(rand.NewPCG(seed, 0))
	node, cell := permutation(r, m.Nodes()), []int32{}
	m.Points = moved(m.Points, m.Dim, node)
	element := make([][]int32, len(m.Blocks))
	for i := range m.Blocks {
		b := &m.Blocks[i]
		element[i] = permutation(r, b.Len())
		if b.Kind != Polyhedron { // their faces have their nodes
			b.Nodes = moved(renumbered(b.Nodes, node), b.Kind.Nodes(), element[i])
		}
		if first := int32(len(cell)); b.Kind.Dim() == m.CellDim() {
			for _, e := range element[i] {
				cell = append(cell, first+e)
			}
		}
	}
	for i := range m.Groups {
		for k := range m.Groups[i].Members {
			members := &m.Groups[i].Members[k]
			to := node
			if members.Block >= 0 {
				to = element[members.Block]
			}
			members.Elements = renumbered(members.Elements, to)
			sorting.Int32s(members.Elements)
		}
	}
	if m.Given != nil {
		m.Given = &Facets{Interior: m.Given.Interior.shuffled(r, node, cell), Boundary: m.Given.Boundary.shuffled(r, node, cell)}
		if m.polyhedral() {
			m.enclose(m.Cells())
		}
	}
}

// shuffled returns the facets in random order, with the new numbers of nodes and cells.
func (s *Sides) shuffled(r *rand.Rand, node, cell []int32) (to Sides) {
	cells := renumbered(s.Cells, cell)
	for i := range s.Blocks {
		b := &s.Blocks[i]
		number := permutation(r, b.Len())
		n := b.Len() * len(s.Cells) / max(1, s.Len())
		to.Blocks = append(to.Blocks, Block{Kind: b.Kind, Nodes: moved(renumbered(b.Nodes, node), b.Kind.Nodes(), number)})
		to.Cells = append(to.Cells, moved(cells[:n], len(s.Cells)/max(1, s.Len()), number)...)
		cells = cells[n:]
	}
	return to
}

// permutation returns random new numbers for n elements.
func permutation(r *rand.Rand, n int) []int32 {
	p := lists.UpTo(n)
	r.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

// moved returns the rows of dim values, each at its new number.
func moved[T any](values []T, dim int, number []int32) []T {
	to := make([]T, len(values))
	for i, n := range number {
		copy(to[int(n)*dim:(int(n)+1)*dim], values[i*dim:(i+1)*dim])
	}
	return to
}

// renumbered returns the new numbers of targets.
func renumbered(targets, number []int32) []int32 {
	to := slices.Clone(targets)
	for i, t := range targets {
		to[i] = number[t]
	}
	return to
}
