// Command jacobi solves Laplace's equation on a square whose boundary is held at one,
// by Jacobi iteration: OP2's smallest test. The matrix is stored as one value for each
// "edge" from a row to a column, the diagonal included.
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
)

//go:embed kernels.go
var source string

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 6, "grid of n by n cells, with (n-1)^2 inner nodes")
	iterations := flag.Int("iterations", 2, "number of iterations")
	backend := flag.String("backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.Parse()
	if err := run(*n, *iterations, *backend); err != nil {
		log.Fatal(err)
	}
}

func run(n, iterations int, backend string) error {
	if n < 2 {
		return fmt.Errorf("jacobi: -n %d: at least 2 is needed", n)
	}
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	out := rt.Output(os.Stdout)

	g := newGrid(n)
	nodes := rt.NewSet(len(g.r), "nodes")
	edges := rt.NewSet(len(g.a), "edges")
	edge2node := op2.NewMap(edges, nodes, 2, g.edges, "edge2node")
	a := op2.NewDat(edges, 1, g.a, "a")
	r := op2.NewDat(nodes, 1, g.r, "r")
	u := op2.NewDat[float64](nodes, 1, nil, "u")
	du := op2.NewDat[float64](nodes, 1, nil, "du")
	beta := op2.NewGlobal(rt, []float64{1}, "beta")
	sum := op2.NewGlobal(rt, []float64{0}, "sum")
	largest := op2.NewGlobal(rt, []float64{0}, "largest")
	op2.NewConst(rt, "alpha", &alpha)
	if err := rt.Err(); err != nil {
		return err
	}

	kernels := op2.Kernels(source)
	residual, update := kernels.Func(residual), kernels.Func(update)
	for range iterations {
		if err := op2.ParLoop(residual, edges,
			a.Read(), u.Read(edge2node.At(1)), du.Inc(edge2node.At(0)), beta.Read()); err != nil {
			return err
		}
		if err := sum.Set(0); err != nil {
			return err
		}
		if err := largest.Set(0); err != nil {
			return err
		}
		if err := op2.ParLoop(update, nodes, r.Read(), du.RW(), u.RW(), sum.Inc(), largest.Max()); err != nil {
			return err
		}
		most, err1 := largest.Value()
		squares, err2 := sum.Value()
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		fmt.Fprintf(out, "u max/rms = %.6f %.6f\n", most, math.Sqrt(squares/float64(len(g.r))))
	}

	fmt.Fprintln(out)
	values, err := u.InDeclaredOrder()
	if err != nil {
		return err
	}
	for row := range n - 1 {
		for column := range n - 1 {
			fmt.Fprintf(out, " %7.4f", values[row*(n-1)+column])
		}
		fmt.Fprintln(out)
	}
	return nil
}

// grid is the matrix of the five-point stencil on the inner nodes of a square.
type grid struct {
	edges []int32   // [nonzeros][2]: row and column
	a     []float64 // [nonzeros]
	r     []float64 // [nodes]: contributions of the boundary
}

func newGrid(n int) grid {
	m := n - 1 // inner nodes along a side
	g := grid{r: make([]float64, m*m)}
	for j := range m {
		for i := range m {
			node := int32(j*m + i)
			g.edges, g.a = append(g.edges, node, node), append(g.a, -1)
			for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				x, y := i+d[0], j+d[1]
				if x < 0 || x >= m || y < 0 || y >= m {
					g.r[node] += 0.25
					continue
				}
				g.edges, g.a = append(g.edges, node, int32(y*m+x)), append(g.a, 0.25)
			}
		}
	}
	return g
}
