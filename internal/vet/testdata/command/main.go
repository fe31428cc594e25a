// Command command has kernels that read the consts of another package.
package main

import (
	_ "embed"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/vet/testdata/command/gas"
)

//go:embed kernels.go
var source string

func main() {
	rt, err := op2.Open()
	if err != nil {
		return
	}
	gas.Declare(rt)
	op2.NewConst(rt, "Known", &Known)
	cells := rt.NewSet(3, "cells")
	q := op2.NewDat[float64](cells, 1, nil, "q")
	kernels := op2.Kernels(source)
	for _, l := range []*op2.Loop{
		op2.NewLoop(kernels.Func(reads), cells, q.RW()),
		op2.NewLoop(kernels.Func(calls), cells, q.RW()), // want "gas/gas.go:24:45: the kernel reads the variable gas.Gamma"
		op2.NewLoop(kernels.Func(fine), cells, q.RW()),
	} {
		_ = l.Compute()
	}
}
