package mesh

import (
	"fmt"
	"math"
	"slices"
)

// Refine returns the mesh with each element divided into 2, 4 or 8 of half its size: an edge into two lines,
// a triangle or quadrilateral into four, a tetrahedron, hexahedron or prism into eight of its kind. A pyramid becomes six
// pyramids and four tetrahedra. Groups hold the parts of the elements, and the nodes, that they held. New nodes follow the old ones, as
// [Mesh.Quadratic] has them, with the same project.
//
// The parts of an element follow each other, in its place in the block; tetrahedra of pyramids come after all
// others. The octahedron in a tetrahedron is divided along the shortest of its diagonals.
//
// It is an error if the elements are not linear, or if there are too many for int32 indices.
func (m *Mesh) Refine(project Projection) (*Mesh, error) {
	if err := m.shaped("Refine"); err != nil {
		return nil, err
	}
	m, err := m.Joined()
	if err != nil {
		return nil, err
	}
	for i := range m.Blocks {
		if k := m.Blocks[i].Kind; len(m.Blocks[i].Nodes) > math.MaxInt32/10 {
			return nil, fmt.Errorf("mesh: %d of kind %s are too many to refine", m.Blocks[i].Len(), k)
		}
	}
	q, err := m.Quadratic(project)
	if err != nil {
		return nil, err
	}
	to := &Mesh{Dim: m.Dim, Points: q.Points, Groups: q.Groups}
	for i := range q.Blocks {
		to.Blocks = append(to.Blocks, Block{Kind: m.Blocks[i].Kind, Nodes: q.divided(&q.Blocks[i])})
	}
	for i := range to.Groups {
		for k := range to.Groups[i].Members {
			members := &to.Groups[i].Members[k]
			if members.Block >= 0 {
				members.Elements = partsOfElements(members.Elements, 0, len(children[q.Blocks[members.Block].Kind]))
			}
		}
	}
	to.addPyramidTetrahedra(m, q)
	return to, nil
}

// children lists the parts of each kind of second order, of the same shape, by their places among its nodes.
var children = map[Kind][][]uint8{
	Point:          {{0}},
	Line3:          {{0, 2}, {2, 1}},
	Triangle6:      {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}},
	Quadrilateral9: {{0, 4, 8, 7}, {4, 1, 5, 8}, {8, 5, 2, 6}, {7, 8, 6, 3}},
	Tetrahedron10:  tetrahedronChildren[0],
	Hexahedron27: {
		{0, 8, 24, 11, 16, 22, 26, 20}, {8, 1, 9, 24, 22, 17, 21, 26}, {24, 9, 2, 10, 26, 21, 18, 23}, {11, 24, 10, 3, 20, 26, 23, 19},
		{16, 22, 26, 20, 4, 12, 25, 15}, {22, 17, 21, 26, 12, 5, 13, 25}, {26, 21, 18, 23, 25, 13, 6, 14}, {20, 26, 23, 19, 15, 25, 14, 7}},
	Prism18: {
		{0, 6, 8, 12, 15, 17}, {6, 1, 7, 15, 13, 16}, {8, 7, 2, 17, 16, 14}, {6, 7, 8, 15, 16, 17},
		{12, 15, 17, 3, 9, 11}, {15, 13, 16, 9, 4, 10}, {17, 16, 14, 11, 10, 5}, {15, 16, 17, 9, 10, 11}},
	Pyramid14: {
		{0, 5, 13, 8, 9}, {5, 1, 6, 13, 10}, {13, 6, 2, 7, 11}, {8, 13, 7, 3, 12}, {9, 10, 11, 12, 4}, {9, 12, 11, 10, 13}},
}

// tetrahedronChildren lists the parts of a tetrahedron: those at its corners, and those around each of the diagonals of
// the octahedron between them.
var tetrahedronChildren = [3][][]uint8{
	{{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}, {4, 9, 5, 6}, {4, 9, 6, 7}, {4, 9, 7, 8}, {4, 9, 8, 5}},
	{{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}, {5, 7, 6, 4}, {5, 7, 9, 6}, {5, 7, 8, 9}, {5, 7, 4, 8}},
	{{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}, {6, 8, 4, 5}, {6, 8, 5, 9}, {6, 8, 9, 7}, {6, 8, 7, 4}},
}

// diagonals are those of the octahedron in a tetrahedron.
var diagonals = [3][2]uint8{{4, 9}, {5, 7}, {6, 8}}

// pyramidTetrahedra lists the tetrahedra of a pyramid, by its nodes of second order.
var pyramidTetrahedra = [][]uint8{{5, 9, 10, 13}, {6, 10, 11, 13}, {7, 11, 12, 13}, {8, 12, 9, 13}}

// divided returns the nodes of the parts of a block's elements that have their shape.
func (m *Mesh) divided(b *Block) []int32 {
	parts := children[b.Kind]
	width := len(parts[0])
	to := make([]int32, b.Len()*len(parts)*width)
	together(spans(b.Len()), func(_, lo, hi int) {
		parts := parts
		for e := lo; e < hi; e++ {
			nodes := b.Element(e)
			if b.Kind == Tetrahedron10 {
				parts = tetrahedronChildren[m.shortestDiagonal(nodes)]
			}
			appendParts(to[e*len(parts)*width:][:0], nodes, parts)
		}
	})
	return to
}

// appendParts appends the nodes of parts of an element.
func appendParts(to, nodes []int32, parts [][]uint8) []int32 {
	for _, part := range parts {
		for _, place := range part {
			to = append(to, nodes[place])
		}
	}
	return to
}

// shortestDiagonal returns which of the diagonals in a tetrahedron is the shortest, the first of several.
func (m *Mesh) shortestDiagonal(nodes []int32) (shortest int) {
	least := math.Inf(1)
	for i, d := range diagonals {
		along := m.vector(nodes[d[0]]).minus(m.vector(nodes[d[1]]))
		if length := along.dot(along); length < least {
			shortest, least = i, length
		}
	}
	return shortest
}

// addPyramidTetrahedra adds the tetrahedra of refined pyramids, and enters them in the groups of these. M is the mesh
// before its refinement, q the same of second order.
func (to *Mesh) addPyramidTetrahedra(m, q *Mesh) {
	pyramids := slices.IndexFunc(m.Blocks, func(b Block) bool { return b.Kind == Pyramid })
	if pyramids < 0 || m.Blocks[pyramids].Len() == 0 {
		return
	}
	from := &q.Blocks[pyramids]
	nodes := make([]int32, 0, 4*len(pyramidTetrahedra)*from.Len())
	for e := range from.Len() {
		nodes = appendParts(nodes, from.Element(e), pyramidTetrahedra)
	}
	block, added := to.appendElements(Tetrahedron, nodes)
	for i := range to.Groups {
		g := &to.Groups[i]
		var elements []int32
		for _, members := range m.Groups[i].Members {
			if members.Block == pyramids {
				elements = append(elements, partsOfElements(members.Elements, int(added[0]), len(pyramidTetrahedra))...)
			}
		}
		if len(elements) == 0 {
			continue
		}
		if k := slices.IndexFunc(g.Members, func(m Members) bool { return m.Block == block }); k >= 0 {
			g.Members[k].Elements = append(g.Members[k].Elements, elements...)
		} else {
			g.Members = append(g.Members, Members{block, elements})
		}
	}
}
