package elements

// PrismP1 returns the six functions of a prism at (r, s, t): of the corners of the triangle t = 0, then of
// t = 1. They are products of those of [TriangleP1] and [LineP1].
func PrismP1(r, s, t float64) (n [6]float64, d [6][3]float64) {
	a, da := TriangleP1(r, s)
	c, dc := LineP1(t)
	return [6]float64{a[0] * c[0], a[1] * c[0], a[2] * c[0], a[0] * c[1], a[1] * c[1], a[2] * c[1]}, [6][3]float64{
		{da[0][0] * c[0], da[0][1] * c[0], a[0] * dc[0]}, {da[1][0] * c[0], da[1][1] * c[0], a[1] * dc[0]},
		{da[2][0] * c[0], da[2][1] * c[0], a[2] * dc[0]}, {da[0][0] * c[1], da[0][1] * c[1], a[0] * dc[1]},
		{da[1][0] * c[1], da[1][1] * c[1], a[1] * dc[1]}, {da[2][0] * c[1], da[2][1] * c[1], a[2] * dc[1]},
	}
}

// PrismP2 returns the 18 functions of a prism at (r, s, t): of the corners, of the middles of the edges of
// the triangle t = 0, of t = 1, and of the edges upwards, and of the middles of the quadrilaterals on the
// edges from 0 to 1, 1 to 2 and 2 to 0. They are products of those of [TriangleP2] and [LineP2].
func PrismP2(r, s, t float64) (n [18]float64, d [18][3]float64) {
	a, da := TriangleP2(r, s)
	c, dc := LineP2(t)
	return [18]float64{
			a[0] * c[0], a[1] * c[0], a[2] * c[0], a[0] * c[1], a[1] * c[1], a[2] * c[1],
			a[3] * c[0], a[4] * c[0], a[5] * c[0], a[3] * c[1], a[4] * c[1], a[5] * c[1],
			a[0] * c[2], a[1] * c[2], a[2] * c[2], a[3] * c[2], a[4] * c[2], a[5] * c[2],
		}, [18][3]float64{
			{da[0][0] * c[0], da[0][1] * c[0], a[0] * dc[0]}, {da[1][0] * c[0], da[1][1] * c[0], a[1] * dc[0]},
			{da[2][0] * c[0], da[2][1] * c[0], a[2] * dc[0]}, {da[0][0] * c[1], da[0][1] * c[1], a[0] * dc[1]},
			{da[1][0] * c[1], da[1][1] * c[1], a[1] * dc[1]}, {da[2][0] * c[1], da[2][1] * c[1], a[2] * dc[1]},
			{da[3][0] * c[0], da[3][1] * c[0], a[3] * dc[0]}, {da[4][0] * c[0], da[4][1] * c[0], a[4] * dc[0]},
			{da[5][0] * c[0], da[5][1] * c[0], a[5] * dc[0]}, {da[3][0] * c[1], da[3][1] * c[1], a[3] * dc[1]},
			{da[4][0] * c[1], da[4][1] * c[1], a[4] * dc[1]}, {da[5][0] * c[1], da[5][1] * c[1], a[5] * dc[1]},
			{da[0][0] * c[2], da[0][1] * c[2], a[0] * dc[2]}, {da[1][0] * c[2], da[1][1] * c[2], a[1] * dc[2]},
			{da[2][0] * c[2], da[2][1] * c[2], a[2] * dc[2]}, {da[3][0] * c[2], da[3][1] * c[2], a[3] * dc[2]},
			{da[4][0] * c[2], da[4][1] * c[2], a[4] * dc[2]}, {da[5][0] * c[2], da[5][1] * c[2], a[5] * dc[2]},
		}
}

// GaussPrism6 is of degree 2: [GaussTriangle3] by [GaussLine2].
func GaussPrism6(q int) (r, s, t, w float64) {
	r, s, ws := GaussTriangle3(q % 3)
	t, wt := GaussLine2(q / 3)
	return r, s, t, ws * wt
}

// GaussPrism18 is of degree 4: [GaussTriangle6] by [GaussLine3].
func GaussPrism18(q int) (r, s, t, w float64) {
	r, s, ws := GaussTriangle6(q % 6)
	t, wt := GaussLine3(q / 6)
	return r, s, t, ws * wt
}
