package main

import "math"

// Loops over the triangles and the vertices of the base mesh, and over the triangles of each level and the prisms between them.

// shape adds a third of a triangle's area to each of its corners.
func shape(x *[3][2]float64, area *[3]float64) {
	for i := range area {
		area[i] += twice(x) / 6
	}
}

// twice returns twice the area of a triangle.
func twice(x *[3][2]float64) float64 {
	return math.Abs((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
}

// across adds to the corners of a triangle in one level the heat that flows to them from the others: that of linear elements.
func across(x *[3][2]float64, t, flow *[3]float64) {
	by := 1 / (2 * twice(x))
	for i := range 3 {
		a, b := (i+1)%3, (i+2)%3
		for j := range 3 {
			c, d := (j+1)%3, (j+2)%3
			flow[i] -= by * t[j] * ((x[b][0]-x[a][0])*(x[d][0]-x[c][0]) + (x[b][1]-x[a][1])*(x[d][1]-x[c][1]))
		}
	}
}

// upward moves a whole column of temperatures on by one time step: what flowed to it across explicitly, what flows along it
// implicitly, by the Thomas algorithm for tridiagonal systems. The step has the diffusivity times the time, and the height of a
// layer; levels at both ends stand for half a layer.
func upward(t, flow, factor []float64, area *float64, step *[2]float64) {
	r := step[0] / (step[1] * step[1])
	last := len(t) - 1
	before := 0.0
	for l := range t {
		t[l] += step[0] * flow[l] / *area
		flow[l] = 0
		below, above, diagonal := r, r, 1+2*r
		if l == 0 {
			below, above = 0, 2*r
		}
		if l == last {
			below, above = 2*r, 0
		}
		pivot := diagonal - below*before
		if l == 0 {
			t[l] /= pivot
		} else {
			t[l] = (t[l] + below*t[l-1]) / pivot
		}
		before = above / pivot
		factor[l] = before
	}
	for i := range last {
		l := last - 1 - i
		t[l] += factor[l] * t[l+1]
	}
}

// heat adds up what a prism holds.
func heat(x *[3][2]float64, t *[6]float64, step *[2]float64, total *float64) {
	*total += twice(x) / 2 * step[1] * (t[0] + t[1] + t[2] + t[3] + t[4] + t[5]) / 6
}

// mean adds up a horizontal plane, at the bottom or at the top.
func mean(t, area, total, size *float64) {
	*total += *t * *area
	*size += *area
}
