// Command first is step 1 of the tutorial: it computes the areas of the triangles of a disc, and their sum.
package main

import (
	_ "embed"
	"fmt"
	"log"
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed main.go
var source string

// triangle computes the area of one triangle from its three corners, and adds it to the total.
func triangle(x *[3][2]float64, area, total *float64) {
	*area = ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])) / 2
	*total += *area
}

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	rt, err := op2.Open()
	if err != nil {
		return err
	}
	defer rt.Close()
	m, err := mesh.Disc(mesh.Triangle, 20, 1) // 20 rings of triangles, of radius 1
	if err != nil {
		return err
	}

	disc := m.Declare(rt)
	area := op2.NewDat[float64](disc.Cells, 1, nil, "area")
	total := op2.NewGlobal(rt, []float64{0}, "total")
	if err := rt.Err(); err != nil {
		return err
	}

	kernel := op2.Kernels(source).Func(triangle)
	if err := op2.ParLoop(kernel, disc.Cells, disc.X.Read(disc.CellNodes), area.Write(), total.Inc()); err != nil {
		return err
	}

	sum, err := total.Value()
	if err != nil {
		return err
	}
	areas, err := area.DataRO()
	if err != nil {
		return err
	}
	fmt.Printf("%d triangles, the first one of area %.6f\n", m.Cells(), areas[0])
	fmt.Printf("together %.6f; a circle has %.6f\n", sum, math.Pi)
	return nil
}
