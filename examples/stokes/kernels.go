package main

import (
	"math"

	"github.com/go-op2/op2/elements"
)

// viscosity is the fluid's, a const of the runtime: it may change between loops.
var viscosity = 1.0

// functions are those of a triangle at one point: the quadratic ones of the velocity in n, with gradients in g, the
// linear ones of the pressure in p.
type functions struct {
	n [6]float64
	g [6][2]float64
	p [3]float64
	x [2]float64 // the place
	w float64    // the area that the point stands for
}

// at returns the functions of a triangle at one of six points. Its nodes x are three corners and the middles of the sides
// between them; it may be curved.
func at(x *[6][2]float64, q int) (f functions) {
	r, s, w := elements.GaussTriangle6(q)
	n, d := elements.TriangleP2(r, s)
	f.w = w * elements.Gradients2(x[:], d[:], f.g[:])
	f.x = elements.Value2(n[:], x[:])
	f.n = n
	f.p, _ = elements.TriangleP1(r, s)
	return f
}

// unknowns are a triangle's: the velocity at its nodes, the pressure at its corners.
type unknowns struct {
	u [6][2]float64
	p [3]float64
}

// saddle adds a triangle's integrals of μ ∇Ni·∇Nj, for both components of the velocity, and of -Pk ∇·N, for the pressure, and
// transposed.
func saddle(x *[6][2]float64, k *[15][15]float64) {
	for q := range 6 {
		f := at(x, q)
		for i := range 6 {
			for j := range 6 {
				d := viscosity * f.w * (f.g[i][0]*f.g[j][0] + f.g[i][1]*f.g[j][1])
				k[2*i][2*j] += d
				k[2*i+1][2*j+1] += d
			}
			for l := range 3 {
				for c := range 2 {
					d := -f.w * f.p[l] * f.g[i][c]
					k[12+l][2*i+c] += d
					k[2*i+c][12+l] += d
				}
			}
		}
	}
}

// mass adds those of -Pk Pl / μ, which are like the matrix that is left for the pressure without the velocity.
func mass(x *[6][2]float64, m *[3][3]float64) {
	for q := range 6 {
		f := at(x, q)
		for k := range 3 {
			for l := range 3 {
				m[k][l] -= f.w * f.p[k] * f.p[l] / viscosity
			}
		}
	}
}

// lid sets the velocity of the lid of the cavity: at its ends, that of the walls.
func lid(x, u *[2]float64) {
	*u = [2]float64{1, 0}
	if x[0] == 0 || x[0] == 1 {
		u[0] = 0
	}
}

// parabola sets the velocity at both ends of the channel.
func parabola(x, u *[2]float64) { *u = [2]float64{1 - x[1]*x[1], 0} }

// atNodes computes the pressure at a triangle's nodes.
func atNodes(p *[3]float64, all *[6]float64) {
	*all = [6]float64{p[0], p[1], p[2], (p[0] + p[1]) / 2, (p[1] + p[2]) / 2, (p[2] + p[0]) / 2}
}

// exactVelocity and exactPressure are a known solution: the velocity is free of divergence, the pressure has the mean 0.
func exactVelocity(x, y float64) [2]float64 {
	return [2]float64{math.Cos(math.Pi*x) * math.Exp(y), math.Pi * math.Sin(math.Pi*x) * math.Exp(y)}
}

func exactPressure(x, y float64) float64 { return 10 * math.Cos(math.Pi*x) * math.Exp(y) }

// known sets the known velocity.
func known(x, u *[2]float64) { *u = exactVelocity(x[0], x[1]) }

// load adds a triangle's integrals of the force that the known solution needs, -μ Δu + ∇p.
func load(x *[6][2]float64, b *unknowns) {
	for q := range 6 {
		f := at(x, q)
		u := exactVelocity(f.x[0], f.x[1])
		p := exactPressure(f.x[0], f.x[1])
		force := [2]float64{
			(math.Pi*math.Pi-1)*viscosity*u[0] - 10*u[1],
			(math.Pi*math.Pi-1)*viscosity*u[1] + p,
		}
		for i := range 6 {
			for c := range 2 {
				b.u[i][c] += f.w * f.n[i] * force[c]
			}
		}
	}
}

// squareError adds a triangle's integrals of the squares of the errors of velocity and pressure, and of the latter itself,
// whose mean is not determined.
func squareError(x *[6][2]float64, found *unknowns, sum *[3]float64) {
	for q := range 6 {
		f := at(x, q)
		off := exactVelocity(f.x[0], f.x[1])
		for i := range 6 {
			off[0] -= f.n[i] * found.u[i][0]
			off[1] -= f.n[i] * found.u[i][1]
		}
		of := f.p[0]*found.p[0] + f.p[1]*found.p[1] + f.p[2]*found.p[2] - exactPressure(f.x[0], f.x[1])
		sum[0] += f.w * (off[0]*off[0] + off[1]*off[1])
		sum[1] += f.w * of * of
		sum[2] += f.w * of
	}
}
