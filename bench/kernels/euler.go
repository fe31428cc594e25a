package kernels

import "math"

// Fluxes of the Euler equations in two dimensions through an edge with the unit normal
// n[0], n[1] and the length n[2]; q is density, momentum and energy.

const gamma = 1.4 // of air

var cfl = 0.5 // the Courant number, a const of the runtime

func pressure(q *[4]float64) float64 {
	return (gamma - 1) * (q[3] - 0.5*(q[1]*q[1]+q[2]*q[2])/q[0])
}

// normalFlux stores the flux of q along the unit normal, and returns velocity along
// n, pressure and the speed of sound.
func normalFlux(q *[4]float64, n *[3]float64, f *[4]float64) (u, p, c float64) {
	u = (q[1]*n[0] + q[2]*n[1]) / q[0]
	p = pressure(q)
	c = math.Sqrt(gamma * p / q[0])
	f[0] = q[0] * u
	f[1] = q[1]*u + p*n[0]
	f[2] = q[2]*u + p*n[1]
	f[3] = (q[3] + p) * u
	return
}

// rusanov computes the flux of Rusanov (1961): central, with the fastest wave as viscosity.
func rusanov(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	var fl, fr [4]float64
	ul, _, cl := normalFlux(ql, n, &fl)
	ur, _, cr := normalFlux(qr, n, &fr)
	s := math.Max(math.Abs(ul)+cl, math.Abs(ur)+cr)
	for i := range 4 {
		f := 0.5 * n[2] * (fl[i] + fr[i] - s*(qr[i]-ql[i]))
		resl[i] -= f
		resr[i] += f
	}
}

// hll computes the flux of Harten, Lax and van Leer (1983) with the wave speeds of Davis.
func hll(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	var fl, fr [4]float64
	ul, _, cl := normalFlux(ql, n, &fl)
	ur, _, cr := normalFlux(qr, n, &fr)
	sl := math.Min(ul-cl, ur-cr)
	sr := math.Max(ul+cl, ur+cr)
	for i := range 4 {
		var f float64
		if sl >= 0 {
			f = fl[i]
		} else if sr <= 0 {
			f = fr[i]
		} else {
			f = (sr*fl[i] - sl*fr[i] + sl*sr*(qr[i]-ql[i])) / (sr - sl)
		}
		resl[i] -= f * n[2]
		resr[i] += f * n[2]
	}
}

// conserved is density, momentum and energy, or their flux; side is what hllNamed knows of one
// side of an edge.
type conserved struct{ rho, mx, my, e float64 }

type side struct {
	q, f conserved
	u, c float64
}

func sideOf(q *[4]float64, n *[3]float64) side {
	s := side{q: conserved{q[0], q[1], q[2], q[3]}}
	s.u = (s.q.mx*n[0] + s.q.my*n[1]) / s.q.rho
	p := (gamma - 1) * (s.q.e - 0.5*(s.q.mx*s.q.mx+s.q.my*s.q.my)/s.q.rho)
	s.c = math.Sqrt(gamma * p / s.q.rho)
	s.f = conserved{s.q.rho * s.u, s.q.mx*s.u + p*n[0], s.q.my*s.u + p*n[1], (s.q.e + p) * s.u}
	return s
}

// fan returns the mean flux between the waves sl and sr.
func fan(l, r side, sl, sr float64) conserved {
	d := sr - sl
	return conserved{
		(sr*l.f.rho - sl*r.f.rho + sl*sr*(r.q.rho-l.q.rho)) / d,
		(sr*l.f.mx - sl*r.f.mx + sl*sr*(r.q.mx-l.q.mx)) / d,
		(sr*l.f.my - sl*r.f.my + sl*sr*(r.q.my-l.q.my)) / d,
		(sr*l.f.e - sl*r.f.e + sl*sr*(r.q.e-l.q.e)) / d,
	}
}

func scaled(f conserved, by float64) conserved {
	return conserved{f.rho * by, f.mx * by, f.my * by, f.e * by}
}

// hllNamed computes the same as hll, with structs and functions on them.
func hllNamed(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	l, r := sideOf(ql, n), sideOf(qr, n)
	sl := math.Min(l.u-l.c, r.u-r.c)
	sr := math.Max(l.u+l.c, r.u+r.c)
	var f conserved
	if sl >= 0 {
		f = l.f
	} else if sr <= 0 {
		f = r.f
	} else {
		f = fan(l, r, sl, sr)
	}
	f = scaled(f, n[2])
	resl[0] -= f.rho
	resl[1] -= f.mx
	resl[2] -= f.my
	resl[3] -= f.e
	resr[0] += f.rho
	resr[1] += f.mx
	resr[2] += f.my
	resr[3] += f.e
}

// hllMinMax computes the same as hll without branches, by clamping the wave speeds at zero.
func hllMinMax(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	var fl, fr [4]float64
	ul, _, cl := normalFlux(ql, n, &fl)
	ur, _, cr := normalFlux(qr, n, &fr)
	sl := math.Min(math.Min(ul-cl, ur-cr), 0)
	sr := math.Max(math.Max(ul+cl, ur+cr), 0)
	w := n[2] / (sr - sl)
	for i := range 4 {
		f := w * (sr*fl[i] - sl*fr[i] + sl*sr*(qr[i]-ql[i]))
		resl[i] -= f
		resr[i] += f
	}
}

// hllc computes the flux of Toro, Spruce and Speares (1994), which keeps the contact.
func hllc(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	var fl, fr [4]float64
	ul, pl, cl := normalFlux(ql, n, &fl)
	ur, pr, cr := normalFlux(qr, n, &fr)
	sl := min(ul-cl, ur-cr)
	sr := max(ul+cl, ur+cr)
	if sl >= 0 {
		for i := range 4 {
			resl[i] -= fl[i] * n[2]
			resr[i] += fl[i] * n[2]
		}
		return
	}
	if sr <= 0 {
		for i := range 4 {
			resl[i] -= fr[i] * n[2]
			resr[i] += fr[i] * n[2]
		}
		return
	}
	dl, dr := ql[0]*(sl-ul), qr[0]*(sr-ur)
	sm := (pr - pl + ul*dl - ur*dr) / (dl - dr)
	q, f, u, p, s := *ql, fl, ul, pl, sl
	if sm < 0 {
		q, f, u, p, s = *qr, fr, ur, pr, sr
	}
	d := q[0] * (s - u) / (s - sm)
	star := [4]float64{
		d,
		d * (q[1]/q[0] + (sm-u)*n[0]),
		d * (q[2]/q[0] + (sm-u)*n[1]),
		d * (q[3]/q[0] + (sm-u)*(sm+p/(q[0]*(s-u)))),
	}
	for i := range 4 {
		g := (f[i] + s*(star[i]-q[i])) * n[2]
		resl[i] -= g
		resr[i] += g
	}
}

// roe computes the flux of Roe (1981) with Harten's entropy fix.
func roe(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	var fl, fr [4]float64
	_, pl, _ := normalFlux(ql, n, &fl)
	_, pr, _ := normalFlux(qr, n, &fr)
	wl, wr := math.Sqrt(ql[0]), math.Sqrt(qr[0])
	w := 1 / (wl + wr)
	u := (ql[1]/wl + qr[1]/wr) * w
	v := (ql[2]/wl + qr[2]/wr) * w
	h := ((ql[3]+pl)/wl + (qr[3]+pr)/wr) * w
	un := u*n[0] + v*n[1]
	k := 0.5 * (u*u + v*v)
	c := math.Sqrt((gamma - 1) * (h - k))
	rho := wl * wr
	dr, dp := qr[0]-ql[0], pr-pl
	du := qr[1]/qr[0] - ql[1]/ql[0]
	dv := qr[2]/qr[0] - ql[2]/ql[0]
	dn := du*n[0] + dv*n[1]
	a1, a2, a3 := harten(un-c, c), math.Abs(un), harten(un+c, c)
	b1 := a1 * (dp - rho*c*dn) / (2 * c * c)
	b2 := a2 * (dr - dp/(c*c))
	b3 := a3 * (dp + rho*c*dn) / (2 * c * c)
	b4 := a2 * rho
	d := [4]float64{
		b1 + b2 + b3,
		b1*(u-c*n[0]) + b2*u + b4*(du-dn*n[0]) + b3*(u+c*n[0]),
		b1*(v-c*n[1]) + b2*v + b4*(dv-dn*n[1]) + b3*(v+c*n[1]),
		b1*(h-c*un) + b2*k + b4*(u*du+v*dv-un*dn) + b3*(h+c*un),
	}
	for i := range 4 {
		f := 0.5 * n[2] * (fl[i] + fr[i] - d[i])
		resl[i] -= f
		resr[i] += f
	}
}

// harten returns |s|, smoothed where it is small compared with c.
func harten(s, c float64) float64 {
	e := 0.1 * c
	a := math.Abs(s)
	if a < e {
		return 0.5 * (s*s/e + e)
	}
	return a
}

// ausm computes the AUSM+ flux of Liou (1996).
func ausm(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	var fl, fr [4]float64
	ul, pl, cl := normalFlux(ql, n, &fl)
	ur, pr, cr := normalFlux(qr, n, &fr)
	c := 0.5 * (cl + cr)
	ml, mr := ul/c, ur/c
	var mp, mm, pp, pm float64
	if math.Abs(ml) >= 1 {
		mp = 0.5 * (ml + math.Abs(ml))
		pp = mp / ml
	} else {
		mp = 0.25*(ml+1)*(ml+1) + 0.125*(ml*ml-1)*(ml*ml-1)
		pp = 0.25*(ml+1)*(ml+1)*(2-ml) + 0.1875*ml*(ml*ml-1)*(ml*ml-1)
	}
	if math.Abs(mr) >= 1 {
		mm = 0.5 * (mr - math.Abs(mr))
		pm = mm / mr
	} else {
		mm = -0.25*(mr-1)*(mr-1) - 0.125*(mr*mr-1)*(mr*mr-1)
		pm = 0.25*(mr-1)*(mr-1)*(2+mr) - 0.1875*mr*(mr*mr-1)*(mr*mr-1)
	}
	m := mp + mm
	p := pp*pl + pm*pr
	q, h := *ql, pl
	if m < 0 {
		q, h = *qr, pr
	}
	f := [4]float64{m * c * q[0], m*c*q[1] + p*n[0], m*c*q[2] + p*n[1], m * c * (q[3] + h)}
	for i := range 4 {
		resl[i] -= f[i] * n[2]
		resr[i] += f[i] * n[2]
	}
}

// vanLeerHalf adds what van Leer's flux-vector splitting (1982) lets through from one side:
// sign is 1 from the left, -1 from the right.
func vanLeerHalf(q *[4]float64, n *[3]float64, sign float64, f *[4]float64) {
	var whole [4]float64
	u, _, c := normalFlux(q, n, &whole)
	m := u / c
	if sign*m >= 1 {
		for i := range 4 {
			f[i] += whole[i]
		}
		return
	}
	if sign*m <= -1 {
		return
	}
	mass := sign * 0.25 * q[0] * c * (m + sign) * (m + sign)
	g := (-u + sign*2*c) / gamma
	vx, vy := q[1]/q[0], q[2]/q[0]
	e := (gamma-1)*u + sign*2*c
	f[0] += mass
	f[1] += mass * (vx + g*n[0])
	f[2] += mass * (vy + g*n[1])
	f[3] += mass * (e*e/(2*(gamma*gamma-1)) + 0.5*(vx*vx+vy*vy-u*u))
}

// vanLeerSplit computes the flux by van Leer's splitting.
func vanLeerSplit(n *[3]float64, ql, qr, resl, resr *[4]float64) {
	var f [4]float64
	vanLeerHalf(ql, n, 1, &f)
	vanLeerHalf(qr, n, -1, &f)
	for i := range 4 {
		resl[i] -= f[i] * n[2]
		resr[i] += f[i] * n[2]
	}
}

// slipWall computes the flux through a wall: pressure alone.
func slipWall(n *[3]float64, q, res *[4]float64) {
	p := pressure(q)
	res[1] -= p * n[0] * n[2]
	res[2] -= p * n[1] * n[2]
}

// farField computes the flux through an outer boundary by Riemann invariants, in and out, slow
// and fast.
func farField(n *[3]float64, q, res *[4]float64) {
	const rho0, u0, v0, p0 = 1.0, 0.5, 0.0, 1.0
	p := pressure(q)
	un, un0 := (q[1]*n[0]+q[2]*n[1])/q[0], u0*n[0]+v0*n[1]
	c, c0 := math.Sqrt(gamma*p/q[0]), math.Sqrt(gamma*p0/rho0)
	if math.Abs(un0) > c0 {
		c = c0
		un = un0
	}
	rp, rm := un+2*c/(gamma-1), un0-2*c0/(gamma-1)
	ub, cb := 0.5*(rp+rm), 0.25*(gamma-1)*(rp-rm)
	rho, u, v, pw := rho0, u0, v0, p0
	if ub > 0 { // out of the domain
		rho, u, v, pw = q[0], q[1]/q[0], q[2]/q[0], p
	}
	uo := u*n[0] + v*n[1]
	s := pw / math.Pow(rho, gamma)
	rb := math.Pow(cb*cb/(gamma*s), 1/(gamma-1))
	u, v = u+(ub-uo)*n[0], v+(ub-uo)*n[1]
	pb := rb * cb * cb / gamma
	e := pb/(gamma-1) + 0.5*rb*(u*u+v*v)
	res[0] -= rb * ub * n[2]
	res[1] -= (rb*u*ub + pb*n[0]) * n[2]
	res[2] -= (rb*v*ub + pb*n[1]) * n[2]
	res[3] -= (e + pb) * ub * n[2]
}

// primitive computes density, velocity and pressure from conserved values.
func primitive(q, w *[4]float64) {
	w[0] = q[0]
	w[1] = q[1] / q[0]
	w[2] = q[2] / q[0]
	w[3] = pressure(q)
}

// primitive32 does the same in float32.
func primitive32(q, w *[4]float32) {
	r := 1 / q[0]
	w[0] = q[0]
	w[1] = q[1] * r
	w[2] = q[2] * r
	w[3] = (gamma - 1) * (q[3] - 0.5*(q[1]*w[1]+q[2]*w[2]))
}

// rusanov32 computes Rusanov's flux in float32.
func rusanov32(n *[3]float32, ql, qr, resl, resr *[4]float32) {
	pl := (gamma - 1) * (ql[3] - 0.5*(ql[1]*ql[1]+ql[2]*ql[2])/ql[0])
	pr := (gamma - 1) * (qr[3] - 0.5*(qr[1]*qr[1]+qr[2]*qr[2])/qr[0])
	ul := (ql[1]*n[0] + ql[2]*n[1]) / ql[0]
	ur := (qr[1]*n[0] + qr[2]*n[1]) / qr[0]
	cl := float32(math.Sqrt(float64(gamma * pl / ql[0])))
	cr := float32(math.Sqrt(float64(gamma * pr / qr[0])))
	s := max(ul+cl, cl-ul, ur+cr, cr-ur)
	f := [4]float32{
		ql[0]*ul + qr[0]*ur - s*(qr[0]-ql[0]),
		ql[1]*ul + pl*n[0] + qr[1]*ur + pr*n[0] - s*(qr[1]-ql[1]),
		ql[2]*ul + pl*n[1] + qr[2]*ur + pr*n[1] - s*(qr[2]-ql[2]),
		(ql[3]+pl)*ul + (qr[3]+pr)*ur - s*(qr[3]-ql[3]),
	}
	for i := range 4 {
		resl[i] -= 0.5 * n[2] * f[i]
		resr[i] += 0.5 * n[2] * f[i]
	}
}

// stepSize keeps the smallest step that the Courant number allows.
func stepSize(q *[4]float64, area, dt *float64) {
	p := pressure(q)
	u := math.Sqrt(q[1]*q[1]+q[2]*q[2]) / q[0]
	*dt = math.Min(*dt, cfl*math.Sqrt(*area)/(u+math.Sqrt(gamma*p/q[0])))
}

// waveSpeed keeps the fastest wave.
func waveSpeed(q *[4]float64, fastest *float64) {
	c := math.Sqrt(gamma * pressure(q) / q[0])
	*fastest = max(*fastest, math.Abs(q[1]/q[0])+c, math.Abs(q[2]/q[0])+c)
}

// spectralRadius adds each edge's wave speed to both its cells, for local time steps.
func spectralRadius(n *[3]float64, ql, qr *[4]float64, sl, sr *float64) {
	var f [4]float64
	ul, _, cl := normalFlux(ql, n, &f)
	ur, _, cr := normalFlux(qr, n, &f)
	s := n[2] * (0.5*math.Abs(ul+ur) + 0.5*(cl+cr))
	*sl += s
	*sr += s
}
