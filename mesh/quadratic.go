package mesh

import (
	"fmt"
	"math"
	"slices"
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
// moves new nodes on boundaries. Nodes in the middle of quadrilaterals and hexahedra follow those around them
// (transfinite interpolation): a boundary can move by nearly the height of such a cell on it, but only by half of
// that of a triangle or tetrahedron, before cells are inverted.
//
// It is an error if the elements are not linear, or if there are too many nodes for int32 indices.
func (m *Mesh) Quadratic(project Projection) (*Mesh, error) {
	if err := m.shaped("Quadratic"); err != nil {
		return nil, err
	}
	m, err := m.Joined()
	if err != nil {
		return nil, err
	}
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
	for _, e := range elementsOf(to.Blocks) {
		if e.kind == Hexahedron27 {
			copy(to.Point(e.nodes[26]), m.middle(e.corners()))
		}
	}
	if project != nil {
		straight := slices.Clone(to.Points)
		to.project(project, from, from+edges.count)
		to.followFaces(straight)
		to.project(project, from+edges.count, centers)
		to.followVolumes(straight)
	}
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
		} else if k >= pentagon {
			return nil, nil, fmt.Errorf("mesh: polygons of more than four corners cannot be refined, and have no second order; found %s", k)
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
		return Block{Kind: b.Kind, Nodes: append([]int32{}, b.Nodes...)}
	}
	corners, width := b.Kind.Nodes(), kind.Nodes()
	perEdges, perQuadrilaterals := len(b.Kind.Edges()), len(quadrilateralsOf(b.Kind))
	to := Block{Kind: kind, Nodes: make([]int32, width*b.Len())}
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

// project calls f for the nodes from lo to hi of elements in named groups that are not cells, once for each group.
func (m *Mesh) project(f Projection, lo, hi int) {
	done := make([]int, hi-lo) // the last group that a node was projected for, plus 1
	for i := range m.Groups {
		g := &m.Groups[i]
		if g.Name == "" || g.Dim == 0 || g.Dim == m.CellDim() {
			continue
		}
		for _, members := range g.Members {
			for _, e := range members.Elements {
				for _, n := range m.Blocks[members.Block].Element(int(e)) {
					if n := int(n); n >= lo && n < hi && done[n-lo] <= i {
						done[n-lo] = i + 1
						f(g.Name, m.Point(int32(n)))
					}
				}
			}
		}
	}
}

// followFaces moves the nodes in the middle of quadrilaterals as the middles of their edges have been moved from where
// they are in straight.
func (m *Mesh) followFaces(straight []float64) {
	for i := range m.Blocks {
		b := &m.Blocks[i]
		faces := itself(b.Kind)
		if b.Kind.Dim() == 3 {
			faces = b.Kind.Facets()
		}
		for _, f := range faces {
			if f.Kind == Quadrilateral9 {
				for e := range b.Len() {
					m.follow(straight, b.Element(e), f.Nodes[8], f.Nodes[4:8], nil)
				}
			}
		}
	}
}

// followVolumes moves the nodes in the middle of hexahedra likewise.
func (m *Mesh) followVolumes(straight []float64) {
	for _, e := range elementsOf(m.Blocks) {
		if e.kind == Hexahedron27 {
			m.follow(straight, e.nodes, 26, []uint8{20, 21, 22, 23, 24, 25}, []uint8{8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
		}
	}
}

// follow moves the node in the middle of a part of an element by half of the displacements of its sides, less a quarter
// of those of the edges between them.
func (m *Mesh) follow(straight []float64, nodes []int32, middle uint8, sides, edges []uint8) {
	for d := range m.Dim {
		by := 0.0
		for _, p := range sides {
			at := int(nodes[p])*m.Dim + d
			by += (m.Points[at] - straight[at]) / 2
		}
		for _, p := range edges {
			at := int(nodes[p])*m.Dim + d
			by -= (m.Points[at] - straight[at]) / 4
		}
		at := int(nodes[middle])*m.Dim + d
		m.Points[at] = straight[at] + by
	}
}
