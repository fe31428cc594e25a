package op2_test

// spread adds to the points of each zone a part of its value, and to the zone the sum over its points.
func spread(x []float64, sum *float64, v *[2]float64, to [][2]float64) {
	for _, a := range x {
		*sum += a
	}
	for i := range to {
		to[i][0] += v[0] / float64(len(to))
		to[i][1] += v[1] + share(x, i)
	}
}

func share(x []float64, i int) float64 { return x[i] * float64(len(x)) }

func mark(n *int32, to []int32) {
	for i := range to {
		to[i] = int32(10*len(to) + i)
	}
	*n = int32(len(to))
}

func bounds(v *int32, most, least, bits, marks []int32) {
	for i := range most {
		most[i], least[i], bits[i] = max(most[i], *v), min(least[i], *v), *v
		marks[i] *= 2
	}
}

func either(into, from *int32) { *into |= *from }

func outer(x []float64, a [][]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] = x[i]*float64(len(a[i])) + float64(j)
		}
	}
}
