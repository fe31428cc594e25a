package mesh

import (
	"fmt"
	"math"
	"slices"
)

// vector is a place or a direction in space; the last component is 0 in the plane.
type vector [3]float64

// Measures returns the area of each cell, or its volume, from its corners. It is negative where the orientation of the
// cell is the wrong one: clockwise in the plane, inside out in space. Faces of more than three corners that are not plane count
// as triangles around their middle. It is an error if an index of the mesh is out of range.
func (m *Mesh) Measures() ([]float64, error) {
	if err := m.fits(); err != nil {
		return nil, err
	}
	measures := make([]float64, m.Cells())
	if m.polyhedral() {
		return measures, m.eachSolid(func(cell int32, s solid) { measures[cell] = m.volume(s.faces, s.nodes) })
	}
	cells := measures
	for i := range m.CellBlocks() {
		b := &m.Blocks[i]
		together(spans(b.Len()), func(_, lo, hi int) {
			for e := lo; e < hi; e++ {
				cells[e] = m.measure(b.Kind, b.Element(e))
			}
		})
		cells = cells[b.Len():]
	}
	return measures, nil
}

// measure returns the length, the area or the volume of an element. Only where it has the dimension of
// the coordinates, it may be negative.
func (m *Mesh) measure(k Kind, nodes []int32) float64 {
	switch dim := k.Dim(); {
	case dim == 1:
		a, b := m.vector(nodes[0]), m.vector(nodes[1])
		return b.minus(a).norm()
	case dim == 2 && m.Dim == 2:
		return m.areaVector(nodes[:k.Corners()])[2]
	case dim == 2:
		return m.areaVector(nodes[:k.Corners()]).norm()
	case dim == 3:
		return m.volume(k.Linear().Facets(), nodes)
	}
	return 0
}

// volume returns the volume of an element with the given faces by Gauss's theorem: a third of the sum of x·n over these.
func (m *Mesh) volume(faces []Part, nodes []int32) float64 {
	origin := m.vector(nodes[0])
	var sum float64 // six times the volume
	var room [8]vector
	x := room[:]
	for _, f := range faces {
		var middle vector
		x = slices.Grow(x[:0], len(f.Nodes))[:len(f.Nodes)]
		n := len(f.Nodes)
		for i, place := range f.Nodes {
			x[i] = m.vector(nodes[place]).minus(origin)
			for d := range middle {
				middle[d] += x[i][d] / float64(n)
			}
		}
		if n == 3 {
			sum += x[0].cross(x[1]).dot(x[2])
			continue
		}
		for i := range n {
			sum += x[i].cross(x[(i+1)%n]).dot(middle)
		}
	}
	return sum / 6
}

// areaVector returns the normal of a polygon, as long as its area: in the plane (0, 0, area).
func (m *Mesh) areaVector(corners []int32) vector {
	var sum vector
	origin := m.vector(corners[0])
	for i := 1; i+1 < len(corners); i++ {
		c := m.vector(corners[i]).minus(origin).cross(m.vector(corners[i+1]).minus(origin))
		for d := range sum {
			sum[d] += c[d] / 2
		}
	}
	return sum
}

func (m *Mesh) vector(node int32) (v vector) {
	copy(v[:], m.Point(node))
	return v
}

func (v vector) minus(w vector) vector { return vector{v[0] - w[0], v[1] - w[1], v[2] - w[2]} }
func (v vector) dot(w vector) float64  { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }
func (v vector) norm() float64         { return math.Sqrt(v.dot(v)) }

func (v vector) cross(w vector) vector {
	return vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// inverted returns the error that a cell has a negative area or volume, or nil.
func (m *Mesh) inverted() error {
	measures, err := m.Measures()
	if err != nil {
		return err
	}
	n := slices.IndexFunc(measures, func(size float64) bool { return size < 0 })
	if n < 0 {
		return nil
	}
	block, e := m.locate(n)
	hint := "Mesh.Orient makes the orientation of all cells positive"
	if m.polyhedral() {
		hint = "reverse the nodes of its faces, or the order of the two cells of each"
	}
	return fmt.Errorf("mesh: %s %d is inverted, its %s is %.3g: normals would point the wrong way\n  hint: "+hint, m.Blocks[block].Kind, m.share.first(block)+int64(e), []string{"area", "volume"}[m.Dim-2], measures[n])
}

// box is the bounding box of some points.
type box struct{ least, greatest [3]float64 }

func newBox() *box {
	inf := math.Inf(1)
	return &box{[3]float64{inf, inf, inf}, [3]float64{-inf, -inf, -inf}}
}

// add makes the box hold a point, whose z is 0 in two dimensions.
func (b *box) add(p []float64) {
	for k := range b.least {
		x := 0.0
		if k < len(p) {
			x = p[k]
		}
		b.least[k], b.greatest[k] = min(b.least[k], x), max(b.greatest[k], x)
	}
}

// diagonal returns the length of the box's diagonal.
func (b *box) diagonal() float64 { return vector(b.greatest).minus(vector(b.least)).norm() }

// solid is a cell of a mesh of volumes that ends at its corners: its nodes, and its edges and faces as places among them.
type solid struct {
	nodes        []int32
	edges, faces []Part
}

// eachSolid calls f with all cells of a valid mesh of volumes. Slices are valid until f returns. It is an error if the faces of
// polyhedra do not enclose them.
func (m *Mesh) eachSolid(f func(cell int32, s solid)) error {
	if !m.polyhedral() {
		for n, cell := range elementsOf(m.CellBlocks()) {
			k := cell.kind.Linear()
			f(int32(n), solid{cell.nodes, k.Edges(), k.Facets()})
		}
		return nil
	}
	of, err := m.Facets()
	if err != nil {
		return err
	}
	for n := range m.Cells() {
		f(int32(n), of.solid(n))
	}
	return nil
}

// solid returns a polyhedron.
func (f *Facets) solid(cell int) solid {
	s := solid{nodes: f.mesh.Blocks[0].Element(cell)}
	for _, face := range f.Of(cell) {
		places := make([]uint8, len(face))
		for i, n := range face {
			place, _ := slices.BinarySearch(s.nodes, n)
			places[i] = uint8(place)
		}
		s.faces = append(s.faces, Part{Polygon(len(face)), places})
		for i, from := range places {
			if to := places[(i+1)%len(places)]; from < to { // another face passes it in the other direction
				s.edges = append(s.edges, Part{Line, []uint8{from, to}})
			}
		}
	}
	return s
}
