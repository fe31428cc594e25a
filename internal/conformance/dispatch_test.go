package conformance

import (
	_ "embed"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed dispatch_test.go
var dispatchSource string

// sum8 takes eight arguments.
func sum8(a, b, c, d, e, f, g, h *float64) {
	*h = *a + *b + *c + *d + *e + *f + *g
}

// newSum8 returns a loop, and a function that runs it through ParLoop.
func newSum8(t *testing.T, rt *op2.Runtime, elements int) (*op2.Loop, func()) {
	set := optest.NewSet(t, rt, elements, "elements")
	var d [8]*op2.Dat[float64]
	for i := range d {
		d[i] = optest.NewDat[float64](t, set, 1, nil, "d")
	}
	k := op2.Kernels(dispatchSource).Func(sum8)
	loop := op2.NewLoop(k, set, d[0].Read(), d[1].Read(), d[2].Read(), d[3].Read(), d[4].Read(), d[5].Read(), d[6].Read(), d[7].Write())
	return loop, func() {
		if err := op2.ParLoop(k, set, d[0].Read(), d[1].Read(), d[2].Read(), d[3].Read(), d[4].Read(), d[5].Read(), d[6].Read(), d[7].Write()); err != nil {
			t.Fatal(err)
		}
	}
}

// A call allocates nothing, except the few bytes of a foreign call.
func TestCallsDoNotAllocate(t *testing.T) {
	optest.NotShort(t)
	Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		loop, parLoop := newSum8(t, rt, 5000)
		compute := func() {
			if err := loop.Compute(); err != nil {
				t.Fatal(err)
			}
		}
		chain := op2.NewChain(loop, loop).With(op2.WithChains(op2.Fuse))
		fused := func() {
			if err := chain.Compute(); err != nil {
				t.Fatal(err)
			}
		}
		for what, call := range map[string]func(){"Compute": compute, "ParLoop": parLoop, "Chain.Compute": fused} {
			n := math.Inf(1)
			for range 5 { // other activity in the process is counted, too
				n = min(n, testing.AllocsPerRun(100, call))
			}
			if most := map[string]float64{"Chain.Compute": 2}[what]; n > max(1, most) { // of two loops that may run one by one
				t.Errorf("%s allocates %.0f times", what, n)
			}
		}
	})
}

// A call of a prepared loop takes a few microseconds of host time on a device, and does not wait
// for it; the goal is ten. The bounds allow for busy machines.
func TestCallsAreShort(t *testing.T) {
	bounds := map[string]time.Duration{
		"opencl/auto":  50 * time.Microsecond,
		"cuda/auto":    50 * time.Microsecond,
		"standin/auto": 200 * time.Microsecond, // it runs the loop at once
	}
	for _, c := range Configs(t) {
		bound, there := bounds[c.Name]
		if !there {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			c.Require(t)
			rt := c.Open(t)
			loop, parLoop := newSum8(t, rt, 1)
			compute := func() {
				if err := loop.Compute(); err != nil {
					t.Fatal(err)
				}
			}
			for what, call := range map[string]func(){"Compute": compute, "ParLoop": parLoop} {
				call()
				var times []time.Duration
				for i := range 500 {
					if i%16 == 0 {
						loop.Stats() // waits for the device
					}
					start := time.Now()
					call()
					times = append(times, time.Since(start))
				}
				slices.Sort(times)
				median := times[len(times)/2]
				t.Logf("%s: %v, one in a hundred %v or more", what, median, times[len(times)*99/100])
				if median > bound {
					t.Errorf("%s takes %v, more than %v", what, median, bound)
				}
			}
		})
	}
}
