package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed chain_record_test.go
var recordSource string

func recordStiffness(a *[2][2]float64, length *float64) {
	a[0][0], a[0][1] = *length, -*length
	a[1][0], a[1][1] = -*length, *length
}

func recordScale(x, factor *float64) { *x *= *factor }

func recordFlux(x *[2]float64, y *[2]float64) {
	y[0] += x[1] - x[0]
	y[1] += x[0] - x[1]
}

func recordSum(x, sum *float64) { *sum += *x }

// recordedSteps takes some steps of a program, which are recorded once, or called again and again. It returns what they
// leave, on the first rank, and the plan. Values are such that they are exact.
func recordedSteps(rt *op2.Runtime, record bool) (values []float64, plan op2.ChainPlan, err error) {
	const n, steps = 40, 3
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
	dat := func(name string, values []float64) *op2.Dat[float64] { return op2.NewDat(cells, 1, values, name) }
	x, y, b, old := dat("x", start), dat("y", nil), dat("b", nil), dat("old", nil)
	length, sum := op2.NewGlobal(rt, []float64{1}, "length"), op2.NewGlobal(rt, []float64{7}, "sum")
	a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: m, Cols: m}}, 1, 1, "pattern"), "a")
	fixed := op2.NewDirichlet(op2.Fix(op2.NewSubset(cells, []int{0}, "first"), 2.0))
	k := op2.Kernels(recordSource)
	assemble := op2.NewLoop(k.Func(recordStiffness), edges, a.Inc(m, m), length.Read())
	factor := 0.5
	step := func() error {
		return errors.Join(
			old.Copy(x),
			length.Set(2),
			a.Zero(),
			assemble.Compute(),
			b.Fill(1),
			fixed.Apply(a, b),
			a.Mul(y, x),
			op2.ParLoop(k.Func(recordFlux), edges, x.Read(m), y.Inc(m)),
			x.AXPY(factor, y),
			x.AXPY(-4, old),
			op2.ParLoop(k.Func(recordSum), cells, x.Read(), sum.Inc()), // into what it was
			sum.Set(3),
			op2.ParLoop(k.Func(recordScale), cells, x.RW(), length.Read()), // by 2
			length.Set(0.25),
			op2.ParLoop(k.Func(recordScale), cells, x.RW(), length.Read()),
			op2.ParLoop(k.Func(recordSum), cells, x.Read(), sum.Inc()),
			length.Set(8),
			x.Add(b),
			x.Scale(0.5))
	}
	call := step
	if record {
		chain := op2.RecordChain(rt, step)
		if v, err := x.Gather(0); err != nil || rt.Rank() == 0 && !slices.Equal(v, start) {
			return nil, plan, fmt.Errorf("recording leaves %v: %v", v, err)
		}
		factor = math.NaN() // which is not that of the recording
		if plan, err = chain.Plan(); err != nil {
			return nil, plan, err
		}
		call = chain.Compute
	}
	for range steps {
		if err := call(); err != nil {
			return nil, plan, err
		}
	}
	for _, d := range []*op2.Dat[float64]{x, y, b, old} {
		all, err := d.Gather(0)
		if err != nil {
			return nil, plan, err
		}
		if rt.Rank() == 0 {
			values = append(values, all...)
		}
	}
	total, err := sum.Value()
	last, err2 := length.Value()
	if rt.Rank() == 0 {
		values = append(values, total, last)
	}
	return values, plan, errors.Join(err, err2)
}

// A chain that has been recorded computes what the calls do.
func TestRecordedChain(t *testing.T) {
	for _, backend := range []string{"go", "sequential"} {
		if backend != "go" {
			optest.RequireCompiler(t)
		}
		steps := func(record bool, ranks int, options ...op2.Option) (values []float64, plan op2.ChainPlan) {
			optest.OK(t, op2.RunRanks(ranks, func(rank op2.Option) error {
				rt, err := op2.Open(append(options, rank, op2.WithLog(nil), op2.WithBackend(backend))...)
				if err != nil {
					return err
				}
				defer rt.Close()
				v, p, err := recordedSteps(rt, record)
				if rt.Rank() == 0 {
					values, plan = v, p
				}
				return err
			}))
			return values, plan
		}
		want, _ := steps(false, 1)
		for _, chains := range []op2.Chaining{op2.Off, op2.Fuse, op2.Tile, op2.Auto} {
			for _, ranks := range []int{1, 2} {
				for _, lazy := range []bool{false, true} {
					what := fmt.Sprintf("%s, %v, %d ranks, lazy=%t", backend, chains, ranks, lazy)
					got, plan := steps(true, ranks, op2.WithChains(chains), op2.WithLazy(lazy))
					if !slices.Equal(got, want) {
						t.Errorf("%s: got\n%v\nwant\n%v", what, got, want)
					}
					parts := map[op2.Chaining]string{op2.Fuse: `fused, without tiles (chains are fuse):
  recordFlux over edges
  datAXPY+datAXPY+recordSum+recordScale+recordScale+recordSum+datAdd+datScale over cells
`, op2.Tile: "by tiles"}[chains]
					if !strings.Contains(plan.String(), "no loop (conditions on first: Apply)\nno loop (mat a: Mul)\n"+parts) {
						t.Errorf("%s: the plan is\n%v", what, plan)
					}
				}
			}
		}
	}
}

// So does one on a device.
func TestRecordedChainOnDevices(t *testing.T) {
	eachDevice(t, func(t *testing.T, open optest.Opener) {
		want, _, err := recordedSteps(open(t), false)
		optest.OK(t, err)
		got, plan, err := recordedSteps(open(t), true)
		if err != nil || !slices.Equal(got, want) || !strings.Contains(plan.String(), "on the device (queued at once):\n") {
			t.Errorf("got\n%v\nwant\n%v\n%v, the plan is\n%v", got, want, err, plan)
		}
	})
}

// What cannot be part of a chain says so, and where it is called.
func TestRecordChainErrors(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	set := optest.NewSet(t, rt, 10, "elements")
	x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	sum := optest.NewGlobal(t, rt, "sum", 0.0)
	chain := op2.NewChain(op2.NewLoop(op2.Kernels(recordSource).Func(recordSum), set, x.Read(), sum.Inc()))
	refused := func(verb string) string {
		return "op2: " + verb + " cannot be part of a chain\n  hint: within RecordChain, call loops, arithmetic of dats, products, conditions and Global.Set alone"
	}
	for _, test := range []struct {
		calls func() error
		want  string
	}{
		{func() error { return nil }, "op2: RecordChain: nothing is called"},
		{func() error { return errors.New("no") }, "no"},
		{func() error { return optest.Last(x.Norm()) }, refused("Dat.Norm")},
		{func() error { _, _ = sum.Value(); return x.Zero() }, refused("Global.Value")},
		{func() error { rt.Stats(); return x.Zero() }, refused("Runtime.Stats")},
		{func() error { return x.Duplicate("z").Err() }, refused("Dat.Duplicate")},
		{func() error { return chain.Compute() }, refused("Chain.Compute")},
		{func() error { return op2.RecordChain(rt, x.Zero).Err() }, refused("RecordChain")},
		{func() error { return x.AXPY(1, x) }, "op2: dat x on elements: AXPY: the other dat is x itself"},
	} {
		err := op2.RecordChain(rt, test.calls).Err()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got\n%v\nwant\n%s", err, test.want)
		}
	}
	optest.OK(t, errors.Join(x.Fill(1), y.Copy(x)))
	optest.Expect(t, y, repeated(1, 10))
}
