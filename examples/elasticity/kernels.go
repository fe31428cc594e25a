package main

import (
	"math"

	"github.com/go-op2/op2/elements"
)

// The material, and the load on the end of the cantilever.
const (
	young, poisson = 1.0, 0.3
	lambda         = young * poisson / ((1 + poisson) * (1 - 2*poisson))
	mu             = young / (2 * (1 + poisson))
	shearLoad      = 1e-5
)

// gradients returns the gradients of the ten shape functions of a tetrahedron with nodes x at (r, s, t), and the determinant
// of the derivatives of the place.
func gradients(x *[10][3]float64, r, s, t float64) (g [10][3]float64, det float64) {
	_, d := elements.TetrahedronP2(r, s, t)
	det = elements.Gradients3(x[:], d[:], g[:])
	return g, det
}

// stiffness adds a tetrahedron's matrix, by the formula with four points.
func stiffness(x *[10][3]float64, k *[30][30]float64) {
	for q := range 4 {
		r, s, t, w := elements.GaussTetrahedron4(q)
		g, det := gradients(x, r, s, t)
		w *= det
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

// shear adds a load downwards on a face.
func shear(x, f *[6][3]float64) {
	for q := range 6 {
		r, s, w := elements.GaussTriangle6(q)
		n, d := elements.TriangleP2(r, s)
		normal := elements.Normal3(x[:], d[:])
		w *= math.Sqrt(normal[0]*normal[0] + normal[1]*normal[1] + normal[2]*normal[2])
		for k := range 6 {
			f[k][2] -= w * shearLoad * n[k]
		}
	}
}

// far adds the load on a face that the stress of Kirsch's solution has there.
func far(x, f *[6][3]float64) {
	for q := range 6 {
		r, s, w := elements.GaussTriangle6(q)
		n, d := elements.TriangleP2(r, s)
		p, normal := elements.Value3(n[:], x[:]), elements.Normal3(x[:], d[:])
		xx, yy, xy := kirsch(p[0], p[1])
		for k := range 6 {
			f[k][0] += w * n[k] * (xx*normal[0] + xy*normal[1])
			f[k][1] += w * n[k] * (xy*normal[0] + yy*normal[1])
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

// rise adds how much a node rises.
func rise(u *[3]float64, sum *float64) { *sum += u[2] }

// alongX finds the largest stress along x.
func alongX(stress *[6]float64, most *float64) { *most = max(*most, stress[0]) }
