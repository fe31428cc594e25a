package kernels

import "math"

// Equations of state, turbulence and chemistry: what is computed for each cell alone.

// stiffened computes the pressure and speed of sound of a stiffened gas.
func stiffened(rho, e, p, c *float64) {
	const g, p0 = 4.4, 0.6
	*p = (g-1)**rho**e - g*p0
	*c = math.Sqrt(math.Max(g*(*p+p0) / *rho, 1e-12))
}

// waals computes van der Waals's pressure, but not less than that of the vapor.
func waals(rho, temperature, p *float64) {
	const a, b, gas, vapor = 0.4, 0.1, 1.0, 0.05
	*p = max(*rho*gas**temperature/(1-b**rho)-a**rho**rho, vapor)
}

// tait computes the pressure of water by Tait's equation, which takes a seventh power.
func tait(rho, p *float64) {
	const b = 0.3
	r := *rho
	r2 := r * r
	*p = b * (r2*r2*r2*r - 1)
}

// gruneisen computes the pressure behind a shock in a solid, compressed or not (Mie, Grüneisen).
func gruneisen(rho, e, p *float64) {
	const rho0, c0, s, g = 1.0, 1.5, 1.3, 2.0
	m := *rho/rho0 - 1
	if m > 0 {
		d := 1 - (s-1)*m
		*p = rho0*c0*c0*m*(1+(1-g/2)*m)/(d*d) + g**e
	} else {
		*p = rho0*c0*c0*m + g**e
	}
}

// table looks the pressure up in a table that all cells share, interpolating linearly.
func table(values *[64]float64, rho, p *float64) {
	s := *rho * 31
	s = math.Max(0, math.Min(s, 62.999))
	i := int(s)
	f := s - float64(i)
	*p = values[i]*(1-f) + values[i+1]*f
}

// saturation computes the saturation pressure, a curve of four pieces.
func saturation(temperature, p *float64) {
	t := *temperature
	switch {
	case t < 0.7:
		*p = 0.1 * t
	case t < 1:
		*p = 0.07 + 0.4*(t-0.7)
	case t < 1.2:
		*p = 0.19 + (t-1)*(0.9+0.5*(t-1))
	default:
		*p = 0.39 + 1.5*(t-1.2)
	}
}

// temperature inverts the energy of a gas whose heat capacity grows with the temperature,
// by Newton's iteration.
func temperature(e, t *float64) {
	x := *e
	for range 20 {
		f := x + 0.1*x*x + 0.01*x*x*x - *e
		d := 1 + 0.2*x + 0.03*x*x
		step := f / d
		x -= step
		if math.Abs(step) < 1e-12 {
			break
		}
	}
	*t = x
}

// nasa computes the heat capacity by NASA's polynomials, one below 1000 K and one above.
func nasa(t, cp *float64) {
	k := *t * 1000
	if k < 1000 {
		*cp = 3.53100528 + k*(-1.23660988e-4+k*(-5.02999433e-7+k*(2.43530612e-9-k*1.40881235e-12)))
	} else {
		*cp = 2.95257637 + k*(1.3969004e-3+k*(-4.92631603e-7+k*(7.86010195e-11-k*4.60755204e-15)))
	}
}

// sutherland computes the viscosity of air.
func sutherland(t, mu *float64) {
	const s, mu0 = 0.404, 1.7e-5
	*mu = mu0 * *t * math.Sqrt(*t) * (1 + s) / (*t + s)
}

// kEpsilon computes the source terms of the k-ε model of Launder and Spalding (1974).
func kEpsilon(grad *[8]float64, turb, source *[2]float64) {
	const cmu, c1, c2 = 0.09, 1.44, 1.92
	k, eps := math.Max(turb[0], 1e-10), math.Max(turb[1], 1e-10)
	nut := cmu * k * k / eps
	sxx, syy, sxy := grad[2], grad[5], 0.5*(grad[3]+grad[4])
	production := math.Min(2*nut*(sxx*sxx+syy*syy+2*sxy*sxy), 20*eps)
	source[0] = production - eps
	source[1] = (c1*production - c2*eps) * eps / k
}

// sst computes the blending function of Menter's SST model (1994), which takes a tanh.
func sst(turb *[2]float64, wall, blend *float64) {
	k, omega, y := turb[0], turb[1], *wall
	a := math.Max(math.Sqrt(k)/(0.09*omega*y), 500*1e-5/(y*y*omega))
	x := math.Min(a, 4*0.856*k/(y*y))
	*blend = math.Tanh(x * x * x * x)
}

// spalart computes the source terms of the Spalart-Allmaras model (1992).
func spalart(vorticity, nu, wall, source *float64) {
	const cb1, cw2, cw3, kappa, cv1, lam = 0.1355, 0.3, 2.0, 0.41, 7.1, 1e-2
	d2 := kappa * kappa * *wall * *wall
	x := *nu / lam
	fv1 := x * x * x / (x*x*x + cv1*cv1*cv1)
	fv2 := 1 - x/(1+x*fv1)
	s := math.Max(math.Abs(*vorticity)+*nu/d2*fv2, 0.3*math.Abs(*vorticity))
	r := math.Min(*nu/(s*d2+1e-12), 10)
	g := r + cw2*(r*r*r*r*r*r-r)
	g6 := g * g * g * g * g * g
	fw := g * math.Pow((1+cw3*cw3*cw3*cw3*cw3*cw3)/(g6+cw3*cw3*cw3*cw3*cw3*cw3), 1.0/6)
	*source = cb1*s**nu - (cb1/(kappa*kappa)+1.0)*fw**nu**nu/(*wall**wall)
}

// smagorinsky computes the eddy viscosity of Smagorinsky's model (1963).
func smagorinsky(area *float64, grad *[8]float64, nut *float64) {
	const cs = 0.17
	sxx, syy, sxy := grad[2], grad[5], 0.5*(grad[3]+grad[4])
	*nut = cs * cs * *area * math.Sqrt(2*(sxx*sxx+syy*syy+2*sxy*sxy))
}

// wallFunction finds the friction velocity of the logarithmic law by fixed iterations.
func wallFunction(u, y, friction *float64) {
	const kappa, b, nu = 0.41, 5.2, 1e-4
	t := math.Max(0.05**u, 1e-3)
	for range 5 {
		t = *u / (math.Log(math.Max(*y*t/nu, 1.01))/kappa + b)
	}
	*friction = t
}

// arrhenius computes the rates of a reaction of two species into a third.
func arrhenius(t *float64, species, rate *[3]float64) {
	const a, beta, ta = 1e3, 0.5, 8.0
	k := a * math.Pow(*t, beta) * math.Exp(-ta / *t)
	r := k * species[0] * species[1]
	rate[0] = -r
	rate[1] = -r
	rate[2] = 2 * r
}

// brusselator computes the rates of Prigogine and Lefever's reaction (1968).
func brusselator(u, v, fu, fv *float64) {
	const a, b = 1.0, 3.0
	x, y := *u, *v
	*fu = a + x*x*y - (b+1)*x
	*fv = b*x - x*x*y
}

// robertson takes a linearized implicit step of Robertson's stiff reaction (1966).
func robertson(y *[3]float64) {
	const dt = 1e-2
	a, b, c := y[0], y[1], y[2]
	j := [9]float64{
		1 + dt*0.04, -dt * 1e4 * c, -dt * 1e4 * b,
		-dt * 0.04, 1 + dt*(1e4*c+6e7*b), dt * 1e4 * b,
		0, -dt * 6e7 * b, 1,
	}
	f := [3]float64{-0.04*a + 1e4*b*c, 0.04*a - 1e4*b*c - 3e7*b*b, 3e7 * b * b}
	var inverse [9]float64
	invert3(&j, &inverse)
	for i := range 3 {
		y[i] += dt * (inverse[3*i]*f[0] + inverse[3*i+1]*f[1] + inverse[3*i+2]*f[2])
	}
}

// boltzmann performs the collision step of the lattice-Boltzmann method with nine velocities (Bhatnagar,
// Gross and Krook).
func boltzmann(f *[9]float64) {
	const omega = 1.2
	rho := f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8]
	u := (f[1] - f[3] + f[5] - f[6] - f[7] + f[8]) / rho
	v := (f[2] - f[4] + f[5] + f[6] - f[7] - f[8]) / rho
	k := 1 - 1.5*(u*u+v*v)
	w := [9]float64{4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36}
	e := [9]float64{0, u, v, -u, -v, u + v, v - u, -u - v, u - v}
	for i := range 9 {
		f[i] += omega * (w[i]*rho*(k+3*e[i]+4.5*e[i]*e[i]) - f[i])
	}
}
