package main

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/go-op2/op2"
)

//go:embed check.go
var checkSource string

// spread gives both ends of an edge half of what is on it, and counts the edges.
func spread(w *float64, a, b *float64, edges *int64) {
	half := 0.5 * math.Sqrt(*w**w)
	*a += half
	*b += half
	*edges++
}

// selfCheck runs a loop over a ring of edges on a backend and compares what comes out
// with what must.
func selfCheck(backend string) error {
	rt, err := op2.Open(op2.WithBackend(backend))
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
	nodes := op2.Must(rt.NewSet(n, "nodes"))
	edges := op2.Must(rt.NewSet(n, "edges"))
	ring := op2.Must(op2.NewMap(edges, nodes, 2, ends, "ring"))
	w := op2.Must(op2.NewDat(edges, 1, weights, "w"))
	sum := op2.Must(op2.NewDat[float64](nodes, 1, nil, "sum"))
	count := op2.Must(op2.NewGlobal(rt, []int64{0}, "count"))

	kernel := op2.Kernels(checkSource).Func(spread)
	if err := op2.ParLoop(kernel, edges, w.Read(), sum.Inc(ring.At(0)), sum.Inc(ring.At(1)), count.Inc()); err != nil {
		return err
	}
	if got := op2.Must(count.Value()); got != n {
		return fmt.Errorf("a loop over %d edges ran %d times", n, got)
	}
	for i, got := range op2.Must(sum.DataRO()) {
		if got != want[i] { // small multiples of a half: exact
			return fmt.Errorf("a sum over edges is %g at node %d, not %g", got, i, want[i])
		}
	}
	return nil
}
