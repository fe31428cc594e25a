package conformance

import (
	_ "embed"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed arityone.go
var singleSource string

func singleWhole(x, y *[3]float64, z *float64) {
	for i := range y {
		y[i] += x[i] + *z
	}
}

// conformArityOne passes maps of arity 1 as a whole to kernels that take their one target by itself.
func conformArityOne(t *testing.T, open optest.Opener) {
	rt := open(t)
	edges, cells := optest.NewSet(t, rt, 4, "edges"), optest.NewSet(t, rt, 3, "cells")
	m := optest.NewMap(t, edges, cells, 1, []int32{2, 0, 2, 2}, "m")
	x, z := optest.NewDat(t, cells, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, "x"), optest.NewDat(t, cells, 1, []float64{10, 20, 30}, "z")
	kernels := []*op2.Kernel{op2.Kernels(singleSource).Func(singleWhole)}
	if rt.Backend() != "go" {
		kernels = append(kernels, ckernel.New("single_c", "void single_c(const double *x, double *y, const double *z) { for (int i = 0; i < 3; i++) y[i] += x[i] + *z; }"))
	}
	for _, k := range kernels {
		for range 2 {
			y := optest.NewDat[float64](t, cells, 3, nil, "y")
			optest.Run(t, k, edges, x.Read(m), y.Inc(m), z.Read(m))
			optest.Expect(t, y, []float64{11, 12, 13, 0, 0, 0, 3 * 37, 3 * 38, 3 * 39})
		}
	}
}
