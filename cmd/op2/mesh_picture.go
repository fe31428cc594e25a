package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

// mostEdges is how many faces a picture has at most that shows their edges.
const mostEdges = 20_000

// drawMesh draws the cells of a plane mesh, or the faces of another that can be seen from one side: in the colors of
// their groups, or else by the size of the cells.
func drawMesh(path string, m *mesh.Mesh, title string) error {
	faces, err := facesOf(m)
	if err != nil {
		return err
	}
	if len(faces) == 0 {
		return fmt.Errorf("%s: the mesh has neither faces nor volumes", path)
	}
	o := plot.Options{Title: title, Edges: len(faces) <= mostEdges, Projected: m.Dim == 3}
	o.Subtitle = fmt.Sprintf("%d nodes, %d cells", m.Nodes(), m.Cells())
	if names := groupFaces(m, faces); len(names) > 0 {
		o.Classes, o.Label = len(names), "Group"
		o.Subtitle += "; groups " + strings.Join(names, ", ")
	} else {
		o.Label = [4]string{2: "Square root of the area", 3: "Cubic root of the volume"}[m.CellDim()]
	}
	return plot.WriteFile(path, pictureOf(m, faces), o)
}

// face is a face of a picture.
type face struct {
	ring  []int32 // its nodes, around it
	value float64
}

// facesOf returns the cells of a mesh of faces, or the facets of the boundary of one of volumes, with the size of
// their cells.
func facesOf(m *mesh.Mesh) ([]face, error) {
	measures, err := m.Measures()
	if err != nil {
		return nil, err
	}
	size := func(cell int) float64 { return math.Pow(math.Abs(measures[cell]), 1/float64(m.CellDim())) }
	if m.CellDim() == 2 {
		faces := appendFaces(nil, m.CellBlocks())
		for i := range faces {
			faces[i].value = size(i)
		}
		return faces, nil
	}
	f, err := m.Facets()
	if err != nil || m.CellDim() < 2 {
		return nil, err
	}
	faces := appendFaces(nil, f.Boundary.Blocks)
	for i := range faces {
		faces[i].value = size(int(f.Boundary.Cells[i]))
	}
	return faces, nil
}

// appendFaces adds the elements of blocks as faces.
func appendFaces(faces []face, blocks []mesh.Block) []face {
	for i := range blocks {
		b := &blocks[i]
		for e := range b.Len() {
			nodes := b.Element(e)
			var ring []int32
			for _, edge := range b.Kind.Edges() {
				ring = append(ring, nodes[edge.Nodes[0]])
				if len(edge.Nodes) > 2 {
					ring = append(ring, nodes[edge.Nodes[2]])
				}
			}
			faces = append(faces, face{ring: ring})
		}
	}
	return faces
}

// groupFaces sets the values of faces to the numbers of their groups, and returns what these are called. A picture
// with fewer than two groups, or with more than it has colors for, shows none.
func groupFaces(m *mesh.Mesh, faces []face) (names []string) {
	class := make([]float64, len(faces))
	for i := range class {
		class[i] = math.NaN()
	}
	first := make([]int, len(m.Blocks)) // of the cells of each block
	for b := 1; b < len(m.CellBlocks()); b++ {
		first[b] = first[b-1] + m.Blocks[b-1].Len()
	}
	var f *mesh.Facets
	if m.CellDim() == 3 {
		f, _ = m.Facets() // which facesOf had without an error
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		if g.Dim != 2 {
			continue
		}
		var members []int
		for _, part := range g.Members {
			for _, e := range part.Elements {
				if f == nil {
					members = append(members, first[part.Block]+int(e))
				} else if n := int(f.Elements(part.Block)[e]) - f.Interior.Len(); n >= 0 {
					members = append(members, n)
				}
			}
		}
		for _, n := range members {
			class[n] = float64(len(names))
		}
		if len(members) > 0 {
			names = append(names, fmt.Sprint(len(names), " ", cmp.Or(g.Name, fmt.Sprint("tag ", g.Tag))))
		}
	}
	if len(names) < 2 || len(names) > 24 {
		return nil
	}
	for i := range faces {
		faces[i].value = class[i]
	}
	return names
}

// pictureOf returns the faces as a field in the plane: as they are, or as they look from the front, to the right and
// above, those of the back first and without those of volumes that are turned away.
func pictureOf(m *mesh.Mesh, faces []face) plot.Field {
	field := plot.Field{Mesh: plot.Mesh{XY: slices.Clone(m.Points)}}
	if m.Dim == 3 {
		field.Mesh.XY, faces = seenFaces(m, faces)
	}
	for _, f := range faces {
		field.Mesh.Corners = max(field.Mesh.Corners, len(f.ring))
	}
	for _, f := range faces {
		field.Values = append(field.Values, f.value)
		for i := range field.Mesh.Corners {
			field.Mesh.Cells = append(field.Mesh.Cells, f.ring[min(i, len(f.ring)-1)])
		}
	}
	if 2*len(faces) == len(field.Mesh.XY) { // values could be those of nodes
		field.Mesh.XY = append(field.Mesh.XY, 0, 0)
	}
	return field
}

// seenFaces returns the coordinates of the nodes as they are seen, and the faces that are seen, the nearest last.
func seenFaces(m *mesh.Mesh, faces []face) (xy []float64, visible []face) {
	viewer := [3]float64{0.45, -0.75, 0.48} // where the picture is seen from; its length is 1, as good as
	across := math.Hypot(viewer[0], viewer[1])
	right := [3]float64{-viewer[1] / across, viewer[0] / across, 0}
	up := [3]float64{-viewer[2] * right[1], viewer[2] * right[0], across}
	along := func(n int32, d [3]float64) float64 {
		p := m.Point(n)
		return p[0]*d[0] + p[1]*d[1] + p[2]*d[2]
	}
	for n := range int32(m.Nodes()) {
		xy = append(xy, along(n, right), along(n, up))
	}
	type placed struct {
		face
		near float64
	}
	var all []placed
	for _, f := range faces {
		var area, near float64
		for i, n := range f.ring {
			next := f.ring[(i+1)%len(f.ring)]
			area += xy[2*n]*xy[2*next+1] - xy[2*next]*xy[2*n+1]
			near += along(n, viewer) / float64(len(f.ring))
		}
		if area > 0 || m.CellDim() == 2 {
			all = append(all, placed{f, near})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.near, b.near) })
	for _, p := range all {
		visible = append(visible, p.face)
	}
	return xy, visible
}
