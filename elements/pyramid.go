package elements

// PyramidP1 returns the five functions of a pyramid at (r, s, t): of the corners (0,0,0), (1,0,0), (1,1,0)
// and (0,1,0), and of the apex, where t = 1. In real coordinates they are polynomials of degree 1 on each
// face, rational functions inside. [GaussHexahedron8] integrates functions of degree 1 exactly,
// [GaussHexahedron27] of degree 3. At the apex itself there are no gradients.
func PyramidP1(r, s, t float64) (n [5]float64, d [5][3]float64) {
	b, db := QuadrilateralQ1(r, s)
	o := 1 - t
	return [5]float64{b[0] * o, b[1] * o, b[2] * o, b[3] * o, t}, [5][3]float64{
		{db[0][0] * o, db[0][1] * o, -b[0]}, {db[1][0] * o, db[1][1] * o, -b[1]},
		{db[2][0] * o, db[2][1] * o, -b[2]}, {db[3][0] * o, db[3][1] * o, -b[3]}, {0, 0, 1},
	}
}
