package elements

// Gradients2 computes the gradients g of a plane cell's functions, from the cell's nodes x and the
// derivatives d of the functions that its nodes have, and returns the determinant of the derivatives of the
// place: the area at this point for one of the reference cell. Shapes: as many rows as the cell has nodes.
//
//	_, d := elements.TriangleP2(r, s)
//	var g [6][2]float64
//	det := elements.Gradients2(x[:], d[:], g[:])
func Gradients2(x, d, g [][2]float64) (det float64) {
	var xr, xs, yr, ys float64 // the place by r and s
	for i := range d {
		xr += x[i][0] * d[i][0]
		xs += x[i][0] * d[i][1]
		yr += x[i][1] * d[i][0]
		ys += x[i][1] * d[i][1]
	}
	det = xr*ys - xs*yr
	rx, ry, sx, sy := ys/det, -xs/det, -yr/det, xr/det
	for i := range d {
		g[i][0] = d[i][0]*rx + d[i][1]*sx
		g[i][1] = d[i][0]*ry + d[i][1]*sy
	}
	return det
}

// Gradients3 is Gradients2 for a cell in space; the determinant is the volume for one of the reference cell.
func Gradients3(x, d, g [][3]float64) (det float64) {
	var xr, xs, xt, yr, ys, yt, zr, zs, zt float64 // the place by r, s and t
	for i := range d {
		xr += x[i][0] * d[i][0]
		xs += x[i][0] * d[i][1]
		xt += x[i][0] * d[i][2]
		yr += x[i][1] * d[i][0]
		ys += x[i][1] * d[i][1]
		yt += x[i][1] * d[i][2]
		zr += x[i][2] * d[i][0]
		zs += x[i][2] * d[i][1]
		zt += x[i][2] * d[i][2]
	}
	rx, ry, rz := ys*zt-yt*zs, xt*zs-xs*zt, xs*yt-xt*ys // by the place, times det
	sx, sy, sz := yt*zr-yr*zt, xr*zt-xt*zr, xt*yr-xr*yt
	tx, ty, tz := yr*zs-ys*zr, xs*zr-xr*zs, xr*ys-xs*yr
	det = xr*rx + xs*sx + xt*tx
	one := 1 / det
	for i := range d {
		g[i][0] = (d[i][0]*rx + d[i][1]*sx + d[i][2]*tx) * one
		g[i][1] = (d[i][0]*ry + d[i][1]*sy + d[i][2]*ty) * one
		g[i][2] = (d[i][0]*rz + d[i][1]*sz + d[i][2]*tz) * one
	}
	return det
}

// Normal2 returns the normal of an edge in the plane, from its nodes x and the derivatives d of their
// functions. It points to the right of the edge, out of the cell for an edge in the order of mesh's
// Kind.Facets, and is as long as the edge is at this point for one of the reference line.
func Normal2(x [][2]float64, d []float64) [2]float64 {
	var t [2]float64
	for i := range d {
		t[0] += x[i][0] * d[i]
		t[1] += x[i][1] * d[i]
	}
	return [2]float64{t[1], -t[0]}
}

// Normal3 returns the normal of a face in space, from its nodes x and the derivatives d of their functions.
// It points out of the cell for a face in the order of mesh's Kind.Facets, and its length is the area at
// this point for one of the reference cell.
func Normal3(x [][3]float64, d [][2]float64) [3]float64 {
	var u, v [3]float64
	for i := range d {
		for a := range 3 {
			u[a] += x[i][a] * d[i][0]
			v[a] += x[i][a] * d[i][1]
		}
	}
	return [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
}

// Value2 returns the sum of n[i] v[i] in the plane: the place of a point, if v are nodes and n the values
// of their functions, or the gradient of a field, if n are its values and v the gradients of the functions.
func Value2(n []float64, v [][2]float64) (sum [2]float64) {
	for i := range n {
		sum[0] += n[i] * v[i][0]
		sum[1] += n[i] * v[i][1]
	}
	return sum
}

// Value3 is Value2 in space.
func Value3(n []float64, v [][3]float64) (sum [3]float64) {
	for i := range n {
		sum[0] += n[i] * v[i][0]
		sum[1] += n[i] * v[i][1]
		sum[2] += n[i] * v[i][2]
	}
	return sum
}
