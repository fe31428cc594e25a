package mesh

// Corners are the corners of a mesh's cells, numbered from 0: the nodes of linear functions beside those of second
// order, as the pressure of Taylor and Hood's elements needs them. In a mesh of linear elements they are all nodes
// that cells have.
type Corners struct {
	// Nodes holds the node that each corner is, in ascending order.
	Nodes []int32

	// Cells holds the corners of each cell in the order of its nodes, a slice for each block of cells.
	// Shape of each [Block.Len()][Kind.Corners()].
	Cells [][]int32

	number []int32 // of each node of the mesh, the corner that it is, or -1
}

// Len returns the number of corners.
func (c *Corners) Len() int { return len(c.Nodes) }

// Corners finds the corners of the mesh's cells, in time proportional to the number of cells and nodes. It is an
// error if an index of the mesh is out of range.
func (m *Mesh) Corners() (*Corners, error) {
	if err := m.shaped("Corners"); err != nil {
		return nil, err
	}
	if err := m.Valid(); err != nil {
		return nil, err
	}
	return m.corners(), nil
}

// corners is Corners of a valid mesh.
func (m *Mesh) corners() *Corners {
	c := &Corners{number: make([]int32, m.Nodes())}
	cells := m.CellBlocks()
	for i := range c.number {
		c.number[i] = -1
	}
	for _, cell := range elementsOf(cells) {
		for _, n := range cell.corners() {
			c.number[n] = 0
		}
	}
	for n, corner := range c.number {
		if corner == 0 {
			c.number[n] = int32(len(c.Nodes))
			c.Nodes = append(c.Nodes, int32(n))
		}
	}
	for i := range cells {
		of := make([]int32, 0, cells[i].Len()*cells[i].Kind.Corners())
		for _, cell := range elementsOf(cells[i : i+1]) {
			for _, n := range cell.corners() {
				of = append(of, c.number[n])
			}
		}
		c.Cells = append(c.Cells, of)
	}
	return c
}

// Among returns the corners that are among the given nodes, in the same order.
func (c *Corners) Among(nodes []int32) []int32 {
	corners := []int32{}
	for _, n := range nodes {
		if uint(n) < uint(len(c.number)) && c.number[n] >= 0 {
			corners = append(corners, c.number[n])
		}
	}
	return corners
}
