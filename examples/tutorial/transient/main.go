// Command transient is steps 4 to 6 of the tutorial: the plate while its pipe warms up, in time, for ParaView, on any
// number of ranks.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
	"github.com/go-op2/op2/vtk"
)

//go:embed main.go
var source string

var (
	conductivity = 15.0  // of steel, W/(m K)
	capacity     = 4e6   // J/(m³ K)
	transfer     = 100.0 // between the plate and the air, W/(m² K)
	air          = 20.0  // °C
	timeStep     = 10.0  // s
)

// stiffness computes a triangle's part of the matrix of a time step, c/Δt NᵢNⱼ + k ∇Nᵢ·∇Nⱼ, and of what multiplies the
// temperature before the step, c/Δt NᵢNⱼ.
func stiffness(x *[3][2]float64, after, before *[3][3]float64) {
	_, d := elements.TriangleP1(0, 0) // alike everywhere in a triangle
	var g [3][2]float64               // ∇N
	area := elements.Gradients2(x[:], d[:], g[:]) / 2
	for i := range 3 {
		for j := range 3 {
			mass := capacity / timeStep * area / 12
			if i == j {
				mass *= 2
			}
			before[i][j] += mass
			after[i][j] += mass + conductivity*area*(g[i][0]*g[j][0]+g[i][1]*g[j][1])
		}
	}
}

// cool adds what an edge gives to the air.
func cool(x *[2][2]float64, after *[2][2]float64, b *[2]float64) {
	h := transfer * math.Hypot(x[1][0]-x[0][0], x[1][1]-x[0][1])
	for i := range 2 {
		b[i] += h * air / 2
		after[i][i] += h / 3
		after[i][1-i] += h / 6
	}
}

// spread finds the coldest and the hottest node.
func spread(u, coldest, hottest *float64) {
	*coldest = min(*coldest, *u)
	*hottest = max(*hottest, *u)
}

func main() {
	log.SetFlags(0)
	file := flag.String("mesh", "examples/tutorial/plate.msh", "the mesh")
	steps := flag.Int("steps", 60, "time steps")
	refine := flag.Int("refine", 0, "how often to divide each triangle into four")
	series := flag.String("series", "", "write each step for ParaView, to `name`.pvd; name.pvtu: each rank a piece; name.vtkhdf: one file")
	flag.Parse()
	if err := run(*file, *refine, *steps, *series); err != nil {
		log.Fatal(err)
	}
}

func run(file string, refine, steps int, series string) error {
	rt, err := op2.Open()
	if err != nil {
		return err
	}
	defer rt.Close()
	m, err := mesh.ReadFile(file)
	if err != nil {
		return err
	}
	for range refine {
		if m, err = m.Refine(nil); err != nil {
			return err
		}
	}

	plate := m.Declare(rt, mesh.WithEdges())
	u := op2.NewDat[float64](plate.Nodes, 1, nil, "u")
	b := op2.NewDat[float64](plate.Nodes, 1, nil, "b")
	fromAir := op2.NewDat[float64](plate.Nodes, 1, nil, "from air")
	coldest := op2.NewGlobal(rt, []float64{0}, "coldest")
	hottest := op2.NewGlobal(rt, []float64{0}, "hottest")
	pattern := op2.NewSquareSparsity(plate.CellNodes, 1, "pattern")
	after, before := op2.NewMat[float64](pattern, "after"), op2.NewMat[float64](pattern, "before")
	pipe := op2.Fix(plate.NodesOf("pipe"), air)
	fixed := op2.NewDirichlet(pipe)
	system := solver.New(after, solver.CG, solver.WithRTol(1e-10), solver.WithInitialGuess(true))
	op2.NewConst(rt, "conductivity", &conductivity)
	op2.NewConst(rt, "capacity", &capacity)
	op2.NewConst(rt, "transfer", &transfer)
	op2.NewConst(rt, "air", &air)
	op2.NewConst(rt, "timeStep", &timeStep)
	kernels := op2.Kernels(source)
	extremes := op2.NewLoop(kernels.Func(spread), plate.Nodes, u.Read(), coldest.Min(), hottest.Max())
	if err := rt.Err(); err != nil {
		return err
	}
	defer system.Close()

	var out *vtk.Series
	if series != "" {
		if out, err = vtk.NewSeries(series, m, vtk.On(rt)); err != nil {
			return err
		}
	}
	err = errors.Join(
		op2.ParLoop(kernels.Func(stiffness), plate.Cells, plate.X.Read(plate.CellNodes),
			after.Inc(plate.CellNodes, plate.CellNodes), before.Inc(plate.CellNodes, plate.CellNodes)),
		op2.ParLoop(kernels.Func(cool), plate.BoundaryOf("air", "bottom"), plate.X.Read(plate.BedgeNodes),
			after.Inc(plate.BedgeNodes, plate.BedgeNodes), fromAir.Inc(plate.BedgeNodes)),
		fixed.Apply(after, nil), // the rows and columns of the pipe, once
		u.Fill(air),
	)
	if err != nil {
		return err
	}

	results := rt.Output(os.Stdout) // of rank 0 alone
	for i := range steps {
		t := float64(i+1) * timeStep
		err := errors.Join(
			pipe.Set(air+70*(1-math.Exp(-t/60))),
			before.Mul(b, u),
			b.Add(fromAir),
			fixed.ApplyRHS(after, b), // what the pipe's temperature adds, in each step
		)
		if err != nil {
			return err
		}
		if _, err := system.Solve(u, b); err != nil {
			return err
		}
		if out != nil {
			if err := out.Write(t, vtk.Nodes("temperature", u)); err != nil {
				return err
			}
		}
		if (i+1)%20 == 0 {
			if err := errors.Join(coldest.Set(math.Inf(1)), hottest.Set(math.Inf(-1)), extremes.Compute()); err != nil {
				return err
			}
			low, err1 := coldest.Value()
			high, err2 := hottest.Value()
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			fmt.Fprintf(results, "after %3.0f s: %.2f to %.2f °C\n", t, low, high)
		}
	}
	if out != nil {
		return out.Close()
	}
	return nil
}
