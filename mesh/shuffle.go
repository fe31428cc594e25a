package mesh

import (
	"math/rand/v2"
	"slices"
)

// Shuffle renumbers the nodes, cells, edges and boundary edges of the mesh at random, like a
// generator that pays no attention to order. Equal seeds give equal numbers.
func (m *Airfoil) Shuffle(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	node, cell := numbers(r, m.Nodes), numbers(r, m.Cells)
	edge, bedge := numbers(r, m.Edges), numbers(r, m.Bedges)
	m.XY = moved(m.XY, 2, node)
	m.CellNodes = moved(renumbered(m.CellNodes, node), 4, cell)
	m.EdgeNodes = moved(renumbered(m.EdgeNodes, node), 2, edge)
	m.EdgeCells = moved(renumbered(m.EdgeCells, cell), 2, edge)
	m.BedgeNodes = moved(renumbered(m.BedgeNodes, node), 2, bedge)
	m.BedgeCell = moved(renumbered(m.BedgeCell, cell), 1, bedge)
	m.Bound = moved(m.Bound, 1, bedge)
}

// numbers returns random new numbers for n elements.
func numbers(r *rand.Rand, n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
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
