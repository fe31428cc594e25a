// Package wrong has programs whose mistakes the comments name.
package wrong

import (
	_ "embed"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
)

//go:embed kernels.go
var source string

var empty string

type state struct{ loop *op2.Loop }

func declare(rt *op2.Runtime, n int, any []float64) (s state, err error) {
	cells, nodes := rt.NewSet(n, "cells"), rt.NewSet(n, "nodes")
	corners := op2.NewMap(cells, nodes, 3, make([]int32, 3*n), "corners")
	pairs := op2.NewMap(cells, nodes, 2, make([]int32, 2*n), "pairs")
	x := op2.NewDat(nodes, 2, any, "x")
	q := op2.NewDat(cells, 1, any, "q")
	single := op2.NewDat[float32](cells, 1, nil, "single")
	res := op2.NewDat(nodes, 4, any, "res")
	open := op2.NewDat(nodes, n, any, "open")
	op2.NewConst(rt, "gamma", &gamma)

	kernels := op2.Kernels(source)
	flux := kernels.Func(flux)
	s.loop = op2.NewLoop(flux, cells, x.Read(corners.At(0)), q.Read(), res.Inc(corners.At(1)))
	s.loop = op2.NewLoop(flux.With(op2.WithBlockSize(64)), cells, open.Read(corners.At(0)), q.Read(), res.Inc(corners.At(1)))
	s.loop = op2.NewLoop(flux, cells, x.Read(corners.At(0)), q.Read()) // want "loop flux: the kernel takes 3 arguments, 2 were given"
	s.loop = op2.NewLoop(flux, cells,
		x.Read(corners),      // want "argument 1: the kernel takes .*2.float64 for x, not .*3..2.float64"
		single.Read(),        // want "argument 2: the kernel takes .float64 for q, not .float32"
		x.Inc(corners.At(0))) // want "argument 3: the kernel takes ..4.float64 for res, not ..2.float64"
	s.loop = op2.NewLoop(flux, cells, x.Read(corners.At(0)), single.Read().If(n > 2), res.Inc(corners.At(1)).If(n > 1))  // want "argument 2: the kernel takes .float64 for q, not .float32"
	s.loop = op2.NewLoop(flux, cells, x.Component(1).Read(corners.At(0)), q.Component(0).Read(), res.Inc(corners.At(1))) // want "argument 1: the kernel takes .*2.float64 for x, not .float64"
	err = op2.ParLoop(op2.Kernels(source).Func(spread), cells, x.Read(pairs), q.Write())
	err = op2.ParLoop(kernels.Func(reads), nodes, x.Read(), q.Write())
	err = op2.ParLoop(kernels.Func(half), nodes, x.Write())
	err = op2.ParLoop(kernels.Func(mean), cells, x.Write(), x.Read(corners))
	low, high := op2.NewGlobal(rt, []float64{1e9}, "low"), op2.NewGlobal(rt, []float64{-1e9}, "high")
	err = op2.ParLoop(kernels.Func(least), nodes, x.Read(), low.Min(), x.Min())
	err = op2.ParLoop(kernels.Func(sums), nodes, x.Read(), low.Min(), high.Max())
	err = op2.ParLoop(kernels.Func(beyond), cells, q.Write())
	err = op2.ParLoop(kernels.Func(allocates), cells, q.Write())
	err = op2.ParLoop(kernels.Func(gradients), cells, x.Read(corners), q.Write())
	err = op2.ParLoop(kernels.Func(named), cells, q.Write())
	err = op2.ParLoop(kernels.Func(numbered), cells, op2.Index(), q.Write()) // want "argument 1: the kernel takes .int32 for i, not .int"

	err = op2.ParLoop(op2.Kernels("kernels.go").Func(half), nodes, x.Write())                        // want `the source is "kernels.go": this is a file's name`
	err = op2.ParLoop(op2.Kernels(empty).Func(half), nodes, x.Write())                               // want `the source is empty: is //go:embed missing`
	err = op2.ParLoop(ckernel.New("twice", "void twice(double *y) { *y = 2 *; }"), cells, q.Write()) // want "twice.c:1:33: unexpected"
	err = op2.ParLoop(ckernel.New("twice", "void twice(double *y) { *y = 2 * gamma; }"), cells, q.Write())
	return s, err
}
