package kernels

import "math"

// Gradients, steps in time, norms and level sets: what every code has.

// greenGauss adds the mean of an edge's values, times its normal, to both cells.
func greenGauss(n *[3]float64, ul, ur *float64, gl, gr *[2]float64) {
	m := 0.5 * (*ul + *ur) * n[2]
	gl[0] += m * n[0]
	gl[1] += m * n[1]
	gr[0] -= m * n[0]
	gr[1] -= m * n[1]
}

// leastSquares adds an edge to the normal equations of both its cells.
func leastSquares(xl, xr *[2]float64, ul, ur *float64, al, ar *[5]float64) {
	dx, dy := xr[0]-xl[0], xr[1]-xl[1]
	w := 1 / (dx*dx + dy*dy)
	du := *ur - *ul
	d := [5]float64{w * dx * dx, w * dx * dy, w * dy * dy, w * dx * du, w * dy * du}
	for i := range 5 {
		al[i] += d[i]
		ar[i] += d[i]
	}
}

// solveSquares solves the normal equations, of two unknowns.
func solveSquares(a *[5]float64, grad *[2]float64) {
	d := 1 / (a[0]*a[2] - a[1]*a[1])
	grad[0] = d * (a[2]*a[3] - a[1]*a[4])
	grad[1] = d * (a[0]*a[4] - a[1]*a[3])
}

// solve3 solves three equations with a symmetric matrix, by Cholesky factorization.
func solve3(a *[9]float64, b, x *[3]float64) {
	l0 := math.Sqrt(a[0])
	l1, l2 := a[3]/l0, a[6]/l0
	l3 := math.Sqrt(a[4] - l1*l1)
	l4 := (a[7] - l1*l2) / l3
	l5 := math.Sqrt(a[8] - l2*l2 - l4*l4)
	y0 := b[0] / l0
	y1 := (b[1] - l1*y0) / l3
	y2 := (b[2] - l2*y0 - l4*y1) / l5
	z2 := y2 / l5
	z1 := (y1 - l4*z2) / l3
	x[0] = (y0 - l1*z1 - l2*z2) / l0
	x[1] = z1
	x[2] = z2
}

// gradientP1 computes the gradient of a field that is linear in each triangle.
func gradientP1(x *[3][2]float64, u *[3]float64, grad *[2]float64) {
	d := 1 / ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	grad[0] = d * ((u[1]-u[0])*(x[2][1]-x[0][1]) - (u[2]-u[0])*(x[1][1]-x[0][1]))
	grad[1] = d * ((u[2]-u[0])*(x[1][0]-x[0][0]) - (u[1]-u[0])*(x[2][0]-x[0][0]))
}

// average adds the values of cells, weighted by area, to their vertices.
func average(area *float64, u *[4]float64, sums *[3][4]float64) {
	for i := range 3 {
		for j := range 4 {
			sums[i][j] += *area * u[j]
		}
	}
}

// interpolate takes the mean of a cell's vertices.
func interpolate(u *[3][4]float64, mean *[4]float64) {
	for i := range 4 {
		mean[i] = (u[0][i] + u[1][i] + u[2][i]) / 3
	}
}

// diffuse adds the diffusive flux through an edge.
func diffuse(coefficient, ul, ur, resl, resr *float64) {
	f := *coefficient * (*ur - *ul)
	*resl += f
	*resr -= f
}

// upwind adds the flux of what the flow through an edge carries.
func upwind(flow, ul, ur, resl, resr *float64) {
	f := *flow
	if f > 0 {
		f *= *ul
	} else {
		f *= *ur
	}
	*resl -= f
	*resr += f
}

// relax moves both ends of a link toward each other, one link after the other.
func relax(weight, a, b *float64) {
	d := 0.25 * *weight * (*b - *a)
	*a += d
	*b -= d
}

// saveOld keeps the old values.
func saveOld(q, old *[4]float64) {
	for i := range 4 {
		old[i] = q[i]
	}
}

// rungeKutta performs a stage of the method of Shu and Osher (1988).
func rungeKutta(old, res, q *[4]float64) {
	const dt = 1e-3
	for i := range 4 {
		q[i] = 0.75*old[i] + 0.25*(q[i]+dt*res[i])
	}
}

// lowStorage performs a stage of Williamson's method (1980), which also clears the residual.
func lowStorage(area *float64, res, d, q *[4]float64) {
	const a, b, dt = -5.0 / 9, 15.0 / 16, 1e-3
	f := dt / *area
	for i := range 4 {
		d[i] = a*d[i] + f*res[i]
		q[i] += b * d[i]
		res[i] = 0
	}
}

// updateNorm takes a step and adds up how much it changed.
func updateNorm(old, res, q *[4]float64, dt, norm *float64) {
	for i := range 4 {
		d := *dt * res[i]
		q[i] = old[i] - d
		res[i] = 0
		*norm += d * d
	}
}

// pointImplicit takes a step with a source that is linear in the values.
func pointImplicit(res, u *[2]float64) {
	const dt, a, b = 0.1, 2.0, 0.5
	d := (1+dt*a)*(1+dt*a) + dt*b*dt*b
	x, y := u[0]+dt*res[0], u[1]+dt*res[1]
	u[0] = ((1+dt*a)*x + dt*b*y) / d
	u[1] = ((1+dt*a)*y - dt*b*x) / d
}

// axpy adds a x to y.
func axpy(a, x, y *float64) { *y += *a * *x }

// axpy32 does the same in float32.
func axpy32(a, x, y *float32) { *y += *a * *x }

// dot adds up products.
func dot(x, y, sum *float64) { *sum += *x * *y }

// norm2 adds up squares of four values each.
func norm2(q *[4]float64, sum *float64) {
	*sum += q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]
}

// normMax keeps the largest absolute value.
func normMax(x, most *float64) { *most = math.Max(*most, math.Abs(*x)) }

// range4 keeps the smallest and the largest of each of four values.
func range4(q, low, high *[4]float64) {
	for i := range 4 {
		low[i] = min(low[i], q[i])
		high[i] = max(high[i], q[i])
	}
}

// kinetic adds up mass and kinetic energy.
func kinetic(area *float64, q *[4]float64, mass, energy *float64) {
	*mass += *area * q[0]
	*energy += 0.5 * *area * (q[1]*q[1] + q[2]*q[2]) / q[0]
}

// clip keeps a fraction between 0 and 1.
func clip(x *float64) { *x = math.Min(1, math.Max(0, *x)) }

// sigmoid computes a smooth step.
func sigmoid(x, y *float64) { *y = 1 / (1 + math.Exp(-10*(*x-0.5))) }

// godunov computes the Hamiltonian of a level set that moves along its normal (Osher and Sethian,
// 1988), from a point, its west, east, south and north.
func godunov(u *[5]float64, speed, du *float64) {
	a, b := u[0]-u[1], u[2]-u[0]
	c, d := u[0]-u[3], u[4]-u[0]
	if *speed > 0 {
		a, b = math.Max(a, 0), math.Min(b, 0)
		c, d = math.Max(c, 0), math.Min(d, 0)
	} else {
		a, b = math.Min(a, 0), math.Max(b, 0)
		c, d = math.Min(c, 0), math.Max(d, 0)
	}
	*du = -*speed * math.Sqrt(math.Max(a*a, b*b)+math.Max(c*c, d*d))
}

// heaviside computes the volume fraction of a level set, smoothed over a thin layer.
func heaviside(u, fraction *float64) {
	const e = 0.2
	switch x := *u - 1; {
	case x < -e:
		*fraction = 0
	case x > e:
		*fraction = 1
	default:
		*fraction = 0.5 * (1 + x/e + math.Sin(math.Pi*x/e)/math.Pi)
	}
}

// maxwell advances the magnetic field on a grid by a step (Yee, 1966).
func maxwell(e *[5]float64, h *[2]float64) {
	const c = 0.5
	h[0] -= c * (e[4] - e[0])
	h[1] += c * (e[2] - e[0])
}

// richards computes the permeability of soil by van Genuchten's model (1980), which takes powers.
func richards(head, k *float64) {
	const alpha, n, m = 1.5, 2.0, 0.5
	s := 1.0
	if *head < 0 {
		s = math.Pow(1+math.Pow(-alpha**head, n), -m)
	}
	t := 1 - math.Pow(1-math.Pow(s, 1/m), m)
	*k = math.Sqrt(s) * t * t
}
