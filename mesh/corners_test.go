package mesh

import (
	"fmt"
	"testing"
)

func TestCorners(t *testing.T) {
	quadratic := func(kind Kind) func() (*Mesh, error) {
		return func() (*Mesh, error) {
			m, err := Rectangle(kind, 1, 1, 2, 2)
			if err != nil {
				return nil, err
			}
			return m.Quadratic(nil)
		}
	}
	for _, test := range []struct {
		name         string
		make         func() (*Mesh, error)
		nodes, cells string
		among        string // of all nodes in descending order
	}{
		{"triangles", func() (*Mesh, error) { return Rectangle(Triangle, 1, 1, 2, 2) }, "[0 1 2 3]", "[[0 1 3 0 3 2]]", "[3 2 1 0]"},
		{"of second order", quadratic(Triangle), "[0 1 2 3]", "[[0 1 3 0 3 2]]", "[3 2 1 0]"},
		{"quadrilaterals", quadratic(Quadrilateral), "[0 1 2 3]", "[[0 1 3 2]]", "[3 2 1 0]"},
		{"corners that are not first, and a node of no cell", func() (*Mesh, error) {
			return &Mesh{Dim: 2, Points: make([]float64, 2*8), Blocks: []Block{
				{Kind: Triangle6, Nodes: []int32{7, 2, 4, 0, 1, 5}}, {Kind: Line3, Nodes: []int32{7, 2, 0}}}}, nil
		}, "[2 4 7]", "[[2 0 1]]", "[2 1 0]"},
		{"tetrahedra, hexahedra, prisms and pyramids", func() (*Mesh, error) { return mixed().Quadratic(nil) },
			"[0 1 2 3 4 5 6 7 8 9 10 11]", fmt.Sprint([][]int32{mixed().Blocks[0].Nodes, mixed().Blocks[1].Nodes, mixed().Blocks[2].Nodes, mixed().Blocks[3].Nodes}),
			"[11 10 9 8 7 6 5 4 3 2 1 0]"},
		{"a cell twice", func() (*Mesh, error) {
			return &Mesh{Dim: 2, Points: make([]float64, 6), Blocks: []Block{{Kind: Triangle, Nodes: []int32{2, 0, 1, 2, 0, 1}}}}, nil
		}, "[0 1 2]", "[[2 0 1 2 0 1]]", "[2 1 0]"},
		{"no cells", func() (*Mesh, error) { return &Mesh{Dim: 2, Points: make([]float64, 6)}, nil }, "[]", "[]", "[]"},
		{"nothing", func() (*Mesh, error) { return &Mesh{}, nil }, "[]", "[]", "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := test.make()
			if err != nil {
				t.Fatal(err)
			}
			c, err := m.Corners()
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(c.Nodes, " ", c.Cells, " ", c.Len()); got != fmt.Sprint(test.nodes, " ", test.cells, " ", len(c.Nodes)) {
				t.Errorf("corners %s, want %s %s", got, test.nodes, test.cells)
			}
			descending := []int32{-1, int32(m.Nodes())}
			for n := m.Nodes() - 1; n >= 0; n-- {
				descending = append(descending, int32(n))
			}
			if got := fmt.Sprint(c.Among(descending)); got != test.among {
				t.Errorf("among %v there are %s, want %s", descending, got, test.among)
			}
		})
	}
	m := &Mesh{Dim: 2, Points: make([]float64, 6), Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 3}}}}
	if _, err := m.Corners(); err == nil || err.Error() != m.Valid().Error() {
		t.Errorf("error %v, want %v", err, m.Valid())
	}
}
