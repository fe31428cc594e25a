// Command boundaries is step 3 of the tutorial: the temperature that a plate settles to, with a hot pipe through it,
// a heater below and air around it.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/solver"
)

//go:embed main.go
var source string

var (
	conductivity = 15.0  // of steel, W/(m K)
	transfer     = 100.0 // between the plate and the air, W/(m² K)
	air          = 20.0  // °C
	heater       = 2000. // through the bottom, W/m²
)

// conduct computes a triangle's part of the matrix: the integrals of k ∇Nᵢ·∇Nⱼ.
func conduct(x *[3][2]float64, k *[3][3]float64) {
	_, d := elements.TriangleP1(0, 0) // alike everywhere in a triangle
	var g [3][2]float64               // ∇N
	area := elements.Gradients2(x[:], d[:], g[:]) / 2
	for i := range 3 {
		for j := range 3 {
			k[i][j] += conductivity * area * (g[i][0]*g[j][0] + g[i][1]*g[j][1])
		}
	}
}

func length(x *[2][2]float64) float64 { return math.Hypot(x[1][0]-x[0][0], x[1][1]-x[0][1]) }

// cool adds what an edge gives to the air, transfer (u - air): u is unknown, so it adds to the matrix, too.
func cool(x *[2][2]float64, k *[2][2]float64, b *[2]float64) {
	h := transfer * length(x)
	for i := range 2 {
		b[i] += h * air / 2
		k[i][i] += h / 3
		k[i][1-i] += h / 6
	}
}

// warm adds what comes from the heater through an edge.
func warm(x *[2][2]float64, b *[2]float64) {
	b[0] += heater * length(x) / 2
	b[1] += heater * length(x) / 2
}

// loss adds up what goes to the air, of a plate a meter thick.
func loss(x *[2][2]float64, u *[2]float64, watt *float64) {
	*watt += transfer * length(x) * ((u[0]+u[1])/2 - air)
}

func main() {
	log.SetFlags(0)
	file := flag.String("mesh", "examples/tutorial/plate.msh", "the mesh")
	flag.Parse()
	if err := run(*file); err != nil {
		log.Fatal(err)
	}
}

func run(file string) error {
	rt, err := op2.Open()
	if err != nil {
		return err
	}
	defer rt.Close()
	m, err := mesh.ReadFile(file)
	if err != nil {
		return err
	}

	plate := m.Declare(rt, mesh.WithEdges())
	toAir, bottom := plate.BoundaryOf("air"), plate.BoundaryOf("bottom")
	u := op2.NewDat[float64](plate.Nodes, 1, nil, "u")
	b := op2.NewDat[float64](plate.Nodes, 1, nil, "b")
	watt := op2.NewGlobal(rt, []float64{0}, "watt")
	pattern := op2.NewSquareSparsity(plate.CellNodes, 1, "pattern")
	k := op2.NewMat[float64](pattern, "k")
	fixed := op2.NewDirichlet(op2.Fix(plate.NodesOf("pipe"), 90.0))
	system := solver.New(k, solver.CG, solver.WithRTol(1e-10))
	op2.NewConst(rt, "conductivity", &conductivity)
	op2.NewConst(rt, "transfer", &transfer)
	op2.NewConst(rt, "air", &air)
	op2.NewConst(rt, "heater", &heater)
	if err := rt.Err(); err != nil {
		return err
	}
	defer system.Close()

	kernels := op2.Kernels(source)
	err = errors.Join(
		op2.ParLoop(kernels.Func(conduct), plate.Cells, plate.X.Read(plate.CellNodes), k.Inc(plate.CellNodes, plate.CellNodes)),
		op2.ParLoop(kernels.Func(cool), toAir, plate.X.Read(plate.BedgeNodes), k.Inc(plate.BedgeNodes, plate.BedgeNodes), b.Inc(plate.BedgeNodes)),
		op2.ParLoop(kernels.Func(warm), bottom, plate.X.Read(plate.BedgeNodes), b.Inc(plate.BedgeNodes)),
		fixed.Apply(k, b),
	)
	if err != nil {
		return err
	}
	how, err := system.Solve(u, b)
	if err != nil {
		return err
	}
	if err := op2.ParLoop(kernels.Func(loss), toAir, plate.X.Read(plate.BedgeNodes), u.Read(plate.BedgeNodes), watt.Inc()); err != nil {
		return err
	}
	given, err := watt.Value()
	if err != nil {
		return err
	}
	fmt.Printf("solved in %d iterations\n", how.Iterations)
	fmt.Printf("to the air: %.1f W, of which the heater gives %.1f W\n", given, heater*0.2)

	values, err := u.InDeclaredOrder()
	if err != nil {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: m.Blocks[0].Nodes, Corners: 3}, Values: values}
	return plot.WriteFile("boundaries.png", field, plot.Options{Title: "A plate, a pipe, a heater and air", Label: "°C", Smooth: true, Contours: 10})
}
