package mesh

import (
	"math"
	"slices"
)

// gmshKinds holds the kind of each of Gmsh's element types, by its number; 0 where there is none here.
var gmshKinds = [...]Kind{
	1: Line, 2: Triangle, 3: Quadrilateral, 4: Tetrahedron, 5: Hexahedron, 6: Prism, 7: Pyramid,
	8: Line3, 9: Triangle6, 10: Quadrilateral9, 11: Tetrahedron10, 12: Hexahedron27, 13: Prism18, 14: Pyramid14,
	15: Point, 16: Quadrilateral8, 17: Hexahedron20, 18: Prism15, 19: Pyramid13,
}

// gmshTypes is the inverse of gmshKinds.
var gmshTypes = func() (types [kinds]int) {
	for t, k := range gmshKinds {
		types[k] = t
	}
	return types
}()

// gmshOrder holds, for each node of a kind, its place among the nodes of Gmsh's element; nil where the orders are
// the same. The two agree on corners and on the node in the middle of the element.
var gmshOrder = [kinds][]uint8{
	Tetrahedron10: {0, 1, 2, 3, 4, 5, 6, 7, 9, 8},
	Hexahedron20:  {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15},
	Hexahedron27: {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15,
		22, 23, 21, 24, 20, 25, 26},
	Prism15:   {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11},
	Prism18:   {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11, 15, 17, 16},
	Pyramid13: {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12},
	Pyramid14: {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12, 13},
}

// fromGmsh puts the nodes of elements of a kind, or the tags of these, which are in Gmsh's order, into ours.
func fromGmsh[T int32 | int64](kind Kind, all []T) {
	order, width := gmshOrder[kind], kind.Nodes()
	if order == nil {
		return
	}
	together(spans(len(all)/width), func(_, lo, hi int) {
		var theirs [27]T
		for nodes := range slices.Chunk(all[lo*width:hi*width], width) {
			copy(theirs[:], nodes)
			for k, at := range order {
				nodes[k] = theirs[at]
			}
		}
	})
}

// gmshKey names an entity or a physical group.
type gmshKey struct {
	dim int
	tag int32
}

// kindOfType returns the kind of Gmsh's element type, or 0.
func kindOfType(t int64) Kind {
	if t < 0 || t >= int64(len(gmshKinds)) {
		return 0
	}
	return gmshKinds[t]
}

// abs returns the absolute value of a tag. Physical tags are negative where an entity is reversed.
func abs(tag int32) int32 {
	if tag == math.MinInt32 {
		return math.MaxInt32
	}
	return max(tag, -tag)
}
