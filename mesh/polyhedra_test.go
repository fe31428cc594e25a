package mesh

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shakenBox returns a box of 1 by 2 by 3 whose inner nodes are moved at random.
func shakenBox(t *testing.T, k Kind, n int) *Mesh {
	m, err := Box(k, n, n+1, n, 1, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(k), 1))
	for i := range int32(m.Nodes()) {
		if p := m.Point(i); p[0] > 0 && p[0] < 1 && p[1] > 0 && p[1] < 2 && p[2] > 0 && p[2] < 3 {
			for d := range p {
				p[d] += (r.Float64() - 0.5) * 0.2 / float64(n)
			}
		}
	}
	return m
}

// polyhedra returns meshes of polyhedra that fill a box of volume 6.
func polyhedra(t *testing.T) map[string]*Mesh {
	meshes := map[string]*Mesh{}
	for _, k := range []Kind{Tetrahedron, Hexahedron, Prism} {
		m := shakenBox(t, k, 3)
		dual, err := m.Dual()
		if err != nil {
			t.Fatal(err)
		}
		own, err := m.Polyhedra()
		if err != nil {
			t.Fatal(err)
		}
		meshes["dual of "+plural(k)], meshes[plural(k)] = dual, own
	}
	return meshes
}

// Polyhedra fill the box, have no defects, and keep both in a file, when shuffled, and in cuts.
func TestPolyhedra(t *testing.T) {
	for name, m := range polyhedra(t) {
		sound := func(what string, m *Mesh) {
			t.Helper()
			volume, least := 0.0, math.Inf(1)
			measures, err := m.Measures()
			for _, v := range measures {
				volume, least = volume+v, min(least, v)
			}
			if err != nil || math.Abs(volume-6) > 1e-12 || least <= 0 {
				t.Errorf("%s, %s: volume %g, the least %g, error %v", name, what, volume, least, err)
			}
			if r, err := m.Check(); err != nil || r.String() != "no problems" {
				t.Errorf("%s, %s: %v, error %v", name, what, r, err)
			}
			if of := m.Group("front"); of != nil {
				f, _ := m.Facets()
				if _, boundary, err := f.Group(of); err != nil || len(boundary) != of.Len() {
					t.Errorf("%s, %s: group of %d faces, error %v", name, what, len(boundary), err)
				}
			} else {
				t.Errorf("%s, %s: the groups are %v", name, what, m.Groups)
			}
		}
		sound("as made", m)
		var file bytes.Buffer
		if err := m.WriteVTU(&file); err != nil {
			t.Fatal(err)
		}
		read, err := ReadVTU(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(name, err)
		}
		sound("read", read)
		if !reflect.DeepEqual(read.Points, m.Points) || !reflect.DeepEqual(read.Blocks[0], m.Blocks[0]) {
			t.Errorf("%s: reading gives another mesh", name)
		}
		shuffled := m.clone()
		shuffled.Shuffle(7)
		sound("shuffled", shuffled)

		cut, err := m.Cut([3]float64{0.4, 0, 0}, [3]float64{1, 0, 0})
		if err != nil {
			t.Fatal(err)
		}
		area := 0.0
		for p := range slices.Chunk(cut.Polygons, cut.Corners) {
			area += (&Mesh{Dim: 2, Points: cut.Points}).areaVector(p)[2]
		}
		x := make([]float64, m.Nodes())
		for n := range x {
			x[n] = m.Points[3*n]
		}
		surface, err := m.IsoSurface(x, 0.4)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := surface.Mesh.Measures()
		iso := 0.0
		for _, part := range parts {
			iso += part
		}
		if math.Abs(area-6) > 1e-9 || math.Abs(iso-6) > 1e-9 || err != nil {
			t.Errorf("%s: a cut of area %g and an iso-surface of %g, want 6, error %v", name, area, iso, err)
		}
	}
}

// Cells that become polyhedra keep their numbers, their volumes, their facets and their neighbors.
func TestMeshPolyhedra(t *testing.T) {
	m := shakenBox(t, Prism, 3)
	p, err := m.Polyhedra()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := m.Facets()
	after, err := p.Facets()
	if err != nil || !reflect.DeepEqual(before.Interior.Cells, after.Interior.Cells) || !reflect.DeepEqual(before.Boundary.Blocks, after.Boundary.Blocks) {
		t.Error("other facets", err)
	}
	want, _ := m.Measures()
	got, err := p.Measures()
	for cell := range want {
		if err != nil || math.Abs(got[cell]-want[cell]) > 1e-15 {
			t.Fatalf("volumes %g, want %g, error %v", got, want, err)
		}
	}
	_, neighbors := before.Graph()
	_, others := after.Graph()
	if len(neighbors) != len(others) {
		t.Errorf("%d neighbors, want %d", len(others), len(neighbors))
	}
	for cell := range m.Cells() {
		if a, b := before.Of(cell), after.Of(cell); len(a) != len(b) {
			t.Fatalf("cell %d has the faces %v, want %v", cell, b, a)
		}
	}
}

// One cube, whose dual is eight of them; and without faces there are no cells.
func TestSmallPolyhedra(t *testing.T) {
	cube, err := Box(Hexahedron, 1, 1, 1, 2, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	dual, err := cube.Dual()
	if err != nil || dual.Cells() != 8 {
		t.Fatal(dual, err)
	}
	if sizes, err := dual.Measures(); err != nil || slices.ContainsFunc(sizes, func(v float64) bool { return math.Abs(v-1) > 1e-15 }) {
		t.Error(sizes, err)
	}
	none, err := NewPolyhedra(nil, Sides{}, Sides{})
	if err != nil || none.Cells() != 0 {
		t.Error(none, err)
	}
	if f, err := none.Facets(); err != nil || f.Interior.Len() != 0 {
		t.Error(err)
	}
}

// In a file, faces may be turned anyhow, and beside polyhedra there may be other volumes.
func TestReadPolyhedra(t *testing.T) {
	const file = `<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="9" NumberOfCells="2">
<Points><DataArray type="Float64" NumberOfComponents="3">0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 .5 .5 2</DataArray></Points>
<Cells><DataArray type="Int64" Name="connectivity">0 1 2 3 4 5 6 7 4 5 6 7 8</DataArray>
<DataArray type="Int64" Name="offsets">8 13</DataArray><DataArray type="UInt8" Name="types">42 14</DataArray>
<DataArray type="Int64" Name="faces">%s</DataArray>
<DataArray type="Int64" Name="faceoffsets">%d -1</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>`
	const cube = "6  4 0 1 2 3  4 4 5 6 7  4 0 1 5 4  4 1 2 6 5  4 2 3 7 6  4 3 7 4 0"
	m, err := ReadVTU(strings.NewReader(fmt.Sprintf(file, cube, 31)))
	if err != nil {
		t.Fatal(err)
	}
	if sizes, err := m.Measures(); err != nil || fmt.Sprintf("%.4f", sizes) != "[1.0000 0.3333]" {
		t.Error(sizes, err)
	}
	if f, err := m.Facets(); err != nil || f.Interior.Len() != 1 || f.Boundary.Len() != 9 {
		t.Error(err)
	}
	// VTK writes a list of all faces from version 9.4 on.
	lists := strings.NewReplacer(`<DataArray type="Int64" Name="faces">%s</DataArray>`, `<DataArray type="Int64" Name="face_connectivity">0 3 2 1 4 5 6 7 0 1 5 4 1 2 6 5 2 3 7 6 3 0 4 7</DataArray>
<DataArray type="Int64" Name="face_offsets">4 8 12 16 20 24</DataArray><DataArray type="Int64" Name="polyhedron_to_faces">%s</DataArray>`,
		`Name="faceoffsets">%d -1<`, `Name="polyhedron_offsets">%d 6<`).Replace(file)
	m, err = ReadVTU(strings.NewReader(fmt.Sprintf(lists, "0 1 2 3 4 5", 6)))
	if err != nil {
		t.Fatal(err)
	}
	if sizes, err := m.Measures(); err != nil || fmt.Sprintf("%.4f", sizes) != "[1.0000 0.3333]" {
		t.Error(sizes, err)
	}
	for of, want := range map[string]string{"0 1 2 3 4 6": "cell 0: expected one of 6 faces, with points among 24 in face_connectivity, found face 6", "0 1 2": "polyhedron_offsets: the faces of cell 0 end at 6, of 3"} {
		if _, err := ReadVTU(strings.NewReader(fmt.Sprintf(lists, of, 6))); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
	for faces, want := range map[string]string{
		"6  4 0 1 2 3  4 4 5 6 7":  "faces of cell 0: expected a number of points, found the end",
		"6  4 0 1 2 9" + cube[12:]: "faces of cell 0: expected a point from 0 to 8, found 9",
		"5  4 0 1 2 3  4 4 5 6 7  4 0 1 5 4  4 1 2 6 5  4 2 3 7 6  1 1 1 1 1": "faces of cell 0 end at 31, expected 26",
		"6  4 0 1 2 3  4 4 5 6 7  4 0 1 5 4  4 1 2 6 5  4 2 3 7 6  4 3 7 4 1": "do not enclose it",
	} {
		if m, err := ReadVTU(strings.NewReader(fmt.Sprintf(file, faces, len(strings.Fields(faces))))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v", faces, m, err)
		}
	}
}

func TestPolyhedraErrors(t *testing.T) {
	m := polyhedra(t)["dual of hexahedra"]
	for name, refuses := range map[string]func() error{
		"Edges":     func() error { _, err := m.Edges(); return err },
		"Corners":   func() error { _, err := m.Corners(); return err },
		"Refine":    func() error { _, err := m.Refine(nil); return err },
		"Quadratic": func() error { _, err := m.Quadratic(nil); return err },
		"Dual":      func() error { _, err := m.Dual(); return err },
		"Orient":    func() error { return m.Orient() },
		"WriteHDF5": func() error { return m.WriteHDF5(t.TempDir() + "/m.h5") },
	} {
		if err := refuses(); err == nil || !strings.HasPrefix(err.Error(), "mesh: "+name+": the cells are polyhedra") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := m.WriteGmsh(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "no polyhedra") {
		t.Error(err)
	}
	points := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}
	faces := func(nodes ...int32) Sides {
		return Sides{Blocks: []Block{{Kind: Triangle, Nodes: nodes}}, Cells: make([]int32, len(nodes)/3)}
	}
	cellsOf := func(s Sides, cell int32) Sides {
		for i := range s.Cells {
			s.Cells[i] = cell
		}
		return s
	}
	for _, c := range []struct {
		boundary Sides
		want     string
	}{
		{faces(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3), ""},
		{faces(0, 2, 1, 0, 1, 3, 1, 2, 3), "mesh: polyhedra: the sides of these faces are those of 0 cells at most"},
		{faces(0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3), "mesh: the faces of polyhedron 0 do not enclose it"},
		{faces(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 4), "mesh: Given: triangles.Nodes[11]: expected a node index in [0,4), found 4"},
		{Sides{Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2}}}, Cells: []int32{-1}}, "mesh: Given.Cells[0]: expected a cell index in [0,0), found -1"},
		{Sides{Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2}}}}, "mesh: Given: expected 1 cells for each of 1 facets, found 0 in all"},
		{Sides{Blocks: []Block{{Kind: Tetrahedron, Nodes: []int32{0, 1, 2, 3}}}, Cells: []int32{0}}, "mesh: polyhedra: the sides of these faces are those of 0 cells at most, each with 4 or more, found cell 0"},
		{Sides{Blocks: []Block{{Kind: Tetrahedron, Nodes: make([]int32, 16)}}, Cells: make([]int32, 4)}, "mesh: Given: expected facets of dimension 2, found tetrahedra"},
		{Sides{Blocks: []Block{{Kind: Line, Nodes: make([]int32, 8)}}, Cells: make([]int32, 4)}, "mesh: Given: expected facets of dimension 2, found lines"},
		{Sides{Blocks: []Block{{Kind: Polygon(65), Nodes: make([]int32, 260)}}, Cells: make([]int32, 4)}, "mesh: Given: Kind(0)s: expected a kind"},
		{cellsOf(faces(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3), 2_000_000_000), "mesh: polyhedra: the sides of these faces are those of 1 cells at most, each with 4 or more, found cell 2000000000"},
		{cellsOf(faces(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3), 1), "mesh: polyhedron 0 has 0 faces, expected 4 or more"},
		{faces(1, 2, 0, 3, 1, 0, 3, 2, 1, 3, 0, 2), "mesh: polyhedron 0 is inverted, its volume is -0.167"},
	} {
		_, err := NewPolyhedra(points, Sides{}, c.boundary)
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %s, want %s", c.boundary, got, c.want)
		}
	}
	quadratic := Sides{Blocks: []Block{{Kind: Triangle6, Nodes: make([]int32, 24)}}, Cells: make([]int32, 4)}
	if _, err := NewPolyhedra(points, Sides{}, quadratic); fmt.Sprint(err) != "mesh: Given: expected polygons as faces of polyhedra, found triangle6s" {
		t.Error(err)
	}
	other := &Mesh{Dim: 3, Points: points, Blocks: []Block{{Kind: Polyhedron, Nodes: []int32{0, 1, 2, 2}, Ends: []int32{4}}},
		Given: &Facets{Boundary: faces(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3)}}
	if _, err := other.Facets(); fmt.Sprint(err) != "mesh: polyhedron 0: expected its nodes, 0, 1, 2, 2, to be the corners of its faces, once each and ascending, which are 0, 1, 2, 3" {
		t.Error(err)
	}
	twice := faces(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3)
	twice.Cells = append(twice.Cells, twice.Cells...)
	if _, err := NewPolyhedra(points, twice, Sides{}); fmt.Sprint(err) != "mesh: the face with nodes 2, 0, 3 is between polyhedron 0 and itself" {
		t.Error(err)
	}
	for want, wrong := range map[string]*Mesh{
		"mesh: Given: expected the faces of the polyhedra": {Dim: 3, Blocks: []Block{{Kind: Polyhedron}}},
		"mesh: polyhedra beside hexahedra":                 {Dim: 3, Blocks: []Block{{Kind: Polyhedron}, {Kind: Hexahedron}}},
		"mesh: Blocks[0].Ends[1]: expected an end from 2 to 3, found 1": {Dim: 3, Points: points,
			Blocks: []Block{{Kind: Polyhedron, Nodes: []int32{0, 1, 2}, Ends: []int32{2, 1}}}},
	} {
		if _, err := wrong.Facets(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
