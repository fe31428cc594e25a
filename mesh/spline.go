package mesh

import "sort"

// spline is a cubic spline through given points with a continuous second derivative, stored as the
// slope at each point. At the second and the second last point the third derivative is continuous,
// too ("not-a-knot"), which replaces end conditions.
type spline struct {
	x, y  []float64 // the points, x rising
	slope []float64 // the derivative at each point
}

// newSpline returns the spline through the points (x[i], y[i]). x must be strictly rising and hold at least four
// values. The slices are kept, not copied.
//
// Source: C. de Boor, A Practical Guide to Splines, Springer 1978, chapter IV, routine CUBSPL.
func newSpline(x, y []float64) *spline {
	n := len(x)
	h := make([]float64, n-1)     // the length of each interval
	chord := make([]float64, n-1) // the mean slope over it
	for i := range h {
		h[i] = x[i+1] - x[i]
		chord[i] = (y[i+1] - y[i]) / h[i]
	}

	// One equation for each slope: lower[i]·s[i-1] + diag[i]·s[i] + upper[i]·s[i+1] = rhs[i].
	lower, diag := make([]float64, n), make([]float64, n)
	upper, rhs := make([]float64, n), make([]float64, n)
	diag[0], upper[0], rhs[0] = notAKnot(h[0], h[1], chord[0], chord[1])
	for i := 1; i < n-1; i++ {
		lower[i], diag[i], upper[i] = h[i], 2*(h[i-1]+h[i]), h[i-1]
		rhs[i] = 3 * (h[i]*chord[i-1] + h[i-1]*chord[i])
	}
	diag[n-1], lower[n-1], rhs[n-1] = notAKnot(h[n-2], h[n-3], chord[n-2], chord[n-3])

	return &spline{x, y, solveTridiagonal(lower, diag, upper, rhs)}
}

// notAKnot returns the equation of an end, from the interval at the end (h0, chord0) and the one next to it: the
// factors of the slope at the end and of the one next to it, and the right-hand side.
func notAKnot(h0, h1, chord0, chord1 float64) (end, beside, rhs float64) {
	span := h0 + h1
	return h1, span, ((h0+2*span)*h1*chord0 + h0*h0*chord1) / span
}

// solveTridiagonal solves the equations of newSpline by elimination, and returns rhs overwritten with the
// solution. It needs no pivoting: all rows but the first and the last are diagonally dominant, and for those two
// the pivots of newSpline's matrix stay positive.
func solveTridiagonal(lower, diag, upper, rhs []float64) []float64 {
	n := len(rhs)
	for i := 1; i < n; i++ {
		f := lower[i] / diag[i-1]
		diag[i] -= f * upper[i-1]
		rhs[i] -= f * rhs[i-1]
	}
	rhs[n-1] /= diag[n-1]
	for i := n - 2; i >= 0; i-- {
		rhs[i] = (rhs[i] - upper[i]*rhs[i+1]) / diag[i]
	}
	return rhs
}

// at returns the value of the spline at x. Outside the points it extends the outermost cubic.
func (s *spline) at(x float64) float64 {
	i := sort.SearchFloat64s(s.x, x) - 1
	i = min(max(i, 0), len(s.x)-2)
	h := s.x[i+1] - s.x[i]
	chord := (s.y[i+1] - s.y[i]) / h
	c2 := (3*chord - 2*s.slope[i] - s.slope[i+1]) / h
	c3 := (s.slope[i] + s.slope[i+1] - 2*chord) / (h * h)
	d := x - s.x[i]
	return s.y[i] + d*(s.slope[i]+d*(c2+d*c3))
}
