package mesh

import "testing"

func TestMeshCheck(t *testing.T) {
	const rim = "the elements on the boundary do not close it: they end at 2 nodes: 0, 2\n"
	lines := func(m *Mesh, nodes ...int32) { m.Blocks[1].Nodes = append(m.Blocks[1].Nodes, nodes...) }
	for _, c := range []struct {
		name  string
		build func(t *testing.T) *Mesh
		spoil func(m *Mesh)
		want  string
	}{
		{"empty", func(*testing.T) *Mesh { return &Mesh{} }, func(m *Mesh) {}, "no problems"},
		{"box", boxOf(Tetrahedron), func(m *Mesh) {}, "no problems"},
		{"prisms", boxOf(Prism), func(m *Mesh) {}, "no problems"},
		{"hexahedra", boxOf(Hexahedron), func(m *Mesh) {}, "no problems"},
		{"mixed", func(t *testing.T) *Mesh { return readTestdata(t, "second-2.2-text.msh") }, func(m *Mesh) {},
			"the elements on the boundary do not close it: they end at 7 nodes: 1, 3, 4, 9, 10, ...\n" +
				"10 facets of the boundary are in no group"},
		{"two", twoTrianglesOf, func(m *Mesh) { lines(m, 2, 3) },
			"the elements on the boundary do not close it: they end at 2 nodes: 0, 3\n3 facets of the boundary are in no group"},
		{"unused", twoTrianglesOf, func(m *Mesh) { m.Points = append(m.Points, 7, 7, 8, 8) },
			"2 nodes belong to no element: 4, 5\n" + rim + "3 facets of the boundary are in no group"},
		{"used by a group", twoTrianglesOf, func(m *Mesh) {
			m.Points = append(m.Points, 7, 7)
			m.Groups[0].Members[0].Elements[0] = 4
		}, rim + "3 facets of the boundary are in no group"},
		{"coincident", twoTrianglesOf, func(m *Mesh) {
			m.Points = append(m.Points, 1+1e-12, 1-1e-12, 1, 1)
			m.Blocks[0].Nodes[4] = 4
			lines(m, 2, 5)
		}, "2 nodes lie where others do: 4, 5 and 2, 2\n1 node is where the boundary touches itself: 0\n1 element is no facet of a cell\n" +
			rim + "5 facets of the boundary are in no group"},
		{"all at one place", twoTrianglesOf, func(m *Mesh) { clear(m.Points) },
			"3 nodes lie where others do: 1, 2, 3 and 0, 0, 0\n2 cells are degenerate: 0, 1\n" + rim + "3 facets of the boundary are in no group"},
		{"inverted", twoTrianglesOf, func(m *Mesh) { reverseElement(Triangle, m.Blocks[0].Element(1)) },
			"1 cell is inverted: 1\n" + rim + "3 facets of the boundary are in no group"},
		{"inverted at a corner", boxOf(Hexahedron), func(m *Mesh) { copy(m.Point(0), []float64{0.4, 0.4, 0.4}) }, "1 cell is inverted: 0"},
		{"flat", twoTrianglesOf, func(m *Mesh) { copy(m.Point(3), []float64{0.5, 0.5}) },
			"1 cell is degenerate: 1\n" + rim + "3 facets of the boundary are in no group"},
		{"twice", twoTrianglesOf, func(m *Mesh) { m.Blocks[0].Nodes[5] = 2 },
			"1 cell is degenerate: 1\ntriangle 1 has a node twice: [0 2 2]"},
		{"crowded", twoTrianglesOf, func(m *Mesh) { m.Blocks[0].Nodes = append(m.Blocks[0].Nodes, 0, 1, 2, 0, 1, 2) },
			"the edge with nodes 2, 0 has more than two cells: triangle 0, triangle 1, triangle 2, triangle 3"},
		{"pinched", twoTrianglesOf, func(m *Mesh) {
			m.Points = append(m.Points, 2, 1, 2, 2)
			m.Blocks[0].Nodes = append(m.Blocks[0].Nodes, 2, 4, 5)
			lines(m, 2, 4, 4, 1)
		}, "1 node is where the boundary touches itself: 2\n1 element is no facet of a cell\nthe elements on the boundary do not close it: they end at 2 nodes: 0, 4\n6 facets of the boundary are in no group"},
		{"closed", twoTrianglesOf, func(m *Mesh) { lines(m, 2, 3, 3, 0) }, "3 facets of the boundary are in no group"},
		{"a face away", boxOf(Tetrahedron), func(m *Mesh) {
			m.Groups, m.Blocks[1].Nodes = nil, m.Blocks[1].Nodes[3:]
		}, "the elements on the boundary do not close it: they end at 3 nodes: 0, 9, 12"},
		{"open", func(t *testing.T) *Mesh {
			return &Mesh{Dim: 3, Points: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 2, 1}}}}
		}, func(m *Mesh) {}, "3 facets are open: they have one cell alone"},
		{"groups", twoTrianglesOf, func(m *Mesh) {
			m.Groups[0].Name = ""
			m.Groups[1].Name = ""
			m.Groups[2].Members = nil
			m.Groups[1].Members[0].Elements = []int32{}
		}, rim + "2 groups have no name: 0, 1\n2 groups have no elements: 1, 2"},
	} {
		m := c.build(t)
		c.spoil(m)
		r, err := m.Check()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r.String() != c.want {
			t.Errorf("%s: found\n%s\n want\n%s", c.name, r, c.want)
		}
	}
	m := twoTriangles()
	m.Blocks[0].Nodes[0] = 9
	if r, err := m.Check(); r != nil || err == nil || err.Error() != "mesh: Blocks[0].Nodes[0]: expected a node index in [0,4), found 9" {
		t.Errorf("%v, error %v", r, err)
	}
}

func twoTrianglesOf(*testing.T) *Mesh { return twoTriangles() }

func boxOf(k Kind) func(t *testing.T) *Mesh {
	return func(t *testing.T) *Mesh {
		m, err := Box(k, 2, 2, 2, 1, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}
