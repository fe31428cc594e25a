package mesh

import (
	"math"
	"slices"
	"testing"
)

// withRegion adds a group of all cells, and one of the first of each kind.
func withRegion(m *Mesh) *Mesh {
	all, first := Group{Name: "all", Tag: 90, Dim: m.CellDim()}, Group{Name: "first", Tag: 91, Dim: m.CellDim()}
	for i := range m.CellBlocks() {
		members := Members{Block: i}
		for e := range m.Blocks[i].Len() {
			members.Elements = append(members.Elements, int32(e))
		}
		all.Members = append(all.Members, members)
		first.Members = append(first.Members, Members{i, []int32{0}})
	}
	m.Groups = append(m.Groups, all, first)
	return m
}

// size returns the size of the elements in a group.
func (m *Mesh) size(g *Group) (size float64) {
	for _, members := range g.Members {
		b := &m.Blocks[members.Block]
		for _, e := range members.Elements {
			size += m.measure(b.Kind, b.Element(int(e)))
		}
	}
	return size
}

// Refined twice, a mesh of each kind covers what it did, with positive cells that fit together, and so do its groups.
func TestRefine(t *testing.T) {
	for _, test := range generated {
		t.Run(test.name, func(t *testing.T) {
			m, f := build(t, test.make)
			withRegion(m)
			for range 2 {
				cells, boundary := 0, 0
				for i := range m.CellBlocks() {
					b := &m.Blocks[i]
					cells += b.Len() * map[Kind]int{Triangle: 4, Quadrilateral: 4, Tetrahedron: 8, Hexahedron: 8, Prism: 8, Pyramid: 10}[b.Kind]
				}
				boundary = f.Boundary.Len() << (m.Dim - 1)
				fine, err := m.Refine(nil)
				if err != nil {
					t.Fatal(err)
				}
				if f, err = fine.Facets(); err != nil {
					t.Fatal(err)
				}
				if fine.Cells() != cells || f.Boundary.Len() != boundary {
					t.Errorf("%d cells and %d facets on the boundary, want %d and %d", fine.Cells(), f.Boundary.Len(), cells, boundary)
				}
				measures, err := fine.Measures()
				if err != nil {
					t.Fatal(err)
				}
				for c, size := range measures {
					if size <= 0 {
						t.Errorf("cell %d has the size %v", c, size)
					}
				}
				for i := range m.Groups {
					before, after := m.size(&m.Groups[i]), fine.size(&fine.Groups[i])
					if math.Abs(after-before) > 1e-9*before {
						t.Errorf("group %s has the size %v, before %v", m.Groups[i].Name, after, before)
					}
					if members := fine.Groups[i].Members; !slices.IsSorted(members[0].Elements) {
						t.Errorf("group %s: elements %v", m.Groups[i].Name, members[0].Elements)
					}
				}
				m = fine
			}
		})
	}
}

// Nodes of second order are in the middle of what they belong to, each once, and the corners stay.
func TestQuadratic(t *testing.T) {
	for _, test := range generated {
		t.Run(test.name, func(t *testing.T) {
			m, _ := build(t, test.make)
			q, err := m.Quadratic(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := q.Valid(); err != nil {
				t.Fatal(err)
			}
			used := make([]bool, q.Nodes())
			places := map[vector]int32{}
			for i := range q.Blocks {
				b := &q.Blocks[i]
				middles := b.Kind.Edges()
				if b.Kind.Dim() > 1 {
					for _, f := range b.Kind.Facets() {
						if f.Kind == Quadrilateral9 {
							middles = append(slices.Clone(middles), f)
						}
					}
				}
				for e := range b.Len() {
					nodes := b.Element(e)
					for _, n := range nodes {
						used[n] = true
						if other, twice := places[q.vector(n)]; twice && other != n {
							t.Errorf("nodes %d and %d are both at %v", n, other, q.Point(n))
						}
						places[q.vector(n)] = n
					}
					for _, p := range middles {
						var corners []int32
						for _, place := range p.Nodes[:p.Kind.Corners()] {
							corners = append(corners, nodes[place])
						}
						if got, want := q.Point(nodes[p.Nodes[len(p.Nodes)-1]]), q.middle(corners); !close(got, want) {
							t.Errorf("%s %d: the middle of %v is at %v, want %v", b.Kind, e, corners, got, want)
						}
					}
					if b.Kind == Quadrilateral9 || b.Kind == Hexahedron27 {
						if got, want := q.Point(nodes[len(nodes)-1]), q.middle(nodes[:b.Kind.Corners()]); !close(got, want) {
							t.Errorf("%s %d: its middle is at %v, want %v", b.Kind, e, got, want)
						}
					}
					if !slices.Equal(nodes[:b.Kind.Corners()], m.Blocks[i].Element(e)) {
						t.Errorf("%s %d: corners %v, want %v", b.Kind, e, nodes[:b.Kind.Corners()], m.Blocks[i].Element(e))
					}
				}
			}
			if slices.Contains(used, false) {
				t.Errorf("node %d is of no element", slices.Index(used, false))
			}
			if _, err := q.Refine(nil); err == nil || err.Error() != "mesh: expected linear elements, found "+q.Blocks[0].Kind.String() {
				t.Errorf("error %v", err)
			}
		})
	}
}

func close(a, b []float64) bool {
	for d := range a {
		if math.Abs(a[d]-b[d]) > 1e-14 {
			return false
		}
	}
	return len(a) == len(b)
}

// With a projection, new nodes are on the circles, and the area converges to that between them.
func TestRefineProjected(t *testing.T) {
	m, err := Annulus(Triangle, 1, 8, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	radius := map[string]float64{"inner": 1, "outer": 2}
	project := func(group string, x []float64) {
		r := math.Hypot(x[0], x[1])
		x[0], x[1] = x[0]*radius[group]/r, x[1]*radius[group]/r
	}
	var missing []float64
	for range 4 {
		if m, err = m.Refine(project); err != nil {
			t.Fatal(err)
		}
		measures, err := m.Measures()
		if err != nil {
			t.Fatal(err)
		}
		area := 3 * math.Pi
		for _, a := range measures {
			area -= a
		}
		missing = append(missing, area)
		for name, r := range radius {
			nodes, err := m.GroupNodes(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range nodes {
				if at := math.Hypot(m.Point(n)[0], m.Point(n)[1]); math.Abs(at-r) > 1e-15 {
					t.Errorf("%s: node %d at radius %v", name, n, at)
				}
			}
		}
	}
	if ratio := missing[2] / missing[3]; math.Abs(ratio-4) > 0.05 {
		t.Errorf("areas that are missing: %v", missing)
	}
}

// Where a boundary is moved by nearly the height of the cells on it, the nodes in their middle follow.
func TestProjectionMovesMiddles(t *testing.T) {
	for _, c := range []struct {
		make   func() (*Mesh, error)
		group  string
		middle []float64 // of a cell; nil: cells have none
	}{
		{func() (*Mesh, error) { return Rectangle(Quadrilateral, 2, 1, 2, 0.1) }, "bottom", []float64{0.5, 0.095}},
		{func() (*Mesh, error) { return Box(Hexahedron, 2, 1, 1, 2, 1, 0.1) }, "bottom", []float64{0.5, 0.5, 0.095}},
		{func() (*Mesh, error) { return Box(Prism, 2, 1, 1, 2, 1, 0.1) }, "bottom", nil},
	} {
		m, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		raise := func(group string, x []float64) {
			if group == c.group {
				x[m.Dim-1] = 0.09
			}
		}
		q, err := m.Quadratic(raise)
		if err != nil {
			t.Fatal(err)
		}
		nodes := q.Blocks[0].Element(0)
		if got := q.Point(nodes[len(nodes)-1]); c.middle != nil && vectorOf(got).minus(vectorOf(c.middle)).norm() > 1e-12 {
			t.Errorf("%s: the middle of a cell is at %v, not %v", m.Blocks[0].Kind, got, c.middle)
		}
		fine, err := m.Refine(raise)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := fine.Check(); err != nil || r.String() != "no problems" {
			t.Errorf("%s: %v, error %v", m.Blocks[0].Kind, r, err)
		}
	}
}

func vectorOf(x []float64) (v vector) {
	copy(v[:], x)
	return v
}
