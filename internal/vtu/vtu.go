// Package vtu encodes and decodes the XML files of VTK that hold unstructured grids, as plain data: VTU files with
// one grid, and the indexes over them, VTM for the blocks of a data set and PVD for a series in time.
//
// It writes arrays as appended raw data, compressed by zlib in blocks that several processors work on, or as text. It
// reads what VTK and meshio write: text, base64 and raw data, inline and appended, compressed by zlib or LZ4 or not,
// with 32- and 64-bit headers, in both byte orders.
//
// It knows nothing of meshes, sets and dats: its callers are package mesh, which reads and writes meshes, and package
// vtk, which writes results. It converts no values.
package vtu

// Array is a named array of tuples.
type Array struct {
	Name       string
	Components int      // values of one tuple; 0 stands for 1
	Names      []string // of the components; nil: none

	// Values holds the tuples one after the other: a slice of one of the types in [Scalar].
	Values any
}

// Scalar is the type of the values of an array.
type Scalar interface {
	float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8
}

// Grid is an unstructured grid as a file holds it.
type Grid struct {
	Points  []float64 // [points][3]
	Nodes   []int32   // the points of all cells, one cell after the other
	Offsets []int     // where the nodes of each cell end
	Types   []uint8   // of the cells, numbered as in vtkCellType.h

	// Faces holds for each polyhedron, one after the other, the number of its faces, and for each of these the number of its
	// points, and the points. FaceEnds is where those of a cell end, or -1 if it is no polyhedron; nil: there are none.
	Faces    []int32
	FaceEnds []int

	PointData, CellData, FieldData []Array

	PointsAt, CellsAt int // where the file holds them: offsets for errors
}

// Types of cells with a fixed number of points.
const (
	Vertex                 = 1
	Line                   = 3
	Triangle               = 5
	Polygon                = 7
	Pixel                  = 8
	Quad                   = 9
	Tetra                  = 10
	Voxel                  = 11
	Hexahedron             = 12
	Wedge                  = 13
	Pyramid                = 14
	QuadraticEdge          = 21
	QuadraticTriangle      = 22
	QuadraticQuad          = 23
	QuadraticTetra         = 24
	QuadraticHexahedron    = 25
	QuadraticWedge         = 26
	QuadraticPyramid       = 27
	BiquadraticQuad        = 28
	TriquadraticHexahedron = 29
	BiquadraticWedge       = 32
	Polyhedron             = 42 // with any number of points
	LagrangePyramid        = 74 // of order 2, with 14 points
)
