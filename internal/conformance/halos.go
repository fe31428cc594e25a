package conformance

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/optest"
)

// conformHalos checks that loops run over the owned elements, reach those of the halo, and leave the rest alone.
func conformHalos(t *testing.T, open optest.Opener) {
	for _, own := range []int{0, 3, 40} {
		rt := open(t)
		parts := halo.Extents{Core: own / 2, Owned: own, Layers: []halo.Layer{{Executed: 2, ReadOnly: 1}, {ReadOnly: 3}}}
		cells, edges := optest.NewParts(t, rt, parts, "cells"), optest.NewParts(t, rt, parts, "edges")
		total := parts.Total()
		targets, v := make([]int32, total), make([]float64, total)
		want, ones := make([]float64, 2*total), make([]float64, total)
		for e := range total {
			targets[e], v[e], ones[e] = int32((e+total-2)%total), float64(e), 1
			if e < own {
				want[2*targets[e]], want[2*targets[e]+1] = v[e], 1-2*v[e]
			}
		}
		m := optest.NewMap(t, edges, cells, 1, targets, "m")
		r, x := optest.NewDat[float64](t, cells, 2, nil, "r"), optest.NewDat(t, cells, 1, ones, "x")
		for range 2 { // first prepared, then cached
			optest.OK(t, r.Zero())
			optest.Run(t, kernels.Func(incAdds), edges, optest.NewDat(t, edges, 1, v, "v").Read(), r.Inc(m.At(0)))
			withHalos(t, r, want)
		}
		optest.OK(t, x.AXPY(2, optest.NewDat(t, cells, 1, ones, "y")))
		for e := range own {
			ones[e] = 3
		}
		withHalos(t, x, ones)
		if got := optest.Must(x.Inner(x)); got != float64(9*own) || cells.Size() != own {
			t.Errorf("of %d cells: the inner product is %v, want %d", cells.Size(), got, 9*own)
		}
	}
}

// withHalos fails the test unless a dat has these values, including those of halos.
func withHalos(t *testing.T, d *op2.Dat[float64], want []float64) {
	t.Helper()
	if got := optest.Must(d.DataWithHalos()); !slices.Equal(got, want) {
		t.Errorf("%s is %v, want %v", d.Name(), got, want)
	}
}
