package solver_test

import "math"

func clear1(y *float64) { *y = 0 }

// stiffness3 adds a triangle of a membrane: the integrals of the products of gradients, and
// a load of one.
func stiffness3(k *[3][3]float64, b *[3]float64, x *[3][2]float64) {
	area := 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	for i := range 3 {
		q, r := x[(i+1)%3], x[(i+2)%3]
		b[i] += area / 3
		for j := range 3 {
			s, t := x[(j+1)%3], x[(j+2)%3]
			k[i][j] += ((q[1]-r[1])*(s[1]-t[1]) + (r[0]-q[0])*(t[0]-s[0])) / (4 * area)
		}
	}
}

// plane3 adds a triangle of an elastic sheet under plane stress, with Young's modulus 1 and
// Poisson's ratio 0.3.
func plane3(k *[6][6]float64, x *[3][2]float64) {
	area := 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	var b [3][6]float64
	for i := range 3 {
		q, r := x[(i+1)%3], x[(i+2)%3]
		b[0][2*i] = (q[1] - r[1]) / (2 * area)
		b[1][2*i+1] = (r[0] - q[0]) / (2 * area)
		b[2][2*i] = b[1][2*i+1]
		b[2][2*i+1] = b[0][2*i]
	}
	const stiffness, poisson = 1 / (1 - 0.3*0.3), 0.3
	for i := range 6 {
		for j := range 6 {
			k[i][j] += area * stiffness * (b[0][i]*(b[0][j]+poisson*b[1][j]) + b[1][i]*(poisson*b[0][j]+b[1][j]) + (1-poisson)/2*b[2][i]*b[2][j])
		}
	}
}

func ramp(v *float64, i *int) { *v = 1 + 0.125*float64(*i%17) }

// ramp2 gives the nodes different values.
func ramp2(v *[2]float64, i *int) {
	v[0] = 1 + 0.125*float64(*i%17)
	v[1] = 2 - 0.25*float64(*i%5)
}

// meanValue adds a triangle of -Δu = f, with u's mean value as a constraint: its row and its column of the matrix are the
// integrals of the triangle's functions. The solution is known: meanOf + cos πx cos πy, and the multiplier is the mean of f.
func meanValue(a *[4][4]float64, b *[4]float64, x *[3][2]float64) {
	area := 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	for i := range 3 {
		p, q, r := x[i], x[(i+1)%3], x[(i+2)%3]
		half := area / 6 * (3 + 2*math.Pi*math.Pi*math.Cos(math.Pi*(p[0]+q[0])/2)*math.Cos(math.Pi*(p[1]+q[1])/2))
		b[i] += half
		b[(i+1)%3] += half
		a[i][3] += area / 3
		a[3][i] += area / 3
		for j := range 3 {
			s, t := x[(j+1)%3], x[(j+2)%3]
			a[i][j] += ((q[1]-r[1])*(s[1]-t[1]) + (r[0]-q[0])*(t[0]-s[0])) / (4 * area)
		}
	}
	b[3] += 0.5 * area
}

// meanError adds the square of a node's error.
func meanError(x *[2]float64, u, sum *float64) {
	e := *u - 0.5 - math.Cos(math.Pi*x[0])*math.Cos(math.Pi*x[1])
	*sum += e * e
}

// integrals adds the integrals of a triangle's functions.
func integrals(c *[3]float64, x *[3][2]float64) {
	area := 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	for i := range c {
		c[i] += area / 3
	}
}

// border adds the column of the constraint times the multiplier to y, and its row times x to the sum.
func border(c, x, y, multiplier, sum *float64) {
	*y += *c * *multiplier
	*sum += *c * *x
}

// publish makes the multiplier a global, and conclude the sum the constraint's value.
func publish(multiplier, to *float64) { *to += *multiplier }
func conclude(sum, y *float64)        { *y = *sum }

// share adds a quarter to the constraint's row for each corner of a triangle.
func share(a *[4][4]float64) {
	for j := range 3 {
		a[3][j] += 0.25
	}
}
