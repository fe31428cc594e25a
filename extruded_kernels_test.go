package op2_test

// average sets a cell to what its corners and its column have, and its number.
func average(x *[6][2]float64, q *float64, n *int, ground *float64) {
	*q = *ground
	for i := range x {
		*q += x[i][0] + float64(i)*x[i][1]
	}
	*q += float64(*n)
}

// deposit adds a cell's value to its corners, to its column and to the sum.
func deposit(q *float64, to *[6][2]float64, column, sum, most *float64) {
	for i := range to {
		to[i][0] += *q
		to[i][1] += float64(i)
	}
	*column += *q
	*sum += *q
	*most = max(*most, *q)
}

// leave leaves what is to be added, in one corner of either level and in a copy.
func leave(q *float64, low, high *[2]float64, all *[6]float64) {
	low[0], low[1] = *q, 1
	high[0], high[1] = 2*(*q), 2
	for i := range all {
		all[i] = float64(i + 1)
	}
}

// lowest keeps the least of the cells at a point, and what bits they have.
func lowest(q *float64, least *[6]float64, bits *[6]int32) {
	for i := range least {
		least[i] = min(least[i], *q)
		bits[i] = int32(*q) & 15
	}
}

func union(a, b *int32) { *a |= *b }

// cross moves between the cells on both sides of a facet, which has the corners of both.
func cross(q *[2]float64, r *[2]float64, x *[12][2]float64, low, high *float64) {
	f := q[1] - q[0] + x[3][0] - x[6][0] + x[0][1] - x[11][1]
	r[0] += f
	r[1] -= f
	*low += 1
	*high += f
}

// rise sets a level to the one below and the cell between.
func rise(below, above, q *float64) { *above = *below + *q }

// doubled sets a cell to twice the value, through a map.
func doubled(q *[1]float64, r *float64) { *r = 2*q[0] + 1 }

// join adds to each value of several parts.
func join(x, to *[13]float64) {
	for i := range to {
		to[i] += float64(i+1) * x[i]
	}
}

// joinFacets adds to the values of both cells, part by part.
func joinFacets(x, to *[26]float64) {
	for i := range to {
		to[i] += float64(i+1) * x[i]
	}
}

// single works with components.
func single(x *[6]float64, q, low *float64, all *[6]float64) {
	*q += x[0] - x[5]
	*low += *q
	for i := range all {
		all[i] += float64(i)
	}
}

func addTo(x, y *float64) { *y += *x }

func setTo(x, y *float64) { *y = 2**x + 1 }

func fromSix(x *[6]float64, y *float64) { *y = x[0] + 2*x[5] }

func toSix(x *float64, y *[6]float64) {
	for i := range y {
		y[i] += *x + float64(i)
	}
}

// sweep works on a whole column, and on the columns of its vertices.
func sweep(q []float64, x [][]float64, n *int) {
	for i := 1; i < len(q); i++ {
		q[i] += q[i-1]
	}
	for i := range x {
		q[0] += x[i][0] - x[i][len(x[i])-1] + float64(*n)
	}
}

// tally counts calls.
func tally(n *int32) { *n++ }

// ofCorners sets a cell to the mean of its corners.
func ofCorners(x *[6]float64, q *float64) { *q = (x[0] + x[1] + x[2] + x[3] + x[4] + x[5]) / 6 }

// toCorners gives each corner a sixth of a cell.
func toCorners(q *float64, to *[6]float64) {
	for i := range to {
		to[i] += *q / 6
	}
}

// state is a value of several numbers.
type state struct {
	N int32
	V [2]float64
}

// blend adds states to the corners of a cell, and sets its own to those of its lowest and its highest one.
func blend(x *[6]state, to *[6]state, own *[2]state) {
	for i := range to {
		to[i].N++
		to[i].V[1] += x[i].V[0]
	}
	own[0], own[1] = x[0], x[5]
}

func triple(x, y *float64) { *y = 3 * *x }

// couple adds what ties the cells on both sides of a facet.
func couple(x, y *[2]float64) {
	y[0] += x[0] - x[1]
	y[1] += x[1] - x[0]
}
