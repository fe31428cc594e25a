package conformance

import "math"

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

func two(x uint64) uint64 { return x }

func large(x float64) float64 { return x }

// branchesTaken calls functions of constants in some branches, and finds the signs of zeros.
func branchesTaken(n *int, x *float64, o *[2]int64, y *[7]float64) {
	a, v := int32(*n), *x
	if float32(*x) != float32(v+1) {
		switch ^(two(2) & uint64(*n)) & 3 {
		case 0:
			a += 7
			fallthrough
		case 1:
			a += int32(uint(uint8(*n)))
		default:
			v += math.RoundToEven(large(1e300))
		}
	}
	o[0], y[0] = int64(a), v
	a, v = int32(*n), *x
	switch ^(two(2) & uint64(*n)) & 3 {
	case 0, 1:
		a += 5
	default:
		v += math.Remainder(large(2), large(math.Copysign(0, -1))) + math.Remainder(large(3), large(3))
		v += math.Exp(large(math.NaN())) + math.Trunc(large(math.NaN()))
	}
	o[1], y[1] = int64(a), v
	y[2] = float64(int64(*x))
	y[3], y[4] = max(math.Copysign(0, -1), *x*0), min(0, *x*0)
	y[5], y[6] = math.Max(math.Copysign(0, -1), *x*0), math.Remainder(*x*1e9, 0.75)+math.RoundToEven(*x*3)
}
