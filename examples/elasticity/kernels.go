package main

import "math"

// The material, and the load on the end of the cantilever.
const (
	young, poisson = 1.0, 0.3
	lambda         = young * poisson / ((1 + poisson) * (1 - 2*poisson))
	mu             = young / (2 * (1 + poisson))
	shearLoad      = 1e-5
)

// gradients returns the gradients of the ten shape functions of a tetrahedron with nodes x at the point that has the
// barycentric coordinates 1-a-b-c, a, b, c, and the determinant of the derivatives of the place.
func gradients(x *[10][3]float64, a, b, c float64) ([10][3]float64, float64) {
	o := 1 - a - b - c
	d := [10][3]float64{ // by a, b and c
		{1 - 4*o, 1 - 4*o, 1 - 4*o}, {4*a - 1, 0, 0}, {0, 4*b - 1, 0}, {0, 0, 4*c - 1},
		{4 * (o - a), -4 * a, -4 * a}, {4 * b, 4 * a, 0}, {-4 * b, 4 * (o - b), -4 * b},
		{-4 * c, -4 * c, 4 * (o - c)}, {4 * c, 0, 4 * a}, {0, 4 * c, 4 * b},
	}
	var j [3][3]float64 // of the coordinates, by a, b and c
	for n := range 10 {
		for i := range 3 {
			for k := range 3 {
				j[i][k] += x[n][i] * d[n][k]
			}
		}
	}
	var inverse [3][3]float64 // times det
	for i := range 3 {
		for k := range 3 {
			inverse[k][i] = j[(i+1)%3][(k+1)%3]*j[(i+2)%3][(k+2)%3] - j[(i+1)%3][(k+2)%3]*j[(i+2)%3][(k+1)%3]
		}
	}
	det := j[0][0]*inverse[0][0] + j[0][1]*inverse[1][0] + j[0][2]*inverse[2][0]
	var g [10][3]float64
	for n := range 10 {
		for i := range 3 {
			g[n][i] = (d[n][0]*inverse[0][i] + d[n][1]*inverse[1][i] + d[n][2]*inverse[2][i]) / det
		}
	}
	return g, det
}

// stiffness adds a tetrahedron's matrix, by the formula with four points.
func stiffness(x *[10][3]float64, k *[30][30]float64) {
	const near, far = 0.5854101966249685, 0.1381966011250105
	for q := range 4 {
		a, b, c := far, far, far
		if q == 0 {
			a = near
		}
		if q == 1 {
			b = near
		}
		if q == 2 {
			c = near
		}
		g, det := gradients(x, a, b, c)
		w := det / 24
		for m := range 10 {
			for n := range 10 {
				dot := mu * w * (g[m][0]*g[n][0] + g[m][1]*g[n][1] + g[m][2]*g[n][2])
				for i := range 3 {
					for j := range 3 {
						k[3*m+i][3*n+j] += w * (lambda*g[m][i]*g[n][j] + mu*g[m][j]*g[n][i])
					}
					k[3*m+i][3*n+i] += dot
				}
			}
		}
	}
}

// face returns the six shape functions of a triangle with nodes x at (r, s), the place, and the normal, as long
// as the determinant.
func face(x *[6][3]float64, r, s float64) ([6]float64, [3]float64, [3]float64) {
	t := 1 - r - s
	n := [6]float64{t * (2*t - 1), r * (2*r - 1), s * (2*s - 1), 4 * t * r, 4 * r * s, 4 * s * t}
	dr := [6]float64{1 - 4*t, 4*r - 1, 0, 4 * (t - r), 4 * s, -4 * s}
	ds := [6]float64{1 - 4*t, 0, 4*s - 1, -4 * r, 4 * r, 4 * (t - s)}
	var p, u, v [3]float64
	for k := range 6 {
		for i := range 3 {
			p[i] += n[k] * x[k][i]
			u[i] += dr[k] * x[k][i]
			v[i] += ds[k] * x[k][i]
		}
	}
	return n, p, [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
}

// The formula of Gauss and Legendre with three points on the unit interval.
var (
	at     = [3]float64{0.1127016653792583, 0.5, 0.8872983346207417}
	weight = [3]float64{5.0 / 18, 8.0 / 18, 5.0 / 18}
)

// shear adds a load downwards on a face.
func shear(x, f *[6][3]float64) {
	for a := range 3 {
		for b := range 3 {
			n, _, normal := face(x, at[a]*(1-at[b]), at[b])
			area := math.Sqrt(normal[0]*normal[0] + normal[1]*normal[1] + normal[2]*normal[2])
			w := weight[a] * weight[b] * (1 - at[b]) * area
			for k := range 6 {
				f[k][2] -= w * shearLoad * n[k]
			}
		}
	}
}

// far adds the load on a face that the stress of Kirsch's solution has there.
func far(x, f *[6][3]float64) {
	for a := range 3 {
		for b := range 3 {
			n, p, normal := face(x, at[a]*(1-at[b]), at[b])
			w := weight[a] * weight[b] * (1 - at[b])
			xx, yy, xy := kirsch(p[0], p[1])
			for k := range 6 {
				f[k][0] += w * n[k] * (xx*normal[0] + xy*normal[1])
				f[k][1] += w * n[k] * (xy*normal[0] + yy*normal[1])
			}
		}
	}
}

// kirsch returns the stress around a hole of radius 1 in an infinite plate that is pulled along x with stress 1.
// Source: G. Kirsch, "Die Theorie der Elastizität und die Bedürfnisse der Festigkeitslehre" (1898).
func kirsch(x, y float64) (float64, float64, float64) {
	r2 := x*x + y*y
	c2, s2 := (x*x-y*y)/r2, 2*x*y/r2 // of twice the angle
	c4, s4 := c2*c2-s2*s2, 2*c2*s2
	a2, a4 := 1/r2, 1/(r2*r2)
	return 1 - a2*(1.5*c2+c4) + 1.5*a4*c4,
		-a2*(0.5*c2-c4) - 1.5*a4*c4,
		-a2*(0.5*s2+s4) + 1.5*a4*s4
}

// stress adds the stress of a tetrahedron in each of its nodes, and counts: xx, yy, zz, xy, yz, xz.
func stress(x, u *[10][3]float64, sum *[10][6]float64, count *[10]float64) {
	at := [10][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
		{0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}
	for n := range 10 {
		g, _ := gradients(x, at[n][0], at[n][1], at[n][2])
		var d [3][3]float64 // of the displacement
		for k := range 10 {
			for i := range 3 {
				for j := range 3 {
					d[i][j] += u[k][i] * g[k][j]
				}
			}
		}
		all := lambda * (d[0][0] + d[1][1] + d[2][2])
		sum[n][0] += all + 2*mu*d[0][0]
		sum[n][1] += all + 2*mu*d[1][1]
		sum[n][2] += all + 2*mu*d[2][2]
		sum[n][3] += mu * (d[0][1] + d[1][0])
		sum[n][4] += mu * (d[1][2] + d[2][1])
		sum[n][5] += mu * (d[0][2] + d[2][0])
		count[n]++
	}
}

// mean divides the sum of stresses in a node by their number, and computes von Mises' stress.
func mean(stress *[6]float64, count, mises *float64) {
	for i := range 6 {
		stress[i] /= *count
	}
	xx, yy, zz := stress[0], stress[1], stress[2]
	xy, yz, xz := stress[3], stress[4], stress[5]
	*mises = math.Sqrt(0.5*((xx-yy)*(xx-yy)+(yy-zz)*(yy-zz)+(zz-xx)*(zz-xx)) + 3*(xy*xy+yz*yz+xz*xz))
}
