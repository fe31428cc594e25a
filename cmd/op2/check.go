package main

import (
	_ "embed"
	"errors"
	"fmt"
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/solver"
)

//go:embed check.go
var checkSource string

// spread gives each end of an edge half of the edge's value, and counts the edges.
func spread(w *float64, a, b *float64, edges *int64) {
	half := 0.5 * math.Sqrt(*w**w)
	*a += half
	*b += half
	*edges++
}

// selfCheck runs a loop over a ring of edges on a backend and compares the result with the expected
// one.
func selfCheck(backend string) error {
	rt, err := op2.Open(op2.WithBackend(backend), op2.WithMPI(op2.Off))
	if err != nil {
		return err
	}
	defer rt.Close()

	const n = 5000
	ends, weights, want := make([]int32, 2*n), make([]float64, n), make([]float64, n)
	for e := range n {
		a, b := e, (e+1)%n
		ends[2*e], ends[2*e+1] = int32(a), int32(b)
		weights[e] = float64(e % 17)
		want[a] += weights[e] / 2
		want[b] += weights[e] / 2
	}
	nodes, edges := rt.NewSet(n, "nodes"), rt.NewSet(n, "edges")
	ring := op2.NewMap(edges, nodes, 2, ends, "ring")
	w := op2.NewDat(edges, 1, weights, "w")
	sum := op2.NewDat[float64](nodes, 1, nil, "sum")
	count := op2.NewGlobal(rt, []int64{0}, "count")
	if err := op2.ParLoop(op2.Kernels(checkSource).Func(spread), edges, w.Read(), sum.Inc(ring.At(0)), sum.Inc(ring.At(1)), count.Inc()); err != nil {
		return err
	}
	edgesRun, err1 := count.Value()
	sums, err2 := sum.DataRO()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if edgesRun != n {
		return fmt.Errorf("a loop over %d edges ran %d times", n, edgesRun)
	}
	for i, got := range sums {
		if got != want[i] { // small multiples of a half: exact
			return fmt.Errorf("a sum over edges is %g at node %d, not %g", got, i, want[i])
		}
	}
	return nil
}

// checkSolver solves a system of a few unknowns, whose solution is known.
func checkSolver(engine string) error {
	rt, err := op2.Open(op2.WithBackend("go"), op2.WithMPI(op2.Off))
	if err != nil {
		return err
	}
	defer rt.Close()

	nodes := rt.NewSet(3, "nodes")
	x := op2.NewDat[float64](nodes, 1, nil, "x")
	b := op2.NewDat(nodes, 1, []float64{1, 0, 1}, "b")
	chain := solver.NewOperator(nodes, 1, func(y, x *op2.Dat[float64]) error {
		from, err1 := x.DataRO()
		to, err2 := y.Data()
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		to[0], to[1], to[2] = 2*from[0]-from[1], 2*from[1]-from[0]-from[2], 2*from[2]-from[1]
		return nil
	}, nil, "chain")
	system := solver.New(chain, solver.Engine(engine), solver.None)
	if err := rt.Err(); err != nil {
		return err
	}
	defer system.Close()
	if _, err := system.Solve(x, b); err != nil {
		return err
	}
	solution, err := x.DataRO()
	if err != nil {
		return err
	}
	for i, got := range solution {
		if math.Abs(got-1) > 1e-6 {
			return fmt.Errorf("the solution of a system is %g at node %d, not 1", got, i)
		}
	}
	return nil
}
