package flow

import "math"

// The kernels once more, with structs and methods: what NewConserved runs. They compute the same as
// those in kernels.go, in the same order.

// Conserved is density, momentum in x and y, and energy of a cell, or their flux or residual.
type Conserved struct{ Rho, RhoU, RhoV, RhoE float64 }

// Add adds f to q.
func (q *Conserved) Add(f Conserved) {
	q.Rho += f.Rho
	q.RhoU += f.RhoU
	q.RhoV += f.RhoV
	q.RhoE += f.RhoE
}

// Sub subtracts f from q.
func (q *Conserved) Sub(f Conserved) {
	q.Rho -= f.Rho
	q.RhoU -= f.RhoU
	q.RhoV -= f.RhoV
	q.RhoE -= f.RhoE
}

// Minus returns q - r.
func (q Conserved) Minus(r Conserved) Conserved {
	return Conserved{q.Rho - r.Rho, q.RhoU - r.RhoU, q.RhoV - r.RhoV, q.RhoE - r.RhoE}
}

// Times returns q times a.
func (q Conserved) Times(a float64) Conserved {
	return Conserved{a * q.Rho, a * q.RhoU, a * q.RhoV, a * q.RhoE}
}

// Pressure returns the pressure.
func (q *Conserved) Pressure() float64 {
	ri := 1 / q.Rho
	return gm1 * (q.RhoE - 0.5*ri*(q.RhoU*q.RhoU+q.RhoV*q.RhoV))
}

// Through returns the volume that flows through a side in a unit of time.
func (q *Conserved) Through(dx, dy float64) float64 {
	ri := 1 / q.Rho
	return ri * (q.RhoU*dy - q.RhoV*dx)
}

func saveConserved(q, qold *Conserved) {
	*qold = *q
}

func adtConserved(x1, x2, x3, x4 *[2]float64, q *Conserved, adt *float64) {
	ri := 1 / q.Rho
	u := ri * q.RhoU
	v := ri * q.RhoV
	c := math.Sqrt(gam * gm1 * (ri*q.RhoE - 0.5*(u*u+v*v)))

	*adt = wave(x1, x2, u, v, c) + wave(x2, x3, u, v, c) + wave(x3, x4, u, v, c) + wave(x4, x1, u, v, c)
	*adt /= cfl
}

func resConserved(x1, x2 *[2]float64, q1, q2 *Conserved, adt1, adt2 *float64, res1, res2 *Conserved) {
	dx := x1[0] - x2[0]
	dy := x1[1] - x2[1]
	mu := 0.5 * (*adt1 + *adt2) * eps
	p1, p2 := q1.Pressure(), q2.Pressure()
	vol1, vol2 := q1.Through(dx, dy), q2.Through(dx, dy)
	flux := Conserved{
		Rho:  0.5*(vol1*q1.Rho+vol2*q2.Rho) + mu*(q1.Rho-q2.Rho),
		RhoU: 0.5*(vol1*q1.RhoU+p1*dy+vol2*q2.RhoU+p2*dy) + mu*(q1.RhoU-q2.RhoU),
		RhoV: 0.5*(vol1*q1.RhoV-p1*dx+vol2*q2.RhoV-p2*dx) + mu*(q1.RhoV-q2.RhoV),
		RhoE: 0.5*(vol1*(q1.RhoE+p1)+vol2*(q2.RhoE+p2)) + mu*(q1.RhoE-q2.RhoE),
	}
	res1.Add(flux)
	res2.Sub(flux)
}

func bresConserved(x1, x2 *[2]float64, q1 *Conserved, adt1 *float64, res1 *Conserved, bound *int32) {
	dx := x1[0] - x2[0]
	dy := x1[1] - x2[1]
	p1 := q1.Pressure()
	if *bound == wall {
		res1.RhoU += p1 * dy
		res1.RhoV -= p1 * dx
		return
	}
	far := Conserved{qinf[0], qinf[1], qinf[2], qinf[3]}
	p2 := far.Pressure()
	vol1, vol2 := q1.Through(dx, dy), far.Through(dx, dy)
	mu := *adt1 * eps
	res1.Add(Conserved{
		Rho:  0.5*(vol1*q1.Rho+vol2*far.Rho) + mu*(q1.Rho-far.Rho),
		RhoU: 0.5*(vol1*q1.RhoU+p1*dy+vol2*far.RhoU+p2*dy) + mu*(q1.RhoU-far.RhoU),
		RhoV: 0.5*(vol1*q1.RhoV-p1*dx+vol2*far.RhoV-p2*dx) + mu*(q1.RhoV-far.RhoV),
		RhoE: 0.5*(vol1*(q1.RhoE+p1)+vol2*(far.RhoE+p2)) + mu*(q1.RhoE-far.RhoE),
	})
}

func updateConserved(qold, q, res *Conserved, adt, rms *float64) {
	del := res.Times(1 / *adt)
	*q = qold.Minus(del)
	*res = Conserved{}
	*rms += del.Rho * del.Rho
	*rms += del.RhoU * del.RhoU
	*rms += del.RhoV * del.RhoV
	*rms += del.RhoE * del.RhoE
}
