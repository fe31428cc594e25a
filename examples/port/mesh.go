package main

import "math"

// plate is the mesh, as plate.cpp makes it: quadrilaterals, row by row.
type plate struct {
	x                                []float64 // [nodes][2]
	cell, edge, ecell, bedge, becell []int32   // nodes and cells
	bound                            []int32   // of an edge of the boundary: 1, air, or 2, the heater
}

func newPlate(nx, ny int32) *plate {
	p := &plate{}
	for j := range ny + 1 {
		for i := range nx + 1 { // cells of different sizes
			p.x = append(p.x, 3*float64(i)/float64(nx)+0.01*math.Sin(9*float64(j)), 2*float64(j)/float64(ny)+0.01*math.Sin(7*float64(i)))
		}
	}
	inside := func(a, b, left, right int32) {
		p.edge, p.ecell = append(p.edge, a, b), append(p.ecell, left, right)
	}
	outside := func(a, b, cell, kind int32) {
		p.bedge, p.becell, p.bound = append(p.bedge, a, b), append(p.becell, cell), append(p.bound, kind)
	}
	for j := range ny {
		for i := range nx {
			c, n := j*nx+i, j*(nx+1)+i
			p.cell = append(p.cell, n, n+1, n+nx+2, n+nx+1)
			if i > 0 {
				inside(n, n+nx+1, c-1, c)
			}
			if j > 0 {
				inside(n, n+1, c-nx, c)
			}
			if i == 0 {
				outside(n, n+nx+1, c, 1)
			}
			if i == nx-1 {
				outside(n+1, n+nx+2, c, 1)
			}
			if j == 0 {
				outside(n, n+1, c, 2)
			}
			if j == ny-1 {
				outside(n+nx+1, n+nx+2, c, 1)
			}
		}
	}
	return p
}
