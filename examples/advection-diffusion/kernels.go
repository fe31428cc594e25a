package main

import "math"

// What moves, how it spreads, and the size of a time step.
const (
	velocityX, velocityY = 1.0, 0.75
	diffusivity          = 0.005
	startX, startY       = 0.3, 0.35
	width                = 0.1
)

var (
	now      float64 // the time at the end of a step
	timeStep float64
)

// cloud returns the solution on the whole plane: a Gaussian that is carried along and spreads.
func cloud(x, y, t float64) float64 {
	spread := width*width + 4*diffusivity*t
	dx, dy := x-startX-velocityX*t, y-startY-velocityY*t
	return width * width / spread * math.Exp(-(dx*dx+dy*dy)/spread)
}

// step adds a triangle to the matrices of a Crank-Nicolson step: after is M + Δt/2 K,
// before M - Δt/2 K, where M is the mass matrix and K that of transport and diffusion.
func step(x *[3][2]float64, after, before *[3][3]float64) {
	var g [3][2]float64 // gradients, times twice the area
	for i := range 3 {
		p, q := x[(i+1)%3], x[(i+2)%3]
		g[i] = [2]float64{p[1] - q[1], q[0] - p[0]}
	}
	area := 0.5 * (g[0][0]*g[1][1] - g[0][1]*g[1][0])
	for i := range 3 {
		for j := range 3 {
			m := area / 12
			if i == j {
				m *= 2
			}
			carries := (velocityX*g[j][0] + velocityY*g[j][1]) / 6
			spreads := diffusivity * (g[i][0]*g[j][0] + g[i][1]*g[j][1]) / (4 * area)
			half := timeStep / 2 * (carries + spreads)
			after[i][j] += m + half
			before[i][j] += m - half
		}
	}
}

// set computes the solution at a node.
func set(x *[2]float64, u *float64) { *u = cloud(x[0], x[1], now) }

// squareError adds a triangle's part of the square of the error in L2, by the formula of
// the sides' midpoints.
func squareError(x *[3][2]float64, u *[3]float64, sum *float64) {
	area := 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	for i := range 3 {
		p, q := x[i], x[(i+1)%3]
		d := (u[i]+u[(i+1)%3])/2 - cloud((p[0]+q[0])/2, (p[1]+q[1])/2, now)
		*sum += area / 3 * d * d
	}
}
