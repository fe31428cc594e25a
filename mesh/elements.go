package mesh

// Elements is a two-dimensional mesh of bilinear quadrilateral finite elements around an airfoil:
// the unknowns are at the nodes, and no node is duplicated.
//
// All indices count from 0 and are stored row by row. The zero value is an empty mesh.
type Elements struct {
	Nodes int // number of nodes
	Cells int // number of cells

	// XY holds the coordinates of the nodes, in chord lengths. Shape [Nodes][2].
	XY []float64

	// CellNodes holds the corners of each cell at the places (0,0), (1,0), (0,1), (1,1) of the reference square.
	// Shape [Cells][4].
	CellNodes []int32

	// FarField lists the nodes of the outer boundary, in ascending order.
	FarField []int32
}

// NACA0012Elements returns the mesh of OP2's aero benchmark: the cells of [NACA0012] as finite
// elements. The nodes along the cut behind the airfoil, which that mesh duplicates for the two
// sides, are single here, so that there are (3i+1)(j+1) - (i+1) of them. The limits of i and j are
// the same. OP2's own mesh is NACA0012Elements(400, 600).
func NACA0012Elements(i, j int) (*Elements, error) {
	m, err := NACA0012(i, j)
	if err != nil {
		return nil, err
	}
	g := cGrid{wall: i, columns: 3 * i, rows: j}
	e := &Elements{Nodes: g.nodes() - (i + 1), Cells: g.cells(), XY: m.XY[2*(i+1):]}
	e.CellNodes = make([]int32, 0, 4*e.Cells)
	for row := range g.rows {
		for c := range g.columns {
			e.CellNodes = append(e.CellNodes, g.single(c, row), g.single(c+1, row), g.single(c, row+1), g.single(c+1, row+1))
		}
	}
	for n := range e.Nodes {
		at := n + i + 1
		if c, row := at%(g.columns+1), at/(g.columns+1); c == 0 || c == g.columns || row == g.rows {
			e.FarField = append(e.FarField, int32(n))
		}
	}
	return e, nil
}

// single returns the number of a node after the first side of the cut, the first wall+1 nodes of
// row 0, has been replaced by the other one.
func (g cGrid) single(i, j int) int32 {
	if j == 0 && i <= g.wall {
		i = g.columns - i
	}
	return g.node(i, j) - int32(g.wall+1)
}
