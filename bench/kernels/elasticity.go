package kernels

import "math"

const lame, shear = 1.2, 0.8 // Lamé's constants

// strainP1 computes the strain of a linear triangle.
func strainP1(x, u *[3][2]float64, strain *[3]float64) {
	b0, c0 := x[1][1]-x[2][1], x[2][0]-x[1][0]
	b1, c1 := x[2][1]-x[0][1], x[0][0]-x[2][0]
	b2, c2 := x[0][1]-x[1][1], x[1][0]-x[0][0]
	d := 1 / (b0*c1 - b1*c0)
	strain[0] = d * (b0*u[0][0] + b1*u[1][0] + b2*u[2][0])
	strain[1] = d * (c0*u[0][1] + c1*u[1][1] + c2*u[2][1])
	strain[2] = d * (c0*u[0][0] + b0*u[0][1] + c1*u[1][0] + b1*u[1][1] + c2*u[2][0] + b2*u[2][1])
}

// planeStress applies Hooke's law for thin plates and computes the von Mises stress.
func planeStress(strain *[3]float64, stress *[3]float64, mises *float64) {
	const young, poisson = 210.0, 0.3
	f := young / (1 - poisson*poisson)
	sx := f * (strain[0] + poisson*strain[1])
	sy := f * (strain[1] + poisson*strain[0])
	t := f * 0.5 * (1 - poisson) * strain[2]
	stress[0] = sx
	stress[1] = sy
	stress[2] = t
	*mises = math.Sqrt(sx*sx - sx*sy + sy*sy + 3*t*t)
}

// forceP1 adds the internal forces of a linear triangle to its vertices.
func forceP1(x, u, f *[3][2]float64) {
	b := [3]float64{x[1][1] - x[2][1], x[2][1] - x[0][1], x[0][1] - x[1][1]}
	c := [3]float64{x[2][0] - x[1][0], x[0][0] - x[2][0], x[1][0] - x[0][0]}
	d := b[0]*c[1] - b[1]*c[0]
	var exx, eyy, exy float64
	for i := range 3 {
		exx += b[i] * u[i][0] / d
		eyy += c[i] * u[i][1] / d
		exy += (c[i]*u[i][0] + b[i]*u[i][1]) / d
	}
	sx := (lame+2*shear)*exx + lame*eyy
	sy := (lame+2*shear)*eyy + lame*exx
	t := shear * exy
	for i := range 3 {
		f[i][0] += 0.5 * (b[i]*sx + c[i]*t)
		f[i][1] += 0.5 * (c[i]*sy + b[i]*t)
	}
}

// stiffnessP1 computes the stiffness matrix of a linear triangle, 6 by 6.
func stiffnessP1(x *[3][2]float64, k *[36]float64) {
	b := [3]float64{x[1][1] - x[2][1], x[2][1] - x[0][1], x[0][1] - x[1][1]}
	c := [3]float64{x[2][0] - x[1][0], x[0][0] - x[2][0], x[1][0] - x[0][0]}
	d := 0.5 / (b[0]*c[1] - b[1]*c[0])
	for i := range 3 {
		for j := range 3 {
			k[12*i+2*j] = d * ((lame+2*shear)*b[i]*b[j] + shear*c[i]*c[j])
			k[12*i+2*j+1] = d * (lame*b[i]*c[j] + shear*c[i]*b[j])
			k[12*i+2*j+6] = d * (lame*c[i]*b[j] + shear*b[i]*c[j])
			k[12*i+2*j+7] = d * ((lame+2*shear)*c[i]*c[j] + shear*b[i]*b[j])
		}
	}
}

// forceQ1 adds the internal forces of a bilinear quadrilateral, with 2 by 2 Gauss points.
func forceQ1(x, u, f *[4][2]float64) {
	sx := [4]float64{-1, 1, 1, -1}
	sy := [4]float64{-1, -1, 1, 1}
	const g = 0.57735026918962576451
	for p := range 4 {
		xi, eta := g*sx[p], g*sy[p]
		var j00, j01, j10, j11 float64
		var dx, dy [4]float64
		for i := range 4 {
			dx[i] = 0.25 * sx[i] * (1 + eta*sy[i])
			dy[i] = 0.25 * sy[i] * (1 + xi*sx[i])
			j00 += dx[i] * x[i][0]
			j01 += dx[i] * x[i][1]
			j10 += dy[i] * x[i][0]
			j11 += dy[i] * x[i][1]
		}
		det := j00*j11 - j01*j10
		r := 1 / det
		var exx, eyy, exy float64
		for i := range 4 {
			a, b := dx[i], dy[i]
			dx[i] = r * (j11*a - j01*b)
			dy[i] = r * (j00*b - j10*a)
			exx += dx[i] * u[i][0]
			eyy += dy[i] * u[i][1]
			exy += dy[i]*u[i][0] + dx[i]*u[i][1]
		}
		s := det * ((lame+2*shear)*exx + lame*eyy)
		t := det * ((lame+2*shear)*eyy + lame*exx)
		v := det * shear * exy
		for i := range 4 {
			f[i][0] += dx[i]*s + dy[i]*v
			f[i][1] += dy[i]*t + dx[i]*v
		}
	}
}

// forceHex adds the internal forces of a trilinear hexahedron with one Gauss point,
// as explicit codes do.
func forceHex(x, u, f *[8][3]float64) {
	var b [8][3]float64
	v := gradientsHex(x, &b)
	var e [3][3]float64
	for n := range 8 {
		for i := range 3 {
			for j := range 3 {
				e[i][j] += b[n][j] * u[n][i]
			}
		}
	}
	trace := lame * (e[0][0] + e[1][1] + e[2][2])
	for n := range 8 {
		for i := range 3 {
			s := trace * b[n][i]
			for j := range 3 {
				s += shear * (e[i][j] + e[j][i]) * b[n][j]
			}
			f[n][i] += v * s
		}
	}
}

// gradientsHex stores the gradients of the shape functions at the center of a hexahedron,
// and returns the volume that the point there stands for.
func gradientsHex(x *[8][3]float64, b *[8][3]float64) float64 {
	s := [8][3]float64{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}
	var j [9]float64
	for n := range 8 {
		for i := range 3 {
			for k := range 3 {
				j[3*i+k] += 0.125 * s[n][i] * x[n][k]
			}
		}
	}
	var inverse [9]float64
	det := invert3(&j, &inverse)
	for n := range 8 {
		for i := range 3 {
			b[n][i] = 0.125 * (inverse[3*i]*s[n][0] + inverse[3*i+1]*s[n][1] + inverse[3*i+2]*s[n][2])
		}
	}
	return 8 * det
}

// neoHookean adds the forces of a linear tetrahedron of rubber.
func neoHookean(x, u, f *[4][3]float64) {
	var j, inverse, g [9]float64
	for i := range 3 {
		for k := range 3 {
			j[3*i+k] = x[i+1][k] - x[0][k]
		}
	}
	det := invert3(&j, &inverse)
	for i := range 3 { // deformation gradient
		for k := range 3 {
			g[3*i+k] = 0
			for m := range 3 {
				g[3*i+k] += (u[m+1][i] - u[0][i]) * inverse[3*k+m]
			}
		}
		g[4*i] += 1
	}
	var gi [9]float64
	jac := invert3(&g, &gi)
	l := lame * (jac - 1) * jac
	for i := range 3 {
		sum := 0.0
		for m := range 3 {
			force := 0.0
			for k := range 3 {
				p := shear*(g[3*i+k]-gi[3*k+i]) + l*gi[3*k+i]
				force += p * inverse[3*k+m]
			}
			force *= det / 6
			f[m+1][i] += force
			sum += force
		}
		f[0][i] -= sum
	}
}

// returnMap performs the radial return of J2 plasticity with linear hardening (Simo and Hughes).
func returnMap(strain *[6]float64, plastic *[6]float64, hardening *float64, stress *[6]float64) {
	const g, bulk, yield, modulus = 80.0, 170.0, 0.5, 1.0
	trace := strain[0] + strain[1] + strain[2]
	var s [6]float64
	norm := 0.0
	for i := range 6 {
		e := strain[i] - plastic[i]
		w := 2.0
		if i < 3 {
			e -= trace / 3
			w = 1
		}
		s[i] = 2 * g * e
		norm += w * s[i] * s[i]
	}
	norm = math.Sqrt(norm)
	over := norm - math.Sqrt(2.0/3)*(yield+modulus**hardening)
	if over > 0 {
		d := over / (2*g + 2.0/3*modulus)
		for i := range 6 {
			n := s[i] / norm
			plastic[i] += d * n
			s[i] -= 2 * g * d * n
		}
		*hardening += math.Sqrt(2.0/3) * d
	}
	for i := range 6 {
		stress[i] = s[i]
		if i < 3 {
			stress[i] += bulk * trace
		}
	}
}
