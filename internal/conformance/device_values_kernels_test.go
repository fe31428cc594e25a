package conformance

// wrapCompared compares what wraps with what it was made from: a compiler that thinks it
// cannot wrap knows the answer beforehand.
func wrapCompared(x *int32, y *int64, r *[8]int32) {
	for i := range r {
		r[i] = 0
	}
	if *x+1 > *x {
		r[0] = 1
	}
	if *x-1 < *x {
		r[1] = 1
	}
	r[2] = *x * 2 / 2
	if -*x > 0 {
		r[3] = 1
	}
	if *y+1+1 > *y {
		r[4] = 1
	}
	z := *x
	z += 5
	if z > *x {
		r[5] = 1
	}
	z++
	if z > *x {
		r[6] = 1
	}
	r[7] = *x/-1 + 1 - *x*(3-*x)
}

func y_shared(x *float64, y *[1][2]float64) {
	y[0][0] += *x
	y[0][1] += 2 * *x
}

func y_targets_(x *float64, y *[1][2]float64) { y_targets(x, y) }

func y_targets(x *float64, y *[1][2]float64) {
	y[0][0] += *x
	y[0][1] += 2 * *x
}

func sum_partials_tree(x, sum *float64) { *sum += *x }
