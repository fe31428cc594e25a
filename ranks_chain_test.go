package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed ranks_chain_test.go
var ranksChainSource string

func chainFlux(u, r *[2]float64, steps *float64) {
	d := u[0] - u[1]
	r[0] -= d
	r[1] += d
	*steps += 1
}

func chainUpdate(u, r, sum *float64) {
	*u += *r
	*r = 0
	*sum += *u
}

// Ranks run a chain with one exchange of messages where the layers of halo allow it, and find the same as
// loop by loop. Values are small integers, so that sums are exact.
func TestChainOnRanks(t *testing.T) {
	steps := 3
	for _, test := range []struct {
		depth    int
		chains   string
		messages int64 // of a rank with one neighbor, for each call
		plan     string
	}{
		{1, "auto", 3, "3 exchanges of messages, 3 loop by loop"},
		{1, "tile", 3, "3 exchanges of messages, 3 loop by loop"},
		{2, "auto", 2, "2 exchanges of messages, 3 loop by loop"},
		{3, "tile", 1, "1 exchange of messages, 3 loop by loop"},
		{5, "auto", 1, "1 exchange of messages, 3 loop by loop"},
		{5, "tile", 1, "1 exchange of messages, 3 loop by loop"},
		{3, "off", 3, ""},
	} {
		for _, backend := range []string{"go", "openmp"} {
			t.Run(fmt.Sprintf("%d/%s/%s", test.depth, test.chains, backend), func(t *testing.T) {
				if backend != "go" {
					optest.RequireCompiler(t)
				}
				want, _, _ := chainedRows(t, 1, steps, op2.WithBackend(backend))
				got, messages, plan := chainedRows(t, 3, steps, op2.WithBackend(backend), op2.WithHaloDepth(test.depth), op2.WithChains(op2.Chaining(test.chains)))
				if !slices.Equal(got, want) {
					t.Errorf("three ranks have\n%v, one has\n%v", got, want)
				}
				if messages != test.messages {
					t.Errorf("a call has %d messages, want %d", messages, test.messages)
				}
				if plan.Messages != test.plan {
					t.Errorf("the plan says %q, want %q", plan.Messages, test.plan)
				}
				tiled := false
				for _, s := range plan.Segments {
					tiled = tiled || s.Tiles != ""
				}
				if tiled != (test.chains == "tile") {
					t.Errorf("the plan is\n%v", plan)
				}
			})
		}
	}
}

func chainSlope(u *[2]float64, steepest, sum *float64) {
	*steepest = max(*steepest, u[0]-u[1])
	*sum += u[0] * u[1]
}

// Ranks fuse the same loops, though a device would keep apart what the host fuses.
func TestChainOnMixedRanks(t *testing.T) {
	var turn atomic.Int32
	optest.OK(t, op2.RunRanks(2, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithLog(nil), op2.WithBackend([]string{"go", "test"}[turn.Add(1)-1]))
		if err != nil {
			return err
		}
		defer rt.Close()
		optest.FuseAfter(rt, 0)
		cells, edges := rt.NewSet(4, "cells"), rt.NewSet(3, "edges")
		m := op2.NewMap(edges, cells, 2, []int32{0, 1, 1, 2, 2, 3}, "ends")
		u, r := op2.NewDat(cells, 1, []float64{1, 2, 4, 8}, "u"), op2.NewDat[float64](cells, 1, nil, "r")
		steps, steepest, sum := op2.NewGlobal(rt, []float64{0}, "steps"), op2.NewGlobal(rt, []float64{-9}, "steepest"), op2.NewGlobal(rt, []float64{0}, "sum")
		kernels := op2.Kernels(ranksChainSource)
		flux := op2.NewLoop(kernels.Func(chainFlux), edges, u.Read(m), r.Inc(m), steps.Inc())
		slope := op2.NewLoop(kernels.Func(chainSlope), edges, u.Read(m), steepest.Max(), sum.Inc())
		if err := rt.Err(); err != nil {
			return err
		}
		chain := op2.NewChain(flux, slope)
		for range 2 {
			if err := chain.Compute(); err != nil {
				return err
			}
		}
		n, err1 := steps.Value()
		most, err2 := steepest.Value()
		products, err3 := sum.Value()
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		if n != 6 || most != -1 || products != 84 {
			return fmt.Errorf("%v steps, the steepest %v, products %v", n, most, products)
		}
		return nil
	}))
}

// chainedRows runs a chain of some steps on a row of cells, several times. It returns the values and sums
// that the chain leaves, and of the first rank the number of messages in a call, and the plan.
func chainedRows(t *testing.T, ranks, steps int, options ...op2.Option) (values []float64, messages int64, plan op2.ChainPlan) {
	const n, calls = 60, 4
	optest.OK(t, op2.RunRanks(ranks, func(rank op2.Option) error {
		rt, err := op2.Open(append([]op2.Option{rank, op2.WithLog(nil)}, options...)...)
		if err != nil {
			return err
		}
		defer rt.Close()
		optest.FuseAfter(rt, calls/2)
		optest.Distribute(rt, func(_ string, element int) int { return min(element*rt.Ranks()/n, rt.Ranks()-1) })
		cells, edges := rt.NewSet(n, "cells"), rt.NewSet(n-1, "edges")
		var ends []int32
		start := make([]float64, n)
		for i := range n {
			start[i] = float64(i * i % 5)
			if i > 0 {
				ends = append(ends, int32(i-1), int32(i))
			}
		}
		m := op2.NewMap(edges, cells, 2, ends, "ends")
		u, r := op2.NewDat(cells, 1, start, "u"), op2.NewDat[float64](cells, 1, nil, "r")
		sum, count := op2.NewGlobal(rt, []float64{0}, "sum"), op2.NewGlobal(rt, []float64{0}, "count")
		kernels := op2.Kernels(ranksChainSource)
		flux := op2.NewLoop(kernels.Func(chainFlux), edges, u.Read(m), r.Inc(m), count.Inc())
		update := op2.NewLoop(kernels.Func(chainUpdate), cells, u.RW(), r.RW(), sum.Inc())
		if err := rt.Err(); err != nil {
			return err
		}
		var loops []*op2.Loop
		for range steps {
			loops = append(loops, flux, update)
		}
		chain := op2.NewChain(loops...)
		for i := range calls {
			if i == calls-1 {
				rt.ResetStats()
			}
			if err := chain.Compute(); err != nil {
				return err
			}
		}
		sent := int64(0)
		for _, s := range rt.Stats() {
			sent += s.Messages
		}
		all, err := u.Gather(0)
		total, err2 := sum.Value()
		elements, err3 := count.Value()
		p, err4 := chain.Plan()
		if rt.Rank() == 0 {
			values, messages, plan = append(all, total, elements), sent, p
		}
		return errors.Join(err, err2, err3, err4)
	}))
	return values, messages, plan
}
