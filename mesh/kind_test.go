package mesh

import (
	"fmt"
	"slices"
	"testing"
)

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		kind                                     Kind
		name                                     string
		linear                                   Kind
		dim, order, nodes, corners, edges, facet int
	}{
		{0, "Kind(0)", 0, 0, 0, 0, 0, 0, 0},
		{Point, "point", Point, 0, 0, 1, 1, 0, 0},
		{Line, "line", Line, 1, 1, 2, 2, 1, 2},
		{Triangle, "triangle", Triangle, 2, 1, 3, 3, 3, 3},
		{Quadrilateral, "quadrilateral", Quadrilateral, 2, 1, 4, 4, 4, 4},
		{Tetrahedron, "tetrahedron", Tetrahedron, 3, 1, 4, 4, 6, 4},
		{Hexahedron, "hexahedron", Hexahedron, 3, 1, 8, 8, 12, 6},
		{Prism, "prism", Prism, 3, 1, 6, 6, 9, 5},
		{Pyramid, "pyramid", Pyramid, 3, 1, 5, 5, 8, 5},
		{Line3, "line3", Line, 1, 2, 3, 2, 1, 2},
		{Triangle6, "triangle6", Triangle, 2, 2, 6, 3, 3, 3},
		{Quadrilateral8, "quadrilateral8", Quadrilateral, 2, 2, 8, 4, 4, 4},
		{Quadrilateral9, "quadrilateral9", Quadrilateral, 2, 2, 9, 4, 4, 4},
		{Tetrahedron10, "tetrahedron10", Tetrahedron, 3, 2, 10, 4, 6, 4},
		{Hexahedron20, "hexahedron20", Hexahedron, 3, 2, 20, 8, 12, 6},
		{Hexahedron27, "hexahedron27", Hexahedron, 3, 2, 27, 8, 12, 6},
		{Prism15, "prism15", Prism, 3, 2, 15, 6, 9, 5},
		{Prism18, "prism18", Prism, 3, 2, 18, 6, 9, 5},
		{Pyramid13, "pyramid13", Pyramid, 3, 2, 13, 5, 8, 5},
		{Pyramid14, "pyramid14", Pyramid, 3, 2, 14, 5, 8, 5},
		{Polyhedron, "polyhedron", Polyhedron, 3, 1, 0, 0, 0, 0},
		{kinds, "Kind(81)", 0, 0, 0, 0, 0, 0, 0},
	} {
		k := c.kind
		if k.String() != c.name || k.Linear() != c.linear {
			t.Errorf("%s of linear kind %s, want %s and %s", k, k.Linear(), c.name, c.linear)
		}
		found := []int{k.Dim(), k.Order(), k.Nodes(), k.Corners(), len(k.Edges()), len(k.Facets())}
		if want := []int{c.dim, c.order, c.nodes, c.corners, c.edges, c.facet}; !slices.Equal(found, want) {
			t.Errorf("%s: dimension, order, nodes, corners, edges, facets %d, want %d", k, found, want)
		}
	}
}

func TestParts(t *testing.T) {
	for _, c := range []struct{ parts, want string }{
		{fmt.Sprint(Line3.Edges(), Line3.Facets()), "[{line3 [0 1 2]}] [{point [0]} {point [1]}]"},
		{fmt.Sprint(Triangle6.Facets()), "[{line3 [0 1 3]} {line3 [1 2 4]} {line3 [2 0 5]}]"},
		{fmt.Sprint(Quadrilateral9.Facets()[3]), "{line3 [3 0 7]}"},
		{fmt.Sprint(Tetrahedron.Facets()), "[{triangle [0 2 1]} {triangle [0 1 3]} {triangle [1 2 3]} {triangle [2 0 3]}]"},
		{fmt.Sprint(Tetrahedron10.Facets()[0]), "{triangle6 [0 2 1 6 5 4]}"},
		{fmt.Sprint(Hexahedron20.Facets()[5]), "{quadrilateral8 [4 5 6 7 12 13 14 15]}"},
		{fmt.Sprint(Hexahedron27.Facets()[0]), "{quadrilateral9 [0 4 7 3 16 15 19 11 20]}"},
		{fmt.Sprint(Hexahedron27.Facets()[5]), "{quadrilateral9 [4 5 6 7 12 13 14 15 25]}"},
		{fmt.Sprint(Prism15.Facets()[2]), "{quadrilateral8 [0 1 4 3 6 13 9 12]}"},
		{fmt.Sprint(Prism18.Facets()[0], Prism18.Facets()[4]), "{triangle6 [0 2 1 8 7 6]} {quadrilateral9 [2 0 3 5 8 12 11 14 17]}"},
		{fmt.Sprint(Pyramid13.Facets()[0]), "{quadrilateral8 [0 3 2 1 8 7 6 5]}"},
		{fmt.Sprint(Pyramid14.Facets()[:2]), "[{quadrilateral9 [0 3 2 1 8 7 6 5 13]} {triangle6 [0 1 4 5 10 9]}]"},
	} {
		if c.parts != c.want {
			t.Errorf("found %s\n want %s", c.parts, c.want)
		}
	}
}

// Each edge of a volume lies between two facets, which go through it in opposite directions.
func TestFacetsClose(t *testing.T) {
	for k := Point; k < kinds; k++ {
		if k.Dim() != 3 {
			continue
		}
		passed := map[[2]uint8]int{}
		for _, f := range k.Facets() {
			if len(f.Nodes) != f.Kind.Nodes() || f.Kind.Order() != k.Order() {
				t.Errorf("%s: facet %v", k, f)
			}
			corners := f.Nodes[:f.Kind.Corners()]
			for i, a := range corners {
				passed[[2]uint8{a, corners[(i+1)%len(corners)]}]++
			}
		}
		for _, e := range k.Edges() {
			if passed[[2]uint8{e.Nodes[0], e.Nodes[1]}] != 1 || passed[[2]uint8{e.Nodes[1], e.Nodes[0]}] != 1 {
				t.Errorf("%s: edge %v is not passed once in each direction", k, e)
			}
		}
		if len(passed) != 2*len(k.Edges()) {
			t.Errorf("%s: the facets have %d sides, want %d", k, len(passed), 2*len(k.Edges()))
		}
	}
}
