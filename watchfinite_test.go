package op2_test

import (
	"bytes"
	_ "embed"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-op2/op2"
)

//go:embed watchfinite_test.go
var watchFiniteSource string

func watchInvert(x, y *[2]float64) {
	y[0] = 1 / x[0]
	y[1] = 1 / x[1]
}

func watchAdd(x, y *[2]float64) {
	y[0] += x[0]
	y[1] += x[1]
}

// Diagnostics find the loop, the argument and the value that is first not finite.
func TestFirstNotFinite(t *testing.T) {
	for _, name := range []string{"go", "sequential", "test"} {
		rt, err := op2.Open(op2.WithBackend(name), op2.WithLog(nil), op2.WithDiags(true))
		if errors.Is(err, op2.ErrUnavailable) {
			require(t, name, err.Error())
		}
		must(t, err)
		defer rt.Close()
		cells := newSet(t, rt, 4, "cells")
		invert, add := op2.Kernels(watchFiniteSource).Func(watchInvert), op2.Kernels(watchFiniteSource).Func(watchAdd)
		ones := []float64{1, 1, 1, 1, 1, 1, 1, 1}
		x, y, sum := newDat(t, cells, 2, ones, "x"), newDat[float64](t, cells, 2, nil, "y"), newDat(t, cells, 2, ones, "sum")
		run(t, invert, cells, x.Read(), y.Write())
		op2.Must(x.Data())[5] = 0
		err = op2.ParLoop(invert, cells, x.Read(), y.Write())
		expectError(t, err, `op2: loop watchInvert over cells: argument 2 (y, written): component 1 of element 2 of cells is +Inf
  hint: what it reads was finite; where such values are meant, call y.AllowNonFinite()`)
		var v *op2.ValueError
		if !errors.As(err, &v) || v.Row != 2 || v.Col != 1 || !math.IsInf(v.Value, 1) {
			t.Errorf("got %+v", v)
		}
		expectError(t, op2.ParLoop(add, cells, y.Read(), sum.RW()), `op2: loop watchAdd over cells: argument 2 (sum, read and written): component 1 of element 2 of cells is +Inf
  hint: y held +Inf before the loop, in component 1 of element 2`)
		run(t, add, cells, y.Read(), sum.RW()) // it was not finite before
		z := newDat[float64](t, cells, 2, nil, "z")
		z.AllowNonFinite()
		run(t, invert, cells, x.Read(), z.Write())
	}
}

// A plan without parallelism is told once.
func TestColorsWithoutParallelism(t *testing.T) {
	var log bytes.Buffer
	rt := op2.Must(op2.Open(op2.WithBackend("go"), op2.WithThreads(2), op2.WithBlockSize(10), op2.WithLog(&log)))
	defer rt.Close()
	const n = 100
	edges, nodes := newSet(t, rt, n, "edges"), newSet(t, rt, n, "nodes")
	hub := newMap(t, edges, nodes, 2, make([]int32, 2*n), "hub")
	chain := make([]int32, 2*n)
	for i := range n {
		chain[2*i], chain[2*i+1] = int32(i), int32(min(i+1, n-1))
	}
	fine := newMap(t, edges, nodes, 2, chain, "chain")
	x, y := newDat[float64](t, nodes, 4, nil, "x"), newDat[float64](t, nodes, 4, nil, "y")
	k := op2.Kernels(letGoSource).Func(collect4)
	run(t, k, edges, x.Read(fine), y.Inc(fine.At(0)))
	if log.Len() > 0 {
		t.Errorf("a warning: %s", log.String())
	}
	for range 2 {
		run(t, k, edges, x.Read(hub), y.Inc(hub.At(0)))
		must(t, hub.SetValues(make([]int32, 2*n)))
	}
	const want = "op2: warning: loop collect4 over edges: its 10 blocks have 10 colors, so that hardly two of them run at the same time: elements far from each other change the same values\n" +
		"  hint: call Renumber, sort the elements by what they change, or run over what is changed and gather there\n"
	if log.String() != want || strings.Count(log.String(), "warning") != 1 {
		t.Errorf("got %s", log.String())
	}
}
