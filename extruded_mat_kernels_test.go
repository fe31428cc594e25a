package op2_test

import "github.com/go-op2/op2/elements"

// ofCell fills the local matrix of a cell's corners.
func ofCell(q *float64, a *[6][6]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] += *q*float64(i+1) + float64(j*j)
		}
	}
}

// ofFacet fills that of the corners of the cells on both sides of a facet.
func ofFacet(q *[2]float64, a *[12][12]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] += q[i/6] - float64(i)*q[j/6]
		}
	}
}

// ofNumber fills that of the corners with the number of the cell.
func ofNumber(n *int, a *[6][6]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] = float64(*n*36 + i*6 + j)
		}
	}
}

// ofPairs fills blocks of two rows for each corner, and one column for the cell.
func ofPairs(q *float64, a *[12][1]float64) {
	for i := range a {
		a[i][0] += float64(i) - *q
	}
}

// ofColumn couples a cell with its column and with the corners of that on the ground.
func ofColumn(q *float64, own *[1][1]float64, ground *[1][3]float64) {
	own[0][0] += *q
	for i := range ground[0] {
		ground[0][i] += *q + float64(i)
	}
}

// inColumn fills the local matrix of a whole column.
func inColumn(a *[3][3]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j]++
		}
		a[i][i] += 4
	}
}

// ofBoth fills the local matrix of corners and cell.
func ofBoth(q *float64, a *[7][7]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] += *q + float64(7*i-j)
		}
	}
}

// ofBothFacets fills that of the corners of both cells, and of both cells.
func ofBothFacets(q *[2]float64, a *[14][14]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] += q[0] + 2*q[1] + float64(14*i-j)
		}
	}
}

// conduct fills the local matrix of diffusion in a prism with corners x.
func conduct(x *[6][3]float64, a *[6][6]float64) {
	for q := range 6 {
		r, s, t, w := elements.GaussPrism6(q)
		_, d := elements.PrismP1(r, s, t)
		var g [6][3]float64
		det := elements.Gradients3(x[:], d[:], g[:])
		for i := range 6 {
			for j := range 6 {
				a[i][j] += w * det * (g[i][0]*g[j][0] + g[i][1]*g[j][1] + g[i][2]*g[j][2])
			}
		}
	}
}
