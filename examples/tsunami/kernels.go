package main

import "math"

// The shallow water equations. The state q of a cell is the height h of the water, its momentum hu and
// hv, and the height z of the bed above the sea at rest. The changes d of a cell are those of h, hu and hv
// per second, times its area; the fourth is the sum of the speeds of waves at its edges, times their length.

const (
	gravity = 9.81
	dry     = 1e-6 // water that is lower than this, in meters, does not move
)

var (
	drag float64 // the force of the bed on water: drag times density times velocity squared
	now  float64 // the time
)

// hllc solves the Riemann problem approximately, for the velocities u across the edge, out of the left cell,
// and v along it. It returns what flows through a meter of the edge: mass, the momentum across that leaves the
// left cell, that which enters the right cell, and the momentum along; and the speed of the fastest wave. The momenta
// across lack the pressure inside the cell, whose sum around the cell is 0: so nothing at all flows through
// an edge where water is at rest.
//
// Source: E. F. Toro, "Shock-Capturing Methods for Free-Surface Shallow Flows" (2001), chapter 10.
func hllc(hl, ul, vl, hr, ur, vr float64) (mass, left, right, along, fastest float64) {
	cl, cr := math.Sqrt(gravity*hl), math.Sqrt(gravity*hr)
	if hl <= 0 {
		ul = ur - 2*cr // the front of water that flows onto dry land
	}
	if hr <= 0 {
		ur = ul + 2*cl
	}
	sl := min(ul-cl, ur-cr, 0)
	sr := max(ul+cl, ur+cr, 0)
	w := 1 / max(sr-sl, 1e-100)
	mass = w * (sr*hl*ul - sl*hr*ur + sl*sr*(hr-hl))
	momentum := w * (sr*hl*ul*ul - sl*hr*ur*ur + sl*sr*(hr*ur-hl*ul))
	push := w * 0.5 * gravity * (hl*hl - hr*hr)
	v := vl
	if mass < 0 {
		v = vr
	}
	return mass, momentum + sl*push, momentum + sr*push, mass * v, max(sr, -sl)
}

// normal returns the unit vector out of the first cell of an edge, and the length of the edge.
func normal(x *[2][2]float64) (nx, ny, length float64) {
	nx, ny = x[1][1]-x[0][1], x[0][0]-x[1][0]
	length = math.Sqrt(nx*nx + ny*ny)
	return nx / length, ny / length, length
}

// velocity returns the velocity along (nx, ny), and that to the left of it.
func velocity(q *[4]float64, nx, ny float64) (u, v float64) {
	h := max(q[0], dry)
	return (q[1]*nx + q[2]*ny) / h, (q[2]*nx - q[1]*ny) / h
}

// flux adds what flows through an edge to the changes of its two cells. Heights are those above the higher one of
// the beds, so that water at rest stays at rest.
//
// Source: E. Audusse et al., "A fast and stable well-balanced scheme with hydrostatic
// reconstruction for shallow water flows", SIAM J. Sci. Comput. 25 (2004).
func flux(x *[2][2]float64, ql, qr, dl, dr *[4]float64) {
	nx, ny, length := normal(x)
	ul, vl := velocity(ql, nx, ny)
	ur, vr := velocity(qr, nx, ny)
	bed := max(ql[3], qr[3])
	hl, hr := max(ql[0]+ql[3]-bed, 0), max(qr[0]+qr[3]-bed, 0)
	mass, left, right, along, fastest := hllc(hl, ul, vl, hr, ur, vr)
	dl[0] -= length * mass
	dl[1] -= length * (left*nx - along*ny)
	dl[2] -= length * (left*ny + along*nx)
	dl[3] += length * fastest
	dr[0] += length * mass
	dr[1] += length * (right*nx - along*ny)
	dr[2] += length * (right*ny + along*nx)
	dr[3] += length * fastest
}

// coast adds what an edge that no water flows through changes: there is the same water beyond it, with the opposite
// velocity.
func coast(x *[2][2]float64, q, d *[4]float64) {
	nx, ny, length := normal(x)
	u, v := velocity(q, nx, ny)
	_, left, _, _, fastest := hllc(q[0], u, v, q[0], -u, v)
	d[1] -= length * left * nx
	d[2] -= length * left * ny
	d[3] += length * fastest
}

// openSea adds what flows through an edge with the sea at rest beyond it, which waves leave through.
func openSea(x *[2][2]float64, q, d *[4]float64) { open(x, q, d, 0) }

// inflow adds what flows through an edge that the wave comes through.
func inflow(x *[2][2]float64, q, d *[4]float64) { open(x, q, d, wave(0.5*(x[0][1]+x[1][1]), now)) }

// open adds what flows through an edge with a wave of the given height beyond it.
func open(x *[2][2]float64, q, d *[4]float64, height float64) {
	nx, ny, length := normal(x)
	u, v := velocity(q, nx, ny)
	rest := max(-q[3], 0)
	h := max(height-q[3], 0)
	into := 2 * (math.Sqrt(gravity*h) - math.Sqrt(gravity*rest)) // of a wave that comes from water at rest
	mass, left, _, along, fastest := hllc(q[0], u, v, h, -into, 0)
	d[0] -= length * mass
	d[1] -= length * (left*nx - along*ny)
	d[2] -= length * (left*ny + along*nx)
	d[3] += length * fastest
}

// wave is the height of the tsunami at the place y of the inflow.
func wave(y, t float64) float64 {
	const height, middle, width, arrival, duration = 3, 15000, 9000, 540, 180
	a, b := (y-middle)/width, (t-arrival)/duration
	return height * math.Exp(-a*a-b*b)
}

// limit keeps the longest time step with which no cell loses more water than it has.
func limit(area *float64, d *[4]float64, dt *float64) {
	*dt = min(*dt, 0.9**area/d[3])
}

// update advances a cell by dt, and keeps the highest level that the water has reached.
func update(area *float64, d, q *[4]float64, highest, dt *float64) {
	w := *dt / *area
	h := q[0] + w*d[0]
	hu := q[1] + w*d[1]
	hv := q[2] + w*d[2]
	slower := 0.0
	if h > dry {
		slower = 1 / (1 + *dt*drag*math.Sqrt(hu*hu+hv*hv)/(h*h))
	}
	*highest = max(*highest, h+q[3])
	q[0] = h
	q[1] = slower * hu
	q[2] = slower * hv
	for i := range 4 {
		d[i] = 0
	}
}

// show computes the level of the water's surface, its depth and its velocity.
func show(q *[4]float64, surface, depth *float64, u *[2]float64) {
	*surface = q[0] + q[3]
	*depth = q[0]
	u[0], u[1] = velocity(q, 1, 0)
}
