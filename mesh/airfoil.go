package mesh

// The values of [Airfoil.Bound].
const (
	Wall     = 1 // the surface of the airfoil: no flow through it
	FarField = 2 // the outer boundary: the free stream
)

// Airfoil is a two-dimensional mesh of quadrilaterals around an airfoil, laid out for a finite volume
// computation: unknowns in the cells, fluxes through the edges.
//
// All indices count from 0 and are stored row by row: the nodes of cell c are CellNodes[4*c : 4*c+4].
// The zero value is an empty mesh. [Airfoil.Check] says whether the parts fit together.
type Airfoil struct {
	Nodes  int // number of nodes
	Cells  int // number of cells
	Edges  int // number of interior edges
	Bedges int // number of boundary edges

	// XY holds the coordinates of the nodes, in chord lengths. Shape [Nodes][2].
	XY []float64

	// CellNodes holds the corners of each cell, in order around it. Shape [Cells][4].
	CellNodes []int32

	// EdgeNodes holds the two ends of each interior edge. Shape [Edges][2].
	EdgeNodes []int32

	// EdgeCells holds the cells on the two sides of each interior edge: first the one to the right, as one goes
	// from the edge's first node to its second. Shape [Edges][2].
	EdgeCells []int32

	// BedgeNodes holds the two ends of each boundary edge, ordered so that its cell lies to the right.
	// Shape [Bedges][2].
	BedgeNodes []int32

	// BedgeCell holds the cell of each boundary edge. Shape [Bedges].
	BedgeCell []int32

	// Bound says what each boundary edge is: [Wall] or [FarField]. Shape [Bedges].
	Bound []int32
}
