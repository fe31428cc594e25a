package flow

import "math"

// The constants of the flow; kernels read them by these names. The classic program
// gives them in single precision, and its known answers are to be met.
var (
	gam  = float64(float32(1.4)) // ratio of specific heats
	gm1  = gam - 1
	cfl  = float64(float32(0.9))  // Courant number
	eps  = float64(float32(0.05)) // factor of the dissipation
	qinf [4]float64               // free stream
)

// saveSoln keeps the solution as it was before the time step.
func saveSoln(q, qold *[4]float64) {
	*qold = *q
}

// adtCalc computes the area of a cell over its time step: the sum over its four sides of
// the fastest wave through them.
func adtCalc(x1, x2, x3, x4 *[2]float64, q *[4]float64, adt *float64) {
	ri := 1 / q[0]
	u := ri * q[1]
	v := ri * q[2]
	c := math.Sqrt(gam * gm1 * (ri*q[3] - 0.5*(u*u+v*v)))

	*adt = wave(x1, x2, u, v, c) + wave(x2, x3, u, v, c) + wave(x3, x4, u, v, c) + wave(x4, x1, u, v, c)
	*adt /= cfl
}

// wave returns the speed of the fastest wave through the side from a to b, times its length.
func wave(a, b *[2]float64, u, v, c float64) float64 {
	dx := b[0] - a[0]
	dy := b[1] - a[1]
	return math.Abs(u*dy-v*dx) + c*math.Sqrt(dx*dx+dy*dy)
}

// resCalc adds the flux through an edge to the residuals of its two cells.
func resCalc(x1, x2 *[2]float64, q1, q2 *[4]float64, adt1, adt2 *float64, res1, res2 *[4]float64) {
	dx := x1[0] - x2[0]
	dy := x1[1] - x2[1]

	ri := 1 / q1[0]
	p1 := gm1 * (q1[3] - 0.5*ri*(q1[1]*q1[1]+q1[2]*q1[2]))
	vol1 := ri * (q1[1]*dy - q1[2]*dx)

	ri = 1 / q2[0]
	p2 := gm1 * (q2[3] - 0.5*ri*(q2[1]*q2[1]+q2[2]*q2[2]))
	vol2 := ri * (q2[1]*dy - q2[2]*dx)

	mu := 0.5 * (*adt1 + *adt2) * eps

	f := 0.5*(vol1*q1[0]+vol2*q2[0]) + mu*(q1[0]-q2[0])
	res1[0] += f
	res2[0] -= f
	f = 0.5*(vol1*q1[1]+p1*dy+vol2*q2[1]+p2*dy) + mu*(q1[1]-q2[1])
	res1[1] += f
	res2[1] -= f
	f = 0.5*(vol1*q1[2]-p1*dx+vol2*q2[2]-p2*dx) + mu*(q1[2]-q2[2])
	res1[2] += f
	res2[2] -= f
	f = 0.5*(vol1*(q1[3]+p1)+vol2*(q2[3]+p2)) + mu*(q1[3]-q2[3])
	res1[3] += f
	res2[3] -= f
}

const wall = 1

// bresCalc adds the flux through a boundary edge to the residual of its cell: the
// pressure at a wall, elsewhere the exchange with the free stream.
func bresCalc(x1, x2 *[2]float64, q1 *[4]float64, adt1 *float64, res1 *[4]float64, bound *int32) {
	dx := x1[0] - x2[0]
	dy := x1[1] - x2[1]

	ri := 1 / q1[0]
	p1 := gm1 * (q1[3] - 0.5*ri*(q1[1]*q1[1]+q1[2]*q1[2]))

	if *bound == wall {
		res1[1] += p1 * dy
		res1[2] -= p1 * dx
		return
	}
	vol1 := ri * (q1[1]*dy - q1[2]*dx)

	ri = 1 / qinf[0]
	p2 := gm1 * (qinf[3] - 0.5*ri*(qinf[1]*qinf[1]+qinf[2]*qinf[2]))
	vol2 := ri * (qinf[1]*dy - qinf[2]*dx)

	mu := *adt1 * eps

	res1[0] += 0.5*(vol1*q1[0]+vol2*qinf[0]) + mu*(q1[0]-qinf[0])
	res1[1] += 0.5*(vol1*q1[1]+p1*dy+vol2*qinf[1]+p2*dy) + mu*(q1[1]-qinf[1])
	res1[2] += 0.5*(vol1*q1[2]-p1*dx+vol2*qinf[2]-p2*dx) + mu*(q1[2]-qinf[2])
	res1[3] += 0.5*(vol1*(q1[3]+p1)+vol2*(qinf[3]+p2)) + mu*(q1[3]-qinf[3])
}

// update advances a cell by half a time step and adds up the squares of the changes.
func update(qold, q, res *[4]float64, adt, rms *float64) {
	adti := 1 / *adt
	for n := range 4 {
		del := adti * res[n]
		q[n] = qold[n] - del
		res[n] = 0
		*rms += del * del
	}
}
