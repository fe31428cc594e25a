package elements_test

import "github.com/go-op2/op2/elements"

// The kernels sum over the points of each formula some products of values and derivatives, so that all
// functions of the package run on all backends.

func lines(x *[2]float64, sum *[3]float64) {
	for q := range 2 {
		r, w := elements.GaussLine2(q)
		n, d := elements.LineP1(r * x[0])
		sum[0] += w * (n[0]*n[1] + d[0]*x[1])
	}
	for q := range 3 {
		r, w := elements.GaussLine3(q)
		n, d := elements.LineP2(r * x[0])
		sum[1] += w * (n[0]*n[1] + d[0]*x[1] + d[2]*n[2])
	}
	for q := range 4 {
		r, w := elements.GaussLine4(q)
		n, d := elements.LineP3(r * x[0])
		sum[2] += w * (n[0]*n[1] + d[0]*x[1] + d[2]*n[2] + d[3]*n[3])
	}
}

func triangles(x *[3][2]float64, sum *[4]float64) {
	for q := range 3 {
		r, s, w := elements.GaussTriangle3(q)
		_, d := elements.TriangleP1(r, s)
		var g [3][2]float64
		det := elements.Gradients2(x[:], d[:], g[:])
		sum[0] += w * det * (g[0][0]*g[0][0] + g[1][1]*g[2][1])
	}
	var six [6][2]float64
	for i := range 3 {
		six[i] = x[i]
		six[i+3] = [2]float64{(x[i][0]+x[(i+1)%3][0])/2 + 0.01*x[i][0], (x[i][1] + x[(i+1)%3][1]) / 2}
	}
	for q := range 6 {
		r, s, w := elements.GaussTriangle6(q)
		n, d := elements.TriangleP2(r, s)
		var g [6][2]float64
		det := elements.Gradients2(six[:], d[:], g[:])
		place := elements.Value2(n[:], six[:])
		sum[1] += w * det * (g[0][0]*g[4][1] + place[0]*n[5])
	}
	for q := range 12 {
		r, s, w := elements.GaussTriangle12(q)
		n, d := elements.TriangleP3(r, s)
		sum[2] += w * (n[0]*n[9] + d[3][0]*d[8][1]) * x[0][0]
	}
	for q := range 16 {
		r, s, w := elements.GaussTriangle16(q)
		n, d := elements.TriangleP3(r, s)
		sum[3] += w * (n[1]*n[4] + d[5][0]*d[7][1]) * x[0][0]
	}
}

func quadrilaterals(x *[4][2]float64, sum *[3]float64) {
	for q := range 4 {
		r, s, w := elements.GaussQuadrilateral4(q)
		_, d := elements.QuadrilateralQ1(r, s)
		var g [4][2]float64
		det := elements.Gradients2(x[:], d[:], g[:])
		sum[0] += w * det * (g[0][0]*g[0][0] + g[1][1]*g[3][1])
	}
	for q := range 9 {
		r, s, w := elements.GaussQuadrilateral9(q)
		n, d := elements.QuadrilateralQ2(r, s)
		sum[1] += w * x[2][0] * (n[4]*n[8] + d[1][0]*d[7][1])
	}
	for q := range 3 {
		r, w := elements.GaussLine3(q)
		n, d := elements.LineP1(r)
		ends := [2][2]float64{x[0], x[1]}
		normal := elements.Normal2(ends[:], d[:])
		sum[2] += w * n[0] * (normal[0] - 2*normal[1])
	}
}

func volumes(x *[3]float64, sum *[7]float64) {
	corners := [4][3]float64{{0, 0, 0}, {x[0], 0, 0.1}, {0, x[1], 0}, {0.2, 0, x[2]}}
	for q := range 4 {
		r, s, t, w := elements.GaussTetrahedron4(q)
		n, d := elements.TetrahedronP1(r, s, t)
		var g [4][3]float64
		det := elements.Gradients3(corners[:], d[:], g[:])
		sum[0] += w * det * (g[0][0]*g[3][2] + elements.Value3(n[:], corners[:])[1])
	}
	for q := range 14 {
		r, s, t, w := elements.GaussTetrahedron14(q)
		n, d := elements.TetrahedronP2(r, s, t)
		sum[1] += w * x[0] * (n[0]*n[9] + d[4][0]*d[6][1]*d[7][2])
	}
	for q := range 24 {
		r, s, t, w := elements.GaussTetrahedron24(q)
		n, d := elements.TetrahedronP3(r, s, t)
		sum[2] += w * x[0] * (n[0]*n[19] + d[4][0]*d[16][1]*d[18][2])
	}
	for q := range 8 {
		r, s, t, w := elements.GaussHexahedron8(q)
		n, d := elements.HexahedronQ1(r, s, t)
		p, dp := elements.PyramidP1(r, s, t)
		sum[3] += w * x[0] * (n[0]*n[7] + d[4][0]*d[6][1]*d[7][2] + p[4]*dp[0][0]*dp[2][1]*dp[4][2])
	}
	for q := range 27 {
		r, s, t, w := elements.GaussHexahedron27(q)
		n, d := elements.HexahedronQ2(r, s, t)
		sum[4] += w * x[0] * (n[0]*n[26] + d[4][0]*d[16][1]*d[24][2])
	}
	for q := range 6 {
		r, s, t, w := elements.GaussPrism6(q)
		n, d := elements.PrismP1(r, s, t)
		sum[5] += w * x[0] * (n[0]*n[5] + d[4][0]*d[5][1]*d[3][2])
	}
	face := [3][3]float64{corners[1], corners[2], corners[3]}
	_, slopes := elements.TriangleP1(0, 0)
	normal := elements.Normal3(face[:], slopes[:])
	for q := range 18 {
		r, s, t, w := elements.GaussPrism18(q)
		n, d := elements.PrismP2(r, s, t)
		sum[6] += w * normal[q%3] * (n[0]*n[17] + d[4][0]*d[13][1]*d[15][2])
	}
}
