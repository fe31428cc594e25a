// Code generated from degree3.go by go generate. DO NOT EDIT.

package main

import (
	"math"

	"github.com/go-op2/op2/elements"
)

// Kernels for polynomials of degree 2.

// modes2 is the number of polynomials. The unknowns of a cell are their factors for pressure and the
// velocity's two components, 3 for each.
const modes2 = 6

// basis2 returns the values of the polynomials in (r, s).
func basis2(r, s float64) [modes2]float64 {
	all := basis(r, s)
	var f [modes2]float64
	for i := range modes2 {
		f[i] = all[i]
	}
	return f
}

// sum2 returns pressure and velocity where the polynomials have the values f.
func sum2(u *[3 * modes2]float64, f *[modes2]float64) (p, vx, vy float64) {
	for i := range modes2 {
		p += f[i] * u[3*i]
		vx += f[i] * u[3*i+1]
		vy += f[i] * u[3*i+2]
	}
	return p, vx, vy
}

// project2 computes the polynomials that come closest to given values at the 16 points.
func project2(values *[48]float64, u *[3 * modes2]float64) {
	var sum [3 * modes2]float64
	for q := range 16 {
		r, s, w := elements.GaussTriangle16(q)
		f := basis(r, s)
		for i := range modes2 {
			for k := range 3 {
				sum[3*i+k] += w * f[i] * values[3*q+k]
			}
		}
	}
	*u = sum
}

// volume2 computes what pressure and velocity inside a cell change.
func volume2(m *[6]float64, u, du *[3 * modes2]float64) {
	for i := range modes2 {
		p, vx, vy := 0.0, 0.0, 0.0
		for j := range i {
			x := slopeR[i][j]*m[1] + slopeS[i][j]*m[4]
			y := slopeR[i][j]*m[2] + slopeS[i][j]*m[5]
			p += x*u[3*j+1] + y*u[3*j+2]
			vx += x * u[3*j]
			vy += y * u[3*j]
		}
		du[3*i], du[3*i+1], du[3*i+2] = p, vx, vy
	}
	double := 1 / (m[1]*m[5] - m[2]*m[4])
	for i := range 3 * modes2 {
		du[i] *= double
	}
}

// flux2 adds what flows through an edge, at four points of it, to the changes of its two cells: the
// exact solution of the Riemann problem.
func flux2(x *[2][2]float64, ml, mr *[6]float64, ul, ur, dl, dr *[3 * modes2]float64) {
	nx, ny := x[1][1]-x[0][1], x[0][0]-x[1][0] // out of the first cell, as long as the edge
	length := math.Sqrt(nx*nx + ny*ny)
	for q := range 4 {
		at, weight := elements.GaussLine4(q)
		px, py := x[0][0]-at*ny, x[0][1]+at*nx
		fl, fr := basis2(local(ml, px, py)), basis2(local(mr, px, py))
		pl, vxl, vyl := sum2(ul, &fl)
		pr, vxr, vyr := sum2(ur, &fr)
		v := 0.5 * weight * (nx*(vxl+vxr) + ny*(vyl+vyr) + length*(pl-pr))
		p := 0.5 * weight * (pl + pr + (nx*(vxl-vxr)+ny*(vyl-vyr))/length)
		for i := range modes2 {
			dl[3*i] -= fl[i] * v
			dl[3*i+1] -= fl[i] * p * nx
			dl[3*i+2] -= fl[i] * p * ny
			dr[3*i] += fr[i] * v
			dr[3*i+1] += fr[i] * p * nx
			dr[3*i+2] += fr[i] * p * ny
		}
	}
}

// wall2 adds the pressure on an edge of the boundary, which nothing flows through.
func wall2(x *[2][2]float64, m *[6]float64, u, du *[3 * modes2]float64) {
	nx, ny := x[1][1]-x[0][1], x[0][0]-x[1][0]
	length := math.Sqrt(nx*nx + ny*ny)
	for q := range 4 {
		at, weight := elements.GaussLine4(q)
		f := basis2(local(m, x[0][0]-at*ny, x[0][1]+at*nx))
		p, vx, vy := sum2(u, &f)
		p = weight * (p + (nx*vx+ny*vy)/length)
		for i := range modes2 {
			du[3*i+1] -= f[i] * p * nx
			du[3*i+2] -= f[i] * p * ny
		}
	}
}

// update2 performs a stage of the time step.
func update2(m *[6]float64, du, k, u *[3 * modes2]float64) {
	part := timeStep * (m[1]*m[5] - m[2]*m[4])
	for i := range 3 * modes2 {
		k[i] = carry*k[i] + part*du[i]
		u[i] += gain * k[i]
	}
}

// difference2 adds up the square of the difference from given values.
func difference2(m *[6]float64, u *[3 * modes2]float64, values *[48]float64, sum *float64) {
	for q := range 16 {
		r, s, w := elements.GaussTriangle16(q)
		f := basis2(r, s)
		p, vx, vy := sum2(u, &f)
		p -= values[3*q]
		vx -= values[3*q+1]
		vy -= values[3*q+2]
		*sum += w / (m[1]*m[5] - m[2]*m[4]) * (p*p + vx*vx + vy*vy)
	}
}

// account2 adds up the pressure, and the energy.
func account2(m *[6]float64, u *[3 * modes2]float64, pressure, energy *float64) {
	double := 1 / (m[1]*m[5] - m[2]*m[4])
	*pressure += double * u[0] / math.Sqrt(2)
	for i := range 3 * modes2 {
		*energy += 0.5 * double * u[i] * u[i]
	}
}

// sample2 computes the pressure at 15 points of a cell.
func sample2(u *[3 * modes2]float64, pressure *[15]float64) {
	n := 0
	for b := range 5 {
		for a := range 5 - b {
			f := basis(0.25*float64(a), 0.25*float64(b))
			p := 0.0
			for i := range modes2 {
				p += f[i] * u[3*i]
			}
			pressure[n] = p
			n++
		}
	}
}
