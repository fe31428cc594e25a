package water

import "math"

const gravity = 9.81

// timestep lowers dt to what the fastest wave through the cell allows.
func timestep(q *[3]float64, size, dt *float64) {
	c := math.Sqrt(gravity * q[0])
	u := math.Abs(q[1]) / q[0]
	v := math.Abs(q[2]) / q[0]
	s := u + c
	if v > u {
		s = v + c
	}
	if t := 0.4 * *size / s; t < *dt {
		*dt = t
	}
}

// flux adds what flows through a side to the changes of its two cells: the approximate
// Riemann solver of Harten, Lax and van Leer. side is the normal, from the first cell to
// the second, and the length.
func flux(side *[3]float64, ql, qr, dl, dr *[3]float64) {
	nx, ny := side[0], side[1]
	hl, hr := ql[0], qr[0]
	ul := (ql[1]*nx + ql[2]*ny) / hl
	ur := (qr[1]*nx + qr[2]*ny) / hr
	cl, cr := math.Sqrt(gravity*hl), math.Sqrt(gravity*hr)
	sl, sr := ul-cl, ur+cr
	if ur-cr < sl {
		sl = ur - cr
	}
	if ul+cl > sr {
		sr = ul + cl
	}
	if sl > 0 {
		sl = 0
	}
	if sr < 0 {
		sr = 0
	}
	pl, pr := 0.5*gravity*hl*hl, 0.5*gravity*hr*hr
	w := side[2] / (sr - sl)
	f0 := w * (sr*ul*hl - sl*ur*hr + sl*sr*(hr-hl))
	f1 := w * (sr*(ul*ql[1]+pl*nx) - sl*(ur*qr[1]+pr*nx) + sl*sr*(qr[1]-ql[1]))
	f2 := w * (sr*(ul*ql[2]+pl*ny) - sl*(ur*qr[2]+pr*ny) + sl*sr*(qr[2]-ql[2]))
	dl[0] -= f0
	dl[1] -= f1
	dl[2] -= f2
	dr[0] += f0
	dr[1] += f1
	dr[2] += f2
}

// wall adds the pressure on a side of the basin.
func wall(side, q, d *[3]float64) {
	p := 0.5 * gravity * q[0] * q[0] * side[2]
	d[1] -= p * side[0]
	d[2] -= p * side[1]
}

// update advances a cell by dt.
func update(q, d *[3]float64, area, dt *float64) {
	w := *dt / *area
	for i := range 3 {
		q[i] += w * d[i]
		d[i] = 0
	}
}
