package mesh

import (
	"fmt"
	"math"
)

// Triangles is a mesh of triangles in the plane.
//
// All indices count from 0 and are stored row by row. The zero value is an empty mesh.
type Triangles struct {
	Nodes int // number of nodes
	Cells int // number of triangles

	// XY holds the coordinates of the nodes. Shape [Nodes][2].
	XY []float64

	// CellNodes holds the corners of each triangle, counterclockwise. Shape [Cells][3].
	CellNodes []int32

	// Boundary lists the nodes on the boundary, in ascending order.
	Boundary []int32
}

// Rectangle returns a mesh of the rectangle from (0, 0) to (width, height): nx by ny equal
// rectangles, row by row, each cut into two triangles along the diagonal from its lower left to its
// upper right corner. It has (nx+1)(ny+1) nodes and 2·nx·ny triangles, which must fit into an
// int32. It is an error if nx or ny is below 1, or width or height is not positive.
func Rectangle(nx, ny int, width, height float64) (*Triangles, error) {
	if nx < 1 || ny < 1 {
		return nil, fmt.Errorf("mesh: rectangle %d by %d: expected at least 1 by 1", nx, ny)
	}
	if cells := 2 * float64(nx) * float64(ny); cells > math.MaxInt32 {
		return nil, fmt.Errorf("mesh: rectangle %d by %d: expected at most %d triangles, found %.0f", nx, ny, math.MaxInt32, cells)
	}
	if !(width > 0) || !(height > 0) || math.IsInf(width, 0) || math.IsInf(height, 0) {
		return nil, fmt.Errorf("mesh: rectangle: expected a width and a height above 0, found %v by %v", width, height)
	}
	m := &Triangles{Nodes: (nx + 1) * (ny + 1), Cells: 2 * nx * ny}
	m.XY = make([]float64, 0, 2*m.Nodes)
	m.CellNodes = make([]int32, 0, 3*m.Cells)
	for j := range ny + 1 {
		for i := range nx + 1 {
			n := int32(i + j*(nx+1))
			m.XY = append(m.XY, width*float64(i)/float64(nx), height*float64(j)/float64(ny))
			if i == 0 || i == nx || j == 0 || j == ny {
				m.Boundary = append(m.Boundary, n)
			}
			if i < nx && j < ny {
				right, above, across := n+1, n+int32(nx+1), n+int32(nx+2)
				m.CellNodes = append(m.CellNodes, n, right, across, n, across, above)
			}
		}
	}
	return m, nil
}
