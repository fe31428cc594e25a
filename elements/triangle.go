package elements

// TriangleP1 returns the three functions of a triangle at (r, s): of the corners (0,0), (1,0) and (0,1).
func TriangleP1(r, s float64) (n [3]float64, d [3][2]float64) {
	return [3]float64{1 - r - s, r, s}, [3][2]float64{{-1, -1}, {1, 0}, {0, 1}}
}

// TriangleP2 returns the six functions of a triangle at (r, s): of the corners, and of the middles of the
// edges from 0 to 1, 1 to 2 and 2 to 0.
func TriangleP2(r, s float64) (n [6]float64, d [6][2]float64) {
	o := 1 - r - s
	return [6]float64{o * (2*o - 1), r * (2*r - 1), s * (2*s - 1), 4 * o * r, 4 * r * s, 4 * s * o}, [6][2]float64{
		{1 - 4*o, 1 - 4*o}, {4*r - 1, 0}, {0, 4*s - 1},
		{4 * (o - r), -4 * r}, {4 * s, 4 * r}, {-4 * s, 4 * (o - s)},
	}
}

// TriangleP3 returns the ten functions of a triangle at (r, s): of the corners, of two nodes on each edge, from 0 to
// 1, 1 to 2 and 2 to 0, and of the middle.
func TriangleP3(r, s float64) (n [10]float64, d [10][2]float64) {
	o := 1 - r - s
	return [10]float64{
			cubic(o), cubic(r), cubic(s),
			edge(o, r), edge(r, o), edge(r, s), edge(s, r), edge(s, o), edge(o, s), 27 * o * r * s,
		}, [10][2]float64{
			{-cubicBy(o), -cubicBy(o)}, {cubicBy(r), 0}, {0, cubicBy(s)},
			{edgeBy2(o, r) - edgeBy1(o, r), -edgeBy1(o, r)}, {edgeBy1(r, o) - edgeBy2(r, o), -edgeBy2(r, o)},
			{edgeBy1(r, s), edgeBy2(r, s)}, {edgeBy2(s, r), edgeBy1(s, r)},
			{-edgeBy2(s, o), edgeBy1(s, o) - edgeBy2(s, o)}, {-edgeBy1(o, s), edgeBy2(o, s) - edgeBy1(o, s)},
			{27 * s * (o - r), 27 * r * (o - s)},
		}
}

// GaussTriangle3 is of degree 2. Source: G. Strang, G. J. Fix, "An analysis of the finite element method" (1973).
func GaussTriangle3(q int) (r, s, w float64) {
	r, s = atCorner2(q, 1.0/6)
	return r, s, 1.0 / 6
}

// GaussTriangle6 is of degree 4. Source: D. A. Dunavant, "High degree efficient symmetrical Gaussian quadrature
// rules for the triangle" (1985).
func GaussTriangle6(q int) (r, s, w float64) {
	far, w := 0.44594849091596488632, 0.11169079483900573285
	if q >= 3 {
		far, w = 0.09157621350977074346, 0.05497587182766093382
	}
	r, s = atCorner2(q%3, far)
	return r, s, w
}

// GaussTriangle12 is of degree 6. Source: D. A. Dunavant (1985), as GaussTriangle6.
func GaussTriangle12(q int) (r, s, w float64) {
	far, w := 0.24928674517091042129, 0.05839313786318968301
	if q >= 3 {
		far, w = 0.06308901449150222834, 0.02542245318510340846
	}
	r, s = atCorner2(q%3, far)
	if q >= 6 {
		const a, b, c = 0.05314504984481694735, 0.31035245103378440542, 1 - 0.05314504984481694735 - 0.31035245103378440542
		r, s, w = a, a, 0.04142553780918678760
		i := q % 3 // the corner whose coordinate is b
		j := (i + 1 + q/9) % 3
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
	}
	return r, s, w
}

// GaussTriangle16 is of degree 6: four points along s by four along each line of constant s, as q/4 and q%4 say in
// reverse order. Source: Gauss and Legendre, in collapsed coordinates.
func GaussTriangle16(q int) (r, s, w float64) {
	a, wa := GaussLine4(q / 4)
	s, ws := GaussLine4(q % 4)
	return a * (1 - s), s, wa * ws * (1 - s)
}

// atCorner2 returns the point of a triangle whose barycentric coordinates are far, but for that of corner q.
func atCorner2(q int, far float64) (r, s float64) {
	r, s = far, far
	if q == 1 {
		r = 1 - 2*far
	}
	if q == 2 {
		s = 1 - 2*far
	}
	return r, s
}
