package mesh

import (
	"fmt"
	"math"
	"math/cmplx"
)

const (
	// Two cells along the airfoil, one on each surface, are the fewest that all have an area.
	minWall = 2
	minRows = 1

	// Near the nose the cells are about 0.35/i by 0.53/j. At this resolution that is some 1e-5, with coordinates
	// given to 1e-6: finer cells would begin to collapse.
	maxResolution = 30_000

	// With this many cells an int32 can number every position in every array, not only every index.
	maxCells = math.MaxInt32 / 4
)

// NACA0012 returns the mesh of OP2's airfoil benchmark at any resolution: i cells along the airfoil
// (half of them on each surface) and i on each side of the cut behind it, in j layers from there to
// the far field. The classic mesh is NACA0012(400, 600), with 720,000 cells. The counts are
//
//	nodes           (3i+1)(j+1)
//	cells           3ij
//	interior edges  (3i-1)j + 3i(j-1) + i
//	boundary edges  4i + 2j
//
// Lengths are in chords. The nose is at (-0.0077, 0), the trailing edge, drawn out a little, at (1, 0), the far field
// 9 to 18 chords away. The cut goes from the trailing edge along the x axis to the far field; its nodes exist twice,
// once for each side, at equal coordinates: [Mesh.Joined] has them once. Coordinates are rounded to six decimals, as the
// text format keeps them. [Mesh.Given] holds the edges in the order of OP2's mesh, and those of the boundary are the
// groups "wall" and "far": writing the mesh and reading it back changes nothing.
//
// It is an error if i is below 2 or j below 1, if one of them is above 30,000, or if 4 · 3ij exceeds an int32.
//
// Source: M. B. Giles' generator of the mesh for OP2's airfoil. A rectangle of the upper half plane, its lower
// side raised to the image of the airfoil under the complex square root, is divided into columns and rows and mapped
// back by the square.
func NACA0012(i, j int) (*Mesh, error) { return NACA0012Share(i, j, 0, 1) }

// NACA0012Share returns the share of one of several ranks in the mesh that NACA0012 returns, to be declared with
// NewSetShare: a contiguous piece of the nodes, of the cells, and of the interior and the boundary edges in
// [Mesh.Given], about as many as the other ranks have. Its indices are those of the whole mesh, which is never in
// memory. The methods of Mesh that look up nodes or cells need a whole mesh.
func NACA0012Share(i, j, rank, ranks int) (*Mesh, error) {
	if rank < 0 || rank >= ranks {
		return nil, fmt.Errorf("mesh: naca0012 share: expected one of %d ranks, counted from 0, found %d", ranks, rank)
	}
	if i < minWall || i > maxResolution {
		return nil, fmt.Errorf("mesh: naca0012 %d by %d: expected from %d to %d cells along the airfoil, found %d",
			i, j, minWall, maxResolution, i)
	}
	if j < minRows || j > maxResolution {
		return nil, fmt.Errorf("mesh: naca0012 %d by %d: expected from %d to %d layers of cells, found %d",
			i, j, minRows, maxResolution, j)
	}
	if cells := 3 * int64(i) * int64(j); cells > maxCells {
		return nil, fmt.Errorf("mesh: naca0012 %d by %d: expected at most %d cells, found %d", i, j, maxCells, cells)
	}

	g := cGrid{wall: i, columns: 3 * i, rows: j}
	piece := func(n int) span { return span{rank * n / ranks, (rank + 1) * n / ranks} }
	a := &airfoilArrays{points: g.coordinates(piece(g.nodes())), cells: g.cellNodes(piece(g.cells()))}
	a.edgeNodes, a.edgeCells = g.interiorEdges(piece(g.edges()))
	a.bedgeNodes, a.bedgeCell, a.bound = g.boundaryEdges(piece(g.bedges()))
	return a.mesh(), nil
}

// airfoilCurve returns the upper surface of the airfoil and, mirrored, the lower one, in the half plane of the
// square root: from the trailing edge of the lower surface (x about -1) over the nose (x = 0) to that of the
// upper (x about 1).
func airfoilCurve() (x, y []float64) {
	const (
		points = 100    // from nose to trailing edge
		origin = 0.0077 // the point whose root is 0: just inside the nose
	)
	x, y = make([]float64, 2*points-1), make([]float64, 2*points-1)
	for k := range points {
		s := math.Sin(float64(k) * (math.Pi / 2) / (points - 1))
		px := s * s // points lie closer at both ends
		py := profile(px)
		if k == points-1 {
			py = 0 // the polynomial closes the trailing edge only to seven digits
		}
		z := cmplx.Sqrt(complex(px-origin, py))
		right, left := points-1+k, points-1-k
		x[right], y[right] = real(z), imag(z)
		x[left], y[left] = -real(z), imag(z)
	}
	return x, y
}

// profile returns half the thickness of the airfoil at distance x from the nose, both in chords.
//
// Source: the NACA 0012 section with its polynomial rescaled to close at x = 1, as in OP2's generator.
func profile(x float64) float64 {
	return 0.594689181 * (0.298222773*math.Sqrt(x) - 0.127125232*x - 0.357907906*x*x +
		0.291984971*x*x*x - 0.105174696*x*x*x*x)
}

// cGrid is the grid in the half plane: columns by rows, folded around the airfoil by the square. Of
// the cells of the lowest row, the first third lies on one side of the cut, the second on the airfoil, and the
// last, in reverse, on the other side of the cut.
type cGrid struct {
	wall    int // cells along the airfoil
	columns int // 3·wall
	rows    int
}

const halfWidth = 3 // the grid in the half plane covers -3 to 3 by 0 to 3

func (g cGrid) node(i, j int) int32 { return int32(i + j*(g.columns+1)) }
func (g cGrid) cell(i, j int) int32 { return int32(i + j*g.columns) }

func (g cGrid) nodes() int { return (g.columns + 1) * (g.rows + 1) }
func (g cGrid) cells() int { return g.columns * g.rows }

func (g cGrid) edges() int {
	return (g.columns-1)*g.rows + g.columns*(g.rows-1) + g.wall
}

func (g cGrid) bedges() int { return g.wall + g.columns + 2*g.rows }

// abscissa returns the x of column i in the half plane. Columns i and columns-i have exactly opposite ones,
// so that the two sides of the cut meet.
func (g cGrid) abscissa(i int) float64 {
	return halfWidth * float64(2*i-g.columns) / float64(g.columns)
}

// lowerBoundary returns the height of the lowest node of each column: that of the airfoil's image, 0 at the cut.
func (g cGrid) lowerBoundary() []float64 {
	curveX, curveY := airfoilCurve()
	curve := newSpline(curveX, curveY)
	end := curveX[len(curveX)-1]

	height := make([]float64, g.columns+1)
	for i := g.wall + 1; i < 2*g.wall; i++ {
		// The curve ends at 0.996, the grid's airfoil at 1. Nodes in between, which exist from
		// about 520 cells on, belong on the axis; the extrapolated spline would cross it.
		if x := math.Abs(g.abscissa(i)); x < end {
			height[i] = curve.at(x)
		}
	}
	return height
}

// coordinates returns the nodes, mapped back by the square, with six decimals. Shape [nodes][2].
func (g cGrid) coordinates(nodes span) []float64 {
	lower := g.lowerBoundary()
	xy := make([]float64, 0, 2*nodes.size())
	for n := nodes.lo; n < nodes.hi; n++ {
		i, j := n%(g.columns+1), n/(g.columns+1)
		x, y := g.abscissa(i), float64(halfWidth)
		if j < g.rows {
			y = lower[i] + float64(j)*(halfWidth-lower[i])/float64(g.rows)
		}
		// The conversions forbid a fused operation, which would make processors that have it differ.
		xy = append(xy, round6(float64(x*x)-float64(y*y)), round6(2*x*y))
	}
	return xy
}

// cellNodes returns the corners of the cells, counterclockwise. Shape [cells][4].
func (g cGrid) cellNodes(cells span) []int32 {
	nodes := make([]int32, 0, 4*cells.size())
	for c := cells.lo; c < cells.hi; c++ {
		i, j := c%g.columns, c/g.columns
		nodes = append(nodes, g.node(i, j), g.node(i+1, j), g.node(i+1, j+1), g.node(i, j+1))
	}
	return nodes
}

// interiorEdges returns the ends of the interior edges and the cells beside them: the first cell to the left, as
// one goes from the first node to the second. Shapes [edges][2].
func (g cGrid) interiorEdges(edges span) (nodes, cells []int32) {
	nodes, cells = make([]int32, 0, 2*edges.size()), make([]int32, 0, 2*edges.size())
	first := 0 // row
	for first < g.rows-1 && g.edgesBelow(first+1) <= edges.lo {
		first++
	}
	number := g.edgesBelow(first)
	add := func(from, to, left, right int32) {
		if number >= edges.lo && number < edges.hi {
			nodes, cells = append(nodes, from, to), append(cells, left, right)
		}
		number++
	}
	for j := first; j < g.rows && number < edges.hi; j++ {
		for i := range g.columns {
			if j == 0 && i < g.wall { // across the cut
				add(g.node(i+1, j), g.node(i, j), g.cell(g.columns-1-i, j), g.cell(i, j))
			}
			if j < g.rows-1 { // to the row above
				add(g.node(i+1, j+1), g.node(i, j+1), g.cell(i, j), g.cell(i, j+1))
			}
			if i < g.columns-1 { // to the next column
				add(g.node(i+1, j+1), g.node(i+1, j), g.cell(i+1, j), g.cell(i, j))
			}
		}
	}
	return nodes, cells
}

// edgesBelow returns the number of interior edges of the rows below j, which is not above the last.
func (g cGrid) edgesBelow(j int) int {
	if j == 0 {
		return 0
	}
	return g.wall + j*(2*g.columns-1)
}

// boundaryEdges returns the ends, the cells and the bounds of the boundary edges: first the wall, then the far field once
// around. Shapes [bedges][2], [bedges], [bedges].
func (g cGrid) boundaryEdges(bedges span) (nodes, cell, bound []int32) {
	const wall, far = 1, 2 // numbers in boundNames
	n := bedges.size()
	nodes, cell, bound = make([]int32, 0, 2*n), make([]int32, 0, n), make([]int32, 0, n)
	number := 0
	add := func(from, to, inside, bounds int32) {
		if number >= bedges.lo && number < bedges.hi {
			nodes, cell, bound = append(nodes, from, to), append(cell, inside), append(bound, bounds)
		}
		number++
	}
	for i := g.wall; i < 2*g.wall; i++ {
		add(g.node(i, 0), g.node(i+1, 0), g.cell(i, 0), wall)
	}
	for j := range g.rows {
		add(g.node(g.columns, j), g.node(g.columns, j+1), g.cell(g.columns-1, j), far)
	}
	for i := g.columns - 1; i >= 0; i-- {
		add(g.node(i+1, g.rows), g.node(i, g.rows), g.cell(i, g.rows-1), far)
	}
	for j := g.rows - 1; j >= 0; j-- {
		add(g.node(0, j+1), g.node(0, j), g.cell(0, j), far)
	}
	return nodes, cell, bound
}
