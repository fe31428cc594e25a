package potential

import (
	"math"

	"github.com/go-op2/op2/elements"
)

// Constants of the flow.
var (
	gm1         float64 = 0.4         // the ratio of specific heats, less one
	machSquared float64 = Mach * Mach // of the free stream
)

// slopes stores the gradients of the four bilinear functions of a cell at one of its four
// Gauss points. The result is the area that the point stands for.
func slopes(x *[4][2]float64, point int, g *[4][2]float64) float64 {
	r, s, w := elements.GaussQuadrilateral4(point)
	_, d := elements.QuadrilateralQ1(r, s)
	return w * elements.Gradients2(x[:], d[:], g[:])
}

// element adds a cell's part of Newton's matrix to k and of the residual to load: the
// integrals of ρ∇φ·∇N, and of its derivative by φ, where the density ρ depends on the
// speed.
func element(x *[4][2]float64, phi *[4]float64, k *[4][4]float64, load *[4]float64) {
	for point := range 4 {
		var s [4][2]float64
		area := slopes(x, point, &s)
		u, v := 0.0, 0.0
		for i := range 4 {
			u += s[i][0] * phi[i]
			v += s[i][1] * phi[i]
		}
		heat := 1 + 0.5*gm1*(machSquared-(u*u+v*v))
		rho := math.Pow(heat, 1/gm1)
		var flux [4]float64
		for i := range 4 {
			flux[i] = u*s[i][0] + v*s[i][1]
			load[i] += area * rho * flux[i]
		}
		for i := range 4 {
			for j := range 4 {
				k[i][j] += area * rho * (s[i][0]*s[j][0] + s[i][1]*s[j][1] - flux[i]*flux[j]/heat)
			}
		}
	}
}

// assemble adds a cell to the matrix and the residual.
func assemble(x *[4][2]float64, phi *[4]float64, k *[4][4]float64, load *[4]float64) {
	element(x, phi, k, load)
}

// keep stores a cell's matrix, which is symmetric, and adds to the residual.
func keep(x *[4][2]float64, phi *[4]float64, upper *[10]float64, load *[4]float64) {
	var k [4][4]float64
	element(x, phi, &k, load)
	*upper = [10]float64{
		k[0][0], k[0][1], k[0][2], k[0][3],
		k[1][1], k[1][2], k[1][3],
		k[2][2], k[2][3],
		k[3][3],
	}
}

// multiply adds the product of a cell's matrix and p.
func multiply(k *[10]float64, p, y *[4]float64) {
	y[0] += k[0]*p[0] + k[1]*p[1] + k[2]*p[2] + k[3]*p[3]
	y[1] += k[1]*p[0] + k[4]*p[1] + k[5]*p[2] + k[6]*p[3]
	y[2] += k[2]*p[0] + k[5]*p[1] + k[7]*p[2] + k[8]*p[3]
	y[3] += k[3]*p[0] + k[6]*p[1] + k[8]*p[2] + k[9]*p[3]
}

func clear(y *float64) { *y = 0 }

// freeStream computes the potential of the undisturbed flow, along the x axis.
func freeStream(x *[2]float64, phi *float64) {
	*phi = math.Sqrt(machSquared) * x[0]
}

// update takes Newton's step, and clears the residual for the next.
func update(phi, load, step, sum *float64) {
	*phi -= *step
	*load = 0
	*sum += *step * *step
}

// speed computes the flow speed at the center of a cell.
func speed(x *[4][2]float64, phi *[4]float64, result *float64) {
	u, v := 0.0, 0.0
	for point := range 4 {
		var s [4][2]float64
		slopes(x, point, &s)
		for i := range 4 {
			u += s[i][0] * phi[i] / 4
			v += s[i][1] * phi[i] / 4
		}
	}
	*result = math.Sqrt(u*u + v*v)
}
