package mesh

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// IsoSurface is where values at the nodes of a mesh of volumes have one level.
type IsoSurface struct {
	// Mesh has a polygon for each part of the surface in a cell, sorted by the number of their corners, in three dimensions.
	// Seen from where values are higher, corners are counterclockwise.
	Mesh *Mesh

	Section
}

// IsoSurface returns the surface on which values, one for each node, have a level. They are taken to be linear along edges,
// and cells to end at their corners. On a face whose corners are above and below in turn, those above are apart, for both
// cells: the surface has no gaps. It is an error if the mesh is not one of volumes, or if values are not as many as nodes and
// finite.
//
//	s, err := m.IsoSurface(temperature, 300)
//	err = vtk.WriteFile("surface.vtu", s.Mesh, vtk.NodeValues("p", s.Nodes(p)))
func (m *Mesh) IsoSurface(values []float64, level float64) (*IsoSurface, error) {
	if err := m.Valid(); err != nil {
		return nil, err
	}
	if m.CellDim() != 3 {
		return nil, errors.New("mesh: iso-surfaces are those of volumes")
	}
	if len(values) != m.Nodes() {
		return nil, fmt.Errorf("mesh: iso-surface: expected a value for each of %d nodes, found %d", m.Nodes(), len(values))
	}
	height := make([]float64, len(values))
	for i, v := range values {
		if height[i] = v - level; math.IsNaN(height[i]) || math.IsInf(height[i], 0) {
			return nil, fmt.Errorf("mesh: iso-surface: the value at node %d is %v, the level %v: expected finite ones", i, v, level)
		}
	}
	s := &IsoSurface{Mesh: &Mesh{Dim: 3}, Section: sectionOf(m)}
	var polygons [mostCorners + 1][]int32 // by their corners
	var from [mostCorners + 1][]int32
	tooMany := 0
	err := m.eachSolid(func(cell int32, of solid) {
		for _, polygon := range s.polygons(of.faces, of.nodes, height) {
			n := len(polygon)
			if n > mostCorners {
				tooMany = n
				continue
			}
			polygons[n], from[n] = append(polygons[n], polygon...), append(from[n], cell)
		}
	})
	if err == nil && tooMany > 0 {
		err = fmt.Errorf("mesh: iso-surface: it has %d corners in one cell, at most %d are possible", tooMany, mostCorners)
	}
	if err != nil {
		return nil, err
	}
	for i, edge := range s.ends {
		p, q := m.Point(edge[0]), m.Point(edge[1])
		for d := range 3 {
			s.Mesh.Points = append(s.Mesh.Points, p[d]+s.parts[i]*(q[d]-p[d]))
		}
	}
	for n, nodes := range polygons {
		if nodes != nil {
			s.Mesh.Blocks, s.From = append(s.Mesh.Blocks, Block{Kind: Polygon(n), Nodes: nodes}), append(s.From, from[n]...)
		}
	}
	return s, nil
}

// polygons returns the points around each part of the surface in a cell. On each face the surface runs from where it enters
// a row of corners that are above, as one goes around it, to where it leaves.
func (s *IsoSurface) polygons(faces []Part, nodes []int32, height []float64) (polygons [][]int32) {
	above := func(n int32) bool { return height[n] > 0 }
	var next [][2]int32 // of two points, in the order of the faces
	for _, f := range faces {
		corner := func(i int) int32 { return nodes[f.Nodes[i%f.Kind.Corners()]] }
		for i := range f.Kind.Corners() {
			if above(corner(i)) || !above(corner(i+1)) {
				continue
			}
			enters, _ := s.at(corner(i), corner(i+1), height)
			j := i + 1
			for above(corner(j + 1)) {
				j++
			}
			leaves, _ := s.at(corner(j), corner(j+1), height)
			next = append(next, [2]int32{leaves, enters})
		}
	}
	for len(next) > 0 {
		polygon := []int32{next[0][0]}
		for at := next[0][1]; ; {
			i := slices.IndexFunc(next, func(pair [2]int32) bool { return pair[0] == at })
			if i <= 0 { // back at the start, or, in a cell that is not closed, at an end
				next = next[1:]
				break
			}
			polygon = append(polygon, at)
			at = next[i][1]
			next = slices.Delete(next, i, i+1)
		}
		if len(polygon) >= 3 {
			polygons = append(polygons, polygon)
		}
	}
	return polygons
}
