package mesh

import (
	"math"
	"slices"
)

// used reports for each node whether it belongs to an element or a group.
func (m *Mesh) used() []bool {
	used := make([]bool, m.Nodes())
	m.nodeReferences(func(nodes []int32) {
		for _, n := range nodes {
			used[n] = true
		}
	})
	return used
}

// dropUnused removes the nodes that belong to no element and no group, and numbers the others in the same order.
func (m *Mesh) dropUnused() {
	used := m.used()
	if !slices.Contains(used, false) {
		return
	}
	m.renumberNodes(m.keepNodes(used))
}

// keepNodes removes the coordinates of the other nodes, and returns new numbers for those that are kept, in the same order.
func (m *Mesh) keepNodes(kept []bool) (number []int32) {
	number = make([]int32, len(kept))
	var next int32
	for n, k := range kept {
		if k {
			number[n] = next
			copy(m.Points[int(next)*m.Dim:], m.Points[n*m.Dim:(n+1)*m.Dim])
			next++
		}
	}
	m.Points = m.Points[:int(next)*m.Dim]
	return number
}

// renumberNodes gives the nodes of elements, groups and given facets new numbers.
func (m *Mesh) renumberNodes(number []int32) {
	m.nodeReferences(func(nodes []int32) {
		for i, n := range nodes {
			nodes[i] = number[n]
		}
	})
}

// nodeReferences calls f with the nodes of the elements, of the given facets, and of each group of nodes.
func (m *Mesh) nodeReferences(f func(nodes []int32)) {
	for _, b := range m.Blocks {
		f(b.Nodes)
	}
	if m.Given != nil {
		for _, b := range slices.Concat(m.Given.Interior.Blocks, m.Given.Boundary.Blocks) {
			f(b.Nodes)
		}
	}
	for _, g := range m.Groups {
		for _, members := range g.Members {
			if members.Block < 0 {
				f(members.Elements)
			}
		}
	}
}

// flatten makes a mesh of three dimensions one of two if all its elements are lines or faces with the same z.
func (m *Mesh) flatten() {
	if m.CellDim() == 3 {
		return
	}
	for n := range m.Nodes() {
		if m.Points[3*n+2] != m.Points[2] {
			return
		}
	}
	m.Dim, m.Points = 2, inPlane(m.Points)
}

// inPlane returns coordinates of three dimensions without the third.
func inPlane(points []float64) []float64 {
	for n := range len(points) / 3 {
		copy(points[2*n:], points[3*n:3*n+2])
	}
	return points[:len(points)/3*2]
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

// infinite reports whether a coordinate is not finite.
func infinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// samePlace reports whether two nodes have the same coordinates, as those on the two sides of a cut.
func (m *Mesh) samePlace(a, b int32) bool { return slices.Equal(m.Point(a), m.Point(b)) }
