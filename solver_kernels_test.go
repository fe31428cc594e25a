package op2_test

// The product of a sparse matrix and a dat, entry by entry: for dims 1 and 2.

func clear1(y *float64) { *y = 0 }

func clear2(y *[2]float64) { *y = [2]float64{} }

func entry1(a, x, y *float64) { *y += *a * *x }

func entry2(a *[4]float64, x, y *[2]float64) {
	y[0] += a[0]*x[0] + a[1]*x[1]
	y[1] += a[2]*x[0] + a[3]*x[1]
}

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
