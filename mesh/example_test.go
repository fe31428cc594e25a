package mesh_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/go-op2/op2/mesh"
)

func ExampleNACA0012() {
	m, err := mesh.NACA0012(40, 60)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Nodes, "nodes,", m.Cells, "cells,", m.Edges, "interior edges,", m.Bedges, "boundary edges")

	var surface float64 // of the airfoil, once around, in chords
	for b, kind := range m.Bound {
		if kind == mesh.Wall {
			from, to := m.BedgeNodes[2*b], m.BedgeNodes[2*b+1]
			surface += math.Hypot(m.XY[2*to]-m.XY[2*from], m.XY[2*to+1]-m.XY[2*from+1])
		}
	}
	fmt.Printf("%.2f chords around the airfoil\n", surface)
	// Output:
	// 7381 nodes, 7200 cells, 14260 interior edges, 280 boundary edges
	// 2.05 chords around the airfoil
}

func ExampleReadAirfoil() {
	// A node index is too large: there are nodes 0 to 3.
	text := `4 1 0 0
0 0
1 0
1 1
0 1
1 2 3 4
`
	_, err := mesh.ReadAirfoil(strings.NewReader(text))
	fmt.Println(err)

	var wrong *mesh.FormatError
	fmt.Println(errors.As(err, &wrong), wrong.Line)
	// Output:
	// mesh: input:6: expected a node index in [0,4), found "4"
	// true 6
}
