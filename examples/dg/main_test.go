package main

import (
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/examples/internal/command"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// The error of polynomials of degree p decreases with order p + 1.
func TestOrder(t *testing.T) {
	for _, degree := range []int{2, 3} {
		var errors []float64
		for _, n := range []int{6, 12} {
			rt := optest.Must(op2.Open(op2.WithLog(nil)))
			l2, _, err := wave(rt, optest.Must(unevenSquare(n)), degree, 0.4)
			if err != nil {
				t.Fatal(err)
			}
			if err := rt.Close(); err != nil {
				t.Fatal(err)
			}
			errors = append(errors, l2)
		}
		if order := math.Log2(errors[0] / errors[1]); !(math.Abs(order-float64(degree+1)) < 0.2) {
			t.Errorf("degree %d: order %.3f, from errors %.3e", degree, order, errors)
		}
	}
}

// Every backend computes the same wave, and where there are vectors, kernels run in packs.
func TestBackends(t *testing.T) {
	const degree, want = 2, 1.170422426884e-02
	command.OnEachBackend(t, func(t *testing.T, rt *op2.Runtime) {
		l2, _, err := wave(rt, optest.Must(unevenSquare(4)), degree, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(l2/want-1) < 1e-11) {
			t.Errorf("the error is %.12e, want %.12e", l2, want)
		}
		for _, s := range rt.Stats() {
			for _, kernel := range []string{"volume", "flux", "wall"} {
				if strings.HasPrefix(s.Kernel, kernel) && strings.HasPrefix(s.How, "scalar") && !strings.Contains(s.How, "no vectors") {
					t.Errorf("%s runs %s", s.Kernel, s.How)
				}
			}
		}
	})
}

// In a closed room the mean pressure stays, and energy can only get lost.
func TestConserved(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithLog(nil)))
	defer rt.Close()
	air := optest.Must(newSound(rt, optest.Must(mesh.Annulus(mesh.Triangle, 4, 20, 0.2, 1)), 3))
	if err := air.set(clap); err != nil {
		t.Fatal(err)
	}
	pressure, energy, err := air.account()
	if err != nil {
		t.Fatal(err)
	}
	first := pressure
	for range 5 {
		if _, err := air.advance(0.1); err != nil {
			t.Fatal(err)
		}
		before := energy
		if pressure, energy, err = air.account(); err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(pressure/first-1) < 1e-13) || !(energy > 0 && energy <= before) {
			t.Errorf("pressure %.16e, at first %.16e; energy %.16e, before %.16e", pressure, first, energy, before)
		}
	}
}

// The polynomials are orthonormal.
func TestBasis(t *testing.T) {
	var product [10][10]float64
	for q := range 16 {
		r, s, w := elements.GaussTriangle16(q)
		f := basis(r, s)
		for i := range f {
			for j := range f {
				product[i][j] += w * f[i] * f[j]
			}
		}
	}
	for i := range product {
		product[i][i]--
		for j, p := range product[i] {
			if !(math.Abs(p) < 1e-14) {
				t.Errorf("the product of polynomials %d and %d is off by %.1e", i, j, p)
			}
		}
	}
}

func TestGenerated(t *testing.T) {
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Skip(err)
	}
	want, err := exec.Command(sed, "-f", "degree2.sed", "degree3.go").Output()
	if err != nil {
		t.Skip(err)
	}
	if got, err := os.ReadFile("degree2.go"); err != nil || string(got) != string(want) {
		t.Errorf("degree2.go is not what go generate makes: %v", err)
	}
}

func TestWrong(t *testing.T) {
	for _, test := range []struct {
		s    settings
		want string
	}{
		{settings{n: 2, degree: 3}, "dg: -n 2: at least 4 is needed"},
		{settings{n: 4, degree: 4}, "dg: -degree 4: expected 2 or 3"},
	} {
		if err := run(test.s); err == nil || err.Error() != test.want {
			t.Errorf("%v, not %q", err, test.want)
		}
	}
}
