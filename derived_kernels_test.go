package op2_test

// gatherFar takes the corners of the cells at both sides of a facet, and adds to them.
func gatherFar(sum *float64, x *[6][2]float64, to *[6]float64) {
	for i := range x {
		*sum += float64(i+1)*x[i][0] - x[i][1]
		to[i] += x[i][0] + float64(i)
	}
}

// turn takes two corners of a cell, the last one first.
func turn(cell *float64, x *[2][2]float64, mark *float64) {
	*cell = 10*x[0][0] + x[1][0]
	*mark += *cell
}

func farOuter(x *[6][2]float64, a *[6][6]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] = x[i][0] + float64(j)
		}
	}
}

func countFar(n *int32, to []int32) {
	*n = int32(len(to))
	for i := range to {
		to[i] += int32(i + 1)
	}
}
