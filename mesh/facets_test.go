package mesh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// generated are small meshes of all linear kinds, their Euler characteristics and sizes.
var generated = []struct {
	name  string
	make  func() (*Mesh, error)
	euler int     // nodes - edges + faces - volumes
	size  float64 // area or volume; 0: not known exactly
}{
	{"triangles", func() (*Mesh, error) { return Rectangle(Triangle, 3, 2, 6, 1) }, 1, 6},
	{"quadrilaterals", func() (*Mesh, error) { return Rectangle(Quadrilateral, 3, 4, 6, 2) }, 1, 12},
	{"triangles of a disc", func() (*Mesh, error) { return Disc(Triangle, 5, 2) }, 1, 15 * 4 * math.Sin(2*math.Pi/30)},
	{"quadrilaterals of a disc", func() (*Mesh, error) { return Disc(Quadrilateral, 5, 2) }, 1, 10 * 4 * math.Sin(2*math.Pi/20)},
	{"triangles of an annulus", func() (*Mesh, error) { return Annulus(Triangle, 2, 12, 1, 2) }, 0, 9},
	{"quadrilaterals of an annulus", func() (*Mesh, error) { return Annulus(Quadrilateral, 2, 12, 1, 2) }, 0, 9},
	{"airfoil", func() (*Mesh, error) {
		foil, _ := NACA0012(8, 5)
		m, err := foil.Joined()
		m.Given = nil
		return m, err
	}, 0, 0},
	{"tetrahedra", func() (*Mesh, error) { return Box(Tetrahedron, 2, 3, 1, 1, 2, 3) }, 1, 6},
	{"hexahedra", func() (*Mesh, error) { return Box(Hexahedron, 3, 2, 2, 1, 2, 3) }, 1, 6},
	{"prisms", func() (*Mesh, error) { return Box(Prism, 2, 2, 3, 1, 2, 3) }, 1, 6},
	{"mixed", func() (*Mesh, error) { return mixed(), nil }, 1, 1 + 1./3 + 0.5 + 1.25/6},
}

// mixed returns a hexahedron with a pyramid on top, a tetrahedron at its side, and a prism at the hexahedron's.
func mixed() *Mesh {
	return &Mesh{Dim: 3, Points: []float64{
		0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1,
		0.5, 0.5, 2, 0.5, -1, 1.5, 2, 0.5, 0, 2, 0.5, 1,
	}, Blocks: []Block{
		{Kind: Tetrahedron, Nodes: []int32{4, 5, 8, 9}},
		{Kind: Hexahedron, Nodes: []int32{0, 1, 2, 3, 4, 5, 6, 7}},
		{Kind: Prism, Nodes: []int32{1, 10, 2, 5, 11, 6}},
		{Kind: Pyramid, Nodes: []int32{4, 5, 6, 7, 8}},
	}}
}

func build(t testing.TB, make func() (*Mesh, error)) (*Mesh, *Facets) {
	t.Helper()
	m, err := make()
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Facets()
	if err != nil {
		t.Fatal(err)
	}
	return m, f
}

// The facets of each mesh fit its cells: their number by Euler's formula, the orientation of each by its normals, whose
// sum is zero over the boundary of each cell and of the mesh, and from which follows the size of both.
func TestFacets(t *testing.T) {
	for _, test := range generated {
		t.Run(test.name, func(t *testing.T) {
			m, f := build(t, test.make)
			facets := f.Interior.Len() + f.Boundary.Len()
			euler := m.Nodes() - facets + m.Cells()
			if m.Dim == 3 {
				e, err := m.Edges()
				if err != nil {
					t.Fatal(err)
				}
				euler = m.Nodes() - e.Len() + facets - m.Cells()
			}
			if euler != test.euler {
				t.Errorf("Euler characteristic %d, want %d", euler, test.euler)
			}

			sums := make([]vector, m.Cells()) // of outward normals
			sizes := make([]float64, m.Cells())
			var sum vector
			var size float64
			add := func(sum *vector, size *float64, sign float64, normal, middle vector) {
				for d := range sum {
					sum[d] += sign * normal[d]
				}
				*size += sign * normal.dot(middle) / float64(m.Dim)
			}
			for _, side := range []*Sides{&f.Interior, &f.Boundary} {
				n := 0
				for i := range side.Blocks {
					b := &side.Blocks[i]
					for e := range b.Len() {
						normal, middle := m.normal(b.Element(e))
						cells := side.cellsOf(n)
						for k, c := range cells {
							add(&sums[c], &sizes[c], float64(1-2*k), normal, middle)
						}
						if len(cells) == 1 {
							add(&sum, &size, 1, normal, middle)
						} else if cells[0] >= cells[1] {
							t.Errorf("the cells of a facet are %v", cells)
						}
						n++
					}
				}
			}
			for c := range sums {
				if sums[c].norm() > 1e-12 {
					t.Errorf("cell %d: the sum of the normals is %v", c, sums[c])
				}
			}
			if sum.norm() > 1e-12 {
				t.Errorf("the sum of the normals is %v", sum)
			}
			measures, err := m.Measures()
			if err != nil {
				t.Fatal(err)
			}
			total := 0.0
			for c, measure := range measures {
				if total += measure; measure <= 0 || math.Abs(measure-sizes[c]) > 1e-12 {
					t.Errorf("cell %d has the size %v, by its facets %v", c, measure, sizes[c])
				}
			}
			if math.Abs(total-size) > 1e-9 || test.size > 0 && math.Abs(total-test.size) > 1e-9 {
				t.Errorf("the cells have the size %v, the boundary %v, want %v", total, size, test.size)
			}
			checkCells(t, m, f)
			if len(m.Groups) > 0 {
				checkBoundaryElements(t, m, f)
			}
		})
	}
}

// checkBoundaryElements checks that the elements which are not cells are all facets of the boundary, oriented outwards.
func checkBoundaryElements(t *testing.T, m *Mesh, f *Facets) {
	t.Helper()
	elements := 0
	for i := len(m.CellBlocks()); i < len(m.Blocks); i++ {
		for e, n := range f.Elements(i) {
			elements++
			if n -= int32(f.Interior.Len()); n < 0 {
				t.Errorf("element %d of block %d is not on the boundary", e, i)
			} else if nodes := m.Blocks[i].Element(e); !sameOrientation(nodes, f.Boundary.nodesOf(int(n))) {
				t.Errorf("element %d of block %d has the nodes %v, the facet %v", e, i, nodes, f.Boundary.nodesOf(int(n)))
			}
		}
	}
	if elements != f.Boundary.Len() {
		t.Errorf("%d elements on the boundary, want %d", elements, f.Boundary.Len())
	}
}

// normal returns the normal of a facet, as long as it is large, and its middle.
func (m *Mesh) normal(corners []int32) (normal, middle vector) {
	for _, n := range corners {
		for d, x := range m.vector(n) {
			middle[d] += x / float64(len(corners))
		}
	}
	if len(corners) == 2 {
		along := m.vector(corners[1]).minus(m.vector(corners[0]))
		return vector{along[1], -along[0]}, middle
	}
	return m.areaVector(corners), middle
}

// checkCells checks the facets of each cell against a comparison of all pairs.
func checkCells(t *testing.T, m *Mesh, f *Facets) {
	t.Helper()
	type facet struct {
		nodes       string // in order
		cell, local int
	}
	var all []facet
	cell := 0
	for i := range m.CellBlocks() {
		b := &m.Blocks[i]
		for e := range b.Len() {
			for local, p := range b.Kind.Facets() {
				var nodes []int32
				for _, place := range p.Nodes {
					nodes = append(nodes, b.Element(e)[place])
				}
				slices.Sort(nodes)
				all = append(all, facet{fmt.Sprint(nodes), cell, local})
			}
			cell++
		}
	}
	var got []int32 // as in f.Cells, one after the other
	var signs []int8
	var across []int32
	for i := range f.Cells {
		got, signs = append(got, f.Cells[i]...), append(signs, f.Signs[i]...)
	}
	for k, n := range got {
		across = append(across, f.across(n, int32(all[k].cell)))
	}
	start, neighbors := f.Graph()
	if len(got) != len(all) || len(start) != m.Cells()+1 {
		t.Fatalf("%d facets of cells, want %d, of %d cells", len(got), len(all), len(start)-1)
	}
	var want []int32
	for k, a := range all {
		neighbor := int32(-1)
		first := true
		for j, b := range all {
			if a.nodes == b.nodes && j != k {
				neighbor, first = int32(b.cell), k < j
				if got[j] != got[k] {
					t.Errorf("cells %d and %d have facets %d and %d", a.cell, b.cell, got[k], got[j])
				}
			}
		}
		if sign := map[bool]int8{true: 1, false: -1}[first]; signs[k] != sign {
			t.Errorf("cell %d: the sign of facet %d is %d, want %d", a.cell, a.local, signs[k], sign)
		}
		if across[k] != neighbor {
			t.Errorf("cell %d: the neighbor across facet %d is %d, want %d", a.cell, a.local, across[k], neighbor)
		}
		side, n, at := &f.Boundary, int(got[k])-f.Interior.Len(), 0
		if neighbor >= 0 {
			want = append(want, neighbor)
			side, n = &f.Interior, int(got[k])
			at = 2 * n
			if !first {
				at++
			}
		} else {
			at = n
		}
		if int(side.Cells[at]) != a.cell || int(side.Local[at]) != a.local {
			t.Errorf("facet %d of cell %d is facet %d of cell %d", a.local, a.cell, side.Local[at], side.Cells[at])
		}
		nodes := slices.Clone(side.nodesOf(n))
		slices.Sort(nodes)
		if fmt.Sprint(nodes) != a.nodes {
			t.Errorf("facet %d of cell %d has nodes %v, want %v", a.local, a.cell, nodes, a.nodes)
		}
	}
	if !slices.Equal(neighbors, want) {
		t.Errorf("the graph is %v, want %v", neighbors, want)
	}
}

// Cells and nodes in any order have the same facets, and any number of processors finds them in one order.
func TestFacetsOfPermutedMeshes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r := rand.New(rand.NewPCG(1, 2))
	for _, make := range []func() (*Mesh, error){
		func() (*Mesh, error) { return Rectangle(Triangle, 70, 80, 1, 1) },
		func() (*Mesh, error) { return Box(Prism, 20, 15, 16, 1, 1, 1) },
	} {
		m, f := build(t, make)
		number := permutation(r, m.Nodes())
		m.Points = moved(m.Points, m.Dim, number)
		for i := range m.Blocks {
			b := &m.Blocks[i]
			b.Nodes = moved(renumbered(b.Nodes, number), b.Kind.Nodes(), permutation(r, b.Len()))
		}
		var before *Facets
		for _, processors := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(processors)
			_, g := build(t, func() (*Mesh, error) { return m, nil })
			if g.Interior.Len() != f.Interior.Len() || g.Boundary.Len() != f.Boundary.Len() {
				t.Errorf("%d and %d facets, want %d and %d", g.Interior.Len(), g.Boundary.Len(), f.Interior.Len(), f.Boundary.Len())
			}
			if before != nil && fmt.Sprint(before.Interior, before.Boundary, before.Cells, before.Signs) != fmt.Sprint(g.Interior, g.Boundary, g.Cells, g.Signs) {
				t.Errorf("%d processors find other facets", processors)
			}
			before = g
			for _, side := range []*Sides{&g.Interior, &g.Boundary} {
				for n := range side.Len() {
					for _, c := range side.cellsOf(n) {
						for _, node := range side.nodesOf(n) {
							if !slices.Contains(m.Blocks[0].Element(int(c)), node) {
								t.Fatalf("facet %v is not one of cell %d", side.nodesOf(n), c)
							}
						}
					}
				}
			}
		}
	}
}

// Random triangles and tetrahedra, few of which fit together, against the comparison of all pairs.
func TestFacetsOfRandomCells(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, kind := range []Kind{Triangle, Tetrahedron} {
		found, interior := 0, 0
		for range 300 {
			m := &Mesh{Dim: 3, Points: make([]float64, 3*10), Blocks: []Block{{Kind: kind}}}
			for range 6 {
				for _, n := range r.Perm(10)[:kind.Nodes()] {
					m.Blocks[0].Nodes = append(m.Blocks[0].Nodes, int32(n))
				}
			}
			if f, err := m.Facets(); err == nil {
				checkCells(t, m, f)
				found++
				interior += f.Interior.Len()
			}
		}
		if found < 100 || interior < 50 {
			t.Errorf("%s: %d meshes have facets, %d of them of two cells", kind, found, interior)
		}
	}
}

func TestFacetsErrors(t *testing.T) {
	points := make([]float64, 2*8)
	for _, test := range []struct {
		name string
		m    Mesh
		want string
	}{
		{"three cells", Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{5, 6, 7, 0, 1, 2, 1, 0, 3, 4, 0, 1}}, {Kind: Line, Nodes: []int32{0, 1}}}},
			"mesh: the edge with nodes 0, 1 has more than two cells: triangle 1, triangle 2, triangle 3"},
		{"five cells", Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2, 1, 0, 3, 4, 0, 1, 1, 0, 5, 0, 1, 6}}}},
			"mesh: the edge with nodes 0, 1 has more than two cells: triangle 0, triangle 1, triangle 2, triangle 3, ..."},
		{"two kinds", Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2, 3, 2, 1}}, {Kind: Quadrilateral, Nodes: []int32{1, 2, 4, 5}}}},
			"mesh: the edge with nodes 1, 2 has more than two cells: triangle 0, triangle 1, quadrilateral 0"},
		{"node twice", Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Quadrilateral, Nodes: []int32{0, 1, 2, 3, 4, 5, 5, 6, 7, 7, 0, 1}}}},
			"mesh: quadrilateral 1 has a node twice: [4 5 5 6]"},
		{"no such node", Mesh{Dim: 2, Points: points, Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 8}}}},
			"mesh: Blocks[0].Nodes[2]: expected a node index in [0,8), found 8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.m.Facets(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
	if f, err := new(Mesh).Facets(); err != nil || f.Interior.Len() != 0 {
		t.Errorf("an empty mesh: %v", err)
	}
}

// Groups of lines are edges of the boundary, by their numbers there.
func TestFacetsOfGroups(t *testing.T) {
	m, _ := build(t, func() (*Mesh, error) { return Rectangle(Triangle, 3, 2, 3, 2) })
	m.Blocks[1].Nodes = append(m.Blocks[1].Nodes, 5, 1) // the first cell's diagonal, between two cells
	m.Groups = append(m.Groups, Group{Name: "both", Dim: 1, Members: []Members{{1, []int32{0, 10}}}})
	f, err := m.Facets()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		group, interior, boundary string
	}{
		{"bottom", "[]", "[[0 1] [1 2] [2 3]]"},
		{"right", "[]", "[[3 7] [7 11]]"},
		{"top", "[]", "[[9 8] [10 9] [11 10]]"},
		{"left", "[]", "[[4 0] [8 4]]"},
		{"both", "[[1 5]]", "[[0 1]]"},
	} {
		interior, boundary, err := f.Group(m.Group(test.group))
		if err != nil {
			t.Fatal(err)
		}
		nodes := func(side *Sides, numbers []int32) string {
			all := [][]int32{}
			for _, n := range numbers {
				all = append(all, side.nodesOf(int(n)))
			}
			return fmt.Sprint(all)
		}
		if got := nodes(&f.Interior, interior); got != test.interior {
			t.Errorf("%s: interior %s, want %s", test.group, got, test.interior)
		}
		if got := nodes(&f.Boundary, boundary); got != test.boundary {
			t.Errorf("%s: boundary %s, want %s", test.group, got, test.boundary)
		}
	}
	if got, want := f.Boundary.Nodes(), []int32{0, 1, 2, 3, 4, 7, 8, 9, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("nodes of the boundary %v, want %v", got, want)
	}
	m.Blocks[1].Nodes[1] = 9
	if f, err = m.Facets(); err != nil {
		t.Fatal(err)
	}
	const want = `mesh: group "bottom": element 0 of block 1 is not a facet of a cell`
	if _, _, err := f.Group(m.Group("bottom")); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func BenchmarkFacets(b *testing.B) {
	shuffled := func(m *Mesh) *Mesh {
		r := rand.New(rand.NewPCG(1, 2))
		b := &m.Blocks[0]
		b.Nodes = moved(renumbered(b.Nodes, permutation(r, m.Nodes())), b.Kind.Nodes(), permutation(r, b.Len()))
		m.Blocks, m.Groups = m.Blocks[:1], nil
		return m
	}
	for _, bench := range []struct {
		name string
		make func() (*Mesh, error)
	}{
		{"triangles", func() (*Mesh, error) { return Rectangle(Triangle, 707, 707, 1, 1) }},
		{"tetrahedra", func() (*Mesh, error) { return Box(Tetrahedron, 55, 55, 55, 1, 1, 1) }},
		{"hexahedra", func() (*Mesh, error) { return Box(Hexahedron, 100, 100, 100, 1, 1, 1) }},
	} {
		m, err := bench.make()
		if err != nil {
			b.Fatal(err)
		}
		for _, order := range []string{"", "/shuffled"} {
			if order != "" {
				m = shuffled(m)
			}
			b.Run(bench.name+order, func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Facets(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(m.Cells()), "cells")
			})
		}
	}
}

// No mesh, however wrong, makes a function panic.
func TestWrongMeshes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	right := 0
	rt := open(t)
	n := 3000
	if testing.Short() { // the race detector takes twenty times as long
		n /= 10
	}
	for range n {
		m := &Mesh{Dim: r.IntN(5), Points: make([]float64, r.IntN(60))}
		for range r.IntN(4) {
			b := Block{Kind: Kind(r.IntN(int(kinds) + 1)), Nodes: make([]int32, r.IntN(40))}
			if r.IntN(8) > 0 && b.Kind.Nodes() > 0 {
				b.Nodes = b.Nodes[:len(b.Nodes)/b.Kind.Nodes()*b.Kind.Nodes()]
			}
			for i := range b.Nodes {
				b.Nodes[i] = int32(r.IntN(max(1, m.Nodes()+r.IntN(2))))
			}
			m.Blocks = append(m.Blocks, b)
		}
		if r.IntN(8) > 0 {
			m.Dim = 2 + r.IntN(2)
			m.Points = m.Points[:len(m.Points)/m.Dim*m.Dim]
			slices.SortFunc(m.Blocks, func(a, b Block) int { return b.Kind.Dim() - a.Kind.Dim() })
		}
		if r.IntN(2) > 0 {
			m.Groups = []Group{{Name: "g", Dim: r.IntN(4), Members: []Members{{r.IntN(4) - 1, []int32{int32(r.IntN(3))}}}}}
		}
		if m.Valid() == nil {
			right++
		}
		if f, err := m.Facets(); err == nil {
			f.Graph()
			f.Boundary.Nodes()
			for i := range m.Groups {
				f.Group(&m.Groups[i])
			}
		}
		m.Edges()
		m.Corners()
		m.Measures()
		m.GroupNodes("g")
		m.Quadratic(func(string, []float64) {})
		m.Refine(nil)
		m.Mark("h", func([]float64) bool { return true })
		to := m.Declare(rt, WithEdges(), WithFaces(), WithCellEdges(), WithCellFaces(), WithCorners())
		to.NodesOf("g")
		to.CornersOf("g")
		to.CellsOf("g")
		to.BoundaryOf("g")
	}
	if right < n/10 {
		t.Errorf("%d meshes are valid", right)
	}
}
