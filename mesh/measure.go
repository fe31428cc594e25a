package mesh

import (
	"fmt"
	"math"
	"slices"
)

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

// vector is a place or a direction in space; the last component is 0 in the plane.
type vector [3]float64

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
