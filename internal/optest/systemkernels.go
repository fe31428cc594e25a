package optest

// The product of a sparse matrix and a dat, nonzero by nonzero: for dims 1 and 2.

func clear1(y *float64) { *y = 0 }

func clear2(y *[2]float64) { *y = [2]float64{} }

func nonzero1(a, x, y *float64) { *y += *a * *x }

func nonzero2(a *[4]float64, x, y *[2]float64) {
	y[0] += a[0]*x[0] + a[1]*x[1]
	y[1] += a[2]*x[0] + a[3]*x[1]
}
