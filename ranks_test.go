package op2_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-op2/op2"
)

//go:embed ranks_test.go
var ranksSource string

func doubled(x, sum *float64) {
	*x *= 2
	*sum += *x
}

// All ranks measure; rank 0 writes one table.
func TestStatsOfRanks(t *testing.T) {
	const n = 3
	tables := make([]bytes.Buffer, n)
	err := op2.RunRanks(n, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"))
		if err != nil {
			return err
		}
		defer rt.Close()
		d := op2.Declare(rt)
		cells := d.Set(10, "cells")
		x, sum := op2.DeclareDat[float64](d, cells, 1, nil, "x"), op2.DeclareGlobal(d, []float64{0}, "sum")
		loop := d.Loop(op2.Kernels(ranksSource).Func(doubled), cells, x.RW(), sum.Inc())
		for range 4 {
			d.Check(loop.Compute())
		}
		if own := rt.Stats()[0]; own.Calls != 4 || own.Awaited <= 0 || own.Awaited > own.Time {
			return fmt.Errorf("rank %d has %+v", rt.Rank(), own)
		}
		d.Check(rt.WriteStats(&tables[rt.Rank()]))
		return d.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"doubled  cells      4 ", " waiting  ", "3 ranks: time is the mean"} {
		if got := tables[0].String(); strings.Count(got, want) != 1 {
			t.Errorf("the table lacks %q:\n%s", want, got)
		}
	}
	if more := tables[1].String() + tables[2].String(); more != "" {
		t.Errorf("other ranks write\n%s", more)
	}
}

// What all ranks print appears once, and what one rank decides holds for all.
func TestOutputAndDecisionsOfRanks(t *testing.T) {
	const n = 3
	var out strings.Builder // unguarded: only one rank may write
	err := op2.RunRanks(n, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"))
		if err != nil {
			return err
		}
		defer rt.Close()
		for _, who := range []int{-1, 0, 2} {
			if any, err := rt.AnyRank(rt.Rank() == who); err != nil || any != (who >= 0) {
				return fmt.Errorf("AnyRank(%d): %v, %v", who, any, err)
			}
		}
		_, err = fmt.Fprintf(rt.Output(&out), "%d ranks\n", rt.Ranks())
		return err
	})
	if got := out.String(); err != nil || got != "3 ranks\n" {
		t.Errorf("%v, the output is %q", err, got)
	}
	var none *op2.Runtime
	if none.Output(&out) != io.Writer(&out) {
		t.Error("without a runtime, output is discarded")
	}
}
