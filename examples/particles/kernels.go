package main

// dt is the time step, and spread how fast the jet spreads along the wall. Kernels read both by name.
var dt, spread = 0.02, 1.0

// particle is one element of the set of slots: a particle, or room for one.
type particle struct {
	X      [2]float64
	Number int32 // counts births
	Born   int32 // the step
	Cell   int32 // -1: it has left
}

// cell is what a particle needs to know of the cell that it is in.
type cell struct {
	X, V [3][2]float64 // coordinates and velocities at the corners
	Next [3]int32      // the cell across the side opposite to each corner; -1: none
}

// jet returns the velocity at a node: that of a jet from above, which turns at the wall y = 0.
func jet(x, v *[2]float64) { v[0], v[1] = spread*x[0], -spread*x[1] }

// collect brings the corners of a cell together.
func collect(x, v *[3][2]float64, c *cell) { c.X, c.V = *x, *v }

// weights returns the barycentric coordinates of a point: that of a corner is negative beyond the opposite side.
func (c *cell) weights(p [2]float64) (w [3]float64) {
	twice := (c.X[1][0]-c.X[0][0])*(c.X[2][1]-c.X[0][1]) - (c.X[2][0]-c.X[0][0])*(c.X[1][1]-c.X[0][1])
	for i := range 3 {
		a, b := c.X[(i+1)%3], c.X[(i+2)%3]
		w[i] = ((a[0]-p[0])*(b[1]-p[1]) - (b[0]-p[0])*(a[1]-p[1])) / twice
	}
	return w
}

// velocity returns the velocity at a point, interpolated between the corners.
func (c *cell) velocity(p [2]float64) (v [2]float64) {
	w := c.weights(p)
	for d := range 2 {
		v[d] = w[0]*c.V[0][d] + w[1]*c.V[1][d] + w[2]*c.V[2][d]
	}
	return v
}

// move carries a particle with the flow for one step, by the midpoint method.
func move(p *particle, c *cell) {
	v := c.velocity(p.X)
	v = c.velocity([2]float64{p.X[0] + dt/2*v[0], p.X[1] + dt/2*v[1]})
	p.X[0] += dt * v[0]
	p.X[1] += dt * v[1]
}

// walk takes a particle that is not in its cell to the neighbor in its direction, or out, and counts it as on its way.
func walk(p *particle, c *cell, onTheWay *int32) {
	w := c.weights(p.X)
	least := 0
	for i := 1; i < 3; i++ {
		if w[i] < w[least] {
			least = i
		}
	}
	if w[least] < -1e-12 {
		p.Cell = c.Next[least]
		*onTheWay++
	}
}

// count counts a particle in its cell.
func count(number *int32) { *number++ }
