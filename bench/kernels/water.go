package kernels

import "math"

// The shallow-water equations: h is depth and discharge, z the bed.

const dry = 1e-6 // depths below which nothing moves

var gravity = 9.81 // a const of the runtime

// waterSide returns the velocity on one side of an edge, along and across the normal.
func waterSide(h *[3]float64, n *[3]float64) (u, v float64) {
	if h[0] > dry {
		u = (h[1]*n[0] + h[2]*n[1]) / h[0]
		v = (-h[1]*n[1] + h[2]*n[0]) / h[0]
	}
	return
}

// waterHLL computes the HLL flux with the wave speeds at a dry bed (Toro, 2001).
func waterHLL(n *[3]float64, hl, hr, resl, resr *[3]float64) {
	ul, vl := waterSide(hl, n)
	ur, vr := waterSide(hr, n)
	cl, cr := math.Sqrt(gravity*hl[0]), math.Sqrt(gravity*hr[0])
	if hl[0] <= dry && hr[0] <= dry {
		return
	}
	var sl, sr float64
	if hl[0] <= dry {
		sl, sr = ur-2*cr, ur+cr
	} else if hr[0] <= dry {
		sl, sr = ul-cl, ul+2*cl
	} else {
		sl, sr = math.Min(ul-cl, ur-cr), math.Max(ul+cl, ur+cr)
	}
	a, b := math.Min(sl, 0), math.Max(sr, 0)
	w := n[2] / math.Max(b-a, 1e-12)
	f := [3]float64{
		w * (b*hl[0]*ul - a*hr[0]*ur + a*b*(hr[0]-hl[0])),
		w * (b*(hl[0]*ul*ul+0.5*gravity*hl[0]*hl[0]) - a*(hr[0]*ur*ur+0.5*gravity*hr[0]*hr[0]) + a*b*(hr[0]*ur-hl[0]*ul)),
		w * (b*hl[0]*ul*vl - a*hr[0]*ur*vr + a*b*(hr[0]*vr-hl[0]*vl)),
	}
	x, y := f[1]*n[0]-f[2]*n[1], f[1]*n[1]+f[2]*n[0]
	resl[0] -= f[0]
	resl[1] -= x
	resl[2] -= y
	resr[0] += f[0]
	resr[1] += x
	resr[2] += y
}

// waterBalanced computes Rusanov's flux after the hydrostatic reconstruction of Audusse and
// others (2004), which keeps a lake at rest.
func waterBalanced(n *[3]float64, hl, hr *[3]float64, zl, zr *float64, resl, resr *[3]float64) {
	z := math.Max(*zl, *zr)
	dl, dr := math.Max(0, hl[0]+*zl-z), math.Max(0, hr[0]+*zr-z)
	ul, vl := waterSide(hl, n)
	ur, vr := waterSide(hr, n)
	s := math.Max(math.Abs(ul)+math.Sqrt(gravity*dl), math.Abs(ur)+math.Sqrt(gravity*dr))
	f0 := 0.5 * (dl*ul + dr*ur - s*(dr-dl))
	f1 := 0.5 * (dl*ul*ul + dr*ur*ur + 0.5*gravity*(dl*dl+dr*dr) - s*(dr*ur-dl*ul))
	f2 := 0.5 * (dl*ul*vl + dr*ur*vr - s*(dr*vr-dl*vl))
	pl := f1 + 0.5*gravity*(hl[0]*hl[0]-dl*dl)
	pr := f1 + 0.5*gravity*(hr[0]*hr[0]-dr*dr)
	resl[0] -= n[2] * f0
	resl[1] -= n[2] * (pl*n[0] - f2*n[1])
	resl[2] -= n[2] * (pl*n[1] + f2*n[0])
	resr[0] += n[2] * f0
	resr[1] += n[2] * (pr*n[0] - f2*n[1])
	resr[2] += n[2] * (pr*n[1] + f2*n[0])
}

// waterRoe computes Roe's flux between wet cells.
func waterRoe(n *[3]float64, hl, hr, resl, resr *[3]float64) {
	a, b := math.Max(hl[0], dry), math.Max(hr[0], dry)
	ul, vl := (hl[1]*n[0]+hl[2]*n[1])/a, (hl[2]*n[0]-hl[1]*n[1])/a
	ur, vr := (hr[1]*n[0]+hr[2]*n[1])/b, (hr[2]*n[0]-hr[1]*n[1])/b
	wl, wr := math.Sqrt(a), math.Sqrt(b)
	u := (wl*ul + wr*ur) / (wl + wr)
	v := (wl*vl + wr*vr) / (wl + wr)
	c := math.Sqrt(0.5 * gravity * (a + b))
	dh, dq := b-a, b*ur-a*ul
	a1 := 0.5 * (dh - (dq-u*dh)/c) * math.Abs(u-c)
	a3 := 0.5 * (dh + (dq-u*dh)/c) * math.Abs(u+c)
	a2 := (b*vr - a*vl - v*dh) * math.Abs(u)
	f0 := 0.5 * (a*ul + b*ur - a1 - a3)
	f1 := 0.5 * (a*ul*ul + b*ur*ur + 0.5*gravity*(a*a+b*b) - a1*(u-c) - a3*(u+c))
	f2 := 0.5 * (a*ul*vl + b*ur*vr - (a1+a3)*v - a2)
	x, y := n[2]*(f1*n[0]-f2*n[1]), n[2]*(f1*n[1]+f2*n[0])
	resl[0] -= n[2] * f0
	resl[1] -= x
	resl[2] -= y
	resr[0] += n[2] * f0
	resr[1] += x
	resr[2] += y
}

// waterSlope adds the force of a sloping bed, from the vertices of a cell.
func waterSlope(x *[3][2]float64, z *[3]float64, h, res *[3]float64) {
	d := (x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])
	zx := ((z[1]-z[0])*(x[2][1]-x[0][1]) - (z[2]-z[0])*(x[1][1]-x[0][1])) / d
	zy := ((z[2]-z[0])*(x[1][0]-x[0][0]) - (z[1]-z[0])*(x[2][0]-x[0][0])) / d
	res[1] -= 0.5 * d * gravity * h[0] * zx
	res[2] -= 0.5 * d * gravity * h[0] * zy
}

// waterFriction applies Manning's friction implicitly, which takes a power of 4/3.
func waterFriction(h *[3]float64) {
	const manning, dt = 0.03, 0.01
	if h[0] <= dry {
		h[1] = 0
		h[2] = 0
		return
	}
	speed := math.Sqrt(h[1]*h[1]+h[2]*h[2]) / h[0]
	f := 1 / (1 + dt*gravity*manning*manning*speed/math.Pow(h[0], 4.0/3))
	h[1] *= f
	h[2] *= f
}

// waterUpdate takes a step and sets cells that fall dry to zero.
func waterUpdate(area *float64, res, h *[3]float64) {
	const dt = 1e-3
	f := dt / *area
	h[0] += f * res[0]
	h[1] += f * res[1]
	h[2] += f * res[2]
	if h[0] < dry {
		h[0] = math.Max(h[0], 0)
		h[1] = 0
		h[2] = 0
	}
	for i := range 3 {
		res[i] = 0
	}
}

// waterStep keeps the smallest step among wet cells.
func waterStep(area *float64, h *[3]float64, dt *float64) {
	if h[0] > dry {
		u := math.Sqrt(h[1]*h[1]+h[2]*h[2]) / h[0]
		*dt = math.Min(*dt, cfl*math.Sqrt(*area)/(u+math.Sqrt(gravity*h[0])))
	}
}

// coriolis rotates the discharge over a step.
func coriolis(latitude *float64, h *[3]float64) {
	f := 0.5 * 1.4584e-4 * *latitude
	d := 1 / (1 + f*f)
	a, b := h[1], h[2]
	h[1] = ((1-f*f)*a + 2*f*b) * d
	h[2] = ((1-f*f)*b - 2*f*a) * d
}
