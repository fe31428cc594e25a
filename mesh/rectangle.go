package mesh

import (
	"fmt"
	"math"
)

// Rectangle returns a mesh of the rectangle from (0, 0) to (width, height): nx by ny equal rectangles, row by row.
// Kind is [Quadrilateral], or [Triangle] for two in each rectangle, cut along the diagonal from its lower left
// to its upper right corner. The boundary's edges are the groups "left", "right", "bottom" and "top".
//
// There are (nx+1)(ny+1) nodes. It is an error if nx or ny is below 1, if there are too many cells for int32 indices,
// or if width or height is not positive.
func Rectangle(kind Kind, nx, ny int, width, height float64) (*Mesh, error) {
	what := fmt.Sprintf("rectangle %d by %d", nx, ny)
	cells, err := checkGrid(what, kind, map[Kind]int{Triangle: 2, Quadrilateral: 1}, "triangles or quadrilaterals", nx, ny)
	if err != nil {
		return nil, err
	}
	if !positive(width, height) {
		return nil, fmt.Errorf("mesh: %s: expected a width and a height above 0, found %v by %v", what, width, height)
	}
	m := &Mesh{Dim: 2, Points: make([]float64, 0, 2*(nx+1)*(ny+1))}
	node := func(i, j int) int32 { return int32(i + j*(nx+1)) }
	for j := range ny + 1 {
		for i := range nx + 1 {
			m.Points = append(m.Points, along(width, i, nx), along(height, j, ny))
		}
	}
	nodes := make([]int32, 0, cells*kind.Nodes()*nx*ny)
	for j := range ny {
		for i := range nx {
			nodes = appendQuadrilateral(nodes, kind, node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1))
		}
	}
	m.Blocks = []Block{{Kind: kind, Nodes: nodes}, {Kind: Line}}
	m.addSides("bottom", nx, func(i int) []int32 { return []int32{node(i, 0), node(i+1, 0)} })
	m.addSides("right", ny, func(j int) []int32 { return []int32{node(nx, j), node(nx, j+1)} })
	m.addSides("top", nx, func(i int) []int32 { return []int32{node(nx-i, ny), node(nx-i-1, ny)} })
	m.addSides("left", ny, func(j int) []int32 { return []int32{node(0, ny-j), node(0, ny-j-1)} })
	return m, nil
}

// appendQuadrilateral appends a quadrilateral of given corners, counterclockwise, or the two triangles to both sides
// of the diagonal from the first corner to the third.
func appendQuadrilateral(nodes []int32, kind Kind, a, b, c, d int32) []int32 {
	if kind == Triangle {
		return append(nodes, a, b, c, a, c, d)
	}
	return append(nodes, a, b, c, d)
}

// addSides adds n elements to the last block, and a group of them. Its dimension is that of the block.
func (m *Mesh) addSides(name string, n int, element func(i int) []int32) {
	last := len(m.Blocks) - 1
	b := &m.Blocks[last]
	from := int32(b.Len())
	for i := range n {
		b.Nodes = append(b.Nodes, element(i)...)
	}
	elements := make([]int32, b.Len()-int(from))
	for i := range elements {
		elements[i] = from + int32(i)
	}
	m.Groups = append(m.Groups, Group{Name: name, Tag: len(m.Groups) + 1, Dim: b.Kind.Dim(), Members: []Members{{last, elements}}})
}

// along returns the place of number i of n equal parts of a length.
func along(length float64, i, n int) float64 { return length * float64(i) / float64(n) }

// checkGrid returns how many cells of a kind are in each place of a grid, given those of the kinds that there can be, which are
// called expected. It is an error if there are none of the kind, if one of the counts is below 1, or if the grid has more
// cells than int32 indices allow for.
func checkGrid(what string, kind Kind, inPlace map[Kind]int, expected string, counts ...int) (cells int, err error) {
	if cells = inPlace[kind]; cells == 0 {
		return 0, fmt.Errorf("mesh: %s: expected %s, found %s", what, expected, kind)
	}
	places, nodes := float64(cells), 1.0
	for _, n := range counts {
		if n < 1 {
			return 0, fmt.Errorf("mesh: %s: expected at least 1 in each direction", what)
		}
		places *= float64(n)
		nodes *= float64(n) + 1
	}
	if most := float64(math.MaxInt32 / 8); places > most || nodes > most {
		return 0, fmt.Errorf("mesh: %s: expected at most %.0f cells and nodes, found %.0f and %.0f", what, most, places, nodes)
	}
	return cells, nil
}

// positive reports whether all lengths are positive and finite.
func positive(lengths ...float64) bool {
	for _, l := range lengths {
		if !(l > 0) || math.IsInf(l, 0) {
			return false
		}
	}
	return true
}
