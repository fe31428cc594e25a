package op2_test

import (
	_ "embed"
	"testing"

	"github.com/go-op2/op2"
)

//go:embed dispatch_test.go
var dispatchSource string

// sum8 has eight arguments.
func sum8(a, b, c, d, e, f, g, h *float64) {
	*h = *a + *b + *c + *d + *e + *f + *g
}

// A call allocates nothing, but for the few bytes of a foreign call.
func TestCallsDoNotAllocate(t *testing.T) {
	eachConfiguration(t, func(t *testing.T, open opener) {
		rt := open(t)
		set := newSet(t, rt, 5000, "elements")
		var d [8]*op2.Dat[float64]
		for i := range d {
			d[i] = newDat[float64](t, set, 1, nil, "d")
		}
		k := op2.Kernels(dispatchSource).Func(sum8)
		loop, err := op2.NewLoop(k, set, d[0].Read(), d[1].Read(), d[2].Read(), d[3].Read(), d[4].Read(), d[5].Read(), d[6].Read(), d[7].Write())
		if err != nil {
			t.Fatal(err)
		}
		compute := func() {
			if err := loop.Compute(); err != nil {
				t.Fatal(err)
			}
		}
		parLoop := func() {
			if err := op2.ParLoop(k, set, d[0].Read(), d[1].Read(), d[2].Read(), d[3].Read(), d[4].Read(), d[5].Read(), d[6].Read(), d[7].Write()); err != nil {
				t.Fatal(err)
			}
		}
		for what, call := range map[string]func(){"Compute": compute, "ParLoop": parLoop} {
			if n := testing.AllocsPerRun(100, call); n > 1 {
				t.Errorf("%s allocates %.0f times", what, n)
			}
		}
	})
}
