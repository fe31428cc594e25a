package op2_test

import (
	_ "embed"
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed example_args_test.go
var exampleArgsSource string

// cool lets a rod lose heat, and gain some where there is a source.
func cool(u *float64, source *float64) {
	*u *= 0.5
	if source != nil {
		*u += *source
	}
}

// An argument that only some calls have.
func ExampleArg_If() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	points := rt.NewSet(3, "points")
	u, source := op2.NewDat(points, 1, []float64{8, 4, 2}, "u"), op2.NewDat(points, 1, []float64{0, 10, 0}, "source")
	cool := op2.Kernels(exampleArgsSource).Func(cool)
	for step := range 3 {
		if err := op2.ParLoop(cool, points, u.RW(), source.Read().If(step == 1)); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(optest.Must(u.DataRO()))
	// Output: [1 5.5 0.25]
}

// Facets reach the nodes of both cells; here the cells are the intervals of a line.
func ExampleCompose() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	facets, cells, nodes := rt.NewSet(2, "facets"), rt.NewSet(3, "cells"), rt.NewSet(4, "nodes")
	facet2cell := op2.NewMap(facets, cells, 2, []int{0, 1, 1, 2}, "facet2cell")
	cell2node := op2.NewMap(cells, nodes, 2, []int{0, 1, 1, 2, 2, 3}, "cell2node")
	facet2node := op2.Compose(facet2cell, cell2node)
	fmt.Println(facet2node.Name(), facet2node.Arity(), facet2node.Values())
	// Output: facet2cell.cell2node 4 [0 1 1 2 1 2 2 3]
}

// The same triangles, from another corner on, and their first edges alone.
func ExampleMap_Permuted() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	cells, nodes := rt.NewSet(2, "cells"), rt.NewSet(4, "nodes")
	cell2node := op2.NewMap(cells, nodes, 3, []int{0, 1, 2, 0, 2, 3}, "cell2node")
	fmt.Println(cell2node.Permuted(1, 2, 0).Values(), cell2node.Permuted(0, 1).Values())
	// Output: [1 2 0 2 3 0] [0 1 0 2]
}

// smooth moves a value toward those of its neighbors.
func smooth(to *float64, from *[2]float64) { *to += (from[0] + from[1]) / 2 }

// A kernel for one value of each element does the work for one component of a vector.
func ExampleDat_Component() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	points := rt.NewSet(3, "points")
	neighbors := op2.NewMap(points, points, 2, []int{2, 1, 0, 2, 1, 0}, "neighbors")
	x := op2.NewDat(points, 2, []float64{1, 10, 2, 20, 3, 30}, "x")
	mean := op2.NewDat[float64](points, 2, nil, "mean")
	if err := op2.ParLoop(op2.Kernels(exampleArgsSource).Func(smooth), points, mean.Component(1).Inc(), x.Component(0).Read(neighbors)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(optest.Must(mean.DataRO()))
	// Output: [0 2.5 0 2 0 1.5]
}
