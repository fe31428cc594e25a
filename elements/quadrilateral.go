package elements

// QuadrilateralQ1 returns the four functions of a quadrilateral at (r, s): of the corners (0,0), (1,0),
// (1,1) and (0,1).
func QuadrilateralQ1(r, s float64) (n [4]float64, d [4][2]float64) {
	return [4]float64{(1 - r) * (1 - s), r * (1 - s), r * s, (1 - r) * s},
		[4][2]float64{{s - 1, r - 1}, {1 - s, -r}, {s, r}, {-s, 1 - r}}
}

// QuadrilateralQ2 returns the nine functions of a quadrilateral at (r, s): of the corners, of the middles
// of the edges from 0 to 1, 1 to 2, 2 to 3 and 3 to 0, and of the middle.
func QuadrilateralQ2(r, s float64) (n [9]float64, d [9][2]float64) {
	a, da := LineP2(r)
	b, db := LineP2(s)
	return [9]float64{
			a[0] * b[0], a[1] * b[0], a[1] * b[1], a[0] * b[1],
			a[2] * b[0], a[1] * b[2], a[2] * b[1], a[0] * b[2], a[2] * b[2],
		}, [9][2]float64{
			{da[0] * b[0], a[0] * db[0]}, {da[1] * b[0], a[1] * db[0]}, {da[1] * b[1], a[1] * db[1]}, {da[0] * b[1], a[0] * db[1]},
			{da[2] * b[0], a[2] * db[0]}, {da[1] * b[2], a[1] * db[2]}, {da[2] * b[1], a[2] * db[1]}, {da[0] * b[2], a[0] * db[2]},
			{da[2] * b[2], a[2] * db[2]},
		}
}

// GaussQuadrilateral4 is of degree 3: [GaussLine2] twice, r first.
func GaussQuadrilateral4(q int) (r, s, w float64) {
	r, wr := GaussLine2(q % 2)
	s, ws := GaussLine2(q / 2)
	return r, s, wr * ws
}

// GaussQuadrilateral9 is of degree 5: [GaussLine3] twice, r first.
func GaussQuadrilateral9(q int) (r, s, w float64) {
	r, wr := GaussLine3(q % 3)
	s, ws := GaussLine3(q / 3)
	return r, s, wr * ws
}
