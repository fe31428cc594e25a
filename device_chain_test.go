package op2_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
)

// eachDevice runs f for every device, on runtimes whose results are always the same.
func eachDevice(t *testing.T, f func(t *testing.T, open optest.Opener)) {
	for _, name := range deviceBackends {
		t.Run(name, func(t *testing.T) {
			watch(t, name, standin.Limits{})
			f(t, func(t testing.TB, options ...op2.Option) *op2.Runtime {
				return openerOf(name)(t, append(options, op2.WithoutAtomics())...)
			})
		})
	}
}

// The loops of a chain are queued together, and leave what they leave one by one, whatever the host
// does between two calls.
func TestChainOnDevices(t *testing.T) {
	eachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		apart, together := newRow(t, rt, 300), newRow(t, rt, 300)
		for _, w := range []*row{apart, together} {
			w.step(func(k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) {
				w.loops = append(w.loops, op2.NewLoop(k, over, args...))
			})
		}
		c := op2.NewChain(together.loops...)
		for call := range 7 {
			for _, w := range []*row{apart, together} {
				if call == 4 {
					optest.OK(t, w.sum.Set(-2.5))
				}
				if call == 5 {
					optest.Must(w.x.Data())[7] = 0.1
				}
			}
			for _, l := range apart.loops {
				optest.OK(t, l.Compute())
			}
			optest.OK(t, c.Compute())
			if a, b := optest.Must(apart.sum.Value()), optest.Must(together.sum.Value()); a != b {
				t.Errorf("call %d: the sum is %v, one by one %v", call+1, b, a)
			}
			if call%3 == 0 && !slices.Equal(optest.Must(apart.x.DataRO()), optest.Must(together.x.DataRO())) {
				t.Errorf("call %d: other values than one by one", call+1)
			}
		}
		loops, _ := c.Stats()
		for i, l := range loops {
			if l.Calls != 7 || l.Time <= 0 {
				t.Errorf("loop %d: the stats are %+v", i, l)
			}
		}
		if plan := optest.Must(c.Plan()).String(); !strings.HasPrefix(plan, "on the device (queued at once):\n  keepOld over cells\n") {
			t.Errorf("the plan is\n%s", plan)
		}
		off := c.With(op2.WithChains(op2.Off))
		if plan := optest.Must(off.Plan()).String(); !strings.HasPrefix(plan, "loop by loop (chains are off):\n") {
			t.Errorf("the plan is\n%s", plan)
		}
	})
}

// A loop that fails ends the chain: those before it have run, and those after it have not.
func TestChainFailsOnDevices(t *testing.T) {
	eachDevice(t, func(t *testing.T, open optest.Opener) {
		w := newRow(t, open(t), 100)
		k := op2.Kernels(chainSource)
		at := optest.NewDat(t, w.cells, 1, make([]int32, 100), "at")
		every := make([]int, 100)
		for i := range every {
			every[i] = i
		}
		some := op2.NewSubset(w.cells, every, "some") // loops over other elements are not fused
		c := op2.NewChain(op2.NewLoop(k.Func(keepOld), w.cells, w.old.Write(), w.x.Read()),
			op2.NewLoop(k.Func(pickAt), some, at.Read(), w.x.RW()),
			op2.NewLoop(k.Func(keepOld), w.cells, w.r.Write(), w.x.Read()))
		for range 3 {
			optest.OK(t, c.Compute())
		}
		optest.Set(t, at, 70, 9)
		optest.Set(t, w.x, 0, 4)
		var fault *op2.FaultError
		if err := c.Compute(); !errors.As(err, &fault) || fault.Element != 70 || fault.Loop != "loop pickAt over some" {
			t.Errorf("got %v", err)
		}
		if old, r := optest.Must(w.old.DataRO())[0], optest.Must(w.r.DataRO())[0]; old != 4 || r != 1 {
			t.Errorf("old is %v and r %v, want 4 and 1", old, r)
		}
		optest.Set(t, at, 70, 0)
		optest.OK(t, c.Compute())
		if loops, _ := c.Stats(); loops[0].Calls != 5 || loops[1].Calls != 5 || loops[2].Calls != 4 {
			t.Errorf("the stats are %+v", loops)
		}
	})
}

// Once the context has ended, a chain computes nothing.
func TestChainStopsOnDevices(t *testing.T) {
	eachDevice(t, func(t *testing.T, open optest.Opener) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newRow(t, open(t, op2.WithContext(ctx)), 100)
		w.step(func(k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) {
			w.loops = append(w.loops, op2.NewLoop(k, over, args...))
		})
		c := op2.NewChain(w.loops...)
		for range 4 {
			optest.OK(t, c.Compute())
		}
		cancel()
		if err := c.Compute(); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		w.check(t, "after the end", 4)
	})
}
