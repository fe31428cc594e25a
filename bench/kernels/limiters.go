package kernels

import "math"

// vanLeerSlope applies van Leer's harmonic limiter to the slopes on either side of each point of a row.
func vanLeerSlope(u *[5]float64, slope *float64) {
	a, b := u[2]-u[1], u[3]-u[2]
	if a*b <= 0 {
		*slope = 0
		return
	}
	*slope = 2 * a * b / (a + b)
}

// minmodSlope takes the smaller slope, or none.
func minmodSlope(u *[5]float64, slope *float64) {
	a, b := u[2]-u[1], u[3]-u[2]
	s := 0.0
	if a > 0 && b > 0 {
		s = math.Min(a, b)
	} else if a < 0 && b < 0 {
		s = math.Max(a, b)
	}
	*slope = s
}

// superbeeSlope applies Roe's superbee limiter (1985).
func superbeeSlope(u *[5]float64, slope *float64) {
	a, b := u[2]-u[1], u[3]-u[2]
	r := a * b
	if r > 0 {
		s := math.Copysign(1, a)
		a, b = math.Abs(a), math.Abs(b)
		*slope = s * math.Max(math.Min(2*a, b), math.Min(a, 2*b))
	} else {
		*slope = 0
	}
}

// vanAlbada applies the smooth limiter of van Albada, van Leer and Roberts (1982).
func vanAlbada(a, b, out *[4]float64) {
	const tiny = 1e-12
	for i := range 4 {
		x, y := a[i], b[i]
		out[i] = (x*(y*y+tiny) + y*(x*x+tiny)) / (x*x + y*y + 2*tiny)
		if x*y < 0 {
			out[i] = 0
		}
	}
}

// monotonized applies the monotonized central limiter to four values.
func monotonized(a, b, out *[4]float64) {
	for i := range 4 {
		x, y := a[i], b[i]
		c := math.Min(0.5*math.Abs(x+y), 2*math.Min(math.Abs(x), math.Abs(y)))
		if x*y <= 0 {
			c = 0
		}
		out[i] = math.Copysign(c, x)
	}
}

// barthJespersen limits the gradient in a cell by its neighbors' values (1989).
func barthJespersen(own *[4]float64, others *[3][4]float64, grad *[8]float64, r *[6]float64, limit *[4]float64) {
	for i := range 4 {
		low, high := own[i], own[i]
		for j := range 3 {
			low = math.Min(low, others[j][i])
			high = math.Max(high, others[j][i])
		}
		phi := 1.0
		for j := range 3 {
			d := grad[2*i]*r[2*j] + grad[2*i+1]*r[2*j+1]
			if d > 0 {
				phi = math.Min(phi, (high-own[i])/d)
			} else if d < 0 {
				phi = math.Min(phi, (low-own[i])/d)
			}
		}
		limit[i] = phi
	}
}

// venkatakrishnan does the same with his smooth function (1993).
func venkatakrishnan(own *[4]float64, others *[3][4]float64, grad *[8]float64, r *[6]float64, area *float64, limit *[4]float64) {
	h := math.Sqrt(*area)
	e2 := 0.3 * h * 0.3 * h * 0.3 * h
	for i := range 4 {
		low, high := own[i], own[i]
		for j := range 3 {
			low = min(low, others[j][i])
			high = max(high, others[j][i])
		}
		phi := 1.0
		for j := range 3 {
			d := grad[2*i]*r[2*j] + grad[2*i+1]*r[2*j+1]
			if math.Abs(d) < 1e-14 {
				continue
			}
			m := high - own[i]
			if d < 0 {
				m = low - own[i]
			}
			phi = min(phi, ((m*m+e2)*d+2*d*d*m)/(d*(m*m+2*d*d+m*d+e2)))
		}
		limit[i] = phi
	}
}

// muscl reconstructs both sides of an edge from limited gradients at the cells' centers.
func muscl(mid, cl, cr *[2]float64, ql, qr *[4]float64, gl, gr *[8]float64, left, right *[4]float64) {
	dxl, dyl := mid[0]-cl[0], mid[1]-cl[1]
	dxr, dyr := mid[0]-cr[0], mid[1]-cr[1]
	for i := range 4 {
		d := 0.5 * (qr[i] - ql[i])
		a := gl[2*i]*dxl + gl[2*i+1]*dyl
		b := gr[2*i]*dxr + gr[2*i+1]*dyr
		if a*d <= 0 {
			a = 0
		} else if math.Abs(a) > math.Abs(d) {
			a = d
		}
		if -b*d <= 0 {
			b = 0
		} else if math.Abs(b) > math.Abs(d) {
			b = -d
		}
		left[i] = ql[i] + a
		right[i] = qr[i] + b
	}
}

// weno3 computes the third-order WENO reconstruction of Jiang and Shu (1996) at the right face.
func weno3(u *[5]float64, face *float64) {
	const e = 1e-6
	b0, b1 := u[3]-u[2], u[2]-u[1]
	a0 := (2.0 / 3) / ((e + b0*b0) * (e + b0*b0))
	a1 := (1.0 / 3) / ((e + b1*b1) * (e + b1*b1))
	*face = (a0*(0.5*u[2]+0.5*u[3]) + a1*(1.5*u[2]-0.5*u[1])) / (a0 + a1)
}

// weno5 computes the fifth-order WENO reconstruction.
func weno5(u *[5]float64, face *float64) {
	const e = 1e-6
	a, b, c, d, f := u[0], u[1], u[2], u[3], u[4]
	s0 := 13.0/12*(a-2*b+c)*(a-2*b+c) + 0.25*(a-4*b+3*c)*(a-4*b+3*c)
	s1 := 13.0/12*(b-2*c+d)*(b-2*c+d) + 0.25*(b-d)*(b-d)
	s2 := 13.0/12*(c-2*d+f)*(c-2*d+f) + 0.25*(3*c-4*d+f)*(3*c-4*d+f)
	w0, w1, w2 := 0.1/((e+s0)*(e+s0)), 0.6/((e+s1)*(e+s1)), 0.3/((e+s2)*(e+s2))
	*face = (w0*(2*a-7*b+11*c) + w1*(-b+5*c+2*d) + w2*(2*c+5*d-f)) / (6 * (w0 + w1 + w2))
}

// weno5x32 does the same in float32.
func weno5x32(u *[5]float32, face *float32) {
	const e = 1e-6
	a, b, c, d, f := u[0], u[1], u[2], u[3], u[4]
	s0 := 13.0/12*(a-2*b+c)*(a-2*b+c) + 0.25*(a-4*b+3*c)*(a-4*b+3*c)
	s1 := 13.0/12*(b-2*c+d)*(b-2*c+d) + 0.25*(b-d)*(b-d)
	s2 := 13.0/12*(c-2*d+f)*(c-2*d+f) + 0.25*(3*c-4*d+f)*(3*c-4*d+f)
	w0, w1, w2 := 0.1/((e+s0)*(e+s0)), 0.6/((e+s1)*(e+s1)), 0.3/((e+s2)*(e+s2))
	*face = (w0*(2*a-7*b+11*c) + w1*(-b+5*c+2*d) + w2*(2*c+5*d-f)) / (6 * (w0 + w1 + w2))
}

// weno5z computes the WENO-Z reconstruction of Borges and others (2008) for four values at once.
func weno5z(u *[5][4]float64, face *[4]float64) {
	const e = 1e-20
	for i := range 4 {
		a, b, c, d, f := u[0][i], u[1][i], u[2][i], u[3][i], u[4][i]
		s0 := 13.0/12*(a-2*b+c)*(a-2*b+c) + 0.25*(a-4*b+3*c)*(a-4*b+3*c)
		s1 := 13.0/12*(b-2*c+d)*(b-2*c+d) + 0.25*(b-d)*(b-d)
		s2 := 13.0/12*(c-2*d+f)*(c-2*d+f) + 0.25*(3*c-4*d+f)*(3*c-4*d+f)
		t := math.Abs(s0 - s2)
		w0, w1, w2 := 0.1*(1+t/(s0+e)), 0.6*(1+t/(s1+e)), 0.3*(1+t/(s2+e))
		face[i] = (w0*(2*a-7*b+11*c) + w1*(-b+5*c+2*d) + w2*(2*c+5*d-f)) / (6 * (w0 + w1 + w2))
	}
}

// eno2 takes the smoother of two neighbors (Harten and others, 1987).
func eno2(u *[5]float64, face *float64) {
	a, b := u[2]-u[1], u[3]-u[2]
	if math.Abs(a) < math.Abs(b) {
		*face = u[2] + 0.5*a
	} else {
		*face = u[2] + 0.5*b
	}
}

// ppm makes the parabola of Colella and Woodward (1984) monotone.
func ppm(u *[5]float64, face *[2]float64) {
	l := 7.0/12*(u[1]+u[2]) - 1.0/12*(u[0]+u[3])
	r := 7.0/12*(u[2]+u[3]) - 1.0/12*(u[1]+u[4])
	d, six := r-l, 6*(u[2]-0.5*(l+r))
	if (r-u[2])*(u[2]-l) <= 0 {
		l, r = u[2], u[2]
	} else if d*six > d*d {
		l = 3*u[2] - 2*r
	} else if -d*d > d*six {
		r = 3*u[2] - 2*l
	}
	face[0] = l
	face[1] = r
}

// central6 computes the first derivative to sixth order.
func central6(u *[7]float64, du *float64) {
	*du = (u[6]-u[0])/60 - 0.15*(u[5]-u[1]) + 0.75*(u[4]-u[2])
}
