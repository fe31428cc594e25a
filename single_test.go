package op2_test

import (
	_ "embed"
	"testing"

	"github.com/go-op2/op2"
)

//go:embed single_test.go
var singleSource string

func singleWhole(x, y *[3]float64, z *float64) {
	for i := range y {
		y[i] += x[i] + *z
	}
}

// A map of arity 1 may be passed as a whole to a kernel that takes its one target by itself.
func TestMapOfArityOne(t *testing.T) {
	eachConfiguration(t, func(t *testing.T, open opener) {
		rt := open(t)
		edges, cells := newSet(t, rt, 4, "edges"), newSet(t, rt, 3, "cells")
		m := newMap(t, edges, cells, 1, []int32{2, 0, 2, 2}, "m")
		x, z := newDat(t, cells, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, "x"), newDat(t, cells, 1, []float64{10, 20, 30}, "z")
		kernels := map[string]*op2.Kernel{"go": op2.Kernels(singleSource).Func(singleWhole)}
		if rt.Backend() != "go" {
			kernels["C"] = op2.C("single_c", "void single_c(const double *x, double *y, const double *z) { for (int i = 0; i < 3; i++) y[i] += x[i] + *z; }")
		}
		for _, k := range kernels {
			for range 2 {
				y := newDat[float64](t, cells, 3, nil, "y")
				run(t, k, edges, x.Read(m), y.Inc(m), z.Read(m))
				expect(t, y, []float64{11, 12, 13, 0, 0, 0, 3 * 37, 3 * 38, 3 * 39})
			}
		}
	})
}
