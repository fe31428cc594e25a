package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Reversed elements have the opposite measure, and their nodes of second order are still where they belong.
func TestReverse(t *testing.T) {
	for _, name := range []string{"first", "second", "incomplete"} {
		m := readTestdata(t, name+"-4.1-text.msh")
		for _, b := range m.Blocks {
			for e := range b.Len() {
				nodes := b.Element(e)
				before := slices.Clone(nodes)
				volume := m.measure(b.Kind, nodes)
				reverseElement(b.Kind, nodes)
				if b.Kind.Dim() == 3 && math.Abs(m.measure(b.Kind, nodes)+volume) > 1e-14 {
					t.Errorf("%s: volume %v, %v after it was reversed", b.Kind, volume, m.measure(b.Kind, nodes))
				}
				if slices.Equal(before, nodes) {
					t.Errorf("%s: nothing was reversed", b.Kind)
				}
			}
			checkMiddles(t, m, b)
		}
	}
}

// reverseSome reverses about half of the elements.
func reverseSome(m *Mesh) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, b := range m.Blocks {
		for e := range b.Len() {
			if r.IntN(2) == 1 {
				reverseElement(b.Kind, b.Element(e))
			}
		}
	}
}

func TestOrient(t *testing.T) {
	for name, build := range map[string]func() (*Mesh, error){
		"triangles":      func() (*Mesh, error) { return Rectangle(Triangle, 5, 4, 2, 1) },
		"quadrilaterals": func() (*Mesh, error) { return Rectangle(Quadrilateral, 5, 4, 2, 1) },
		"tetrahedra":     func() (*Mesh, error) { return Box(Tetrahedron, 3, 2, 2, 2, 1, 1) },
		"prisms":         func() (*Mesh, error) { return Box(Prism, 3, 2, 2, 2, 1, 1) },
		"mixed":          func() (*Mesh, error) { return readTestdata(t, "second-2.2-text.msh"), nil },
	} {
		m, err := build()
		if err != nil {
			t.Fatal(err)
		}
		reverseSome(m)
		if err := m.Orient(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		measures, err := m.Measures()
		if err != nil || slices.Min(measures) <= 0 {
			t.Errorf("%s: %v, measures %v", name, err, measures)
		}
		f, err := m.Facets()
		if err != nil {
			t.Fatal(err)
		}
		oriented := 0
		for i, b := range m.Blocks {
			for e, n := range f.Elements(i) {
				if n -= int32(f.Interior.Len()); n >= 0 {
					corners := b.Kind.Corners()
					if !sameOrientation(b.Element(e)[:corners], f.Boundary.nodesOf(int(n))[:corners]) {
						t.Errorf("%s: %s %d is not oriented outwards", name, b.Kind, e)
					}
					oriented++
				}
			}
		}
		if oriented == 0 {
			t.Errorf("%s: no elements on the boundary", name)
		}
	}
}

func TestOrientSurface(t *testing.T) {
	box, err := Box(Tetrahedron, 3, 2, 2, 2, 1, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	shell := &Mesh{Dim: 3, Points: box.Points, Blocks: []Block{box.Blocks[1]}}
	reverseSome(shell)
	reverseElement(Triangle, shell.Blocks[0].Element(0))
	if err := shell.Orient(); err != nil {
		t.Fatal(err)
	}
	var enclosed float64
	for e := range shell.Blocks[0].Len() {
		nodes := shell.Blocks[0].Element(e)
		enclosed += shell.vector(nodes[0]).dot(shell.areaVector(nodes)) / 3
	}
	if math.Abs(enclosed-1) > 1e-12 {
		t.Errorf("the surface of a box encloses %v, want 1", enclosed)
	}
	for _, c := range []struct {
		name  string
		lines []int32
		want  []int32
	}{
		{"closed", []int32{1, 0, 1, 2, 3, 2, 3, 0}, []int32{0, 1, 1, 2, 2, 3, 3, 0}},
		{"open", []int32{1, 0, 1, 2, 3, 2}, []int32{1, 0, 2, 1, 3, 2}},
	} {
		curve := &Mesh{Dim: 2, Points: twoTriangles().Points, Blocks: []Block{{Kind: Line, Nodes: c.lines}}}
		if err := curve.Orient(); err != nil || !slices.Equal(c.lines, c.want) {
			t.Errorf("%s: error %v, lines %d, want %d", c.name, err, c.lines, c.want)
		}
	}
	// A strip of five triangles, glued with a twist.
	strip := &Mesh{Dim: 3, Points: make([]float64, 15), Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 0, 4, 0, 1}}}}
	want := "mesh: the cells have no consistent orientation, which shows between cells 3 and 2"
	if err := strip.Orient(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
