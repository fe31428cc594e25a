package op2_test

import (
	"bytes"
	_ "embed"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
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

func watchDivide(x, y, z *[2]float64) {
	z[0] += x[0] / y[0]
}

// Diagnostics find the loop, the argument and the value that first is not finite.
func TestFirstNotFinite(t *testing.T) {
	for _, name := range []string{"go", "sequential", "test"} {
		rt, err := op2.Open(op2.WithBackend(name), op2.WithLog(nil), op2.WithDiags(true))
		if errors.Is(err, op2.ErrUnavailable) {
			optest.Require(t, name, err.Error())
		}
		optest.OK(t, err)
		defer rt.Close()
		cells := optest.NewSet(t, rt, 4, "cells")
		invert, add := op2.Kernels(watchFiniteSource).Func(watchInvert), op2.Kernels(watchFiniteSource).Func(watchAdd)
		ones := []float64{1, 1, 1, 1, 1, 1, 1, 1}
		x, y, sum := optest.NewDat(t, cells, 2, ones, "x"), optest.NewDat[float64](t, cells, 2, nil, "y"), optest.NewDat(t, cells, 2, ones, "sum")
		optest.Run(t, invert, cells, x.Read(), y.Write())
		optest.Must(x.Data())[5] = 0
		err = op2.ParLoop(invert, cells, x.Read(), y.Write())
		optest.ExpectError(t, err, `op2: loop watchInvert over cells: argument 2 (y, written): component 1 of element 2 of cells is +Inf
  hint: the dats that it reads there were finite; where such values are meant, call y.AllowNonFinite()`)
		var v *op2.ValueError
		if !errors.As(err, &v) || v.Row != 2 || v.Col != 1 || !math.IsInf(v.Value, 1) {
			t.Errorf("got %+v", v)
		}
		optest.ExpectError(t, op2.ParLoop(add, cells, y.Read(), sum.RW()), `op2: loop watchAdd over cells: argument 2 (sum, read and written): component 1 of element 2 of cells is +Inf
  hint: y held +Inf before the loop, in component 1 of element 2`)
		optest.Run(t, add, cells, y.Read(), sum.RW()) // it was not finite before
		// Of several values that were not finite, it names one that the faulty element used.
		pairs := optest.NewMap(t, cells, cells, 2, []int32{0, 1, 1, 3, 2, 3, 3, 0}, "pairs")
		odd := optest.NewDat(t, cells, 2, []float64{1, 1, 1, 1, math.NaN(), 1, 1, math.Inf(-1)}, "odd")
		sum = optest.NewDat(t, cells, 2, ones, "sum")
		optest.ExpectError(t, op2.ParLoop(add, cells, odd.Read(pairs.At(1)), sum.Inc(pairs.At(0))), `op2: loop watchAdd over cells: argument 2 (sum, incremented through pairs[0]): component 1 of element 1 of cells is -Inf
  hint: odd held -Inf before the loop, in component 1 of element 3, which element 1 of cells has through pairs`)
		// Values that were not finite did not contribute.
		first := op2.NewSubset(cells, []int{0}, "first")
		zero, sum := optest.NewDat[float64](t, cells, 2, nil, "zero"), optest.NewDat(t, cells, 2, ones, "sum")
		optest.ExpectError(t, op2.ParLoop(op2.Kernels(watchFiniteSource).Func(watchDivide), first, odd.Read(), zero.Read(pairs.At(1)), sum.RW()), `op2: loop watchDivide over first: argument 3 (sum, read and written): component 0 of element 0 of cells is +Inf
  hint: the dats that it reads there were finite; where such values are meant, call sum.AllowNonFinite()`)
		z := optest.NewDat[float64](t, cells, 2, nil, "z")
		z.AllowNonFinite()
		optest.Run(t, invert, cells, x.Read(), z.Write())
	}
}

// A plan without parallelism is reported once.
func TestColorsWithoutParallelism(t *testing.T) {
	var log bytes.Buffer
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithThreads(2), op2.WithBlockSize(2500), op2.WithLog(&log)))
	defer rt.Close()
	const n = 10000
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, n, "nodes")
	hub := optest.NewMap(t, edges, nodes, 2, make([]int32, 2*n), "hub")
	chain := make([]int32, 2*n)
	for i := range n {
		chain[2*i], chain[2*i+1] = int32(i), int32(min(i+1, n-1))
	}
	fine := optest.NewMap(t, edges, nodes, 2, chain, "chain")
	x, y := optest.NewDat[float64](t, nodes, 4, nil, "x"), optest.NewDat[float64](t, nodes, 4, nil, "y")
	k := op2.Kernels(unreachableSource).Func(collect4)
	optest.Run(t, k, edges, x.Read(fine), y.Inc(fine.At(0)))
	// Nor is it for loops that are over at once.
	short := make([]int, 8000)
	for i := range short {
		short[i] = i
	}
	few := op2.NewSubset(edges, short, "few")
	optest.Run(t, k, few, x.Read(hub), y.Inc(hub.At(0)))
	if log.Len() > 0 {
		t.Errorf("a warning: %s", log.String())
	}
	for range 2 {
		optest.Run(t, k, edges, x.Read(hub), y.Inc(hub.At(0)))
		optest.OK(t, hub.SetValues(make([]int32, 2*n)))
	}
	// It comes once.
	const want = "op2: warning: loop collect4 over edges: its 4 blocks have 4 colors, so that hardly two of them run at the same time, and threads are idle: elements far from each other change the same values\n" +
		"  hint: call Renumber after the declarations, sort the elements by what they change, or run over what is changed and gather there; other loops may be concerned, too: see Loop.Plan\n"
	if log.String() != want || strings.Count(log.String(), "warning") != 1 {
		t.Errorf("got %s", log.String())
	}
}
