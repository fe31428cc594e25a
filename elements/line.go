package elements

// LineP1 returns the two functions of a line at r: node i is at r = i.
func LineP1(r float64) (n, d [2]float64) {
	return [2]float64{1 - r, r}, [2]float64{-1, 1}
}

// LineP2 returns the three functions of a line at r: of its ends, and of its middle.
func LineP2(r float64) (n, d [3]float64) {
	return [3]float64{(1 - r) * (1 - 2*r), r * (2*r - 1), 4 * r * (1 - r)}, [3]float64{4*r - 3, 4*r - 1, 4 - 8*r}
}

// LineP3 returns the four functions of a line at r: of its ends, and of the nodes at 1/3 and 2/3.
func LineP3(r float64) (n, d [4]float64) {
	o := 1 - r
	n = [4]float64{cubic(o), cubic(r), edge(o, r), edge(r, o)}
	return n, [4]float64{-cubicBy(o), cubicBy(r), edgeBy2(o, r) - edgeBy1(o, r), edgeBy1(r, o) - edgeBy2(r, o)}
}

// cubic is the function of a corner of a cubic simplex whose barycentric coordinate is a, and cubicBy is
// its derivative.
func cubic(a float64) float64   { return a * (3*a - 1) * (3*a - 2) / 2 }
func cubicBy(a float64) float64 { return 13.5*a*a - 9*a + 1 }

// edge is the function of the node on an edge of a cubic simplex that is near the corner whose coordinate
// is a; b is that of the other end. edgeBy1 and edgeBy2 are its derivatives by a and b.
func edge(a, b float64) float64    { return 4.5 * a * b * (3*a - 1) }
func edgeBy1(a, b float64) float64 { return 4.5 * b * (6*a - 1) }
func edgeBy2(a, _ float64) float64 { return 4.5 * a * (3*a - 1) }

// GaussLine2 is of degree 3. Source: Gauss and Legendre.
func GaussLine2(q int) (r, w float64) {
	return 0.5 + (float64(q)-0.5)*0.57735026918962576451, 0.5 // 1/√3
}

// GaussLine3 is of degree 5. Source: Gauss and Legendre.
func GaussLine3(q int) (r, w float64) {
	r, w = 0.5+(float64(q)-1)*0.38729833462074168852, 5.0/18 // √0.15
	if q == 1 {
		w = 8.0 / 18
	}
	return r, w
}

// GaussLine4 is of degree 7. Source: Gauss and Legendre.
func GaussLine4(q int) (r, w float64) {
	r, w = 0.06943184420297371239, 0.17392742256872692869
	if q == 1 || q == 2 {
		r, w = 0.33000947820757186760, 0.32607257743127307131
	}
	if q > 1 {
		r = 1 - r
	}
	return r, w
}
