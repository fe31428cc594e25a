package vtk_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/vtk"
)

// A series of two steps, with the left side of a square as a block of its own.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	m := optest.Must(mesh.Rectangle(mesh.Triangle, 10, 10, 1, 1))
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	square := m.Declare(rt, mesh.WithEdges())
	left := square.BoundaryOf("left")
	h := op2.NewDat[float64](square.Cells, 1, nil, "h")
	u := op2.NewDat[float64](square.Nodes, 2, nil, "u")
	flux := op2.NewDat[float64](square.Bedges, 1, nil, "flux")
	if err := rt.Err(); err != nil {
		log.Fatal(err)
	}

	s, err := vtk.NewSeries(filepath.Join(dir, "flow"), m, vtk.Part(mesh.Line, square.BedgeNodes, left))
	if err != nil {
		log.Fatal(err)
	}
	for step := range 2 {
		if err := s.Write(0.1*float64(step), vtk.Cells("h", h), vtk.Nodes("velocity", u), vtk.Cells("flux", flux)); err != nil {
			log.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	files := optest.Must(filepath.Glob(filepath.Join(dir, "*", "*")))
	for _, f := range files {
		fmt.Println(filepath.Base(f))
	}
	// Output:
	// flow_000000.vtm
	// flow_000000_0.vtu
	// flow_000000_1.vtu
	// flow_000001.vtm
	// flow_000001_0.vtu
	// flow_000001_1.vtu
}
