package mesh

import (
	"fmt"
	"strings"
	"testing"
)

// The middles of edges are numbered after the corners, in the order in which elements first have them.
func TestQuadraticNumbers(t *testing.T) {
	triangles := func(nodes ...int32) *Mesh {
		return &Mesh{Dim: 2, Points: []float64{0, 0, 2, 0, 2, 2, 0, 2}, Blocks: []Block{{Kind: Triangle, Nodes: nodes}}}
	}
	for _, test := range []struct {
		name   string
		mesh   *Mesh
		want   string // the nodes of each block, or the error
		points string // those that are added
	}{
		{"a triangle", triangles(0, 1, 2), "[0 1 2 4 5 6]", "[1 0 2 1 1 1]"},
		{"two", triangles(0, 1, 2, 0, 2, 3), "[0 1 2 4 5 6 0 2 3 6 7 8]", "[1 0 2 1 1 1 1 2 0 1]"},
		{"the same cell twice", triangles(0, 1, 2, 2, 1, 0), "[0 1 2 4 5 6 2 1 0 5 4 6]", "[1 0 2 1 1 1]"},
		{"with its boundary", &Mesh{Dim: 2, Points: []float64{0, 0, 2, 0, 0, 2}, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2}}, {Kind: Line, Nodes: []int32{2, 0, 1, 2}}, {Kind: Point, Nodes: []int32{1}}}},
			"[0 1 2 3 4 5] [2 0 5 1 2 4] [1]", "[1 0 1 1 0 1]"},
		{"a tetrahedron", &Mesh{Dim: 3, Points: []float64{0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2}, Blocks: []Block{{Kind: Tetrahedron, Nodes: []int32{0, 1, 2, 3}}}},
			"[0 1 2 3 4 5 6 7 8 9]", "[1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 0 1 1]"},
		{"a quadrilateral", &Mesh{Dim: 2, Points: []float64{0, 0, 2, 0, 2, 2, 0, 2}, Blocks: []Block{{Kind: Quadrilateral, Nodes: []int32{0, 1, 2, 3}}}},
			"[0 1 2 3 4 5 6 7 8]", "[1 0 2 1 1 2 0 1 1 1]"},
		{"no cells", &Mesh{Dim: 2, Points: []float64{0, 0, 2, 0}}, "", "[]"},
		{"a block without cells", triangles(), "[]", "[]"},
		{"nothing", &Mesh{}, "", "[]"},
		{"a node twice", triangles(0, 1, 2, 3, 2, 3), "mesh: triangle 1 has a node twice: [3 2 3]", ""},
		{"a node that there is not", triangles(0, 1, 4), "mesh: Blocks[0].Nodes[2]: expected a node index in [0,4), found 4", ""},
		{"of second order", &Mesh{Dim: 2, Points: make([]float64, 12), Blocks: []Block{{Kind: Triangle6, Nodes: []int32{0, 1, 2, 3, 4, 5}}}},
			"mesh: expected linear elements, found triangle6", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			q, err := test.mesh.Quadratic(nil)
			if err != nil {
				if err.Error() != test.want {
					t.Errorf("error %v\nwant  %s", err, test.want)
				}
				return
			}
			var blocks []string
			for i := range q.Blocks {
				blocks = append(blocks, fmt.Sprint(q.Blocks[i].Nodes))
			}
			if got := strings.Join(blocks, " "); got != test.want {
				t.Errorf("nodes %s, want %s", got, test.want)
			}
			if got := fmt.Sprint(q.Points[len(test.mesh.Points):]); got != test.points {
				t.Errorf("added %s, want %s", got, test.points)
			}
		})
	}
}

// Linear time: the mesh of a million triangles, and one of a quarter of them.
func BenchmarkQuadratic(b *testing.B) {
	for _, n := range []int{354, 707} {
		m, err := Rectangle(Triangle, n, n, 1, 1)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(m.Cells()), func(b *testing.B) {
			for b.Loop() {
				q, err := m.Quadratic(nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := q.Corners(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m.Cells()), "ns/cell")
		})
	}
}
