package mesh

import (
	"fmt"
	"testing"
)

func TestPolygons(t *testing.T) {
	points := make([]float64, 18)
	for _, c := range []struct {
		m    *Mesh
		want string
	}{
		{&Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2, 0, 2, 3}}, {Kind: Line, Nodes: []int32{0, 1}}}}, "[0 1 2 0 2 3] 3 <nil>"},
		{&Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2}}, {Kind: Quadrilateral, Nodes: []int32{1, 4, 5, 2}}}}, "[0 1 2 2 1 4 5 2] 4 <nil>"},
		{&Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Quadrilateral9, Nodes: []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}}}}, "[0 4 1 5 2 6 3 7] 8 <nil>"},
		{&Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Line, Nodes: []int32{0, 1}}}}, "[] 0 mesh: expected areas in the plane, found cells of dimension 1 in 2 dimensions"},
		{&Mesh{Dim: 3, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2}}}}, "[] 0 mesh: expected areas in the plane, found cells of dimension 2 in 3 dimensions"},
		{&Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 9}}}}, "[] 0 mesh: Blocks[0].Nodes[2]: expected a node index in [0,9), found 9"},
	} {
		cells, corners, err := c.m.Polygons()
		if got := fmt.Sprint(cells, corners, err); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
