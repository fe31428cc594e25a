package mesh

// Mesh is an unstructured mesh: the coordinates of its nodes, and elements of one or more kinds.
//
// Cells are the elements of the highest dimension. The others are parts of boundaries or interfaces, which groups
// hold, or which a file has. What [ReadShare] returns has one rank's elements. All indices count from 0 and are stored row by row. The zero value is an empty mesh.
type Mesh struct {
	// Dim is the number of coordinates of a node: 2 or 3. A surface in space has triangles and Dim 3.
	Dim int

	// Points holds the coordinates of the nodes. Shape [nodes][Dim].
	Points []float64

	// Blocks holds the elements, one block for each kind: those of the highest dimension, the cells, first.
	Blocks []Block

	// Groups names parts of the mesh.
	Groups []Group

	// Given holds the facets of the cells in an order of their own, such as that of OP2's airfoil: their nodes and cells,
	// as Interior and Boundary have them. Nil: they are in the order in which cells have them. Polyhedra are what their
	// given facets enclose.
	Given *Facets

	share *share // nil: the mesh is whole
}

// Block holds the elements of one kind.
type Block struct {
	Kind  Kind
	Nodes []int32 // Shape [Len()][Kind.Nodes()]; of polyhedra, those of one after the other, each ascending
	Ends  []int32 // of polyhedra: where the nodes of each end. Shape [Len()]; nil of other kinds
}

// Group is a named set of elements of one dimension, or of nodes: a physical group of Gmsh.
type Group struct {
	Name    string // may be empty
	Tag     int    // its number in a file; groups of one dimension have different ones
	Dim     int    // the dimension of its elements; 0: nodes
	Members []Members
}

// Members are the elements of a group that are in one block.
type Members struct {
	Block    int     // the index in [Mesh.Blocks]; -1: Elements are nodes
	Elements []int32 // indices in the block, or of nodes, each once and in ascending order
}

// Len returns the number of elements.
func (b *Block) Len() int {
	if b.Kind == Polyhedron {
		return len(b.Ends)
	}
	if n := b.Kind.Nodes(); n > 0 {
		return len(b.Nodes) / n
	}
	return 0
}

// Element returns the nodes of element e. They share memory with the block.
func (b *Block) Element(e int) []int32 {
	if b.Kind == Polyhedron {
		first := int32(0)
		if e > 0 {
			first = b.Ends[e-1]
		}
		return b.Nodes[first:b.Ends[e]:b.Ends[e]]
	}
	n := b.Kind.Nodes()
	return b.Nodes[e*n : (e+1)*n : (e+1)*n]
}

// Nodes returns the number of nodes.
func (m *Mesh) Nodes() int {
	if m.Dim <= 0 {
		return 0
	}
	return len(m.Points) / m.Dim
}

// Point returns the coordinates of a node. They share memory with the mesh.
func (m *Mesh) Point(node int32) []float64 {
	return m.Points[int(node)*m.Dim : (int(node)+1)*m.Dim : (int(node)+1)*m.Dim]
}

// CellDim returns the dimension of the cells: that of the first block. It is 0 for a mesh without elements.
func (m *Mesh) CellDim() int {
	if len(m.Blocks) == 0 {
		return 0
	}
	return m.Blocks[0].Kind.Dim()
}

// CellBlocks returns the blocks that hold cells: the first ones, whose kinds have the dimension of the first block.
func (m *Mesh) CellBlocks() []Block {
	for b := range m.Blocks {
		if m.Blocks[b].Kind.Dim() != m.CellDim() {
			return m.Blocks[:b:b]
		}
	}
	return m.Blocks
}

// Cells returns the number of cells.
func (m *Mesh) Cells() int {
	var cells int
	for b := range m.CellBlocks() {
		cells += m.Blocks[b].Len()
	}
	return cells
}

// Group returns the group with a name, or nil. Where groups of several dimensions share it, it is the one of
// the lowest dimension.
func (m *Mesh) Group(name string) *Group {
	var found *Group
	for g := range m.Groups {
		if m.Groups[g].Name == name && (found == nil || m.Groups[g].Dim < found.Dim) {
			found = &m.Groups[g]
		}
	}
	return found
}

// Len returns the number of elements or nodes in the group.
func (g *Group) Len() int {
	var n int
	for _, members := range g.Members {
		n += len(members.Elements)
	}
	return n
}
