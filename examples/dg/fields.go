package main

import (
	"math"

	"github.com/go-op2/op2/elements"
)

// Kernels that do not depend on the degree. Pressure and velocity at the 16 points of elements.GaussTriangle16 are the 48
// values f of a cell.

// invert computes the map from a point (x, y) of a cell to (r, s) in the triangle (0,0), (1,0), (0,1):
// r = m[0] + m[1] x + m[2] y, s = m[3] + m[4] x + m[5] y. m[1] m[5] - m[2] m[4] is one over
// twice the area.
func invert(x *[3][2]float64, m *[6]float64) {
	ax, ay := x[1][0]-x[0][0], x[1][1]-x[0][1]
	bx, by := x[2][0]-x[0][0], x[2][1]-x[0][1]
	double := ax*by - bx*ay
	m[0] = (bx*x[0][1] - by*x[0][0]) / double
	m[1] = by / double
	m[2] = -bx / double
	m[3] = (ay*x[0][0] - ax*x[0][1]) / double
	m[4] = -ay / double
	m[5] = ax / double
}

// local maps a point of a cell to (r, s).
func local(m *[6]float64, x, y float64) (float64, float64) {
	return m[0] + m[1]*x + m[2]*y, m[3] + m[4]*x + m[5]*y
}

// size keeps the smallest diameter of an inscribed circle.
func size(x *[3][2]float64, smallest *float64) {
	double := (x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])
	around := 0.0
	for i := range 3 {
		dx, dy := x[(i+1)%3][0]-x[i][0], x[(i+1)%3][1]-x[i][1]
		around += math.Sqrt(dx*dx + dy*dy)
	}
	*smallest = min(*smallest, 2*double/around)
}

// point returns point q of the 16 in a cell with corners x.
func point(x *[3][2]float64, q int) [2]float64 {
	r, s, _ := elements.GaussTriangle16(q)
	n, _ := elements.TriangleP1(r, s)
	return elements.Value2(n[:], x[:])
}

var (
	now                   float64 // the time of the standing wave
	timeStep, carry, gain float64 // of the current stage: see sound.go
)

// standing computes a standing wave in the unit square: two half waves along x, one along y.
func standing(x *[3][2]float64, f *[48]float64) {
	const kx, ky = 2 * math.Pi, math.Pi
	omega := math.Sqrt(kx*kx + ky*ky)
	for q := range 16 {
		p := point(x, q)
		f[3*q] = math.Cos(kx*p[0]) * math.Cos(ky*p[1]) * math.Cos(omega*now)
		f[3*q+1] = kx / omega * math.Sin(kx*p[0]) * math.Cos(ky*p[1]) * math.Sin(omega*now)
		f[3*q+2] = ky / omega * math.Cos(kx*p[0]) * math.Sin(ky*p[1]) * math.Sin(omega*now)
	}
}

// clap computes the initial state of air at rest, with high pressure around one point.
func clap(x *[3][2]float64, f *[48]float64) {
	for q := range 16 {
		p := point(x, q)
		dx, dy := (p[0]-clapX)/clapWidth, (p[1]-clapY)/clapWidth
		f[3*q] = math.Exp(-dx*dx - dy*dy)
		f[3*q+1] = 0
		f[3*q+2] = 0
	}
}

const clapX, clapY, clapWidth = -0.7, 0.0, 0.08
