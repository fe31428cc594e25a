package kernels

import "math"

// Particles in a periodic box with sides of length 1.

// apart leaves the shortest vector from b to a, and returns its square.
func apart(a, b, d *[3]float64) float64 {
	s := 0.0
	for i := range 3 {
		d[i] = a[i] - b[i]
		d[i] -= math.RoundToEven(d[i])
		s += d[i] * d[i]
	}
	return s
}

// lennardJones adds the forces of a pair within the cutoff, and its energy.
func lennardJones(a, b, fa, fb *[3]float64, energy *float64) {
	const sigma, cutoff = 0.06, 0.15
	var d [3]float64
	r2 := apart(a, b, &d)
	if r2 > cutoff*cutoff {
		return
	}
	s2 := sigma * sigma / r2
	s6 := s2 * s2 * s2
	f := 24 * s6 * (2*s6 - 1) / r2
	for i := range 3 {
		fa[i] += f * d[i]
		fb[i] -= f * d[i]
	}
	*energy += 4 * s6 * (s6 - 1)
}

// lennardJones32 does the same in float32, without the energy.
func lennardJones32(a, b, fa, fb *[3]float32) {
	const sigma, cutoff = 0.06, 0.15
	dx, dy, dz := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	r2 := dx*dx + dy*dy + dz*dz
	if r2 <= cutoff*cutoff {
		s2 := sigma * sigma / r2
		s6 := s2 * s2 * s2
		f := 24 * s6 * (2*s6 - 1) / r2
		fa[0] += f * dx
		fa[1] += f * dy
		fa[2] += f * dz
		fb[0] -= f * dx
		fb[1] -= f * dy
		fb[2] -= f * dz
	}
}

// lennardJonesGather adds up the forces of eight neighbors on each particle.
func lennardJonesGather(a *[3]float64, others *[8][3]float64, force *[3]float64) {
	const sigma, cutoff = 0.06, 0.15
	var f [3]float64
	for j := range 8 {
		var d [3]float64
		r2 := apart(a, &others[j], &d)
		if r2 < cutoff*cutoff {
			s2 := sigma * sigma / r2
			s6 := s2 * s2 * s2
			g := 24 * s6 * (2*s6 - 1) / r2
			for i := range 3 {
				f[i] += g * d[i]
			}
		}
	}
	for i := range 3 {
		force[i] = f[i]
	}
}

// coulomb adds the forces of charges, softened.
func coulomb(a, b *[3]float64, qa, qb *float64, fa, fb *[3]float64) {
	var d [3]float64
	r2 := apart(a, b, &d) + 1e-4
	f := *qa * *qb / (r2 * math.Sqrt(r2))
	for i := range 3 {
		fa[i] += f * d[i]
		fb[i] -= f * d[i]
	}
}

// morse adds the forces of Morse's potential (1929).
func morse(a, b, fa, fb *[3]float64) {
	const depth, width, rest = 1.0, 20.0, 0.08
	var d [3]float64
	r := math.Sqrt(apart(a, b, &d))
	e := math.Exp(-width * (r - rest))
	f := -2 * depth * width * e * (1 - e) / r
	for i := range 3 {
		fa[i] += f * d[i]
		fb[i] -= f * d[i]
	}
}

// spring adds the forces of a harmonic bond.
func spring(a, b, fa, fb *[3]float64) {
	const stiffness, rest = 100.0, 0.08
	var d [3]float64
	r := math.Sqrt(apart(a, b, &d))
	f := -stiffness * (r - rest) / r
	for i := range 3 {
		fa[i] += f * d[i]
		fb[i] -= f * d[i]
	}
}

// bend adds the forces of an angle between three atoms that is harmonic in its cosine.
func bend(x, f *[3][3]float64) {
	const stiffness, rest = 10.0, -0.5
	var u, v [3]float64
	uu := apart(&x[0], &x[1], &u)
	vv := apart(&x[2], &x[1], &v)
	uv := u[0]*v[0] + u[1]*v[1] + u[2]*v[2]
	w := 1 / math.Sqrt(uu*vv)
	cos := uv * w
	k := -stiffness * (cos - rest)
	for i := range 3 {
		fu := k * (w*v[i] - cos*u[i]/uu)
		fv := k * (w*u[i] - cos*v[i]/vv)
		f[0][i] += fu
		f[2][i] += fv
		f[1][i] -= fu + fv
	}
}

// contact adds the forces of Cundall and Strack's spring and dashpot (1979) between grains that touch.
func contact(a, b, va, vb, fa, fb *[3]float64) {
	const diameter, stiffness, damping = 0.09, 1e3, 5.0
	var d [3]float64
	r2 := apart(a, b, &d)
	if r2 >= diameter*diameter {
		return
	}
	r := math.Sqrt(r2)
	vn := 0.0
	for i := range 3 {
		vn += (va[i] - vb[i]) * d[i] / r
	}
	f := math.Max(0, stiffness*(diameter-r)-damping*vn) / r
	for i := range 3 {
		fa[i] += f * d[i]
		fb[i] -= f * d[i]
	}
}

// cubicSpline returns the kernel of Monaghan and Lattanzio (1985), without its constant.
func cubicSpline(q float64) float64 {
	if q < 1 {
		return 1 - 1.5*q*q + 0.75*q*q*q
	}
	if q < 2 {
		return 0.25 * (2 - q) * (2 - q) * (2 - q)
	}
	return 0
}

// sphDensity adds the density that each particle of a pair contributes to the other.
func sphDensity(a, b *[3]float64, ma, mb, ra, rb *float64) {
	const h = 0.06
	var d [3]float64
	w := cubicSpline(math.Sqrt(apart(a, b, &d)) / h)
	*ra += *mb * w
	*rb += *ma * w
}

// sphMomentum adds the pressure forces with the gradient of Wendland's kernel.
func sphMomentum(a, b *[3]float64, ra, rb *float64, fa, fb *[3]float64) {
	const h, stiffness = 0.06, 10.0
	var d [3]float64
	q := math.Sqrt(apart(a, b, &d)) / h
	if q > 2 {
		return
	}
	t := 1 - 0.5*q
	g := -5 * t * t * t / (h * h)
	p := stiffness * ((*ra-1)/(*ra**ra) + (*rb-1)/(*rb**rb))
	for i := range 3 {
		fa[i] -= p * g * d[i]
		fb[i] += p * g * d[i]
	}
}

// verlet moves particles and wraps them around the periodic box.
func verlet(f, v, x *[3]float64) {
	const dt, mass = 1e-3, 1.0
	for i := range 3 {
		v[i] += dt / mass * f[i]
		x[i] += dt * v[i]
		x[i] -= math.Floor(x[i])
	}
}

// bounce moves particles and reflects them at walls.
func bounce(v, x *[3]float64) {
	const dt = 0.05
	for i := range 3 {
		x[i] += dt * v[i]
		if x[i] < 0 {
			x[i] = -x[i]
			v[i] = -v[i]
		} else if x[i] > 1 {
			x[i] = 2 - x[i]
			v[i] = -v[i]
		}
	}
}

// boris rotates the velocities of charges in a magnetic field (1970).
func boris(e, b, v *[3]float64) {
	const half = 0.01
	var w, t, s [3]float64
	for i := range 3 {
		w[i] = v[i] + half*e[i]
		t[i] = half * b[i]
	}
	f := 2 / (1 + t[0]*t[0] + t[1]*t[1] + t[2]*t[2])
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		s[i] = w[i] + w[j]*t[k] - w[k]*t[j]
	}
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		v[i] = w[i] + f*(s[j]*t[k]-s[k]*t[j]) + half*e[i]
	}
}

// deposit distributes the charge of particles to the corners of their hexahedron.
func deposit(x *[3]float64, charge *float64, rho *[8]float64) {
	const cells = 16
	var w [3]float64
	for i := range 3 {
		s := x[i] * cells
		w[i] = s - math.Floor(s)
	}
	for n := range 8 {
		c := *charge
		for i := range 3 {
			if n>>i&1 == 1 {
				c *= w[i]
			} else {
				c *= 1 - w[i]
			}
		}
		rho[n] += c
	}
}

// dispersed applies the drag of Schiller and Naumann (1933) to droplets.
func dispersed(fluid, v *[3]float64) {
	const diameter, viscosity, dt = 1e-3, 1e-3, 1e-4
	s := 0.0
	for i := range 3 {
		s += (fluid[i] - v[i]) * (fluid[i] - v[i])
	}
	re := math.Sqrt(s) * diameter / viscosity
	drag := 0.44 * re / 24
	if re < 1000 {
		drag = 1 + 0.15*math.Pow(re, 0.687)
	}
	for i := range 3 {
		v[i] += dt * 18 * drag * (fluid[i] - v[i])
	}
}
