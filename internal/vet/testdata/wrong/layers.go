package wrong

import "github.com/go-op2/op2"

// A kernel gets both sides of a facet between layers, and whole columns of a loop over the base set.
func layers(rt *op2.Runtime) error {
	cells := rt.NewSet(2, "cells")
	layers := op2.NewExtrudedSet(cells, 5, "layers")
	u := op2.NewDat[float64](layers, 1, nil, "u")
	k := op2.Kernels(source)
	for _, err := range []error{
		op2.ParLoop(k.Func(scalePair), op2.OnInteriorFacets(layers), u.RW()),
		op2.ParLoop(k.Func(scalePair), cells, u.RW()),
		op2.ParLoop(k.Func(scalePair), op2.OnTop(layers), u.RW()), // want `the kernel takes \*\[2\]float64 for u, not \*float64`
		op2.ParLoop(k.Func(scalePair), layers, u.RW()),            // want `the kernel takes \*\[2\]float64 for u, not \*float64`
	} {
		if err != nil {
			return err
		}
	}
	return nil
}
