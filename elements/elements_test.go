package elements_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/mesh"
)

// element is an element of the tables below: its functions at a point p of its cell.
type element struct {
	name   string
	cell   mesh.Kind // with corners alone
	order  int
	tensor bool
	at     func(p [3]float64) (n []float64, d [][]float64)
}

var all = []element{
	{"LineP1", mesh.Line, 1, false, func(p [3]float64) ([]float64, [][]float64) { n, d := LineP1(p[0]); return n[:], column(d[:]) }},
	{"LineP2", mesh.Line, 2, false, func(p [3]float64) ([]float64, [][]float64) { n, d := LineP2(p[0]); return n[:], column(d[:]) }},
	{"LineP3", mesh.Line, 3, false, func(p [3]float64) ([]float64, [][]float64) { n, d := LineP3(p[0]); return n[:], column(d[:]) }},
	{"TriangleP1", mesh.Triangle, 1, false, func(p [3]float64) ([]float64, [][]float64) { n, d := TriangleP1(p[0], p[1]); return n[:], rows2(d[:]) }},
	{"TriangleP2", mesh.Triangle, 2, false, func(p [3]float64) ([]float64, [][]float64) { n, d := TriangleP2(p[0], p[1]); return n[:], rows2(d[:]) }},
	{"TriangleP3", mesh.Triangle, 3, false, func(p [3]float64) ([]float64, [][]float64) { n, d := TriangleP3(p[0], p[1]); return n[:], rows2(d[:]) }},
	{"QuadrilateralQ1", mesh.Quadrilateral, 1, true, func(p [3]float64) ([]float64, [][]float64) {
		n, d := QuadrilateralQ1(p[0], p[1])
		return n[:], rows2(d[:])
	}},
	{"QuadrilateralQ2", mesh.Quadrilateral, 2, true, func(p [3]float64) ([]float64, [][]float64) {
		n, d := QuadrilateralQ2(p[0], p[1])
		return n[:], rows2(d[:])
	}},
	{"TetrahedronP1", mesh.Tetrahedron, 1, false, func(p [3]float64) ([]float64, [][]float64) {
		n, d := TetrahedronP1(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
	{"TetrahedronP2", mesh.Tetrahedron, 2, false, func(p [3]float64) ([]float64, [][]float64) {
		n, d := TetrahedronP2(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
	{"TetrahedronP3", mesh.Tetrahedron, 3, false, func(p [3]float64) ([]float64, [][]float64) {
		n, d := TetrahedronP3(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
	{"HexahedronQ1", mesh.Hexahedron, 1, true, func(p [3]float64) ([]float64, [][]float64) {
		n, d := HexahedronQ1(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
	{"HexahedronQ2", mesh.Hexahedron, 2, true, func(p [3]float64) ([]float64, [][]float64) {
		n, d := HexahedronQ2(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
	{"PrismP1", mesh.Prism, 1, false, func(p [3]float64) ([]float64, [][]float64) {
		n, d := PrismP1(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
	{"PrismP2", mesh.Prism, 2, false, func(p [3]float64) ([]float64, [][]float64) {
		n, d := PrismP2(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
	{"PyramidP1", mesh.Pyramid, 1, false, func(p [3]float64) ([]float64, [][]float64) {
		n, d := PyramidP1(p[0], p[1], p[2])
		return n[:], rows3(d[:])
	}},
}

func column(d []float64) (list [][]float64) {
	for i := range d {
		list = append(list, d[i:i+1])
	}
	return list
}

func rows2(d [][2]float64) (list [][]float64) {
	for i := range d {
		list = append(list, d[i][:])
	}
	return list
}

func rows3(d [][3]float64) (list [][]float64) {
	for i := range d {
		list = append(list, d[i][:])
	}
	return list
}

// corners are those of the reference cells in mesh's order.
var corners = map[mesh.Kind][][3]float64{
	mesh.Line:          {{0}, {1}},
	mesh.Triangle:      {{0, 0}, {1, 0}, {0, 1}},
	mesh.Quadrilateral: {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
	mesh.Tetrahedron:   {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	mesh.Hexahedron:    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
	mesh.Prism:         {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
	mesh.Pyramid:       {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}},
}

// quadratic are the kinds that mesh has for elements of order 2.
var quadratic = map[mesh.Kind]mesh.Kind{
	mesh.Line: mesh.Line3, mesh.Triangle: mesh.Triangle6, mesh.Quadrilateral: mesh.Quadrilateral9,
	mesh.Tetrahedron: mesh.Tetrahedron10, mesh.Hexahedron: mesh.Hexahedron27, mesh.Prism: mesh.Prism18,
}

// nodes returns where the nodes of an element are in mesh's order.
func (e element) nodes() [][3]float64 {
	at := append([][3]float64{}, corners[e.cell]...)
	mean := func(of []uint8, weights ...float64) (p [3]float64) {
		for i, n := range of {
			for k := range p {
				p[k] += weights[i] * corners[e.cell][n][k]
			}
		}
		return p
	}
	switch e.order {
	case 2:
		kind := quadratic[e.cell]
		at = append(at, make([][3]float64, kind.Nodes()-len(at))...)
		if e.cell == mesh.Quadrilateral || e.cell == mesh.Hexahedron {
			for k := range e.cell.Dim() {
				at[len(at)-1][k] = 0.5 // the middle
			}
		}
		for _, part := range append(kind.Edges(), kind.Facets()...) {
			linear := part.Kind.Corners()
			last := part.Nodes[len(part.Nodes)-1]
			switch {
			case part.Kind == mesh.Line3:
				at[last] = mean(part.Nodes[:linear], 0.5, 0.5)
			case part.Kind == mesh.Quadrilateral9:
				at[last] = mean(part.Nodes[:linear], 0.25, 0.25, 0.25, 0.25)
			}
		}
	case 3:
		for _, edge := range e.cell.Edges() {
			at = append(at, mean(edge.Nodes, 2.0/3, 1.0/3), mean(edge.Nodes, 1.0/3, 2.0/3))
		}
		if e.cell == mesh.Triangle {
			at = append(at, mean([]uint8{0, 1, 2}, 1.0/3, 1.0/3, 1.0/3))
		}
		if e.cell == mesh.Tetrahedron {
			for _, f := range e.cell.Facets() {
				at = append(at, mean(f.Nodes, 1.0/3, 1.0/3, 1.0/3))
			}
		}
	}
	return at
}

// point returns a point inside a reference cell.
func point(cell mesh.Kind) (p [3]float64) {
	for k := range cell.Dim() {
		p[k] = 0.05 + 0.9*rand.Float64()
	}
	switch cell {
	case mesh.Triangle, mesh.Prism:
		p[1] *= 1 - p[0]
	case mesh.Tetrahedron:
		p[1] *= 1 - p[0]
		p[2] *= 1 - p[0] - p[1]
	}
	return p
}

// Each function is 1 at its node, in mesh's order, and 0 at the others; derivatives agree with differences;
// and together the functions reproduce the polynomials of their order.
func TestShapeFunctions(t *testing.T) {
	for _, e := range all {
		t.Run(e.name, func(t *testing.T) {
			nodes := e.nodes()
			for j, p := range nodes {
				n, _ := e.at(p)
				if len(n) != len(nodes) {
					t.Fatalf("%d functions, %d nodes", len(n), len(nodes))
				}
				for i := range n {
					want := 0.0
					if i == j {
						want = 1
					}
					near(t, fmt.Sprintf("function %d at node %d", i, j), n[i], want, 1e-14)
				}
			}
			for range 3 {
				p := point(e.cell)
				n, d := e.at(p)
				for k := range e.cell.Dim() {
					const h = 1e-5
					up, down := p, p
					up[k] += h
					down[k] -= h
					above, _ := e.at(up)
					below, _ := e.at(down)
					for i := range n {
						near(t, fmt.Sprintf("function %d by coordinate %d", i, k), d[i][k], (above[i]-below[i])/(2*h), 1e-8)
					}
				}
				for _, m := range monomials(e.cell.Dim(), e.order, e.tensor) {
					sum := 0.0
					for i := range n {
						sum += n[i] * m.at(nodes[i])
					}
					if e.cell == mesh.Pyramid && m != (monomial{}) {
						continue // polynomials of real coordinates alone: see TestGeometry
					}
					near(t, fmt.Sprint("monomial ", m), sum, m.at(p), 1e-13)
				}
			}
		})
	}
}

// monomial has the exponents of r, s and t.
type monomial [3]int

func (m monomial) at(p [3]float64) float64 {
	return math.Pow(p[0], float64(m[0])) * math.Pow(p[1], float64(m[1])) * math.Pow(p[2], float64(m[2]))
}

// monomials returns those of a degree, or less, in all, or in each coordinate.
func monomials(dim, degree int, each bool) (list []monomial) {
	bound := [3]int{}
	for k := range dim {
		bound[k] = degree
	}
	for a := range bound[0] + 1 {
		for b := range bound[1] + 1 {
			for c := range bound[2] + 1 {
				if each || a+b+c <= degree {
					list = append(list, monomial{a, b, c})
				}
			}
		}
	}
	return list
}

// integral returns that of a monomial over a reference cell.
func (m monomial) integral(cell mesh.Kind) float64 {
	simplex := func(exponents ...int) float64 {
		sum, product := len(exponents), 1.0
		for _, e := range exponents {
			sum += e
			product *= math.Gamma(float64(e + 1))
		}
		return product / math.Gamma(float64(sum+1))
	}
	one := func(e int) float64 { return 1 / float64(e+1) }
	switch cell {
	case mesh.Triangle:
		return simplex(m[0], m[1])
	case mesh.Tetrahedron:
		return simplex(m[0], m[1], m[2])
	case mesh.Prism:
		return simplex(m[0], m[1]) * one(m[2])
	}
	return one(m[0]) * one(m[1]) * one(m[2])
}

// rule is a formula of quadrature.
type rule struct {
	name           string
	cell           mesh.Kind
	points, degree int
	at             func(q int) (p [3]float64, w float64)
}

var rules = []rule{
	{"GaussLine2", mesh.Line, 2, 3, on1(GaussLine2)},
	{"GaussLine3", mesh.Line, 3, 5, on1(GaussLine3)},
	{"GaussLine4", mesh.Line, 4, 7, on1(GaussLine4)},
	{"GaussTriangle3", mesh.Triangle, 3, 2, on2(GaussTriangle3)},
	{"GaussTriangle6", mesh.Triangle, 6, 4, on2(GaussTriangle6)},
	{"GaussTriangle12", mesh.Triangle, 12, 6, on2(GaussTriangle12)},
	{"GaussTriangle16", mesh.Triangle, 16, 6, on2(GaussTriangle16)},
	{"GaussQuadrilateral4", mesh.Quadrilateral, 4, 3, on2(GaussQuadrilateral4)},
	{"GaussQuadrilateral9", mesh.Quadrilateral, 9, 5, on2(GaussQuadrilateral9)},
	{"GaussTetrahedron4", mesh.Tetrahedron, 4, 2, on3(GaussTetrahedron4)},
	{"GaussTetrahedron14", mesh.Tetrahedron, 14, 5, on3(GaussTetrahedron14)},
	{"GaussTetrahedron24", mesh.Tetrahedron, 24, 6, on3(GaussTetrahedron24)},
	{"GaussHexahedron8", mesh.Hexahedron, 8, 3, on3(GaussHexahedron8)},
	{"GaussHexahedron27", mesh.Hexahedron, 27, 5, on3(GaussHexahedron27)},
	{"GaussPrism6", mesh.Prism, 6, 2, on3(GaussPrism6)},
	{"GaussPrism18", mesh.Prism, 18, 4, on3(GaussPrism18)},
}

func on1(f func(int) (r, w float64)) func(int) ([3]float64, float64) {
	return func(q int) ([3]float64, float64) { r, w := f(q); return [3]float64{r}, w }
}

func on2(f func(int) (r, s, w float64)) func(int) ([3]float64, float64) {
	return func(q int) ([3]float64, float64) { r, s, w := f(q); return [3]float64{r, s}, w }
}

func on3(f func(int) (r, s, t, w float64)) func(int) ([3]float64, float64) {
	return func(q int) ([3]float64, float64) { r, s, t, w := f(q); return [3]float64{r, s, t}, w }
}

// Formulas are exact to the degree that they state, and not to the next; weights are positive, points inside.
func TestQuadrature(t *testing.T) {
	for _, rule := range rules {
		off := func(m monomial) float64 {
			sum := 0.0
			for q := range rule.points {
				p, w := rule.at(q)
				sum += w * m.at(p)
			}
			return math.Abs(sum - m.integral(rule.cell))
		}
		each := rule.cell == mesh.Quadrilateral || rule.cell == mesh.Hexahedron
		for _, m := range monomials(rule.cell.Dim(), rule.degree, each) {
			if e := off(m); e > 1e-15 {
				t.Errorf("%s: %v is off by %.1e", rule.name, m, e)
			}
		}
		worst := 0.0
		for _, m := range monomials(rule.cell.Dim(), rule.degree+1, each) {
			worst = max(worst, off(m))
		}
		if worst < 1e-8 {
			t.Errorf("%s is exact to degree %d, too", rule.name, rule.degree+1)
		}
		for q := range rule.points {
			p, w := rule.at(q)
			inside := w > 0
			for k := range rule.cell.Dim() {
				inside = inside && p[k] > 0 && p[k] < 1
			}
			if rule.cell == mesh.Triangle || rule.cell == mesh.Prism {
				inside = inside && p[0]+p[1] < 1
			}
			if rule.cell == mesh.Tetrahedron {
				inside = inside && p[0]+p[1]+p[2] < 1
			}
			if !inside {
				t.Errorf("%s: point %d, %v, has the weight %g", rule.name, q, p, w)
			}
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}
