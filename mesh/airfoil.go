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
	m := &Mesh{Dim: 2, Points: a.points, Blocks: []Block{{Kind: Quadrilateral, Nodes: a.cells}, {Kind: Line, Nodes: slices.Clone(a.bedgeNodes)}}}
	m.Given = &Facets{Interior: Sides{Blocks: []Block{{Kind: Line, Nodes: a.edgeNodes}}, Cells: a.edgeCells},
		Boundary: Sides{Blocks: []Block{{Kind: Line, Nodes: a.bedgeNodes}}, Cells: a.bedgeCell}, mesh: m, elems: [][]int32{nil, nil}}
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
