package mesh

import "fmt"

// Dual returns a mesh with a cell around each node: polygons in the plane, polyhedra in space.
//
// The corners of a polygon are in the middle of the cells around its node. A node of the boundary is a corner of its cell, too, and so are the middles of the edges beside it. Of
// triangles, most of the polygons have six corners.
//
// The nodes of the dual are the middles of the cells, then those of the edges of the boundary, then the nodes of the
// boundary in ascending order. Its cells are sorted by the number of their corners, and then by node. The groups of edges of
// the boundary hold both halves of what they held; there are no others.
//
// In space, the polyhedra are those around the nodes in ascending order. A face between two of them is around an edge, with corners in
// the middle of the cells around that edge. On the boundary there is a quadrilateral at each corner of its faces, with its other
// corners in the middle of the face and of two edges; the groups of faces hold these.
//
// It is an error if cells are not linear or one is inverted, if the boundary passes a node twice, or if a polygon had more than 64 corners.
func (m *Mesh) Dual() (*Mesh, error) {
	if err := m.shaped("Dual"); err != nil {
		return nil, err
	}
	m, err := m.Joined()
	if err != nil {
		return nil, err
	}
	for _, b := range m.CellBlocks() {
		if b.Kind.Order() != 1 {
			return nil, fmt.Errorf("mesh: the dual: expected linear elements, found %s", b.Kind)
		}
	}
	if m.Dim != m.CellDim() || m.Dim < 2 {
		return nil, fmt.Errorf("mesh: the dual: expected areas in the plane or volumes, found cells of dimension %d in %d dimensions", m.CellDim(), m.Dim)
	}
	f, err := m.Facets()
	if err != nil {
		return nil, err
	}
	if err := m.inverted(); err != nil {
		return nil, err
	}
	if m.Dim == 3 {
		return m.dualOfVolumes(f)
	}
	d := &dualizer{m: m, f: f, to: &Mesh{Dim: 2}, own: make([]int32, m.Nodes()), steps: make([][][2]int32, m.Nodes())}
	d.place()
	d.step()
	if err := d.cells(); err != nil {
		return nil, err
	}
	return d.to, d.groups()
}

// dualizer makes the dual of a mesh.
type dualizer struct {
	m, to *Mesh
	f     *Facets
	own   []int32      // for each node the dual's node where it is; 0: none, the node is inside
	steps [][][2]int32 // for each node pairs of the dual's nodes that follow each other around it
}

// place makes the nodes of the dual.
func (d *dualizer) place() {
	for _, cell := range elementsOf(d.m.CellBlocks()) {
		d.to.Points = append(d.to.Points, d.m.middle(cell.corners())...)
	}
	for n := range d.f.Boundary.Len() {
		d.to.Points = append(d.to.Points, d.m.middle(d.f.Boundary.nodesOf(n)[:2])...)
	}
	for _, n := range d.f.Boundary.Nodes() {
		d.own[n] = int32(d.to.Nodes())
		d.to.Points = append(d.to.Points, d.m.Point(n)...)
	}
}

// step finds what follows what around each node. The first cell of an edge is to its left: counterclockwise around the
// node where the edge begins, it comes after the second cell.
func (d *dualizer) step() {
	add := func(node, from, to int32) { d.steps[node] = append(d.steps[node], [2]int32{from, to}) }
	for n := range d.f.Interior.Len() {
		ends, left, right := d.f.Interior.nodesOf(n), d.f.Interior.Cells[2*n], d.f.Interior.Cells[2*n+1]
		add(ends[0], right, left)
		add(ends[1], left, right)
	}
	for n := range d.f.Boundary.Len() {
		ends, cell, middle := d.f.Boundary.nodesOf(n), d.f.Boundary.Cells[n], d.middle(n)
		add(ends[0], d.own[ends[0]], middle)
		add(ends[0], middle, cell)
		add(ends[1], cell, middle)
		add(ends[1], middle, d.own[ends[1]])
	}
}

// middle returns the dual's node in the middle of an edge of the boundary.
func (d *dualizer) middle(edge int) int32 { return int32(d.m.Cells() + edge) }

// cells makes the cells of the dual.
func (d *dualizer) cells() error {
	var byCorners [mostCorners + 1][]int32
	for n, steps := range d.steps {
		if len(steps) == 0 {
			continue // of no cell
		}
		if len(steps) > mostCorners {
			return fmt.Errorf("mesh: the dual: the cell around node %d had %d corners, at most %d are possible", n, len(steps), mostCorners)
		}
		corners, whole := ring(steps)
		if !whole {
			return fmt.Errorf("mesh: the dual: the boundary passes node %d twice", n)
		}
		byCorners[len(steps)] = append(byCorners[len(steps)], corners...)
	}
	for corners, nodes := range byCorners {
		if nodes != nil {
			d.to.Blocks = append(d.to.Blocks, Block{Kind: Polygon(corners), Nodes: nodes})
		}
	}
	return nil
}

// groups gives the dual the lines of its boundary, and the groups of these.
func (d *dualizer) groups() error {
	var lines []int32
	for n := range d.f.Boundary.Len() {
		ends, middle := d.f.Boundary.nodesOf(n), d.middle(n)
		lines = append(lines, d.own[ends[0]], middle, middle, d.own[ends[1]])
	}
	if err := d.f.addPartGroups(d.to, len(d.to.Blocks), func(edges []int32) []int32 { return partsOfElements(edges, 0, 2) }); err != nil {
		return err
	}
	if len(d.to.Groups) > 0 {
		d.to.Blocks = append(d.to.Blocks, Block{Kind: Line, Nodes: lines})
	}
	return nil
}
