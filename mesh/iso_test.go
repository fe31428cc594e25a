package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-op2/op2/internal/optest"
)

// pyramids is a box of hexahedra, each divided into six pyramids.
func pyramids(n int) *Mesh {
	box := optest.Must(Box(Hexahedron, n, n, n, 1, 1, 1))
	m := &Mesh{Dim: 3, Points: box.Points, Blocks: []Block{{Kind: Pyramid}}}
	for c := range box.Cells() {
		nodes := box.Blocks[0].Element(c)
		for _, f := range Hexahedron.Facets() {
			for i := 3; i >= 0; i-- { // the base is seen from within
				m.Blocks[0].Nodes = append(m.Blocks[0].Nodes, nodes[f.Nodes[i]])
			}
			m.Blocks[0].Nodes = append(m.Blocks[0].Nodes, int32(m.Nodes()))
		}
		m.Points = append(m.Points, m.middle(nodes)...)
	}
	return m
}

// A sphere is closed, counterclockwise from within, where values are higher, and has its volume; a plane has its area; and
// surfaces of random values are closed and oriented, in cells of all shapes.
func TestIsoSurface(t *testing.T) {
	for name, m := range map[string]*Mesh{
		"tetrahedra": optest.Must(Box(Tetrahedron, 8, 8, 8, 1, 1, 1)), "prisms": optest.Must(Box(Prism, 8, 8, 8, 1, 1, 1)),
		"hexahedra": optest.Must(Box(Hexahedron, 8, 8, 8, 1, 1, 1)), "pyramids": pyramids(8),
		"second order": optest.Must(optest.Must(Box(Hexahedron, 8, 8, 8, 1, 1, 1)).Quadratic(nil)),
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			ball, plane, random := make([]float64, m.Nodes()), make([]float64, m.Nodes()), make([]float64, m.Nodes())
			for n := range ball {
				x := m.Point(int32(n))
				a, b, c := x[0]-0.52, x[1]-0.49, x[2]-0.5
				ball[n] = 10 - math.Sqrt(a*a+b*b+c*c)
				plane[n] = x[0] + 2*x[1] + 2*x[2]
				if random[n] = r.Float64() - 0.5; min(x[0], x[1], x[2]) == 0 || max(x[0], x[1], x[2]) == 1 {
					random[n] = -1
				}
			}
			closed := optest.Must(m.IsoSurface(ball, 9.7))
			if v, want := checkClosed(t, m, closed), -4./3*math.Pi*0.3*0.3*0.3; math.Abs(v-want) > 0.12*-want { // chords of the sphere are shorter
				t.Errorf("volume %g, want about %g", v, want)
			}
			checkClosed(t, m, optest.Must(m.IsoSurface(random, 0)))

			flat := optest.Must(m.IsoSurface(plane, 2.4))
			for i, v := range flat.Nodes(plane) {
				if math.Abs(v-2.4) > 1e-12 {
					t.Errorf("point %d has %g", i, v)
				}
			}
			area := vector{}
			for _, b := range flat.Mesh.Blocks {
				for e := range b.Len() {
					area = area.minus(flat.Mesh.areaVector(b.Element(e)))
				}
			}
			// Its shadow on z = 0 is where 0.2 < x/2 + y < 1.2: the square without two corners.
			if want := 1 - 0.2*0.4/2 - 0.3*0.6/2; math.Abs(math.Abs(area[2])-want) > 1e-9 || area[2] > 0 == (area[0] < 0) {
				t.Errorf("area %v, want %g across z", area, want)
			}
			if area[2] > 0 { // the sum of the opposite normals
				t.Errorf("area %v: it is inside out", area)
			}
		})
	}
}

// checkClosed returns the volume that a surface encloses, positive if its polygons are counterclockwise from outside.
func checkClosed(t *testing.T, m *Mesh, s *IsoSurface) (volume float64) {
	t.Helper()
	f, err := s.Mesh.Facets()
	if err != nil {
		t.Fatal(err)
	}
	if f.Boundary.Len() > 0 || s.Mesh.Cells() < 50 || len(s.From) != s.Mesh.Cells() {
		t.Errorf("%d polygons in %d cells, with %d edges of the boundary", s.Mesh.Cells(), len(s.From), f.Boundary.Len())
	}
	c := int32(0)
	numbers := make([]float64, m.Cells())
	for i := range numbers {
		numbers[i] = float64(i)
	}
	of := s.Cells(numbers)
	for _, b := range s.Mesh.Blocks {
		for e := range b.Len() {
			nodes := b.Element(e)
			volume += s.Mesh.vector(nodes[0]).dot(s.Mesh.areaVector(nodes)) / 3
			block, element := m.locate(int(of[c]))
			low, high := m.bounds(m.Blocks[block].Element(element))
			for _, n := range nodes {
				for d, x := range s.Mesh.Point(n) {
					if x < low[d]-1e-12 || x > high[d]+1e-12 {
						t.Fatalf("polygon %d leaves its cell %d", c, s.From[c])
					}
				}
			}
			c++
		}
	}
	for i := range f.Interior.Len() { // two polygons go through an edge in opposite directions
		if f.Signs[0] != nil && f.Interior.Cells[2*i] == f.Interior.Cells[2*i+1] {
			t.Errorf("edge %d has one polygon twice", i)
		}
	}
	return volume
}

// bounds returns the box around nodes.
func (m *Mesh) bounds(nodes []int32) (low, high vector) {
	low, high = m.vector(nodes[0]), m.vector(nodes[0])
	for _, n := range nodes {
		for d, x := range m.Point(n) {
			low[d], high[d] = min(low[d], x), max(high[d], x)
		}
	}
	return low, high
}

func TestIsoSurfaceErrors(t *testing.T) {
	box := optest.Must(Box(Tetrahedron, 1, 1, 1, 1, 1, 1))
	for _, c := range []struct {
		m      *Mesh
		values []float64
		level  float64
		want   string
	}{
		{optest.Must(Rectangle(Triangle, 1, 1, 1, 1)), make([]float64, 4), 0, "mesh: iso-surfaces are those of volumes"},
		{box, make([]float64, 7), 0, "mesh: iso-surface: expected a value for each of 8 nodes, found 7"},
		{box, []float64{0, 1, 2, math.NaN(), 0, 0, 0, 0}, 0, "mesh: iso-surface: the value at node 3 is NaN, the level 0: expected finite ones"},
		{box, make([]float64, 8), math.Inf(1), "mesh: iso-surface: the value at node 0 is 0, the level +Inf: expected finite ones"},
	} {
		if _, err := c.m.IsoSurface(c.values, c.level); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if s := optest.Must(box.IsoSurface(make([]float64, 8), 1)); s.Mesh.Cells() != 0 || len(s.From) != 0 {
		t.Errorf("%d polygons where no value is above", s.Mesh.Cells())
	}
}
