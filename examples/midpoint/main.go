// Command midpoint computes the midpoint of each triangle of a mesh: the smallest
// op2 program.
package main

import (
	_ "embed"
	"fmt"
	"log"
	"os"

	"github.com/go-op2/op2"
)

//go:embed main.go
var source string

// midpoint computes the midpoint p of one cell from its three corners x.
func midpoint(p *[2]float64, x *[3][2]float64) {
	p[0] = (x[0][0] + x[1][0] + x[2][0]) / 3
	p[1] = (x[0][1] + x[1][1] + x[2][1]) / 3
}

func main() {
	log.SetFlags(0)
	rt, err := op2.Open()
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	// Two triangles that make a square.
	vertices := rt.NewSet(4, "vertices")
	cells := rt.NewSet(2, "cells")
	cell2vertex := op2.NewMap(cells, vertices, 3, []int32{0, 1, 2, 0, 2, 3}, "cell2vertex")
	x := op2.NewDat(vertices, 2, []float64{0, 0, 3, 0, 3, 3, 0, 3}, "x")
	midpoints := op2.NewDat[float64](cells, 2, nil, "midpoints")
	if err := rt.Err(); err != nil {
		log.Fatal(err)
	}

	kernel := op2.Kernels(source).Func(midpoint)
	if err := op2.ParLoop(kernel, cells, midpoints.Write(), x.Read(cell2vertex)); err != nil {
		log.Fatal(err)
	}
	values, err := midpoints.InDeclaredOrder()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(rt.Output(os.Stdout), values) // [2 1 1 2], once on any number of processes
}
