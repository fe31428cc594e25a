package mesh_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

func ExampleNACA0012() {
	m, err := mesh.NACA0012(40, 60)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Nodes(), "nodes,", m.Cells(), "cells,", m.Given.Interior.Len(), "interior edges,", m.Given.Boundary.Len(), "boundary edges")

	var surface float64 // of the airfoil, once around, in chords
	for _, members := range m.Group("wall").Members {
		for _, e := range members.Elements {
			ends := m.Blocks[members.Block].Element(int(e))
			from, to := m.Point(ends[0]), m.Point(ends[1])
			surface += math.Hypot(to[0]-from[0], to[1]-from[1])
		}
	}
	fmt.Printf("%.2f chords around the airfoil\n", surface)
	// Output:
	// 7381 nodes, 7200 cells, 14260 interior edges, 280 boundary edges
	// 2.05 chords around the airfoil
}

// A file of Gmsh: its elements by kind, its physical groups by name.
func ExampleReadFile() {
	m, err := mesh.ReadFile("testdata/gmsh/first-4.1-text.msh")
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range m.Blocks {
		fmt.Println(b.Kind, b.Len())
	}
	fmt.Println(m.Group("walls").Len(), "faces of the walls")
	report, err := m.Check()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report)
	// Output:
	// tetrahedron 1
	// hexahedron 1
	// prism 1
	// pyramid 1
	// triangle 1
	// quadrilateral 3
	// line 1
	// 4 faces of the walls
	// the elements on the boundary do not close it: they end at 7 nodes: 1, 2, 3, 4, 5, ...
	// 10 facets of the boundary are in no group
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
	// mesh: input:6: expected a node index in [0,4), found 4
	// true 6
}

func ExampleMesh_Declare() {
	m, err := mesh.Rectangle(mesh.Triangle, 4, 3, 4, 3)
	if err != nil {
		log.Fatal(err)
	}
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	basin := m.Declare(rt, mesh.WithEdges())
	outlet := basin.BoundaryOf("right", "top")
	if err := rt.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(basin.Cells.Size(), basin.Cells.Name(), "with", basin.CellNodes.Arity(), basin.Nodes.Name())
	fmt.Println(basin.Edges.Size(), basin.Edges.Name(), "between", basin.EdgeCells.Arity(), "cells")
	fmt.Println(basin.Bedges.Size(), basin.Bedges.Name(), "of which", outlet.Size(), "are", outlet.Name())
	// Output:
	// 24 cells with 3 nodes
	// 29 edges between 2 cells
	// 14 bedges of which 7 are right+top
}

func ExampleMesh_Facets() {
	m := &mesh.Mesh{Dim: 2, Points: []float64{0, 0, 1, 0, 1, 1, 0, 1, 2, 0},
		Blocks: []mesh.Block{{Kind: mesh.Triangle, Nodes: []int32{1, 4, 2}}, {Kind: mesh.Quadrilateral, Nodes: []int32{0, 1, 2, 3}}}}
	f, err := m.Facets()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("interior:", f.Interior.Blocks[0].Nodes, "between cells", f.Interior.Cells)
	fmt.Println("boundary:", f.Boundary.Blocks[0].Nodes, "of cells", f.Boundary.Cells)
	// Output:
	// interior: [2 1] between cells [0 1]
	// boundary: [1 4 4 2 0 1 2 3 3 0] of cells [0 0 1 1 1]
}

func ExampleMesh_Refine() {
	m, err := mesh.Disc(mesh.Triangle, 1, 1)
	if err != nil {
		log.Fatal(err)
	}
	circle := func(group string, x []float64) {
		r := math.Hypot(x[0], x[1])
		x[0], x[1] = x[0]/r, x[1]/r
	}
	for range 3 {
		var area float64
		if m, err = m.Refine(circle); err != nil {
			log.Fatal(err)
		}
		areas, err := m.Measures()
		if err != nil {
			log.Fatal(err)
		}
		for _, a := range areas {
			area += a
		}
		fmt.Printf("%d triangles, area %.4f\n", m.Cells(), area)
	}
	// Output:
	// 24 triangles, area 3.0000
	// 96 triangles, area 3.1058
	// 384 triangles, area 3.1326
}

func ExampleMesh_Mark() {
	m, err := mesh.Box(mesh.Tetrahedron, 4, 4, 2, 2, 2, 1)
	if err != nil {
		log.Fatal(err)
	}
	err = m.Mark("inlet", func(x []float64) bool { return x[2] == 0 && math.Hypot(x[0]-1, x[1]-1) < 0.5 })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Group("inlet").Len(), "faces")
	// Output:
	// 8 faces
}

// A box of eight cubes, cut across the x axis.
func ExampleMesh_Cut() {
	m, err := mesh.Box(mesh.Hexahedron, 2, 2, 2, 1, 1, 1)
	if err != nil {
		log.Fatal(err)
	}
	cut, err := m.Cut([3]float64{0.25, 0, 0}, [3]float64{1, 0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(cut.From), "polygons of", cut.Corners, "corners, in cells", cut.From)
	// Output: 4 polygons of 4 corners, in cells [0 2 4 6]
}
