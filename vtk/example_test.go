package vtk_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/vtk"
)

// A series of two steps, on a square of two triangles.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	m := &mesh.Mesh{
		Dim:    2,
		Points: []float64{0, 0, 1, 0, 1, 1, 0, 1},
		Blocks: []mesh.Block{{Kind: mesh.Triangle, Nodes: []int32{0, 1, 2, 0, 2, 3}}},
	}
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	d := op2.Declare(rt)
	nodes, cells := d.Set(m.Nodes(), "nodes"), d.Set(m.Cells(), "cells")
	h := op2.DeclareDat(d, cells, 1, []float64{1, 2}, "h")
	u := op2.DeclareDat[float64](d, nodes, 2, nil, "u")
	if err := d.Err(); err != nil {
		log.Fatal(err)
	}

	s, err := vtk.NewSeries(filepath.Join(dir, "flow"), m)
	if err != nil {
		log.Fatal(err)
	}
	for step := range 2 {
		if err := s.Write(0.1*float64(step), vtk.Cells("h", h), vtk.Nodes("velocity", u)); err != nil {
			log.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		fmt.Println(op2.Must(filepath.Rel(dir, f)))
	}
	// Output:
	// flow/flow_000000.vtu
	// flow/flow_000001.vtu
}
