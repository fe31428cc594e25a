package mesh

import "testing"

func TestGeneratorsRefuse(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, test := range []struct {
		make func() (*Mesh, error)
		want string
	}{
		{func() (*Mesh, error) { return Rectangle(Triangle, 0, 1, 1, 1) }, "mesh: rectangle 0 by 1: expected at least 1 in each direction"},
		{func() (*Mesh, error) { return Rectangle(Triangle, 1<<16, 1<<16, 1, 1) },
			"mesh: rectangle 65536 by 65536: expected at most 268435455 cells and nodes, found 8589934592 and 4295098369"},
		{func() (*Mesh, error) { return Rectangle(Line, 1, 1, 1, 1) }, "mesh: rectangle 1 by 1: expected triangles or quadrilaterals, found line"},
		{func() (*Mesh, error) { return Rectangle(Triangle, 1, 1, 0, 1) }, "mesh: rectangle 1 by 1: expected a width and a height above 0, found 0 by 1"},
		{func() (*Mesh, error) { return Rectangle(Triangle, 1, 1, 1, nan) }, "mesh: rectangle 1 by 1: expected a width and a height above 0, found 1 by NaN"},
		{func() (*Mesh, error) { return Box(Triangle, 1, 1, 1, 1, 1, 1) }, "mesh: box 1 by 1 by 1: expected tetrahedra, prisms or hexahedra, found triangle"},
		{func() (*Mesh, error) { return Box(Prism, 1, -1, 1, 1, 1, 1) }, "mesh: box 1 by -1 by 1: expected at least 1 in each direction"},
		{func() (*Mesh, error) { return Box(Prism, 1, 1, 1, 1, 1, -1) }, "mesh: box 1 by 1 by 1: expected a width, a depth and a height above 0, found 1 by 1 by -1"},
		{func() (*Mesh, error) { return Disc(Hexahedron, 1, 1) }, "mesh: disc 1: expected triangles or quadrilaterals, found hexahedron"},
		{func() (*Mesh, error) { return Disc(Triangle, 0, 1) }, "mesh: disc 0: expected at least 1 in each direction"},
		{func() (*Mesh, error) { return Disc(Triangle, 1, 0) }, "mesh: disc 1: expected a radius above 0, found 0"},
		{func() (*Mesh, error) { return Annulus(Line, 1, 3, 1, 2) }, "mesh: annulus 1 by 3: expected triangles or quadrilaterals, found line"},
		{func() (*Mesh, error) { return Annulus(Triangle, 1, 2, 1, 2) }, "mesh: annulus 1 by 2: expected at least 3 cells around"},
		{func() (*Mesh, error) { return Annulus(Triangle, 1, 3, 2, 2) }, "mesh: annulus 1 by 3: expected radii above 0, the outer one the larger, found 2 and 2"},
	} {
		if _, err := test.make(); err == nil || err.Error() != test.want {
			t.Errorf("error %v\nwant  %s", err, test.want)
		}
	}
}
