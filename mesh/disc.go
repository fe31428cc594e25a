package mesh

import (
	"fmt"
	"math"
)

// Disc returns a mesh of the disc around the origin. The nodes of the boundary are on the circle, whose
// edges are the group "outer".
//
// Kind is [Triangle] for n rings around a node in the middle, with 6, 12, 18, ... nodes each and 6·n² triangles of
// nearly equal area in all, or [Quadrilateral] for a square of n by n cells in the middle and n layers of 4·n around
// it. It is an error if n is below 1, if there are too many cells for int32 indices, or if the
// radius is not positive.
func Disc(kind Kind, n int, radius float64) (*Mesh, error) {
	what := fmt.Sprintf("disc %d", n)
	if _, err := checkGrid(what, kind, map[Kind]int{Triangle: 6, Quadrilateral: 5}, "triangles or quadrilaterals", n, n); err != nil {
		return nil, err
	}
	if !positive(radius) {
		return nil, fmt.Errorf("mesh: %s: expected a radius above 0, found %v", what, radius)
	}
	if kind == Triangle {
		return rings(n, radius), nil
	}
	return squareInDisc(n, radius), nil
}

// rings returns the triangles of a disc.
func rings(n int, radius float64) *Mesh {
	m := &Mesh{Dim: 2, Points: []float64{0, 0}}
	node := func(ring, i int) int32 { // node i of a ring, once around
		if ring == 0 {
			return 0
		}
		return int32(1 + 3*ring*(ring-1) + i%(6*ring))
	}
	var nodes []int32
	for ring := 1; ring <= n; ring++ {
		for i := range 6 * ring {
			m.appendPolar(along(radius, ring, n), float64(i)/float64(6*ring))
		}
		for sector := range 6 {
			for i := range ring {
				out, in := sector*ring+i, sector*(ring-1)+i
				nodes = append(nodes, node(ring, out), node(ring, out+1), node(ring-1, in))
				if i < ring-1 {
					nodes = append(nodes, node(ring-1, in), node(ring, out+1), node(ring-1, in+1))
				}
			}
		}
	}
	m.Blocks = []Block{{Kind: Triangle, Nodes: nodes}, {Kind: Line}}
	m.addSides("outer", 6*n, func(i int) []int32 { return []int32{node(n, i), node(n, i+1)} })
	return m
}

// appendPolar appends a node at a distance from the origin, a part of a turn from the x axis.
func (m *Mesh) appendPolar(radius, turn float64) {
	sin, cos := math.Sincos(2 * math.Pi * turn)
	m.Points = append(m.Points, radius*cos, radius*sin)
}

// squareInDisc returns the quadrilaterals of a disc. The sides of the square in the middle are arcs.
func squareInDisc(n int, radius float64) *Mesh {
	m := &Mesh{Dim: 2}
	const corner = 0.5 // the distance of the square's corners from the middle, in radii
	const bulge = 0.2  // by which the middle of a side is further out than a straight one
	inner := func(i, j int) (x, y float64) {
		u, v := 2*along(1, i, n)-1, 2*along(1, j, n)-1
		half := corner * math.Sqrt2 / 2
		return radius * half * u * (1 + bulge*(1-v*v)), radius * half * v * (1 + bulge*(1-u*u))
	}
	for j := range n + 1 {
		for i := range n + 1 {
			x, y := inner(i, j)
			m.Points = append(m.Points, x, y)
		}
	}
	around := 4 * n
	rim := func(i int) (int, int) { // node i of those around the square, from its lower left corner
		switch i = i % around; i / n {
		case 0:
			return i, 0
		case 1:
			return n, i - n
		case 2:
			return 3*n - i, n
		}
		return 0, around - i
	}
	node := func(layer, i int) int32 {
		if layer == 0 {
			a, b := rim(i)
			return int32(a + b*(n+1))
		}
		return int32((n+1)*(n+1) + (layer-1)*around + i%around)
	}
	for layer := 1; layer <= n; layer++ {
		for i := range around {
			x0, y0 := inner(rim(i))
			sin, cos := math.Sincos(2 * math.Pi * (float64(i)/float64(around) - 0.375))
			t := along(1, layer, n)
			m.Points = append(m.Points, x0+t*(radius*cos-x0), y0+t*(radius*sin-y0))
		}
	}
	var nodes []int32
	square := func(i, j int) int32 { return int32(i + j*(n+1)) }
	for j := range n {
		for i := range n {
			nodes = append(nodes, square(i, j), square(i+1, j), square(i+1, j+1), square(i, j+1))
		}
	}
	for layer := range n {
		for i := range around {
			nodes = append(nodes, node(layer, i), node(layer+1, i), node(layer+1, i+1), node(layer, i+1))
		}
	}
	m.Blocks = []Block{{Kind: Quadrilateral, Nodes: nodes}, {Kind: Line}}
	m.addSides("outer", around, func(i int) []int32 { return []int32{node(n, i), node(n, i+1)} })
	return m
}

// Annulus returns a mesh of the ring around the origin between two circles: layers of cells, around of them in each
// layer. Kind is [Quadrilateral], or [Triangle] for two in each place. The edges on the circles are the
// groups "inner" and "outer".
//
// It is an error if layers is below 1 or around below 3, if there are too many cells for int32 indices, or if not
// 0 < inner < outer.
func Annulus(kind Kind, layers, around int, inner, outer float64) (*Mesh, error) {
	what := fmt.Sprintf("annulus %d by %d", layers, around)
	cells, err := checkGrid(what, kind, map[Kind]int{Triangle: 2, Quadrilateral: 1}, "triangles or quadrilaterals", layers, around)
	if err != nil {
		return nil, err
	}
	if around < 3 {
		return nil, fmt.Errorf("mesh: %s: expected at least 3 cells around", what)
	}
	if !positive(inner, outer) || inner >= outer {
		return nil, fmt.Errorf("mesh: %s: expected radii above 0, the outer one the larger, found %v and %v", what, inner, outer)
	}
	m := &Mesh{Dim: 2, Points: make([]float64, 0, 2*around*(layers+1))}
	node := func(layer, i int) int32 { return int32(layer*around + i%around) }
	nodes := make([]int32, 0, cells*kind.Nodes()*layers*around)
	for layer := range layers + 1 {
		for i := range around {
			m.appendPolar(inner+along(outer-inner, layer, layers), float64(i)/float64(around))
			if layer < layers {
				nodes = appendQuadrilateral(nodes, kind, node(layer, i), node(layer+1, i), node(layer+1, i+1), node(layer, i+1))
			}
		}
	}
	m.Blocks = []Block{{Kind: kind, Nodes: nodes}, {Kind: Line}}
	m.addSides("inner", around, func(i int) []int32 { return []int32{node(0, around-i), node(0, around-i-1)} })
	m.addSides("outer", around, func(i int) []int32 { return []int32{node(layers, i), node(layers, i+1)} })
	return m, nil
}
