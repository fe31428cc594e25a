package mesh

import "iter"

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

// Facets are the boundaries of the cells of a mesh: the edges of triangles and quadrilaterals, the faces of volumes.
//
// Facets between two cells and those of one cell are apart, each numbered from 0, in the order of [Mesh.Given], or else
// in that in which cells first have them. Where one number for all is needed, the interior ones come first.
type Facets struct {
	Interior Sides // between two cells
	Boundary Sides // of one cell

	// Cells holds the facets of each cell, in the order of [Kind.Facets], a slice for each block of cells:
	// interior ones by their number, boundary ones by theirs plus Interior.Len().
	// Shape of each [Block.Len()][facets]; of polyhedra, those of one after the other, each ascending, up to its of Ends.
	Cells [][]int32

	// Ends holds where the faces of each polyhedron end in Cells[0]. It is nil for other cells. Shape [Block.Len()].
	Ends []int32

	// Signs holds for each facet of a cell 1 where the facet's orientation is outwards, which it is from its first
	// cell, and -1 where it is inwards. Shapes as in Cells.
	Signs [][]int8

	mesh          *Mesh
	interior, all int32     // of a share: how many the whole mesh has
	elems         [][]int32 // for each block of the mesh, of elements that are facets: the number of the facet, or -1
}

// Sides are facets, of the interior or of the boundary.
type Sides struct {
	// Blocks holds their nodes, one block for each kind, numbered one after the other: more than one only where
	// faces are both triangles and quadrilaterals. The order of the nodes is that of the facet's
	// first cell: from there the orientation is outwards. In the plane, where cells are counterclockwise, the first
	// cell lies to the left as one goes from the first node to the second; in space a face is
	// counterclockwise seen from outside the first cell.
	Blocks []Block

	// Cells holds the cells of each facet, numbered across the blocks of the mesh. Unless the facets are given, the one of
	// the lower number is first.
	// Shape [Len()][2] of the interior, [Len()][1] of the boundary.
	Cells []int32

	// Local holds which facet of each of these cells it is, counted as in [Kind.Facets]. Shape as Cells.
	Local []uint8
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

// blockElement is an element of some kind.
type blockElement struct {
	kind  Kind
	nodes []int32
}

// corners returns the corners of the element. They share memory with its block.
func (e blockElement) corners() []int32 { return e.nodes[:e.kind.Corners():e.kind.Corners()] }

// elementsOf returns the elements of blocks with their numbers, one block after the other.
func elementsOf(blocks []Block) iter.Seq2[int, blockElement] {
	return func(yield func(int, blockElement) bool) {
		n := 0
		for i := range blocks {
			for e := range blocks[i].Len() {
				if !yield(n, blockElement{blocks[i].Kind, blocks[i].Element(e)}) {
					return
				}
				n++
			}
		}
	}
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

// locate returns the block of a cell that is numbered across the blocks, and its number there.
func (m *Mesh) locate(cell int) (block, element int) {
	for cell >= m.Blocks[block].Len() {
		cell -= m.Blocks[block].Len()
		block++
	}
	return block, cell
}

// cellNumber returns the declared number among all cells of an element of a block.
func (m *Mesh) cellNumber(block int, element int32) int32 {
	if s := m.share; s != nil {
		return int32(s.before[block]+s.first(block)) + element
	}
	for b := range block {
		element += int32(m.Blocks[b].Len())
	}
	return element
}

// polyhedral reports whether the cells are polyhedra.
func (m *Mesh) polyhedral() bool {
	return m != nil && len(m.Blocks) > 0 && m.Blocks[0].Kind == Polyhedron
}

// cellSlabs returns the first of all cells that each rank declares, and the end. Cells of several kinds are numbered kind by
// kind: then a rank declares others than those that it has read.
func (s *share) cellSlabs(m *Mesh) []int64 {
	if len(m.CellBlocks()) == 1 {
		return s.starts[0]
	}
	return evenly(s.cells, s.rt.Ranks())
}
