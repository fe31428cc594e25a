// Command poisson solves -Δu = f on the unit square with linear finite elements, u given
// on the boundary, and draws u. The solution is known: see exact.
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
	_ "github.com/go-op2/op2/examples/poisson/op2gen"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/solver"
)

//go:generate go run ../../cmd/op2 translate . -- -n 4

//go:embed main.go
var source string // kernels are translated from this very file

func exact(x, y float64) float64 { return x + math.Sin(math.Pi*x)*math.Cos(math.Pi*y) }
func f(x, y float64) float64     { return 2 * math.Pi * math.Pi * (exact(x, y) - x) }

// triangle computes a triangle's integrals: k of ∇Ni·∇Nj, and b of f·Ni by the midpoint rule on the sides.
func triangle(x *[3][2]float64, k *[3][3]float64, b *[3]float64) {
	area := 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	for i := range 3 {
		p, q, r := x[i], x[(i+1)%3], x[(i+2)%3]
		half := area / 6 * f((p[0]+q[0])/2, (p[1]+q[1])/2)
		b[i] += half
		b[(i+1)%3] += half
		for j := range 3 {
			s, t := x[(j+1)%3], x[(j+2)%3]
			k[i][j] += ((q[1]-r[1])*(s[1]-t[1]) + (r[0]-q[0])*(t[0]-s[0])) / (4 * area)
		}
	}
}

func onBoundary(x *[2]float64, u *float64)       { *u = exact(x[0], x[1]) }
func squareError(x *[2]float64, u, sum *float64) { *sum += math.Pow(*u-exact(x[0], x[1]), 2) }

// solve returns u, on rank 0, and the root of the mean square of its error.
func solve(rt *op2.Runtime, square *mesh.Mesh) (values []float64, rms float64, err error) {
	m := square.Declare(rt)
	boundary := m.NodesOf("left", "right", "bottom", "top")
	u, b := op2.NewDat[float64](m.Nodes, 1, nil, "u"), op2.NewDat[float64](m.Nodes, 1, nil, "b")
	pattern := op2.NewSquareSparsity(m.CellNodes, 1, "pattern")
	k, sum := op2.NewMat[float64](pattern, "k"), op2.NewGlobal(rt, []float64{0}, "sum")
	fixed := op2.NewDirichlet(op2.FixTo(boundary, u))
	system := solver.New(k, solver.WithRTol(1e-10))
	if err := rt.Err(); err != nil {
		return nil, 0, err
	}

	kernels := op2.Kernels(source)
	if err := op2.ParLoop(kernels.Func(triangle), m.Cells, m.X.Read(m.CellNodes), k.Inc(m.CellNodes, m.CellNodes), b.Inc(m.CellNodes)); err != nil {
		return nil, 0, err
	}
	if err := op2.ParLoop(kernels.Func(onBoundary), boundary, m.X.Read(), u.Write()); err != nil {
		return nil, 0, err
	}
	if err := fixed.Apply(k, b); err != nil {
		return nil, 0, err
	}
	if _, err := system.Solve(u, b); err != nil {
		return nil, 0, err
	}
	err1 := op2.ParLoop(kernels.Func(squareError), m.Nodes, m.X.Read(), u.Read(), sum.Inc())
	squares, err2 := sum.Value()
	values, err3 := u.Gather(0)
	return values, math.Sqrt(squares / float64(square.Nodes())), errors.Join(err1, err2, err3)
}

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 100, "squares along a side, of two triangles each")
	backend := flag.String("backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.Parse()
	m, err1 := mesh.Rectangle(mesh.Triangle, *n, *n, 1, 1)
	rt, err2 := op2.Open(op2.WithBackend(*backend))
	if err := errors.Join(err1, err2); err != nil {
		log.Fatal(err)
	}
	u, rms, err := solve(rt, m)
	if err := errors.Join(err, rt.Close()); err != nil {
		log.Fatal(err)
	}
	if rt.Rank() != 0 {
		return
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: m.Blocks[0].Nodes, Corners: 3}, Values: u}
	if err := plot.WriteFile("poisson.png", field, plot.Options{Title: "-Δu = f", Label: "u", Smooth: true}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d triangles on %s: the error is %.2e\n", m.Cells(), rt.Backend(), rms)
	fmt.Fprintln(os.Stderr, "picture: poisson.png")
}
