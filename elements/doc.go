// Package elements provides finite elements for kernels: shape functions with their derivatives,
// quadrature, and geometry, on the cells of package mesh. All are plain functions of numbers and arrays of
// fixed size, which kernels call on every backend, as any other Go code may. They declare nothing, know no
// mesh and allocate nothing.
//
// # Reference cells
//
// A point of a cell has the coordinates r, s and t, each from 0 to 1:
//
//	line           0 ≤ r ≤ 1
//	triangle       r, s ≥ 0, r+s ≤ 1
//	quadrilateral  the unit square
//	tetrahedron    r, s, t ≥ 0, r+s+t ≤ 1
//	hexahedron     the unit cube
//	prism          a triangle in r and s, extruded along t
//	pyramid        the unit cube, whose top t = 1 is the apex: x is no linear function of r, s and t
//
// # Shape functions
//
// A function such as [TriangleP2] returns the values n of a cell's shape functions at a point, and their
// derivatives d by r, s and t: d[i][k] is that of function i by coordinate k. Functions are numbered as
// package mesh numbers nodes, whatever file it has read, and as VTK does: corners, then edges in the order
// of mesh's Kind.Edges, then faces in that of Kind.Facets, then the inside. P1, P2 and P3 have polynomials
// of degree 1, 2 and 3; Q1 and Q2 have products of polynomials of degree 1 and 2. A function is 1 at its
// own node, and 0 at all others.
//
// C compilers leave out what a kernel does not use: _, d := elements.TriangleP1(r, s).
//
// # Quadrature
//
// A function such as [GaussTriangle6] returns point q, from 0, of a formula with as many points as its name
// says, and the part w of the reference cell's measure that the point stands for. An integral over the cell
// is the sum of w·det·f, where det is the determinant that [Gradients2] or [Gradients3] returns. Weights
// are positive, points inside the cell. A formula of degree n is exact for polynomials of degree n in r, s
// and t; those of products are exact for degree n in each.
//
// # Geometry
//
// Nodes x may be any number, those of curved cells too: [Gradients2] takes as many as there are functions.
// Determinants are positive where the nodes are in mesh's order.
package elements

import (
	"embed"

	"github.com/go-op2/op2"
)

//go:embed geometry.go hexahedron.go line.go prism.go pyramid.go quadrilateral.go tetrahedron.go triangle.go
var files embed.FS

func init() { op2.ExportSource(files) }
