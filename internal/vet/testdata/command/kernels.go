package main

import "github.com/go-op2/op2/internal/vet/testdata/command/gas"

var Known, Unknown = 1.0, 2.0

func reads(q *float64) {
	*q *= gas.Gamma // want "the kernel reads the variable gas.Gamma, which is no const of the runtime\n  hint: declare it with op2.NewConst.rt, .Gamma., &gas.Gamma., or pass it as an argument"
	*q += Unknown   // want "the kernel reads the variable Unknown, which is no const of the runtime"
}

func calls(q *float64) { *q = gas.Speed(*q, 1) }

func fine(q *float64) { *q = gas.Pressure(*q, gas.Constant) + Known }
