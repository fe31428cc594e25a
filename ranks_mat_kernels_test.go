package op2_test

// couple3x1 computes the local matrix of a triangle's corners and its cell.
func couple3x1(a *[3][1]float64, x *[3][2]float64) {
	for i := range 3 {
		a[i][0] = x[i][0] + 2*x[(i+1)%3][1]
	}
}

// couple3x3 computes the local matrix of a triangle's corners.
func couple3x3(a *[3][3]float64, x *[3][2]float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] = x[i][0] - 2*x[j][1]
		}
	}
}

// couple6x6 does the same for blocks of 2 by 2.
func couple6x6(a *[6][6]float64, x *[3][2]float64) {
	for i := range 6 {
		for j := range 6 {
			a[i][j] = x[i/2][i%2] - 2*x[j/2][j%2]
		}
	}
}

// order3x3 computes a local matrix that differs for each cell.
func order3x3(a *[3][3]float64, cell *float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] = *cell + 0.25*float64(i) + 0.01*float64(j)
		}
	}
}

// order3x1 does the same for a column.
func order3x1(a *[3][1]float64, cell *float64) {
	for i := range 3 {
		a[i][0] = *cell + 0.5*float64(i)
	}
}

func ramp(v *float64, i *int) { *v = 1 + 0.125*float64(*i%17) }

func ramp2(v *[2]float64, i *int) {
	v[0] = 1 + 0.125*float64(*i%17)
	v[1] = 2 - 0.25*float64(*i%5)
}

// order2x2 does the same for a facet's ends.
func order2x2(a *[2][2]float64, facet *float64) {
	for i := range 2 {
		for j := range 2 {
			a[i][j] = *facet + 0.25*float64(i) + 0.01*float64(j)
		}
	}
}
