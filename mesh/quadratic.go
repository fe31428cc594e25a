package mesh

import (
	"fmt"
	"math"
)

// Projection moves the node at x, which [Mesh.Quadratic] or [Mesh.Refine] has made in the middle of an element on a
// boundary or interface, to where it belongs: onto a circle, say. It is called for each group of such elements that has a
// name, with that name; where it does nothing, the element stays straight.
//
//	circle := func(group string, x []float64) {
//		r := math.Hypot(x[0], x[1])
//		x[0], x[1] = x[0]/r, x[1]/r
//	}
type Projection func(group string, x []float64)

// Quadratic returns the mesh with elements of second order, in the same order and groups: nodes are added in the middle
// of each edge, quadrilateral and hexahedron, so that tetrahedra become [Tetrahedron10] and hexahedra
// [Hexahedron27]. They are numbered after the corners, those of edges first. Corners stay; project, which may be nil,
// moves new nodes on boundaries.
//
// It is an error if the elements are not linear, or if there are too many nodes for int32 indices.
func (m *Mesh) Quadratic(project Projection) (*Mesh, error) {
	edges, quadrilaterals, err := m.numberMiddles()
	if err != nil {
		return nil, err
	}
	to := &Mesh{Dim: m.Dim, Groups: cloneGroups(m.Groups)}
	from := m.Nodes()
	centers := from + edges.count + quadrilaterals.count // the first node in a hexahedron
	nodes := centers
	for i := range m.Blocks {
		if m.Blocks[i].Kind == Hexahedron {
			nodes += m.Blocks[i].Len()
		}
	}
	if nodes > math.MaxInt32 {
		return nil, fmt.Errorf("mesh: second order needs %d nodes, at most %d are possible", nodes, math.MaxInt32)
	}
	to.Points = make([]float64, m.Dim*nodes)
	copy(to.Points, m.Points)
	edges.placeMiddles(to, from)
	quadrilaterals.placeMiddles(to, from+edges.count)
	for i := range m.Blocks {
		to.Blocks = append(to.Blocks, m.Blocks[i].raised(i, edges, quadrilaterals, from, centers))
	}
	for i := range to.Blocks {
		if b := &to.Blocks[i]; b.Kind == Hexahedron27 {
			for e := range b.Len() {
				nodes := b.Element(e)
				copy(to.Point(nodes[26]), m.middle(nodes[:8]))
			}
		}
	}
	to.project(project, from)
	return to, nil
}

// secondOrder is the kind of each linear one that has nodes in the middle of edges, quadrilaterals and hexahedra.
var secondOrder = map[Kind]Kind{
	Point: Point, Line: Line3, Triangle: Triangle6, Quadrilateral: Quadrilateral9, Tetrahedron: Tetrahedron10,
	Hexahedron: Hexahedron27, Prism: Prism18, Pyramid: Pyramid14,
}

// quadrilateralsOf returns the quadrilaterals of an element: itself, or its faces.
func quadrilateralsOf(k Kind) (parts []Part) {
	if k == Quadrilateral {
		return itself(k)
	}
	for _, f := range k.Facets() {
		if f.Kind == Quadrilateral {
			parts = append(parts, f)
		}
	}
	return parts
}

// numberMiddles numbers the edges and the quadrilaterals of a mesh of linear elements.
func (m *Mesh) numberMiddles() (edges, quadrilaterals *numbering, err error) {
	for i := range m.Blocks {
		if k := m.Blocks[i].Kind; k != k.Linear() {
			return nil, nil, fmt.Errorf("mesh: expected linear elements, found %s", k)
		}
	}
	if edges, err = m.numberParts(Kind.Edges); err != nil {
		return nil, nil, err
	}
	quadrilaterals, err = m.numberParts(quadrilateralsOf)
	return edges, quadrilaterals, err
}

// placeMiddles sets the nodes in the middle of numbered parts, from a node on.
func (n *numbering) placeMiddles(to *Mesh, from int) {
	together(spans(n.count), func(_, lo, hi int) {
		for number := lo; number < hi; number++ {
			in, e, p := n.at(n.first[number])
			x := to.Point(int32(from + number))
			corners := in.parts[p].Nodes
			for _, c := range corners {
				for d, v := range to.Point(in.Element(e)[c]) {
					x[d] += v / float64(len(corners))
				}
			}
		}
	})
}

// raised returns the elements of the block, which is that of the given index, as those of second order. From is the
// number of the first node in the middle of an edge, center that of the first in a hexahedron.
func (b *Block) raised(index int, edges, quadrilaterals *numbering, from, center int) Block {
	kind, ok := secondOrder[b.Kind]
	if !ok || kind == b.Kind {
		return Block{b.Kind, append([]int32{}, b.Nodes...)}
	}
	corners, width := b.Kind.Nodes(), kind.Nodes()
	perEdges, perQuadrilaterals := len(b.Kind.Edges()), len(quadrilateralsOf(b.Kind))
	to := Block{kind, make([]int32, width*b.Len())}
	together(spans(b.Len()), func(_, lo, hi int) {
		for e := lo; e < hi; e++ {
			nodes := to.Element(e)
			copy(nodes, b.Element(e))
			for k := range perEdges {
				nodes[corners+k] = int32(from) + edges.of[index][e*perEdges+k]
			}
			for k := range perQuadrilaterals {
				nodes[corners+perEdges+k] = int32(from+edges.count) + quadrilaterals.of[index][e*perQuadrilaterals+k]
			}
			if kind == Hexahedron27 {
				nodes[26] = int32(center + e)
			}
		}
	})
	return to
}

// project calls f for the nodes from a number on of elements in named groups that are not cells, once for each group.
func (m *Mesh) project(f Projection, from int) {
	if f == nil {
		return
	}
	done := make([]int, m.Nodes()) // the last group that a node was projected for, plus 1
	for i := range m.Groups {
		g := &m.Groups[i]
		if g.Name == "" || g.Dim == 0 || g.Dim == m.CellDim() {
			continue
		}
		for _, members := range g.Members {
			for _, e := range members.Elements {
				for _, n := range m.Blocks[members.Block].Element(int(e)) {
					if int(n) >= from && done[n] <= i {
						done[n] = i + 1
						f(g.Name, m.Point(n))
					}
				}
			}
		}
	}
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
