// Command heat is step 2 of the tutorial: heat spreads in a plate from Gmsh, and none gets lost.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

//go:embed main.go
var source string

// Of steel: kernels read them by name.
var (
	conductivity = 15.0 // W/(m K)
	capacity     = 4e6  // J/(m³ K)
	timeStep     = 0.1  // s
)

// shares adds to each corner of a triangle a third of its area: the share of the plate that the corner stands for.
func shares(x *[3][2]float64, share *[3]float64) {
	area := ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])) / 2
	for i := range 3 {
		share[i] += area / 3
	}
}

// heatPipe sets the temperature of one node on the pipe.
func heatPipe(u *float64) { *u = 90 }

// flow adds to each corner of a triangle the heat that flows to it in a second: -k ∇u·∇Nᵢ, times the area.
func flow(x *[3][2]float64, u, gain *[3]float64) {
	_, d := elements.TriangleP1(0, 0) // alike everywhere in a triangle
	var g [3][2]float64               // ∇N
	area := elements.Gradients2(x[:], d[:], g[:]) / 2
	slope := elements.Value2(u[:], g[:]) // ∇u
	for i := range 3 {
		gain[i] -= conductivity * area * (slope[0]*g[i][0] + slope[1]*g[i][1])
	}
}

// advance takes a time step at one node, and adds up the heat above 20 degrees.
func advance(share, gain, u, heat *float64) {
	*u += timeStep * *gain / (capacity * *share)
	*gain = 0
	*heat += capacity * *share * (*u - 20)
}

func main() {
	log.SetFlags(0)
	file := flag.String("mesh", "examples/tutorial/plate.msh", "the mesh")
	steps := flag.Int("steps", 1000, "time steps")
	flag.Parse()
	if err := run(*file, *steps); err != nil {
		log.Fatal(err)
	}
}

func run(file string, steps int) error {
	rt, err := op2.Open()
	if err != nil {
		return err
	}
	defer rt.Close()
	m, err := mesh.ReadFile(file)
	if err != nil {
		return err
	}

	plate := m.Declare(rt)
	u := op2.NewDat[float64](plate.Nodes, 1, nil, "u")
	share := op2.NewDat[float64](plate.Nodes, 1, nil, "share")
	gain := op2.NewDat[float64](plate.Nodes, 1, nil, "gain")
	heat := op2.NewGlobal(rt, []float64{0}, "heat")
	op2.NewConst(rt, "conductivity", &conductivity)
	op2.NewConst(rt, "capacity", &capacity)
	op2.NewConst(rt, "timeStep", &timeStep)

	kernels := op2.Kernels(source)
	divide := op2.NewLoop(kernels.Func(shares), plate.Cells, plate.X.Read(plate.CellNodes), share.Inc(plate.CellNodes))
	start := op2.NewLoop(kernels.Func(heatPipe), plate.NodesOf("pipe"), u.Write())
	conduct := op2.NewLoop(kernels.Func(flow), plate.Cells,
		plate.X.Read(plate.CellNodes), u.Read(plate.CellNodes), gain.Inc(plate.CellNodes))
	step := op2.NewLoop(kernels.Func(advance), plate.Nodes, share.Read(), gain.RW(), u.RW(), heat.Inc())
	if err := rt.Err(); err != nil {
		return err
	}

	if err := u.Fill(20); err != nil {
		return err
	}
	if err := start.Compute(); err != nil {
		return err
	}
	if err := divide.Compute(); err != nil {
		return err
	}
	for i := range steps {
		if err := heat.Set(0); err != nil {
			return err
		}
		if err := conduct.Compute(); err != nil {
			return err
		}
		if err := step.Compute(); err != nil {
			return err
		}
		if i == 0 || i == steps-1 {
			joule, err := heat.Value()
			if err != nil {
				return err
			}
			fmt.Printf("after %5.1f s: %.3f J\n", float64(i+1)*timeStep, joule)
		}
	}

	values, err := u.InDeclaredOrder()
	if err != nil {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: m.Blocks[0].Nodes, Corners: 3}, Values: values}
	return plot.WriteFile("heat.png", field, plot.Options{Title: "Heat that spreads", Label: "°C", Smooth: true})
}
