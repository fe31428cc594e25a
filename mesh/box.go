package mesh

import "fmt"

// Box returns a mesh of the box from (0, 0, 0) to (width, depth, height): nx by ny by nz equal boxes. Kind is
// [Hexahedron], [Prism] for two in each box, or [Tetrahedron] for six, which meet in the diagonal from the lowest
// corner to the highest (Kuhn's). The boundary's faces are the groups "left" and "right" for the smallest
// and largest x, "front" and "back" for y, and "bottom" and "top" for z.
//
// There are (nx+1)(ny+1)(nz+1) nodes. It is an error if a count is below 1, if there are too many cells
// for int32 indices, or if a length is not positive.
func Box(kind Kind, nx, ny, nz int, width, depth, height float64) (*Mesh, error) {
	what := fmt.Sprintf("box %d by %d by %d", nx, ny, nz)
	cells, err := checkGrid(what, kind, map[Kind]int{Tetrahedron: 6, Prism: 2, Hexahedron: 1}, "tetrahedra, prisms or hexahedra", nx, ny, nz)
	if err != nil {
		return nil, err
	}
	if !positive(width, depth, height) {
		return nil, fmt.Errorf("mesh: %s: expected a width, a depth and a height above 0, found %v by %v by %v", what, width, depth, height)
	}
	m := &Mesh{Dim: 3, Points: make([]float64, 0, 3*(nx+1)*(ny+1)*(nz+1))}
	for k := range nz + 1 {
		for j := range ny + 1 {
			for i := range nx + 1 {
				m.Points = append(m.Points, along(width, i, nx), along(depth, j, ny), along(height, k, nz))
			}
		}
	}
	g := boxGrid{nx, ny, nz}
	nodes := make([]int32, 0, cells*kind.Nodes()*nx*ny*nz)
	for k := range nz {
		for j := range ny {
			for i := range nx {
				nodes = g.appendCells(nodes, kind, i, j, k)
			}
		}
	}
	m.Blocks = []Block{{Kind: kind, Nodes: nodes}}
	g.addBoundary(m, kind)
	return m, nil
}

// boxGrid is a grid of boxes.
type boxGrid struct{ nx, ny, nz int }

func (g boxGrid) node(i, j, k int) int32 { return int32(i + (g.nx+1)*(j+(g.ny+1)*k)) }

// kuhn lists the corners of the six tetrahedra of a box, those of a hexahedron being numbered as usual.
var kuhn = [6][4]uint8{{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}

// appendCells appends the cells in one box.
func (g boxGrid) appendCells(nodes []int32, kind Kind, i, j, k int) []int32 {
	c := [8]int32{
		g.node(i, j, k), g.node(i+1, j, k), g.node(i+1, j+1, k), g.node(i, j+1, k),
		g.node(i, j, k+1), g.node(i+1, j, k+1), g.node(i+1, j+1, k+1), g.node(i, j+1, k+1),
	}
	switch kind {
	case Tetrahedron:
		for _, t := range kuhn {
			nodes = append(nodes, c[t[0]], c[t[1]], c[t[2]], c[t[3]])
		}
		return nodes
	case Prism:
		return append(nodes, c[0], c[1], c[2], c[4], c[5], c[6], c[0], c[2], c[3], c[4], c[6], c[7])
	}
	return append(nodes, c[:]...)
}

// addBoundary adds the faces of the boundary. The diagonals of their triangles go from the lowest corner to the highest.
func (g boxGrid) addBoundary(m *Mesh, kind Kind) {
	type face struct {
		name  string
		a, b  int // how many faces in two directions
		at    func(a, b int) int32
		sides bool // whether the face is one of those around the box: of prisms, a quadrilateral
	}
	for _, f := range []face{
		{"left", g.nz, g.ny, func(a, b int) int32 { return g.node(0, b, a) }, true},
		{"right", g.ny, g.nz, func(a, b int) int32 { return g.node(g.nx, a, b) }, true},
		{"front", g.nx, g.nz, func(a, b int) int32 { return g.node(a, 0, b) }, true},
		{"back", g.nz, g.nx, func(a, b int) int32 { return g.node(b, g.ny, a) }, true},
		{"bottom", g.ny, g.nx, func(a, b int) int32 { return g.node(b, a, 0) }, false},
		{"top", g.nx, g.ny, func(a, b int) int32 { return g.node(a, b, g.nz) }, false},
	} {
		side := Quadrilateral
		if kind == Tetrahedron || kind == Prism && !f.sides {
			side = Triangle
		}
		if m.Blocks[len(m.Blocks)-1].Kind != side {
			m.Blocks = append(m.Blocks, Block{Kind: side})
		}
		m.addSides(f.name, f.a*f.b, func(n int) []int32 {
			a, b := n%f.a, n/f.a
			return appendQuadrilateral(nil, side, f.at(a, b), f.at(a+1, b), f.at(a+1, b+1), f.at(a, b+1))
		})
	}
}
