package mesh

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// Cut is where a plane cuts the cells of a mesh of volumes: a mesh of polygons in the plane, as package plot takes it:
//
//	cut, err := m.Cut([3]float64{0.5, 0, 0}, [3]float64{1, 0, 0}) // at x = 0.5
//	field := plot.Field{Mesh: plot.Mesh{XY: cut.Points, Cells: cut.Polygons, Corners: cut.Corners}, Values: cut.Nodes(u)}
type Cut struct {
	// Points holds coordinates in the plane: of those of the space, a plane across an axis leaves out that axis.
	// Shape [points][2].
	Points []float64

	// Polygons holds the points around each polygon; where it has fewer than Corners, the last is repeated.
	// Shape [polygons][Corners].
	Polygons []int32
	Corners  int

	Section
}

// Section is the cells that a surface cuts, a plane or an iso-surface, and values on it.
type Section struct {
	// From is the cell that each polygon is in. Shape [polygons].
	From []int32

	ends    [][2]int32 // the nodes of the edge that each point is on
	parts   []float64  // how far it is from the first to the second
	numbers map[[2]int32]int32

	nodes, cells int // of the mesh
}

// sectionOf returns a section of a mesh that cuts no cells yet.
func sectionOf(m *Mesh) Section {
	return Section{numbers: map[[2]int32]int32{}, nodes: m.Nodes(), cells: m.Cells()}
}

// at returns the number of the point on an edge where heights at the nodes are zero, and whether it is a new one.
func (s *Section) at(a, b int32, height []float64) (number int32, added bool) {
	edge := [2]int32{min(a, b), max(a, b)}
	number, known := s.numbers[edge]
	if !known {
		number = int32(len(s.ends))
		s.numbers[edge] = number
		s.ends, s.parts = append(s.ends, edge), append(s.parts, height[edge[0]]/(height[edge[0]]-height[edge[1]]))
	}
	return number, !known
}

// Cut returns where the plane through a point with a normal cuts the cells. Cells are taken to be convex, and to end at
// their corners. It is an error if the mesh is not one of volumes, or if the normal is zero.
func (m *Mesh) Cut(point, normal [3]float64) (*Cut, error) {
	if err := m.Valid(); err != nil {
		return nil, err
	}
	if m.CellDim() != 3 {
		return nil, errors.New("mesh: only volumes can be cut")
	}
	n := vector(normal)
	if size := n.norm(); !(size > 0) || math.IsInf(size, 0) {
		return nil, errors.New("mesh: the normal of a cut is zero, or not finite")
	}
	height := make([]float64, m.Nodes())
	for i := range height {
		height[i] = m.vector(int32(i)).minus(point).dot(n)
	}
	c := &Cut{Corners: 3, Section: sectionOf(m)}
	across, up := n.axes()
	at := func(a, b int32) int32 {
		number, added := c.at(a, b, height)
		if added {
			edge, part := c.ends[number], c.parts[number]
			p, q := m.vector(edge[0]), m.vector(edge[1])
			for _, axis := range []vector{across, up} {
				c.Points = append(c.Points, p.dot(axis)+part*q.minus(p).dot(axis))
			}
		}
		return number
	}
	var polygons [][]int32
	err := m.eachSolid(func(cell int32, s solid) {
		var polygon []int32
		for _, edge := range s.edges {
			if p, q := s.nodes[edge.Nodes[0]], s.nodes[edge.Nodes[1]]; (height[p] < 0) != (height[q] < 0) {
				polygon = append(polygon, at(p, q))
			}
		}
		if len(polygon) > 0 {
			c.sort(polygon)
			polygons, c.From = append(polygons, polygon), append(c.From, cell)
			c.Corners = max(c.Corners, len(polygon))
		}
	})
	if err != nil {
		return nil, err
	}
	for _, p := range polygons {
		for i := range c.Corners {
			c.Polygons = append(c.Polygons, p[min(i, len(p)-1)])
		}
	}
	return c, nil
}

// sort brings the points of a convex polygon in their order around it.
func (c *Cut) sort(polygon []int32) {
	x, y := 0.0, 0.0
	for _, p := range polygon {
		x += c.Points[2*p] / float64(len(polygon))
		y += c.Points[2*p+1] / float64(len(polygon))
	}
	angle := func(p int32) float64 { return math.Atan2(c.Points[2*p+1]-y, c.Points[2*p]-x) }
	sorting.By(polygon, func(p, q int32) int { return cmp.Compare(angle(p), angle(q)) })
}

// Nodes returns the values at the points of the polygons, given those at the nodes of the mesh. Between these they are linear.
// It panics unless there is one for each node.
func (s *Section) Nodes(values []float64) []float64 {
	s.expect(len(values), s.nodes, "nodes")
	at := make([]float64, len(s.ends))
	for i, e := range s.ends {
		at[i] = values[e[0]] + s.parts[i]*(values[e[1]]-values[e[0]])
	}
	return at
}

// expect panics unless there are as many values as nodes or cells.
func (s *Section) expect(found, expected int, of string) {
	if found != expected {
		panic(fmt.Sprintf("mesh: a section: expected values of the %d %s of the mesh, found %d", expected, of, found))
	}
}

// Cells returns the values of the polygons, given those of the cells of the mesh. It panics unless there is one for each cell.
func (s *Section) Cells(values []float64) []float64 {
	s.expect(len(values), s.cells, "cells")
	of := make([]float64, len(s.From))
	for i, cell := range s.From {
		of[i] = values[cell]
	}
	return of
}

// axes returns two unit vectors in the plane with normal n, at right angles: those of two axes if n is along the third.
func (n vector) axes() (across, up vector) {
	up = vector{0, 0, 1}
	if math.Abs(n[2]) > 0.9*n.norm() {
		up = vector{0, 1, 0}
	}
	part := up.dot(n) / n.dot(n)
	up = up.minus(vector{part * n[0], part * n[1], part * n[2]}).unit()
	across = up.cross(n).unit()
	if slices.MaxFunc(across[:], func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }) < 0 {
		across = vector{}.minus(across)
	}
	return across, up
}

func (v vector) unit() vector {
	size := v.norm()
	return vector{v[0] / size, v[1] / size, v[2] / size}
}
