package main

// omega damps Jacobi's method, so that it smooths. It is a const: kernels read it by name.
var omega = 2.0 / 3

// triangle adds a triangle's part of K, the integrals of ∇Ni·∇Nj, and of b, those of 1·Ni.
func triangle(x *[3][2]float64, k *[3][3]float64, b *[3]float64) {
	area := 0.5 * ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1]))
	for i := range 3 {
		b[i] += area / 3
		p, q := x[(i+1)%3], x[(i+2)%3]
		for j := range 3 {
			s, t := x[(j+1)%3], x[(j+2)%3]
			k[i][j] += ((p[1]-q[1])*(s[1]-t[1]) + (q[0]-p[0])*(t[0]-s[0])) / (4 * area)
		}
	}
}

// relax takes a step of Jacobi's method, where ku is K u and d the diagonal of K.
func relax(u, b, ku, d *float64) { *u += omega * (*b - *ku) / *d }

func residual(b, ku, r *float64) { *r = *b - *ku }

// restrict gives a node's residual to the ends of the edge of the coarser level that it is in the middle of. A node
// that is one of the coarser level, too, is at both.
func restrict(r *float64, b *[2]float64) {
	b[0] += *r / 2
	b[1] += *r / 2
}

// prolong adds what the coarser level has found, which is linear along its edges.
func prolong(u *float64, coarse *[2]float64) { *u += (coarse[0] + coarse[1]) / 2 }

func clearRim(b *float64) { *b = 0 }

func square(r, sum *float64) { *sum += *r * *r }
