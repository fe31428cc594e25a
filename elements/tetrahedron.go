package elements

// TetrahedronP1 returns the four functions of a tetrahedron at (r, s, t): of the corners (0,0,0), (1,0,0),
// (0,1,0) and (0,0,1).
func TetrahedronP1(r, s, t float64) (n [4]float64, d [4][3]float64) {
	return [4]float64{1 - r - s - t, r, s, t}, [4][3]float64{{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
}

// TetrahedronP2 returns the ten functions of a tetrahedron at (r, s, t): of the corners, and of the middles
// of the edges from 0 to 1, 1 to 2, 2 to 0, 0 to 3, 1 to 3 and 2 to 3.
func TetrahedronP2(r, s, t float64) (n [10]float64, d [10][3]float64) {
	o := 1 - r - s - t
	return [10]float64{
			o * (2*o - 1), r * (2*r - 1), s * (2*s - 1), t * (2*t - 1),
			4 * o * r, 4 * r * s, 4 * s * o, 4 * o * t, 4 * r * t, 4 * s * t,
		}, [10][3]float64{
			{1 - 4*o, 1 - 4*o, 1 - 4*o}, {4*r - 1, 0, 0}, {0, 4*s - 1, 0}, {0, 0, 4*t - 1},
			{4 * (o - r), -4 * r, -4 * r}, {4 * s, 4 * r, 0}, {-4 * s, 4 * (o - s), -4 * s},
			{-4 * t, -4 * t, 4 * (o - t)}, {4 * t, 0, 4 * r}, {0, 4 * t, 4 * s},
		}
}

// TetrahedronP3 returns the twenty functions of a tetrahedron at (r, s, t): of the corners, of two nodes on
// each edge, directed as in [TetrahedronP2], and of the middles of the faces in the order of mesh's
// Kind.Facets: opposite the corners 3, 2, 0 and 1.
func TetrahedronP3(r, s, t float64) (n [20]float64, d [20][3]float64) {
	o := 1 - r - s - t
	return [20]float64{
			cubic(o), cubic(r), cubic(s), cubic(t),
			edge(o, r), edge(r, o), edge(r, s), edge(s, r), edge(s, o), edge(o, s),
			edge(o, t), edge(t, o), edge(r, t), edge(t, r), edge(s, t), edge(t, s),
			27 * o * r * s, 27 * o * r * t, 27 * r * s * t, 27 * o * s * t,
		}, [20][3]float64{
			{-cubicBy(o), -cubicBy(o), -cubicBy(o)}, {cubicBy(r), 0, 0}, {0, cubicBy(s), 0}, {0, 0, cubicBy(t)},
			{edgeBy2(o, r) - edgeBy1(o, r), -edgeBy1(o, r), -edgeBy1(o, r)}, {edgeBy1(r, o) - edgeBy2(r, o), -edgeBy2(r, o), -edgeBy2(r, o)},
			{edgeBy1(r, s), edgeBy2(r, s), 0}, {edgeBy2(s, r), edgeBy1(s, r), 0},
			{-edgeBy2(s, o), edgeBy1(s, o) - edgeBy2(s, o), -edgeBy2(s, o)}, {-edgeBy1(o, s), edgeBy2(o, s) - edgeBy1(o, s), -edgeBy1(o, s)},
			{-edgeBy1(o, t), -edgeBy1(o, t), edgeBy2(o, t) - edgeBy1(o, t)}, {-edgeBy2(t, o), -edgeBy2(t, o), edgeBy1(t, o) - edgeBy2(t, o)},
			{edgeBy1(r, t), 0, edgeBy2(r, t)}, {edgeBy2(t, r), 0, edgeBy1(t, r)},
			{0, edgeBy1(s, t), edgeBy2(s, t)}, {0, edgeBy2(t, s), edgeBy1(t, s)},
			{27 * s * (o - r), 27 * r * (o - s), -27 * r * s}, {27 * t * (o - r), -27 * r * t, 27 * r * (o - t)},
			{27 * s * t, 27 * r * t, 27 * r * s}, {-27 * s * t, 27 * t * (o - s), 27 * s * (o - t)},
		}
}

// GaussTetrahedron4 is of degree 2. Source: P. Keast, "Moderate-degree tetrahedral quadrature formulas" (1986).
func GaussTetrahedron4(q int) (r, s, t, w float64) {
	r, s, t = atCorner3(q, 0.13819660112501051518)
	return r, s, t, 1.0 / 24
}

// GaussTetrahedron14 is of degree 5. Source: N. J. Walkington, "Quadrature on simplices of arbitrary
// dimension" (2000).
func GaussTetrahedron14(q int) (r, s, t, w float64) {
	far, w := 0.31088591926330060980, 0.01878132095300264180
	if q >= 4 {
		far, w = 0.09273525031089122640, 0.01224884051939365826
	}
	r, s, t = atCorner3(q%4, far)
	if q >= 8 { // two coordinates are b
		const a, b = 0.04550370412564964949, 0.5 - 0.04550370412564964949
		r, s, t, w = a, a, a, 0.00709100346284691107
		if q == 8 || q == 11 || q == 12 {
			r = b
		}
		if q == 9 || q == 11 || q == 13 {
			s = b
		}
		if q == 10 || q == 12 || q == 13 {
			t = b
		}
	}
	return r, s, t, w
}

// GaussTetrahedron24 is of degree 6. Source: P. Keast (1986), as GaussTetrahedron4.
func GaussTetrahedron24(q int) (r, s, t, w float64) {
	far, w := 0.21460287125915202929, 0.00665379170969458202
	if q >= 4 {
		far, w = 0.04067395853461135312, 0.00167953517588677382
	}
	if q >= 8 {
		far, w = 0.32233789014227551034, 0.00922619692394245368
	}
	r, s, t = atCorner3(q%4, far)
	if q >= 12 {
		const a, b, c = 0.06366100187501752530, 0.26967233145831580803, 1 - 2*0.06366100187501752530 - 0.26967233145831580803
		r, s, t, w = a, a, a, 27.0/3360
		i := q % 4 // the corner whose coordinate is b
		j := (i + q/4 - 2) % 4
		if i == 1 {
			r = b
		}
		if j == 1 {
			r = c
		}
		if i == 2 {
			s = b
		}
		if j == 2 {
			s = c
		}
		if i == 3 {
			t = b
		}
		if j == 3 {
			t = c
		}
	}
	return r, s, t, w
}

// atCorner3 returns the point of a tetrahedron whose barycentric coordinates are far, but for that of corner q.
func atCorner3(q int, far float64) (r, s, t float64) {
	r, s, t = far, far, far
	if q == 1 {
		r = 1 - 3*far
	}
	if q == 2 {
		s = 1 - 3*far
	}
	if q == 3 {
		t = 1 - 3*far
	}
	return r, s, t
}
