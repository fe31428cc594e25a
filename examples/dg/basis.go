package main

import (
	"math"

	"github.com/go-op2/op2/elements"
)

// basis returns the values in (r, s) of the polynomials up to degree 3 that are orthonormal on the
// triangle (0,0), (1,0), (0,1): one of degree 0, two of degree 1, three of degree 2, four of degree 3.
// Source: M. Dubiner, "Spectral methods on triangles and other domains" (1991).
func basis(r, s float64) [10]float64 {
	t, q, z := 1-s, 2*r+s-1, 2*s-1
	q2, q3 := (3*q*q-t*t)/2, q*(5*q*q-3*t*t)/2 // t^n times Legendre's polynomials of q/t
	return [10]float64{
		math.Sqrt(2),
		math.Sqrt(4) * (3*z + 1) / 2,
		math.Sqrt(12) * q,
		math.Sqrt(6) * (5*z*z + 2*z - 1) / 2,
		math.Sqrt(18) * q * (5*z + 3) / 2,
		math.Sqrt(30) * q2,
		math.Sqrt(8) * (35*z*z*z + 15*z*z - 15*z - 3) / 8,
		math.Sqrt(24) * q * (21*z*z + 18*z + 1) / 4,
		math.Sqrt(40) * q2 * (7*z + 5) / 2,
		math.Sqrt(56) * q3,
	}
}

// slopeR and slopeS are the integrals over that triangle of polynomial j times the derivative of
// polynomial i, by r and by s. They are 0 unless j < i.
var slopeR, slopeS = slopes()

func slopes() (alongR, alongS [10][10]float64) {
	for q := range 16 {
		r, s, w := elements.GaussTriangle16(q)
		f := basis(r, s)
		for i := range 10 {
			dr := derivative(func(h float64) float64 { return basis(r+h, s)[i] })
			ds := derivative(func(h float64) float64 { return basis(r, s+h)[i] })
			for j := range i {
				alongR[i][j] += w * f[j] * dr
				alongS[i][j] += w * f[j] * ds
			}
		}
	}
	return alongR, alongS
}

// derivative returns the derivative at 0 of a polynomial of degree 4 or less.
func derivative(f func(float64) float64) float64 {
	return (8*(f(1)-f(-1)) - (f(2) - f(-2))) / 12
}
