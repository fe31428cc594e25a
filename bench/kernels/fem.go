package kernels

import "math"

// invert2 stores the inverse of a matrix, row by row, and returns its determinant.
func invert2(a, inverse *[4]float64) float64 {
	det := a[0]*a[3] - a[1]*a[2]
	r := 1 / det
	inverse[0] = r * a[3]
	inverse[1] = -r * a[1]
	inverse[2] = -r * a[2]
	inverse[3] = r * a[0]
	return det
}

// invert3 does the same for three rows.
func invert3(a, inverse *[9]float64) float64 {
	c0 := a[4]*a[8] - a[5]*a[7]
	c1 := a[5]*a[6] - a[3]*a[8]
	c2 := a[3]*a[7] - a[4]*a[6]
	det := a[0]*c0 + a[1]*c1 + a[2]*c2
	r := 1 / det
	inverse[0] = r * c0
	inverse[1] = r * (a[2]*a[7] - a[1]*a[8])
	inverse[2] = r * (a[1]*a[5] - a[2]*a[4])
	inverse[3] = r * c1
	inverse[4] = r * (a[0]*a[8] - a[2]*a[6])
	inverse[5] = r * (a[2]*a[3] - a[0]*a[5])
	inverse[6] = r * c2
	inverse[7] = r * (a[1]*a[6] - a[0]*a[7])
	inverse[8] = r * (a[0]*a[4] - a[1]*a[3])
	return det
}

// inverse2 inverts the Jacobian matrices of elements in the plane.
func inverse2(a, inverse *[4]float64, det *float64) { *det = invert2(a, inverse) }

// inverse3 inverts those of elements in space.
func inverse3(a, inverse *[9]float64, det *float64) { *det = invert3(a, inverse) }

// massP1 applies the mass matrix of linear triangles.
func massP1(x *[3][2]float64, u, y *[3]float64) {
	d := math.Abs((x[1][0]-x[0][0])*(x[2][1]-x[0][1])-(x[2][0]-x[0][0])*(x[1][1]-x[0][1])) / 24
	s := u[0] + u[1] + u[2]
	for i := range 3 {
		y[i] += d * (s + u[i])
	}
}

// laplaceP1 applies the Laplace operator of linear triangles.
func laplaceP1(x *[3][2]float64, u, y *[3]float64) {
	b := [3]float64{x[1][1] - x[2][1], x[2][1] - x[0][1], x[0][1] - x[1][1]}
	c := [3]float64{x[2][0] - x[1][0], x[0][0] - x[2][0], x[1][0] - x[0][0]}
	d := b[0]*c[1] - b[1]*c[0]
	gx := (b[0]*u[0] + b[1]*u[1] + b[2]*u[2]) / (2 * d)
	gy := (c[0]*u[0] + c[1]*u[1] + c[2]*u[2]) / (2 * d)
	for i := range 3 {
		y[i] += b[i]*gx + c[i]*gy
	}
}

// laplaceP1x32 does the same in float32.
func laplaceP1x32(x *[3][2]float32, u, y *[3]float32) {
	b := [3]float32{x[1][1] - x[2][1], x[2][1] - x[0][1], x[0][1] - x[1][1]}
	c := [3]float32{x[2][0] - x[1][0], x[0][0] - x[2][0], x[1][0] - x[0][0]}
	d := b[0]*c[1] - b[1]*c[0]
	gx := (b[0]*u[0] + b[1]*u[1] + b[2]*u[2]) / (2 * d)
	gy := (c[0]*u[0] + c[1]*u[1] + c[2]*u[2]) / (2 * d)
	for i := range 3 {
		y[i] += b[i]*gx + c[i]*gy
	}
}

// matrixP1 computes the matrix of the Laplace operator of one linear triangle.
func matrixP1(x *[3][2]float64, k *[9]float64) {
	b := [3]float64{x[1][1] - x[2][1], x[2][1] - x[0][1], x[0][1] - x[1][1]}
	c := [3]float64{x[2][0] - x[1][0], x[0][0] - x[2][0], x[1][0] - x[0][0]}
	d := 0.5 / (b[0]*c[1] - b[1]*c[0])
	for i := range 3 {
		for j := range 3 {
			k[3*i+j] = d * (b[i]*b[j] + c[i]*c[j])
		}
	}
}

// laplaceP2 applies the Laplace operator of quadratic triangles with straight sides:
// the corners, then the midpoints opposite to them.
func laplaceP2(x *[6][2]float64, u, y *[6]float64) {
	b := [3]float64{x[1][1] - x[2][1], x[2][1] - x[0][1], x[0][1] - x[1][1]}
	c := [3]float64{x[2][0] - x[1][0], x[0][0] - x[2][0], x[1][0] - x[0][0]}
	d := b[0]*c[1] - b[1]*c[0]
	for p := range 3 { // the midpoints of the sides are the points of the quadrature
		l := [3]float64{0.5, 0.5, 0.5}
		l[p] = 0
		var gx, gy [6]float64
		sx, sy := 0.0, 0.0
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			gx[i] = (4*l[i] - 1) * b[i]
			gy[i] = (4*l[i] - 1) * c[i]
			gx[3+i] = 4 * (l[j]*b[k] + l[k]*b[j])
			gy[3+i] = 4 * (l[j]*c[k] + l[k]*c[j])
		}
		for i := range 6 {
			sx += gx[i] * u[i]
			sy += gy[i] * u[i]
		}
		for i := range 6 {
			y[i] += (gx[i]*sx + gy[i]*sy) / (6 * d)
		}
	}
}

// laplaceQ1 applies that of bilinear quadrilaterals.
func laplaceQ1(x *[4][2]float64, u, y *[4]float64) {
	sx := [4]float64{-1, 1, 1, -1}
	sy := [4]float64{-1, -1, 1, 1}
	const g = 0.57735026918962576451
	for p := range 4 {
		var j, inverse [4]float64
		var dx, dy [4]float64
		for i := range 4 {
			dx[i] = 0.25 * sx[i] * (1 + g*sy[p]*sy[i])
			dy[i] = 0.25 * sy[i] * (1 + g*sx[p]*sx[i])
			j[0] += dx[i] * x[i][0]
			j[1] += dx[i] * x[i][1]
			j[2] += dy[i] * x[i][0]
			j[3] += dy[i] * x[i][1]
		}
		det := invert2(&j, &inverse)
		ux, uy := 0.0, 0.0
		for i := range 4 {
			a, b := dx[i], dy[i]
			dx[i] = inverse[0]*a + inverse[1]*b
			dy[i] = inverse[2]*a + inverse[3]*b
			ux += dx[i] * u[i]
			uy += dy[i] * u[i]
		}
		for i := range 4 {
			y[i] += det * (dx[i]*ux + dy[i]*uy)
		}
	}
}

// laplaceTet applies that of linear tetrahedra.
func laplaceTet(x *[4][3]float64, u, y *[4]float64) {
	var j, inverse [9]float64
	for i := range 3 {
		for k := range 3 {
			j[3*i+k] = x[i+1][k] - x[0][k]
		}
	}
	det := invert3(&j, &inverse)
	var g [3]float64
	for k := range 3 {
		for i := range 3 {
			g[k] += inverse[3*k+i] * (u[i+1] - u[0])
		}
		g[k] *= det / 6
	}
	for i := range 3 {
		s := 0.0
		for k := range 3 {
			s += inverse[3*k+i] * g[k]
		}
		y[i+1] += s
		y[0] -= s
	}
}

// massTet applies the mass matrix of linear tetrahedra.
func massTet(x *[4][3]float64, u, y *[4]float64) {
	v := math.Abs(volume6(&x[0], &x[1], &x[2], &x[3])) / 120
	s := u[0] + u[1] + u[2] + u[3]
	for i := range 4 {
		y[i] += v * (s + u[i])
	}
}

// laplaceHex applies the Laplace operator of hexahedra with one point.
func laplaceHex(x *[8][3]float64, u, y *[8]float64) {
	var b [8][3]float64
	v := gradientsHex(x, &b)
	var g [3]float64
	for n := range 8 {
		for i := range 3 {
			g[i] += b[n][i] * u[n]
		}
	}
	for n := range 8 {
		y[n] += v * (b[n][0]*g[0] + b[n][1]*g[1] + b[n][2]*g[2])
	}
}

// supg adds advection in linear triangles, stabilized by the method of Brooks and Hughes (1982).
func supg(x *[3][2]float64, velocity *[2]float64, u, y *[3]float64) {
	const diffusion = 1e-3
	b := [3]float64{x[1][1] - x[2][1], x[2][1] - x[0][1], x[0][1] - x[1][1]}
	c := [3]float64{x[2][0] - x[1][0], x[0][0] - x[2][0], x[1][0] - x[0][0]}
	d := b[0]*c[1] - b[1]*c[0]
	r := 1 / d
	gx := r * (b[0]*u[0] + b[1]*u[1] + b[2]*u[2])
	gy := r * (c[0]*u[0] + c[1]*u[1] + c[2]*u[2])
	along := velocity[0]*gx + velocity[1]*gy
	speed := math.Sqrt(velocity[0]*velocity[0]+velocity[1]*velocity[1]) + 1e-12
	h := math.Sqrt(2 * d)
	peclet := speed * h / (2 * diffusion)
	tau := h / (2 * speed) * math.Min(1, peclet/3)
	for i := range 3 {
		test := r * (velocity[0]*b[i] + velocity[1]*c[i])
		y[i] += 0.5 * d * (along*(1.0/3+tau*test) + diffusion*r*(b[i]*gx+c[i]*gy))
	}
}

// loadP1 adds a Gaussian load, integrated by the midpoints of the sides.
func loadP1(x *[3][2]float64, y *[3]float64) {
	d := math.Abs((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	for i := range 3 {
		j := (i + 1) % 3
		mx, my := 0.5*(x[i][0]+x[j][0])-0.5, 0.5*(x[i][1]+x[j][1])-0.5
		f := d / 12 * math.Exp(-20*(mx*mx+my*my))
		y[i] += f
		y[j] += f
	}
}
