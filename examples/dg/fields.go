package main

import "math"

// Kernels that do not depend on the degree. Pressure and velocity at 16 points of a cell, the formula of
// Gauss twice, are the 48 values f.

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

// point returns point (a, b) of the 16 in a cell with corners x.
func point(x *[3][2]float64, a, b int) (px, py float64) {
	r, s := at[a]*(1-at[b]), at[b]
	px = x[0][0] + r*(x[1][0]-x[0][0]) + s*(x[2][0]-x[0][0])
	py = x[0][1] + r*(x[1][1]-x[0][1]) + s*(x[2][1]-x[0][1])
	return px, py
}

var (
	now                   float64 // the time of the standing wave
	timeStep, carry, gain float64 // of the current stage: see sound.go
)

// standing computes a standing wave in the unit square: two half waves along x, one along y.
func standing(x *[3][2]float64, f *[48]float64) {
	const kx, ky = 2 * math.Pi, math.Pi
	omega := math.Sqrt(kx*kx + ky*ky)
	for a := range 4 {
		for b := range 4 {
			px, py := point(x, a, b)
			f[12*a+3*b] = math.Cos(kx*px) * math.Cos(ky*py) * math.Cos(omega*now)
			f[12*a+3*b+1] = kx / omega * math.Sin(kx*px) * math.Cos(ky*py) * math.Sin(omega*now)
			f[12*a+3*b+2] = ky / omega * math.Cos(kx*px) * math.Sin(ky*py) * math.Sin(omega*now)
		}
	}
}

// clap computes the initial state of air at rest, with high pressure around one point.
func clap(x *[3][2]float64, f *[48]float64) {
	for a := range 4 {
		for b := range 4 {
			px, py := point(x, a, b)
			dx, dy := (px-clapX)/clapWidth, (py-clapY)/clapWidth
			f[12*a+3*b] = math.Exp(-dx*dx - dy*dy)
			f[12*a+3*b+1] = 0
			f[12*a+3*b+2] = 0
		}
	}
}

const clapX, clapY, clapWidth = -0.7, 0.0, 0.08
