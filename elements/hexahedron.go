package elements

// HexahedronQ1 returns the eight functions of a hexahedron at (r, s, t): of the corners (0,0,0), (1,0,0),
// (1,1,0), (0,1,0), and of those above them, at t = 1.
func HexahedronQ1(r, s, t float64) (n [8]float64, d [8][3]float64) {
	a, da := LineP1(r)
	b, db := LineP1(s)
	c, dc := LineP1(t)
	return [8]float64{
			a[0] * b[0] * c[0], a[1] * b[0] * c[0], a[1] * b[1] * c[0], a[0] * b[1] * c[0],
			a[0] * b[0] * c[1], a[1] * b[0] * c[1], a[1] * b[1] * c[1], a[0] * b[1] * c[1],
		}, [8][3]float64{
			{da[0] * b[0] * c[0], a[0] * db[0] * c[0], a[0] * b[0] * dc[0]},
			{da[1] * b[0] * c[0], a[1] * db[0] * c[0], a[1] * b[0] * dc[0]},
			{da[1] * b[1] * c[0], a[1] * db[1] * c[0], a[1] * b[1] * dc[0]},
			{da[0] * b[1] * c[0], a[0] * db[1] * c[0], a[0] * b[1] * dc[0]},
			{da[0] * b[0] * c[1], a[0] * db[0] * c[1], a[0] * b[0] * dc[1]},
			{da[1] * b[0] * c[1], a[1] * db[0] * c[1], a[1] * b[0] * dc[1]},
			{da[1] * b[1] * c[1], a[1] * db[1] * c[1], a[1] * b[1] * dc[1]},
			{da[0] * b[1] * c[1], a[0] * db[1] * c[1], a[0] * b[1] * dc[1]},
		}
}

// HexahedronQ2 returns the 27 functions of a hexahedron at (r, s, t): of the corners, of the middles of the
// edges from 0 to 1, 1 to 2, 2 to 3, 3 to 0, the same above, and upwards from 0, 1, 2 and 3, of the middles
// of the faces r = 0, r = 1, s = 0, s = 1, t = 0 and t = 1, and of the middle.
func HexahedronQ2(r, s, t float64) (n [27]float64, d [27][3]float64) {
	a, da := LineP2(r)
	b, db := LineP2(s)
	c, dc := LineP2(t)
	return [27]float64{
			a[0] * b[0] * c[0], a[1] * b[0] * c[0], a[1] * b[1] * c[0], a[0] * b[1] * c[0],
			a[0] * b[0] * c[1], a[1] * b[0] * c[1], a[1] * b[1] * c[1], a[0] * b[1] * c[1],
			a[2] * b[0] * c[0], a[1] * b[2] * c[0], a[2] * b[1] * c[0], a[0] * b[2] * c[0],
			a[2] * b[0] * c[1], a[1] * b[2] * c[1], a[2] * b[1] * c[1], a[0] * b[2] * c[1],
			a[0] * b[0] * c[2], a[1] * b[0] * c[2], a[1] * b[1] * c[2], a[0] * b[1] * c[2],
			a[0] * b[2] * c[2], a[1] * b[2] * c[2], a[2] * b[0] * c[2], a[2] * b[1] * c[2],
			a[2] * b[2] * c[0], a[2] * b[2] * c[1], a[2] * b[2] * c[2],
		}, [27][3]float64{
			{da[0] * b[0] * c[0], a[0] * db[0] * c[0], a[0] * b[0] * dc[0]},
			{da[1] * b[0] * c[0], a[1] * db[0] * c[0], a[1] * b[0] * dc[0]},
			{da[1] * b[1] * c[0], a[1] * db[1] * c[0], a[1] * b[1] * dc[0]},
			{da[0] * b[1] * c[0], a[0] * db[1] * c[0], a[0] * b[1] * dc[0]},
			{da[0] * b[0] * c[1], a[0] * db[0] * c[1], a[0] * b[0] * dc[1]},
			{da[1] * b[0] * c[1], a[1] * db[0] * c[1], a[1] * b[0] * dc[1]},
			{da[1] * b[1] * c[1], a[1] * db[1] * c[1], a[1] * b[1] * dc[1]},
			{da[0] * b[1] * c[1], a[0] * db[1] * c[1], a[0] * b[1] * dc[1]},
			{da[2] * b[0] * c[0], a[2] * db[0] * c[0], a[2] * b[0] * dc[0]},
			{da[1] * b[2] * c[0], a[1] * db[2] * c[0], a[1] * b[2] * dc[0]},
			{da[2] * b[1] * c[0], a[2] * db[1] * c[0], a[2] * b[1] * dc[0]},
			{da[0] * b[2] * c[0], a[0] * db[2] * c[0], a[0] * b[2] * dc[0]},
			{da[2] * b[0] * c[1], a[2] * db[0] * c[1], a[2] * b[0] * dc[1]},
			{da[1] * b[2] * c[1], a[1] * db[2] * c[1], a[1] * b[2] * dc[1]},
			{da[2] * b[1] * c[1], a[2] * db[1] * c[1], a[2] * b[1] * dc[1]},
			{da[0] * b[2] * c[1], a[0] * db[2] * c[1], a[0] * b[2] * dc[1]},
			{da[0] * b[0] * c[2], a[0] * db[0] * c[2], a[0] * b[0] * dc[2]},
			{da[1] * b[0] * c[2], a[1] * db[0] * c[2], a[1] * b[0] * dc[2]},
			{da[1] * b[1] * c[2], a[1] * db[1] * c[2], a[1] * b[1] * dc[2]},
			{da[0] * b[1] * c[2], a[0] * db[1] * c[2], a[0] * b[1] * dc[2]},
			{da[0] * b[2] * c[2], a[0] * db[2] * c[2], a[0] * b[2] * dc[2]},
			{da[1] * b[2] * c[2], a[1] * db[2] * c[2], a[1] * b[2] * dc[2]},
			{da[2] * b[0] * c[2], a[2] * db[0] * c[2], a[2] * b[0] * dc[2]},
			{da[2] * b[1] * c[2], a[2] * db[1] * c[2], a[2] * b[1] * dc[2]},
			{da[2] * b[2] * c[0], a[2] * db[2] * c[0], a[2] * b[2] * dc[0]},
			{da[2] * b[2] * c[1], a[2] * db[2] * c[1], a[2] * b[2] * dc[1]},
			{da[2] * b[2] * c[2], a[2] * db[2] * c[2], a[2] * b[2] * dc[2]},
		}
}

// GaussHexahedron8 is of degree 3: [GaussLine2] three times, r first and t last. It serves pyramids, too.
func GaussHexahedron8(q int) (r, s, t, w float64) {
	r, s, ws := GaussQuadrilateral4(q % 4)
	t, wt := GaussLine2(q / 4)
	return r, s, t, ws * wt
}

// GaussHexahedron27 is of degree 5: [GaussLine3] three times, r first and t last. It serves pyramids, too.
func GaussHexahedron27(q int) (r, s, t, w float64) {
	r, s, ws := GaussQuadrilateral9(q % 9)
	t, wt := GaussLine3(q / 9)
	return r, s, t, ws * wt
}
