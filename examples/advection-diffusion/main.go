// Command advection-diffusion moves a cloud through the unit square while it spreads: linear finite
// elements in space, the Crank-Nicolson method in time, with matrices that are assembled once. The
// solution is known; the error decreases with the square of the size of the triangles.
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
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

//go:embed kernels.go
var source string

// end is the time at which the cloud arrives.
const end = 0.4

// outputs names the files to write; empty: none.
type outputs struct {
	picture string // of the end
	film    string // an animation
	series  string // for ParaView, without extension
}

func main() {
	log.SetFlags(0)
	var out outputs
	n := flag.Int("n", 80, "squares along a side, of two triangles each; there are n time steps")
	backend := flag.String("backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.StringVar(&out.picture, "o", "advection-diffusion.png", "draw the cloud to this `file`; empty: no picture")
	flag.StringVar(&out.film, "film", "", "draw the cloud's way to this `file`, an animated PNG")
	flag.StringVar(&out.series, "series", "", "write all steps for ParaView: to `name`.pvd; name.pvtu: each rank a piece; name.vtkhdf: one file")
	flag.Parse()
	if err := run(*n, *backend, out); err != nil {
		log.Fatal(err)
	}
}

func run(n int, backend string, out outputs) error {
	m, err := mesh.Rectangle(mesh.Triangle, n, n, 1, 1)
	if err != nil {
		return err
	}
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	w, err := newWriter(rt, m, n, out)
	if err != nil {
		return err
	}
	l2, err := solve(rt, m, n, w.write)
	if err := errors.Join(err, w.close()); err != nil {
		return err
	}
	results := rt.Output(os.Stdout)
	fmt.Fprintf(results, "%d triangles, %d steps on %s: error in L2 %.3e\n\n", m.Cells(), n, rt.Backend(), l2)
	return rt.WriteStats(results)
}

// solve takes the given number of time steps to the end, and calls each after them, and before the first one, with
// the time and the cloud at the nodes. It returns the norm of the error in L2.
func solve(rt *op2.Runtime, square *mesh.Mesh, steps int, each func(t float64, u *op2.Dat[float64]) error) (l2 float64, err error) {
	now, timeStep = 0, end/float64(steps)
	op2.NewConst(rt, "now", &now)
	op2.NewConst(rt, "timeStep", &timeStep)
	m := square.Declare(rt)
	boundary := m.NodesOf("left", "right", "bottom", "top")
	u := op2.NewDat[float64](m.Nodes, 1, nil, "u")
	b := op2.NewDat[float64](m.Nodes, 1, nil, "b")
	sum := op2.NewGlobal(rt, []float64{0}, "sum")

	pattern := op2.NewSquareSparsity(m.CellNodes, 1, "pattern")
	after := op2.NewMat[float64](pattern, "after")
	before := op2.NewMat[float64](pattern, "before")

	// The matrix is not symmetric. The state before a step is a good guess.
	system := solver.New(after, solver.BiCGStab, solver.Jacobi,
		solver.WithRTol(1e-9), solver.WithInitialGuess(true))
	if err := rt.Err(); err != nil {
		return 0, err
	}
	defer system.Close()

	kernels := op2.Kernels(source)
	if err := op2.ParLoop(kernels.Func(step), m.Cells, m.X.Read(m.CellNodes),
		after.Inc(m.CellNodes, m.CellNodes), before.Inc(m.CellNodes, m.CellNodes)); err != nil {
		return 0, err
	}
	if err := after.ZeroRows(boundary, 1); err != nil {
		return 0, err
	}
	if err := op2.ParLoop(kernels.Func(set), m.Nodes, m.X.Read(), u.Write()); err != nil {
		return 0, err
	}
	if err := each(now, u); err != nil {
		return 0, err
	}
	onBoundary := kernels.Func(set)
	for i := range steps {
		now = float64(i+1) * timeStep
		if err := errors.Join(before.Mul(b, u), op2.ParLoop(onBoundary, boundary, m.X.Read(), b.Write())); err != nil {
			return 0, err
		}
		if _, err := system.Solve(u, b); err != nil {
			return 0, err
		}
		if err := each(now, u); err != nil {
			return 0, err
		}
	}

	if err := op2.ParLoop(kernels.Func(squareError), m.Cells, m.X.Read(m.CellNodes), u.Read(m.CellNodes), sum.Inc()); err != nil {
		return 0, err
	}
	squares, err := sum.Value()
	return math.Sqrt(squares), err
}
