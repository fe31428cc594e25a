package op2_test

// copyParts takes the values of a velocity of dim 2 through three nodes, and a pressure of one corner.
func copyParts(x, y *[7]float64) {
	*y = *x
}

func eightValues(x, y *[8]float64) {
	*y = *x
}

func setsSix(x, y *[7]float64) {
	for i := range 6 {
		y[i] = x[i]
	}
}

func changesRead(x, y *[7]float64) {
	x[6] = 0
	y[0] += 1
}

func readsOutside(at *int, x *[7]float64) { x[*at+6] += 1 }

func largerOfTwo(a, b *float64) {
	if *b > *a {
		*a = *b
	}
}
