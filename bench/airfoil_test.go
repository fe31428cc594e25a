package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/mesh"
)

// requireReference compiles the C; without a compiler it skips the test, unless OP2_REQUIRE
// requires one.
func requireReference(t *testing.T) *reference {
	t.Helper()
	r, err := newReference()
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "cc") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return r
}

// iterate runs the program in C and returns the last rms.
func (a *cAirfoil) iterate(iterations, cells int) float64 {
	for range iterations {
		a.loops["save_soln"].call()
		for range 2 {
			for _, name := range loopNames[1:] {
				if name == "update" {
					a.rms[0] = 0
				}
				a.loops[name].call()
			}
		}
	}
	return math.Sqrt(a.rms[0] / float64(cells))
}

// start sets q to the free stream that f starts with.
func (a *cAirfoil) start(t *testing.T, f *flow.Flow) {
	q, err := f.Q()
	if err != nil {
		t.Fatal(err)
	}
	copy(a.q, q)
}

// On the small mesh every backend agrees with the hand-written C, also on the same mesh in bad
// order after Renumber.
func TestAgainstReference(t *testing.T) {
	m, bad := optest.Must(mesh.NACA0012(50, 80)), optest.Must(mesh.NACA0012(50, 80))
	bad.Shuffle(1)
	for _, backend := range []string{"go", "sequential", "openmp"} {
		t.Run(backend, func(t *testing.T) { againstReference(t, backend, m, flow.AsGiven) })
	}
	t.Run("by coordinates", func(t *testing.T) { againstReference(t, "openmp", bad, flow.ByCoordinates) })
	t.Run("by maps", func(t *testing.T) { againstReference(t, "sequential", bad, flow.ByMaps) })
}

func againstReference(t *testing.T, backend string, m *mesh.Mesh, numbering flow.Numbering) {
	r := requireReference(t)
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	f, err := flow.New(rt, m, numbering)
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.newAirfoil(m)
	if err != nil {
		t.Fatal(err)
	}
	c.start(t, f)
	const iterations = 200
	want := c.iterate(iterations, m.Cells())
	got := iterate(t, f, iterations)
	if d := math.Abs(got/want - 1); !(d < 1e-10) {
		t.Errorf("rms %.16e, in C %.16e: off by %.1e", got, want, d)
	}
	for i, v := range optest.Must(f.Q()) {
		if d := math.Abs(v - c.q[i]); !(d < 1e-10) {
			t.Fatalf("q[%d] is %.16e, in C %.16e", i, v, c.q[i])
		}
	}
}

func iterate(t *testing.T, f *flow.Flow, iterations int) (rms float64) {
	t.Helper()
	for range iterations {
		var err error
		if rms, err = f.Iterate(); err != nil {
			t.Fatal(err)
		}
	}
	return rms
}

// The known answers on the standard mesh of 720,000 cells. It takes a minute or two, and runs only
// if OP2_HEAVY is set.
func TestHeavyKnownAnswers(t *testing.T) {
	heavy.Test(t)
	rt, err := op2.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	f, err := flow.New(rt, optest.Must(mesh.NACA0012(400, 600)), flow.AsGiven)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%.5e", iterate(t, f, 100)); got != "5.02186e-04" {
		t.Errorf("rms after 100 iterations is %s, not 5.02186e-04", got)
	}
	const want = 0.0001060114637578
	if got := iterate(t, f, 900); !(math.Abs(got/want-1) < 1e-11) {
		t.Errorf("rms after 1000 iterations is %.16f, not %.16f: off by %.1e", got, want, math.Abs(got/want-1))
	}
}
