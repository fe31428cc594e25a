package mesh

import "slices"

// airfoilArrays are the parts of a mesh of quadrilaterals whose edges are given.
type airfoilArrays struct {
	points                []float64
	cells                 []int32 // the corners: [cells][4]
	edgeNodes, edgeCells  []int32 // the cell to the left first: [edges][2]
	bedgeNodes, bedgeCell []int32 // the cell is to the left: [bedges][2], [bedges]
	bound                 []int32 // which of boundNames the group of a boundary edge is, from 1
}

// boundNames are the groups of boundary edges.
var boundNames = []string{"wall", "far"}

// mesh returns the mesh. The boundary edges are its lines.
func (a *airfoilArrays) mesh() *Mesh {
	m := &Mesh{Dim: 2, Points: a.points, Blocks: []Block{{Quadrilateral, a.cells}, {Line, slices.Clone(a.bedgeNodes)}}}
	m.Given = &Facets{Interior: Sides{Blocks: []Block{{Line, a.edgeNodes}}, Cells: a.edgeCells},
		Boundary: Sides{Blocks: []Block{{Line, a.bedgeNodes}}, Cells: a.bedgeCell}, mesh: m, elems: [][]int32{nil, nil}}
	for e := range a.bound {
		m.Given.elems[1] = append(m.Given.elems[1], int32(len(a.edgeNodes)/2+e))
	}
	for k, name := range boundNames {
		var edges []int32
		for e, bound := range a.bound {
			if int(bound) == k+1 {
				edges = append(edges, int32(e))
			}
		}
		if len(edges) > 0 {
			m.Groups = append(m.Groups, Group{Name: name, Tag: k + 1, Dim: 1, Members: []Members{{1, edges}}})
		}
	}
	return m
}

// mergeCut merges the two nodes at each place of a cut; the later one stays. The ends of an interior edge are nodes of
// one of its cells. If the other cell has a different node at the place of an end, the two are on the cut.
func (a *airfoilArrays) mergeCut() {
	stands := make([]int32, len(a.points)/2) // the node in whose place each node stands
	for n := range stands {
		stands[n] = int32(n)
	}
	at := func(n int32) [2]float64 { return [2]float64(a.points[2*n : 2*n+2]) }
	for i, end := range a.edgeNodes {
		for _, c := range a.edgeCells[i&^1 : i|1+1] {
			corners := a.cells[4*c : 4*c+4]
			if slices.Contains(corners, end) {
				continue
			}
			for _, n := range corners {
				if at(n) == at(end) {
					stands[min(n, end)] = max(n, end)
				}
			}
		}
	}
	for n := len(stands) - 1; n >= 0; n-- {
		stands[n] = stands[stands[n]]
	}
	number := make([]int32, len(stands))
	points := a.points[:0]
	for n := range stands {
		if number[n] = int32(len(points) / 2); stands[n] == int32(n) {
			points = append(points, a.points[2*n], a.points[2*n+1])
		}
	}
	a.points = points
	for _, nodes := range [][]int32{a.cells, a.edgeNodes, a.bedgeNodes} {
		for i, n := range nodes {
			nodes[i] = number[stands[n]]
		}
	}
}
