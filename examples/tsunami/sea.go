package main

import (
	"bytes"
	_ "embed"
	"math"

	"github.com/go-op2/op2/mesh"
)

//go:generate gmsh -2 -format msh41 -o coast.msh coast.geo

//go:embed coast.msh
var coastMesh []byte

// readSea returns the mesh of the sea, each triangle of the file divided into four so many times.
func readSea(refine int) (*mesh.Mesh, error) {
	m, err := mesh.ReadGmsh(bytes.NewReader(coastMesh))
	for range refine {
		if err != nil {
			return nil, err
		}
		m, err = m.Refine(nil)
	}
	return m, err
}

// bed is the height of the bed, in meters: a sea 200 m deep, a plain behind the shore of the mainland, and an island.
func bed(x, y float64) float64 {
	shore := 36000 + 2500*math.Exp(-square((y-17000)/4000))
	island := 230 * math.Exp(-square((x-18000)/4500)-square((y-17000)/4500))
	if x > shore {
		return (x - shore) / 100
	}
	return island - 200*math.Tanh((shore-x)/8000)
}

// calm is the sea at rest.
func calm(x, y float64) float64 { return 0 }

func square(x float64) float64 { return x * x }
