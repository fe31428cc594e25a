package mesh

import (
	"math"
	"testing"
)

// A cubic is its own spline, within the points and beyond: that is what the conditions at the ends are for.
func TestSplineReproducesCubics(t *testing.T) {
	cubic := func(x float64) float64 { return 2 - x + 3*x*x - 0.5*x*x*x }
	for _, x := range [][]float64{
		{0, 1, 2, 3},
		{-1, -0.9, 0.3, 0.4, 2},
		{-3, -2.5, -0.1, 0, 0.001, 1, 4, 4.5},
	} {
		y := make([]float64, len(x))
		for k := range x {
			y[k] = cubic(x[k])
		}
		s := newSpline(x, y)
		for at := -4.0; at < 6; at += 0.0625 {
			if got, want := s.at(at), cubic(at); math.Abs(got-want) > 1e-9 {
				t.Errorf("through %v: at %v it is %v, want %v", x, at, got, want)
			}
		}
	}
}

func TestSplineConverges(t *testing.T) {
	const n = 100
	x, y := make([]float64, n), make([]float64, n)
	for k := range n {
		u := float64(k) / (n - 1)
		x[k] = 3 * u * (0.5 + 0.5*u) // uneven
		y[k] = math.Sin(x[k])
	}
	s := newSpline(x, y)
	for k := range n {
		if got := s.at(x[k]); math.Abs(got-y[k]) > 1e-15 {
			t.Errorf("at point %d it is %v, want %v", k, got, y[k])
		}
	}
	for at := 0.0; at <= 3; at += 0.001 {
		if got, want := s.at(at), math.Sin(at); math.Abs(got-want) > 1e-7 {
			t.Errorf("at %v it is %v, want %v", at, got, want)
		}
	}
}
