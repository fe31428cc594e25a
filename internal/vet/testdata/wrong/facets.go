package wrong

import "github.com/go-op2/op2"

// Of dats and sets that come from elsewhere it is not known whether they have layers.
func facets(cells, layers *op2.Set, v *op2.Dat[float64]) error {
	u := op2.NewDat[float64](layers, 1, nil, "u")
	w := op2.NewDat[float64](cells, 1, nil, "w")
	k := op2.Kernels(source)
	for _, err := range []error{
		op2.ParLoop(k.Func(scalePair), op2.OnInteriorFacets(layers), u.RW()),
		op2.ParLoop(k.Func(scalePair), op2.OnInteriorFacets(layers), v.RW()),
		op2.ParLoop(k.Func(scalePair), cells, w.RW()), // want `the kernel takes \*\[2\]float64 for u, not \*float64`
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// A dat on a set without layers has its own values alone, on facets too.
func flatOnFacets(rt *op2.Runtime, layers *op2.Set) error {
	cells := rt.NewSet(2, "cells")
	w := op2.NewDat[float64](cells, 1, nil, "w")
	return op2.ParLoop(op2.Kernels(source).Func(scalePair), op2.OnInteriorFacets(layers), w.RW()) // want `the kernel takes \*\[2\]float64 for u, not \*float64`
}
