package mesh

import "fmt"

// Kind is a kind of element: a shape and its nodes.
//
// The nodes of an element are its corners, then one in the middle of each edge, then one in the middle of each
// facet, then one in its middle, as far as the kind has them. The order is VTK's: mid-edge nodes follow
// [Kind.Edges], those on facets [Kind.Facets]. One kind differs: the first triangle of a prism, seen from the second
// one, is counterclockwise, as in Gmsh; in VTK's linear prism, unlike its quadratic ones, it is clockwise.
type Kind uint8

const (
	Point Kind = 1 + iota
	Line
	Triangle
	Quadrilateral
	Tetrahedron
	Hexahedron
	Prism          // a triangle, and the one above it
	Pyramid        // a quadrilateral, and the apex above it
	Line3          // with its middle
	Triangle6      // with mid-edge nodes
	Quadrilateral8 // with mid-edge nodes
	Quadrilateral9 // with mid-edge nodes and its middle
	Tetrahedron10  // with mid-edge nodes
	Hexahedron20   // with mid-edge nodes
	Hexahedron27   // with mid-edge nodes, one on each facet in the order of [Kind.Facets], and its middle
	Prism15        // with mid-edge nodes
	Prism18        // with mid-edge nodes, and one on each quadrilateral in the order of [Kind.Facets]
	Pyramid13      // with mid-edge nodes
	Pyramid14      // with mid-edge nodes and one on its quadrilateral
	Polyhedron     // with any number of nodes and faces: see [NewPolyhedra]

	pentagon                              // polygons with more corners follow
	kinds    = pentagon + mostCorners - 4 // how many there are, plus 1
)

// mostCorners is the number of corners that a polygon has at most.
const mostCorners = 64

// Polygon returns the kind of polygons with a number of corners, which follow each other around it: [Triangle] for 3,
// [Quadrilateral] for 4, and so on to 64. For another number it returns 0, which is no kind. A mesh of polygons has a
// block for each number of corners.
func Polygon(corners int) Kind {
	switch {
	case corners == 3:
		return Triangle
	case corners == 4:
		return Quadrilateral
	case corners >= 5 && corners <= mostCorners:
		return pentagon + Kind(corners-5)
	}
	return 0
}

// Part is an edge or a facet of an element.
type Part struct {
	Kind  Kind
	Nodes []uint8 // its nodes, as places among those of the element
}

// kindInfo describes a kind.
type kindInfo struct {
	name          string
	linear        Kind
	dim, nodes    int
	edges, facets []Part
}

// shape describes a linear kind.
type shape struct {
	dim     int
	corners int
	edges   [][]uint8 // their corners
	facets  [][]uint8 // their corners, oriented outwards
}

var linearShapes = map[Kind]shape{
	Point:         {0, 1, nil, nil},
	Line:          {1, 2, [][]uint8{{0, 1}}, [][]uint8{{0}, {1}}},
	Triangle:      {2, 3, [][]uint8{{0, 1}, {1, 2}, {2, 0}}, [][]uint8{{0, 1}, {1, 2}, {2, 0}}},
	Quadrilateral: {2, 4, [][]uint8{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, [][]uint8{{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
	Tetrahedron: {3, 4, [][]uint8{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
		[][]uint8{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}},
	Hexahedron: {3, 8, [][]uint8{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
		[][]uint8{{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}},
	Prism: {3, 6, [][]uint8{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
		[][]uint8{{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
	Pyramid: {3, 5, [][]uint8{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}},
		[][]uint8{{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}},
}

// kindTable describes each kind. The zero kind, and kinds that there are not, have no nodes.
var kindTable = func() [kinds]kindInfo {
	table := [kinds]kindInfo{
		Point: describe("point", Point, 1), Line: describe("line", Line, 2),
		Triangle: describe("triangle", Triangle, 3), Quadrilateral: describe("quadrilateral", Quadrilateral, 4),
		Tetrahedron: describe("tetrahedron", Tetrahedron, 4), Hexahedron: describe("hexahedron", Hexahedron, 8),
		Prism: describe("prism", Prism, 6), Pyramid: describe("pyramid", Pyramid, 5),
		Line3: describe("line3", Line, 3), Triangle6: describe("triangle6", Triangle, 6),
		Quadrilateral8: describe("quadrilateral8", Quadrilateral, 8), Quadrilateral9: describe("quadrilateral9", Quadrilateral, 9),
		Tetrahedron10: describe("tetrahedron10", Tetrahedron, 10),
		Hexahedron20:  describe("hexahedron20", Hexahedron, 20), Hexahedron27: describe("hexahedron27", Hexahedron, 27),
		Prism15: describe("prism15", Prism, 15), Prism18: describe("prism18", Prism, 18),
		Pyramid13: describe("pyramid13", Pyramid, 13), Pyramid14: describe("pyramid14", Pyramid, 14),
		Polyhedron: {name: "polyhedron", linear: Polyhedron, dim: 3},
	}
	var sides []Part // of all polygons, but for the last of each
	for corners := 1; corners <= mostCorners; corners++ {
		if k := Polygon(corners); k >= pentagon {
			own := append(sides[:corners-1:corners-1], Part{Line, []uint8{uint8(corners - 1), 0}})
			table[k] = kindInfo{fmt.Sprint("polygon", corners), k, 2, corners, own, own}
		}
		sides = append(sides, Part{Line, []uint8{uint8(corners - 1), uint8(corners)}})
	}
	return table
}()

// describe derives the edges and facets of a kind from those of its linear kind.
func describe(name string, linear Kind, nodes int) kindInfo {
	s := linearShapes[linear]
	info := kindInfo{name: name, linear: linear, dim: s.dim, nodes: nodes}
	corners := s.corners
	second := nodes > corners
	for e, ends := range s.edges {
		edge := Part{Line, ends}
		if second {
			edge = Part{Line3, []uint8{ends[0], ends[1], uint8(corners + e)}}
		}
		info.edges = append(info.edges, edge)
	}
	middle := corners + len(s.edges) // the next node in the middle of a facet
	for _, c := range s.facets {
		facet := Part{[]Kind{0, Point, Line, Triangle, Quadrilateral}[len(c)], c}
		if second && len(c) > 1 {
			facet = Part{[]Kind{0, 0, Line3, Triangle6, Quadrilateral8}[len(c)], withMiddles(c, s.edges, corners)}
			// The middle of a two-dimensional element, and of a volume, is not on its facets.
			if len(c) == 4 && middle < nodes {
				facet = Part{Quadrilateral9, append(facet.Nodes, uint8(middle))}
				middle++
			}
		}
		info.facets = append(info.facets, facet)
	}
	return info
}

// withMiddles returns the corners of a facet and the mid-edge nodes between them.
func withMiddles(facet []uint8, edges [][]uint8, corners int) []uint8 {
	nodes := append([]uint8(nil), facet...)
	sides := len(facet)
	if sides == 2 {
		sides = 1
	}
	for k := range sides {
		a, b := facet[k], facet[(k+1)%len(facet)]
		for e, ends := range edges {
			if ends[0] == a && ends[1] == b || ends[0] == b && ends[1] == a {
				nodes = append(nodes, uint8(corners+e))
			}
		}
	}
	return nodes
}

// blockOrder lists the kinds in the order of blocks: those of the highest dimension first.
var blockOrder = func() (list []Kind) {
	for dim := 3; dim >= 0; dim-- {
		for k := Point; k < kinds; k++ {
			if k.Dim() == dim {
				list = append(list, k)
			}
		}
	}
	return list
}()

func (k Kind) info() *kindInfo {
	if k >= kinds {
		k = 0
	}
	return &kindTable[k]
}

// Dim returns the dimension of the element itself: 0 for a point, 3 for a tetrahedron.
func (k Kind) Dim() int { return k.info().dim }

// Nodes returns the number of nodes of an element. It is 0 for an unknown kind, and for polyhedra, which have different ones.
func (k Kind) Nodes() int { return k.info().nodes }

// Corners returns the number of corners of an element, which are the first of its nodes.
func (k Kind) Corners() int { return k.Linear().Nodes() }

// Linear returns the kind of the same shape that has nodes at its corners alone.
func (k Kind) Linear() Kind { return k.info().linear }

// Order returns the order of the polynomials that the nodes carry: 0 for a point, 1 or 2.
func (k Kind) Order() int {
	switch {
	case k.Dim() == 0:
		return 0
	case k == k.Linear():
		return 1
	}
	return 2
}

// Edges returns the edges of an element in VTK's order; a line has one, itself. They must not be modified.
func (k Kind) Edges() []Part { return k.info().edges }

// Facets returns the parts of one dimension less that bound an element: the faces of a volume, the edges of a
// triangle, the ends of a line. Where the element has positive volume or area, they are oriented outwards: a face is
// counterclockwise seen from outside, and an edge has the element to its left. They must not be modified. Those of
// polyhedra are in [Mesh.Given].
func (k Kind) Facets() []Part { return k.info().facets }

// String returns the name of the kind in lower case, such as "triangle" or "tetrahedron10".
func (k Kind) String() string {
	if name := k.info().name; name != "" {
		return name
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// plural returns the name of a set of elements of a kind.
func plural(k Kind) string {
	switch k {
	case Tetrahedron:
		return "tetrahedra"
	case Polyhedron:
		return "polyhedra"
	case Hexahedron:
		return "hexahedra"
	}
	return k.String() + "s"
}

// facetName returns the name of facets of a kind.
func facetName(k Kind) string { return [4]string{"node", "edge", "face", ""}[k.Dim()] }

// itself returns an element of a kind as a part.
func itself(k Kind) []Part {
	nodes := make([]uint8, k.Nodes())
	for i := range nodes {
		nodes[i] = uint8(i)
	}
	return []Part{{k, nodes}}
}
