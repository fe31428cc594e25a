package op2_test

func localAll(a *[8][8]float64, v *float64) {
	for i := range 8 {
		for j := range 8 {
			a[i][j] = *v * float64(10*i+j+1)
		}
	}
}

func local00(a *[6][6]float64, v *float64) {
	for i := range 6 {
		for j := range 6 {
			a[i][j] = *v * float64(10*i+j+1)
		}
	}
}

func local01(a *[6][2]float64, v *float64) {
	for i := range 6 {
		for j := range 2 {
			a[i][j] = *v * float64(10*i+j+7)
		}
	}
}

func local10(a *[2][6]float64, v *float64) {
	for i := range 2 {
		for j := range 6 {
			a[i][j] = *v * float64(10*i+j+61)
		}
	}
}

func local11(a *[2][2]float64, v *float64) {
	for i := range 2 {
		for j := range 2 {
			a[i][j] = *v * float64(10*i+j+67)
		}
	}
}
