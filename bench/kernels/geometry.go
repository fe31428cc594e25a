package kernels

import "math"

// triangleArea computes half the cross product of two sides.
func triangleArea(x *[3][2]float64, area *float64) {
	*area = 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
}

// edgeNormal computes the unit normal and the length of an edge.
func edgeNormal(a, b *[2]float64, n *[3]float64) {
	dx, dy := b[0]-a[0], b[1]-a[1]
	length := math.Sqrt(dx*dx + dy*dy)
	n[0] = dy / length
	n[1] = -dx / length
	n[2] = length
}

// circumcenter computes the center and the radius of the circle through a triangle's corners.
func circumcenter(x *[3][2]float64, center *[3]float64) {
	bx, by := x[1][0]-x[0][0], x[1][1]-x[0][1]
	cx, cy := x[2][0]-x[0][0], x[2][1]-x[0][1]
	d := 0.5 / (bx*cy - by*cx)
	b2, c2 := bx*bx+by*by, cx*cx+cy*cy
	ux, uy := (cy*b2-by*c2)*d, (bx*c2-cx*b2)*d
	center[0] = x[0][0] + ux
	center[1] = x[0][1] + uy
	center[2] = math.Sqrt(ux*ux + uy*uy)
}

// quality compares a triangle with the equilateral one: 1 is best.
func quality(x *[3][2]float64, q *float64) {
	s := 0.0
	for i := range 3 {
		j := (i + 1) % 3
		dx, dy := x[j][0]-x[i][0], x[j][1]-x[i][1]
		s += dx*dx + dy*dy
	}
	d := (x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])
	*q = 2 * math.Sqrt(3) * d / s
}

// worstQuality keeps the lowest quality.
func worstQuality(x *[3][2]float64, worst *float64) {
	var q float64
	quality(x, &q)
	*worst = min(*worst, q)
}

// volume6 returns six times the volume of a tetrahedron.
func volume6(a, b, c, d *[3]float64) float64 {
	bx, by, bz := b[0]-a[0], b[1]-a[1], b[2]-a[2]
	cx, cy, cz := c[0]-a[0], c[1]-a[1], c[2]-a[2]
	dx, dy, dz := d[0]-a[0], d[1]-a[1], d[2]-a[2]
	return bx*(cy*dz-cz*dy) - by*(cx*dz-cz*dx) + bz*(cx*dy-cy*dx)
}

// tetVolume computes the volume of each tetrahedron.
func tetVolume(a, b, c, d *[3]float64, v *float64) { *v = volume6(a, b, c, d) / 6 }

// wedgeVolume computes the volume of a prism as three tetrahedra.
func wedgeVolume(x *[6][3]float64, v *float64) {
	*v = (volume6(&x[0], &x[1], &x[2], &x[3]) + volume6(&x[1], &x[2], &x[3], &x[4]) + volume6(&x[2], &x[3], &x[4], &x[5])) / 6
}

// pyramidVolume computes the volume of a pyramid over a quadrilateral.
func pyramidVolume(x *[5][3]float64, v *float64) {
	*v = (volume6(&x[0], &x[1], &x[2], &x[4]) + volume6(&x[0], &x[2], &x[3], &x[4])) / 6
}

// hexVolume computes the volume of a hexahedron by its long diagonal (Grandy, 1997).
func hexVolume(x *[8][3]float64, v *float64) {
	*v = (volume6(&x[0], &x[1], &x[2], &x[6]) + volume6(&x[0], &x[2], &x[3], &x[6]) + volume6(&x[0], &x[3], &x[7], &x[6]) +
		volume6(&x[0], &x[7], &x[4], &x[6]) + volume6(&x[0], &x[4], &x[5], &x[6]) + volume6(&x[0], &x[5], &x[1], &x[6])) / 6
}

// faceArea computes the vector area of a quadrilateral in space, and its center.
func faceArea(x *[4][3]float64, area, center *[3]float64) {
	var p, q [3]float64
	for i := range 3 {
		p[i] = x[2][i] - x[0][i]
		q[i] = x[3][i] - x[1][i]
		center[i] = 0.25 * (x[0][i] + x[1][i] + x[2][i] + x[3][i])
	}
	area[0] = 0.5 * (p[1]*q[2] - p[2]*q[1])
	area[1] = 0.5 * (p[2]*q[0] - p[0]*q[2])
	area[2] = 0.5 * (p[0]*q[1] - p[1]*q[0])
}

// vertexNormals adds the normals of faces, scaled to unit length, to their vertices.
func vertexNormals(x, normals *[4][3]float64) {
	var area, center [3]float64
	faceArea(x, &area, &center)
	s := 1 / math.Sqrt(area[0]*area[0]+area[1]*area[1]+area[2]*area[2])
	for i := range 4 {
		for j := range 3 {
			normals[i][j] += s * area[j]
		}
	}
}

// dihedralAngle computes the smallest angle between two faces of a tetrahedron that share a
// side of its first corner.
func dihedralAngle(x *[4][3]float64, angle *float64) {
	var n [3][3]float64
	for f := range 3 {
		a, b := x[1+f], x[1+(f+1)%3]
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			n[f][i] = (a[j]-x[0][j])*(b[k]-x[0][k]) - (a[k]-x[0][k])*(b[j]-x[0][j])
		}
	}
	smallest := math.Pi
	for f := range 3 {
		g := (f + 1) % 3
		dot := n[f][0]*n[g][0] + n[f][1]*n[g][1] + n[f][2]*n[g][2]
		ff := n[f][0]*n[f][0] + n[f][1]*n[f][1] + n[f][2]*n[f][2]
		gg := n[g][0]*n[g][0] + n[g][1]*n[g][1] + n[g][2]*n[g][2]
		smallest = math.Min(smallest, math.Acos(-dot/math.Sqrt(ff*gg)))
	}
	*angle = smallest
}

// inside determines whether a point lies in a triangle, and its barycentric coordinates.
func inside(x *[3][2]float64, p *[2]float64, where *[3]float64, in *int32) {
	d := (x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])
	a := ((x[1][0]-p[0])*(x[2][1]-p[1]) - (x[2][0]-p[0])*(x[1][1]-p[1])) / d
	b := ((x[2][0]-p[0])*(x[0][1]-p[1]) - (x[0][0]-p[0])*(x[2][1]-p[1])) / d
	where[0] = a
	where[1] = b
	where[2] = 1 - a - b
	*in = 0
	if a >= 0 && b >= 0 && a+b <= 1 {
		*in = 1
	}
}

// boundingBox keeps the lowest and the highest coordinates.
func boundingBox(x, low, high *[3]float64) {
	for i := range 3 {
		low[i] = math.Min(low[i], x[i])
		high[i] = math.Max(high[i], x[i])
	}
}

// rotate turns points around an axis by a rotation that all share.
func rotate(r *[9]float64, x, y *[3]float64) {
	for i := range 3 {
		y[i] = r[3*i]*x[0] + r[3*i+1]*x[1] + r[3*i+2]*x[2]
	}
}
