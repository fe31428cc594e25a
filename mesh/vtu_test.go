package mesh

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A mesh that is written is read again, with its groups; nodes of no element are dropped.
func TestVTU(t *testing.T) {
	m := &Mesh{
		Dim:    2,
		Points: []float64{0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 2, 1},
		Blocks: []Block{
			{Kind: Triangle, Nodes: []int32{0, 1, 2, 0, 2, 3}},
			{Kind: Quadrilateral, Nodes: []int32{1, 4, 5, 2}},
			{Kind: Line, Nodes: []int32{0, 1, 1, 4}},
		},
		Groups: []Group{
			{"corners", 0, 0, []Members{{-1, []int32{0, 5}}}},
			{"", 3, 0, []Members{{-1, []int32{1}}}},
			{"wall & floor", 7, 1, []Members{{2, []int32{0, 1}}}},
			{"fluid", 1, 2, []Members{{0, []int32{1}}, {1, []int32{0}}}},
			{"fluid", 2, 2, []Members{{0, []int32{0}}}},
			{"", 9, 2, []Members{{0, []int32{0, 1}}}},
		},
	}
	written := func(m *Mesh) []byte {
		var out bytes.Buffer
		if err := m.WriteVTU(&out); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	read := func(data []byte) *Mesh {
		m, err := ReadVTU(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if got := read(written(m)); !reflect.DeepEqual(got, m) {
		t.Errorf("got %v\nwant %v", got, m)
	}

	in3 := &Mesh{Dim: 3, Points: []float64{9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
		Blocks: []Block{{Kind: Tetrahedron, Nodes: []int32{1, 2, 3, 4}}}, Groups: []Group{{"apex", 1, 0, []Members{{-1, []int32{4}}}}}}
	want := &Mesh{Dim: 3, Points: in3.Points[3:], Blocks: []Block{{Kind: Tetrahedron, Nodes: []int32{0, 1, 2, 3}}},
		Groups: []Group{{"apex", 1, 0, []Members{{-1, []int32{3}}}}}}
	if got := read(written(in3)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if got := read(written(&Mesh{})); got.Dim != 2 || got.Nodes()+len(got.Blocks)+len(got.Groups) != 0 {
		t.Errorf("got %v", got)
	}

	overlap := &Mesh{Dim: 2, Points: make([]float64, 2), Groups: []Group{{"a", 1, 0, []Members{{-1, []int32{0}}}}, {"a", 2, 0, []Members{{-1, []int32{0}}}}}}
	if err := overlap.WriteVTU(new(bytes.Buffer)); err == nil || err.Error() != `mesh: two groups of dimension 0 that overlap are named "a"` {
		t.Error(err)
	}
}

// Every kind is written and read.
func TestVTUKinds(t *testing.T) {
	for k := Point; k < kinds; k++ {
		if k == Polyhedron {
			continue // see TestPolyhedra
		}
		m := &Mesh{Dim: 3, Blocks: []Block{{Kind: k}}}
		for n := range k.Nodes() {
			m.Points = append(m.Points, float64(n), 0, float64(n*n))
			m.Blocks[0].Nodes = append(m.Blocks[0].Nodes, int32(n))
		}
		if k == Point {
			m.Dim, m.Points = 2, m.Points[:2]
		}
		var out bytes.Buffer
		if err := m.WriteVTU(&out); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadVTU(&out); err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%s: %v, %v", k, got, err)
		}
	}
}

// Files of VTK and meshio: two triangles, a quadrilateral and two lines.
func TestVTUFiles(t *testing.T) {
	files, err := filepath.Glob("../internal/vtu/testdata/*.vtu")
	if err != nil || len(files) == 0 {
		t.Fatal("files are missing: ", err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, err := ReadVTU(f)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := fmt.Sprint(m.Dim, m.Points, m.Blocks); got != "2 [0 0 1 0 1 1 0 1 2 0 2 1] [{triangle [0 1 2 0 2 3] []} {quadrilateral [1 4 5 2] []} {line [0 1 1 4] []}]" {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// vtuText returns a file with cells of the given types, points 0 to 7, and arrays of data on cells.
func vtuText(nodes, offsets, types, data string) string {
	var points strings.Builder
	for i := range 8 {
		fmt.Fprintln(&points, i&1, i>>1&1, i>>2)
	}
	return fmt.Sprintf(`<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid">
<UnstructuredGrid><Piece NumberOfPoints="8" NumberOfCells="%d">
<CellData>%s</CellData>
<Cells>
<DataArray type="Int64" Name="connectivity">%s</DataArray>
<DataArray type="Int64" Name="offsets">%s</DataArray>
<DataArray type="UInt8" Name="types">%s</DataArray>
</Cells>
<Points><DataArray type="Float32" NumberOfComponents="3">%s</DataArray></Points>
</Piece></UnstructuredGrid></VTKFile>`, len(strings.Fields(types)), data, nodes, offsets, types, points.String())
}

func TestReadVTU(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"pixels, voxels and polygons", vtuText("0 1 2 3  0 1 2 3 4 5 6 7  0 1 3  0 1 3 2", "4 12 15 19", "8 11 7 7", ""),
			"3 [{hexahedron [0 1 3 2 4 5 7 6] []} {triangle [0 1 3] []} {quadrilateral [0 1 3 2 0 1 3 2] []}] []"},
		{"groups of meshio", vtuText("0 1 3 0 3 2 0 1", "3 6 8", "5 5 3", `<DataArray type="Int32" Name="gmsh:physical">2 1 5</DataArray>`),
			"2 [{triangle [0 1 3 0 3 2] []} {line [0 1] []}] [{ 5 1 [{1 [0]}]} { 1 2 [{0 [1]}]} { 2 2 [{0 [0]}]}]"},
		{"other data", vtuText("0 1 3 0 3 2", "3 6", "5 5", `<DataArray type="Float64" Name="u" NumberOfComponents="2">1 2 3 nan</DataArray>`),
			"2 [{triangle [0 1 3 0 3 2] []}] []"},
		{"wrong type", vtuText("0 1 2 3", "4", "41", ""),
			"mesh: input: byte 141: cell 0: expected an element of first or second order, found VTK's cell type 41 with 4 points"},
		{"wrong number", vtuText("0 1 2 3", "4", "5", ""),
			"mesh: input: byte 141: cell 0: expected an element of first or second order, found VTK's cell type 5 with 4 points"},
		{"NaN", strings.Replace(vtuText("0 1 3", "3", "5", ""), "0 0 0", "0 0 nan", 1),
			"mesh: input: byte 332: expected finite coordinates, found NaN at point 0"},
		{"no file of VTK", "hello", "mesh: input: byte 0: expected an XML file"},
	} {
		m, err := ReadVTU(strings.NewReader(c.text))
		got := ""
		if err != nil {
			got = err.Error()
			if wrong := new(FormatError); !errors.As(err, &wrong) {
				t.Errorf("%s: %T", c.name, err)
			}
		} else {
			got = fmt.Sprint(m.Dim, m.Blocks, m.Groups)
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// A mesh of any file that can be read is valid.
func FuzzReadVTU(f *testing.F) {
	f.Add([]byte(vtuText("0 1 2 3  0 1 2 3 4 5 6 7  0 1 3  0 1 3 2", "4 12 15 19", "8 11 7 7", "")))
	f.Add([]byte(vtuText("0 1 3 0 3 2 0 1", "3 6 8", "5 5 3", `<DataArray type="Int32" Name="gmsh:physical">2 1 5</DataArray>`)))
	f.Add([]byte(vtuText("0 1 3 0 3 2 0", "3 6 7", "5 5 1", `<DataArray type="Int32" Name="group:a">2 0 -1</DataArray>`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadVTU(bytes.NewReader(data))
		if err == nil {
			err = m.Valid()
		} else if wrong := new(FormatError); errors.As(err, &wrong) {
			err = nil
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkReadVTU(b *testing.B) {
	data := vtuBench(b)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ReadVTU(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteVTU(b *testing.B) {
	m, err := ReadVTU(bytes.NewReader(vtuBench(b)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := m.WriteVTU(new(bytes.Buffer)); err != nil {
			b.Fatal(err)
		}
	}
}

// vtuBench returns a file with a million triangles.
func vtuBench(b *testing.B) []byte {
	m, err := Rectangle(Triangle, 1000, 500, 2, 1)
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	if err := m.WriteVTU(&out); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}
