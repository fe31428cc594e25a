package elements_test

import (
	_ "embed"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

func TestMain(m *testing.M) { optest.Main(m) }

//go:embed kernels_test.go
var source string

// All functions have the same values in kernels, on every backend.
func TestBackends(t *testing.T) {
	want := sums(t, "go")
	for _, test := range []struct {
		backend string
		options []op2.Option
	}{{"sequential", nil}, {"openmp", nil}, {"opencl", []op2.Option{optest.Unoptimized()}}, {gputest.Standin, []op2.Option{optest.Unoptimized()}}} {
		t.Run(test.backend, func(t *testing.T) {
			if test.backend != "sequential" {
				optest.NotShort(t)
			}
			for i, sum := range sums(t, test.backend, test.options...) {
				near(t, "sum", sum, want[i], 1e-12*max(1, -want[i], want[i]))
			}
		})
	}
}

// sums returns what the kernels of kernels_test.go compute on some cells.
func sums(t *testing.T, backend string, options ...op2.Option) (all []float64) {
	rt := optest.OpenBackend(t, backend, options...)
	defer rt.Close()
	cells := optest.NewSet(t, rt, 20, "cells")
	kernels := op2.Kernels(source)
	for _, k := range []struct {
		function any
		arity    int
		dim      int
		sums     int
	}{{lines, 1, 2, 3}, {triangles, 3, 2, 4}, {quadrilaterals, 4, 2, 3}, {volumes, 1, 3, 7}} {
		nodes := optest.NewSet(t, rt, 20*k.arity, "nodes")
		x, numbers := make([]float64, 20*k.arity*k.dim), make([]int32, 20*k.arity)
		for i := range numbers {
			numbers[i] = int32(i)
			around := [4][2]float64{{0.1, 0.1}, {1.2, 0.2}, {1.1, 1.3}, {0.2, 1}}[i%k.arity]
			for c := range k.dim {
				x[i*k.dim+c] = around[c%2] + 0.01*float64(i*(c+1)%17)
			}
		}
		places := optest.NewDat(t, nodes, k.dim, x, "x")
		read := places.Read(optest.NewMap(t, cells, nodes, k.arity, numbers, "corners"))
		if k.arity == 1 {
			read = optest.NewDat(t, cells, k.dim, x, "x").Read()
		}
		sum := optest.NewGlobal(t, rt, "sum", make([]float64, k.sums)...)
		optest.Run(t, kernels.Func(k.function), cells, read, sum.Inc())
		all = append(all, optest.Values(t, sum)...)
	}
	return all
}

// The kernels' text for devices is CUDA C++.
func TestHeavyTexts(t *testing.T) {
	heavy.Test(t)
	gputest.CheckTexts(t, "elements", func() { sums(t, "") })
}
