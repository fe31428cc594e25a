package op2_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed consts_large_test.go
var largeSource string

var (
	largeTable [16384]float64
	largeRows  [40][3]int32
)

// largeLook reads a table, a row of it as an array of its own, and one through a function.
func largeLook(i *int32, y *[2]float64) {
	row := largeRows[*i%40]
	y[0] = largeTable[*i] + float64(row[1])
	y[1] = largeSum(&largeRows[39])
}

func largeSum(row *[3]int32) float64 { return float64(row[0] + row[1] + row[2]) }

// Tables are read where they are, also by blocks on threads, and in the values of each call.
func TestLargeConsts(t *testing.T) {
	inC := ckernel.New("look", `
static double sum(const int row[3]) { return row[0] + row[1] + row[2]; }
void look(const int *i, double y[2])
{
	y[0] = largeTable[*i] + largeRows[*i % 40][1];
	y[1] = sum(largeRows[39]);
}`)
	inGo := op2.Kernels(largeSource).Func(largeLook)
	for _, backend := range []string{"go", "sequential", "openmp"} {
		for name, k := range map[string]*op2.Kernel{"Go": inGo, "C": inC} {
			for _, diags := range []bool{false, true} {
				if name == "C" && backend == "go" {
					continue
				}
				what := backend + ", " + name
				rt := optest.OpenBackend(t, backend, op2.WithDiags(diags))
				op2.NewConst(rt, "largeTable", &largeTable)
				op2.NewConst(rt, "largeRows", &largeRows)
				const n = 20000
				which := make([]int32, n)
				for e := range which {
					which[e] = int32(e * 7 % len(largeTable))
				}
				cells := optest.NewSet(t, rt, n, "cells")
				i, y := optest.NewDat(t, cells, 1, which, "i"), optest.NewDat[float64](t, cells, 2, nil, "y")
				loop := op2.NewLoop(k, cells, i.Read(), y.Write())
				for call := range 2 {
					for at := range largeTable {
						largeTable[at] = float64(at + call)
					}
					for at := range largeRows {
						largeRows[at] = [3]int32{int32(call), int32(at), 1}
					}
					optest.OK(t, loop.Compute())
					got := optest.Values(t, y)
					for e, at := range which {
						if got[2*e] != float64(at+int32(call)+at%40) || got[2*e+1] != float64(call+40) {
							t.Fatalf("%s: call %d: element %d has %v", what, call, e, got[2*e:2*e+2])
						}
					}
				}
				if name == "C" {
					continue // nothing checks subscripts of its consts
				}
				optest.Set(t, i, 12345, int32(len(largeTable)))
				if err := loop.Compute(); err == nil || !strings.Contains(err.Error(), "16384") {
					t.Errorf("%s, diagnostics %v: index out of range: %v", what, diags, err)
				}
			}
		}
	}
}
