package mesh

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/optest"
)

// shaken is a unit square of triangles whose inner nodes have moved.
func shaken(t testing.TB, n int) *Mesh {
	m := optest.Must(Rectangle(Triangle, n, n, 1, 1))
	r := rand.New(rand.NewPCG(3, 4))
	for i := range int32(m.Nodes()) {
		if x := m.Point(i); x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1 {
			x[0] += 0.2 * (r.Float64() - 0.5) / float64(n)
			x[1] += 0.2 * (r.Float64() - 0.5) / float64(n)
		}
	}
	return m
}

func TestDual(t *testing.T) {
	for name, m := range map[string]*Mesh{
		"square": shaken(t, 5), "quadrilaterals": optest.Must(Rectangle(Quadrilateral, 3, 2, 1, 1)),
		"annulus": optest.Must(Annulus(Triangle, 3, 11, 0.5, 1)), "triangle": {Dim: 2, Points: []float64{0, 0, 1, 0, 0, 1}, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2}}}},
	} {
		d := optest.Must(m.Dual())
		if r := optest.Must(d.Check()); fmt.Sprint(r) != fmt.Sprint(optest.Must(m.Check())) {
			t.Errorf("%s: %v", name, r)
		}
		if d.Cells() != m.Nodes() {
			t.Errorf("%s: %d cells around %d nodes", name, d.Cells(), m.Nodes())
		}
		area, want := 0.0, 0.0
		for _, a := range optest.Must(d.Measures()) {
			area += a
		}
		for _, a := range optest.Must(m.Measures()) {
			want += a
		}
		if math.Abs(area-want) > 1e-12 {
			t.Errorf("%s: area %g, want %g", name, area, want)
		}
		f, of := optest.Must(d.Facets()), optest.Must(m.Facets())
		if f.Boundary.Len() != 2*of.Boundary.Len() || d.Nodes()+d.Cells()-f.Interior.Len()-f.Boundary.Len() != m.Nodes()+m.Cells()-of.Interior.Len()-of.Boundary.Len() {
			t.Errorf("%s: %d edges inside and %d of the boundary", name, f.Interior.Len(), f.Boundary.Len())
		}
		for i := range m.Groups {
			length := func(m *Mesh, g *Group) (sum float64) {
				for _, members := range g.Members {
					for _, e := range members.Elements {
						sum += m.measure(Line, m.Blocks[members.Block].Element(int(e)))
					}
				}
				return sum
			}
			if got, want := length(d, &d.Groups[i]), length(m, &m.Groups[i]); d.Groups[i].Name != m.Groups[i].Name || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: group %s is %g long, want %g", name, d.Groups[i].Name, got, want)
			}
		}
	}
}

func TestDualErrors(t *testing.T) {
	fan := &Mesh{Dim: 2, Points: []float64{0, 0}}
	var spokes []int32
	for i := range int32(70) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 70)
		fan.Points = append(fan.Points, cos, sin)
		spokes = append(spokes, 0, i+1, (i+1)%70+1)
	}
	fan.Blocks = []Block{{Kind: Triangle, Nodes: spokes}}
	for _, c := range []struct {
		m    *Mesh
		want string
	}{
		{&Mesh{Dim: 3, Points: make([]float64, 9), Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2}}}}, "mesh: the dual: expected areas in the plane or volumes, found cells of dimension 2 in 3 dimensions"},
		{&Mesh{Dim: 2, Points: []float64{0, 0, 1, 0, 0, 1}, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 2, 1}}}}, "mesh: triangle 0 is inverted, its area is -0.5: normals would point the wrong way\n  hint: Mesh.Orient makes the orientation of all cells positive"},
		{&Mesh{Dim: 2, Points: []float64{0, 0, 1, 0, 1, 1, -1, 0, -1, -1}, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2, 0, 3, 4}}}}, "mesh: the dual: the boundary passes node 0 twice"},
		{optest.Must(optest.Must(Rectangle(Triangle, 1, 1, 1, 1)).Quadratic(nil)), "mesh: the dual: expected linear elements, found triangle6"},
		{fan, "mesh: the dual: the cell around node 0 had 70 corners, at most 64 are possible"},
	} {
		if _, err := c.m.Dual(); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Polygons are written and read as VTU and HDF5, and refused by what does not know them.
func TestPolygonFiles(t *testing.T) {
	m := optest.Must(shaken(t, 4).Dual())
	var out bytes.Buffer
	optest.OK(t, m.WriteVTU(&out))
	same(t, optest.Must(ReadVTU(&out)), m)
	if _, err := openHDF5(); err == nil {
		path := t.TempDir() + "/polygons.h5"
		optest.OK(t, m.WriteFile(path))
		same(t, optest.Must(ReadFile(path)), m)
	}
	hexagon := &Mesh{Dim: 2, Points: make([]float64, 12), Blocks: []Block{{Kind: Polygon(6), Nodes: []int32{0, 1, 2, 3, 4, 5}}}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{hexagon.WriteGmsh(&out), "mesh: Gmsh's format has no polygon6s\n  hint: VTK's, .vtu, and HDF5, .h5, have polygons"},
		{second(hexagon.Refine(nil)), "mesh: polygons of more than four corners cannot be refined, and have no second order; found polygon6"},
		{second(hexagon.Quadratic(nil)), "mesh: polygons of more than four corners cannot be refined, and have no second order; found polygon6"},
		{hexagon.WriteAirfoil(&out), "mesh: expected quadrilaterals in the plane for OP2's airfoil, found polygon6s in 2 dimensions"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v\nwant %s", c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// same compares meshes by their nodes, elements and groups.
func same(t *testing.T, got, want *Mesh) {
	t.Helper()
	if fmt.Sprint(got.Dim, got.Points, got.Blocks) != fmt.Sprint(want.Dim, want.Points, want.Blocks) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	for _, g := range want.Groups {
		if found := got.Group(g.Name); found == nil || found.Len() != g.Len() {
			t.Errorf("group %s: %v", g.Name, found)
		}
	}
}

func TestPolygonKinds(t *testing.T) {
	for corners := -1; corners <= 300; corners++ {
		k := Polygon(corners)
		if corners < 3 || corners > 64 {
			if k != 0 {
				t.Errorf("Polygon(%d) is %s", corners, k)
			}
			continue
		}
		if k.Nodes() != corners || k.Corners() != corners || k.Dim() != 2 || k.Order() != 1 || len(k.Edges()) != corners || len(k.Facets()) != corners {
			t.Errorf("%s: %d nodes, %d edges", k, k.Nodes(), len(k.Edges()))
		}
		for i, e := range k.Facets() {
			if e.Kind != Line || !slices.Equal(e.Nodes, []uint8{uint8(i), uint8((i + 1) % corners)}) {
				t.Errorf("%s: edge %d is %v", k, i, e)
			}
		}
		nodes := make([]int32, corners)
		for i := range nodes {
			nodes[i] = int32(i)
		}
		reverseElement(k, nodes)
		if !sameOrientation(nodes, append([]int32{0}, backwards(corners-1)...)) {
			t.Errorf("%s reversed: %v", k, nodes)
		}
	}
}

func backwards(n int) (nodes []int32) {
	for i := n; i > 0; i-- {
		nodes = append(nodes, int32(i))
	}
	return nodes
}
