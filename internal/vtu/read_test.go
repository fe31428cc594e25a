package vtu

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// square is what the files in testdata hold: two triangles, a quadrilateral and two lines.
var square = Grid{
	Points:  []float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0},
	Nodes:   []int32{0, 1, 2, 0, 2, 3, 1, 4, 5, 2, 0, 1, 1, 4},
	Offsets: []int{3, 6, 10, 12, 14},
	Types:   []uint8{Triangle, Triangle, Quad, Line, Line},
	PointData: []Array{
		{Name: "u", Components: 2, Values: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{Name: "t", Components: 1, Values: []float32{0, 1, 2, 3, 4, 5}},
	},
	CellData: []Array{{Name: "h", Components: 1, Values: []int16{1, 2, 3, 4, 5}}},
}

// Files of VTK and meshio, in all their forms, hold what was given to these to write.
func TestReadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.vtu")
	if err != nil || len(files) < 12 {
		t.Fatal("files are missing: ", files, err)
	}
	want := fmt.Sprint(square)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			g, err := Read(data, nil)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(path, "vtk-") {
				if len(g.FieldData) != 1 || fmt.Sprint(g.FieldData[0]) != "{TimeValue 1 [] [0.5]}" {
					t.Errorf("field data %v", g.FieldData)
				}
				g.FieldData = nil
			}
			g.PointsAt, g.CellsAt = 0, 0
			if got := fmt.Sprint(*g); got != want {
				t.Errorf("read\n%s\nwant\n%s", got, want)
			}
			for _, a := range g.PointData {
				if a.Name == "t" {
					if _, ok := a.Values.([]float32); !ok {
						t.Errorf("t has values of type %T", a.Values)
					}
				}
			}
		})
	}
}

// file returns a document with one piece of two points and no cells.
func file(attributes, pointData, rest string) string {
	return fmt.Sprintf(`<VTKFile type="UnstructuredGrid" %s><UnstructuredGrid><Piece NumberOfPoints="2" NumberOfCells="0">`+
		`<PointData>%s</PointData><Points><DataArray type="Float32" NumberOfComponents="3">0 0 0 1 0 0</DataArray></Points>`+
		`</Piece></UnstructuredGrid>%s</VTKFile>`, attributes, pointData, rest)
}

func TestReadErrors(t *testing.T) {
	u := func(attributes, text string) string {
		return fmt.Sprintf(`<DataArray Name="u" type="Int32" %s>%s</DataArray>`, attributes, text)
	}
	cells := func(nodes, offsets, types string) string {
		return `<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="1" NumberOfCells="1">` +
			`<Points><DataArray type="Float32" NumberOfComponents="3">0 0 0</DataArray></Points><Cells>` +
			`<DataArray type="Int32" Name="connectivity">` + nodes + `</DataArray>` +
			`<DataArray type="Int32" Name="offsets">` + offsets + `</DataArray>` +
			`<DataArray type="Int32" Name="types">` + types + `</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>`
	}
	for _, c := range []struct{ text, want string }{
		{"", "byte 0: expected an XML file"},
		{"hello", "byte 0: expected an XML file"},
		{"<a", `byte 0: expected a tag, found "<a"`},
		{"<a b=c>", `byte 0: expected a tag, found "<a b=c>"`},
		{"<a b='c>", `byte 0: expected a tag, found "<a b='c>"`},
		{"<a>\n<\x1b[31m", "byte 4: expected a tag, found \"<\\x1b[31m\""},
		{"<a></b>", "byte 3: found </b>, which is not open"},
		{"<a></\x00\x1b[31mb\xff>", "byte 3: found </\ufffd\ufffd[31mb\ufffd>, which is not open"},
		{"<a><b/>", "byte 7: expected </a>, found the end of the file"},
		{"<a/>", "byte 0: expected <VTKFile>, found <a>"},
		{`<VTKFile type="PolyData"/>`, `byte 0: expected an UnstructuredGrid, found a file of type "PolyData"`},
		{`<VTKFile header_type="UInt16"/>`, `byte 0: expected headers of type UInt32 or UInt64, found "UInt16"`},
		{`<VTKFile compressor="vtkLZMADataCompressor"/>`, "byte 0: data compressed by LZMADataCompressor: save the file again with zlib or LZ4"},
		{file("", u("", "1 2"), ""), ""},
		{file("", u("", "1"), ""), `byte 107: array "u": expected 2 values, found 1`},
		{file("", u("", "1 2.5"), ""), `byte 143: array "u": expected a value of type Int32, found "2.5"`},
		{file("", u(`NumberOfComponents="x"`, "1"), ""), `byte 107: DataArray: expected a number as NumberOfComponents, found "x"`},
		{file("", u(`NumberOfComponents="9223372036854775807"`, "1"), ""), `byte 107: array "u": 9223372036854775807 components, at most 1048576 are possible`},
		{file("", u(`format="binary"`, "CAAAAAEAAAACAAAA"), ""), ""},
		{file("", u(`format="binary"`, "CAAAAA==AQAAAAIAAAA="), ""), ""},
		{file("", u(`format="binary"`, "CAAAAAEAAAACAA=="), ""), `byte 107: array "u": the data ends too early`},
		{file("", u(`format="binary"`, "CAAAAAEAA!ACAAAA"), ""), `byte 107: array "u": expected base64`},
		{file("", u(`format="binary"`, "BAAAAAEAAAA="), ""), `byte 107: array "u": expected 2 values of 4 bytes, found 4 bytes`},
		{file("", u(`format="appended" offset="0"`, ""), ""), `byte 107: array "u": expected appended data, found none`},
		{file("", u(`format="appended" offset="0"`, ""), `<AppendedData encoding="raw">_`+"\x08\x00\x00\x00\x01\x00\x00\x00<a>\x00"), ""},
		{file("", u(`format="appended" offset="99"`, ""), `<AppendedData encoding="raw">_123`), `byte 107: array "u": the data ends too early`},
		{file("", u(`format="appended" offset="0"`, ""), `<AppendedData encoding="raw">123`), `byte 309: AppendedData: expected data after _`},
		{file(`compressor="vtkZLibDataCompressor"`, u(`format="binary"`, "AQAAAAgAAAAIAAAABAAAAA==AAAAAA=="), ""),
			`byte 141: array "u": a block is not compressed by zlib: zlib: invalid header`},
		{file(`compressor="vtkZLibDataCompressor"`, u(`format="binary"`, "/////wgAAAAIAAAABAAAAA==AAAAAA=="), ""), `byte 141: array "u": expected the sizes of blocks`},
		{cells("0", "1", "1"), ""},
		{cells("1", "1", "1"), "byte 185: connectivity: expected a point in [0,1), found 1"},
		{cells("0 0", "1", "1"), `byte 185: array "connectivity": expected 1 values, found 2`},
		{cells("0", "-1", "1"), "byte 242: offsets: cell 0 ends at -1, and the one before it at 0"},
		{cells("0", "1", "256"), "byte 294: types: 256, of cell 0, is no type"},
		{strings.Replace(cells("0", "1", "1"), `"Int32" Name="offsets"`, `"Int128" Name="offsets"`, 1), `byte 242: array "offsets": "Int128" is no type of values`},
	} {
		_, err := Read([]byte(c.text), nil)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n\tgot  %q\n\twant %q", c.text, got, c.want)
		}
	}
}

// Whatever a file holds, Read returns a valid grid or an error.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.vtu")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Read(data, nil)
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Offset < 0 || e.Offset > len(data) {
				t.Fatalf("%#v", err)
			}
			return
		}
		points := int32(len(g.Points) / 3)
		end := 0
		if len(g.Offsets) > 0 {
			end = g.Offsets[len(g.Offsets)-1]
		}
		if !slices.IsSorted(g.Offsets) || len(g.Types) != len(g.Offsets) || end != len(g.Nodes) ||
			slices.ContainsFunc(g.Nodes, func(n int32) bool { return n < 0 || n >= points }) {
			t.Fatal("the grid is not valid")
		}
	})
}

// What is written is read again, in every format, with all types of values.
func TestWrite(t *testing.T) {
	many := make([]float64, 40_000) // in several blocks
	for i := range many {
		many[i] = float64(i % 1000)
	}
	arrays := []Array{
		{Name: "f64", Components: 1, Values: many},
		{Name: `a<b>&"c"`, Components: 3, Names: []string{"x", "y&z", "w"}, Values: make([]float32, 3*len(many))},
		{Name: "i64", Components: 1, Values: make([]int64, len(many))}, {Name: "i32", Components: 1, Values: make([]int32, len(many))},
		{Name: "i16", Components: 1, Values: make([]int16, len(many))}, {Name: "i8", Components: 1, Values: make([]int8, len(many))},
		{Name: "u64", Components: 1, Values: make([]uint64, len(many))}, {Name: "u32", Components: 1, Values: make([]uint32, len(many))},
		{Name: "u16", Components: 1, Values: make([]uint16, len(many))}, {Name: "u8", Components: 1, Values: make([]uint8, len(many))},
	}
	want := fmt.Sprint(Grid{
		Points: append(make([]float64, 3*len(many)-3), 1, 2, 0), Nodes: []int32{0, 1, 2, 0, 39_999}, Offsets: []int{3, 5},
		Types: []uint8{Triangle, Line}, PointData: arrays, FieldData: []Array{{Name: "TimeValue", Components: 1, Values: []float64{0.25}}},
	})
	for _, f := range []Format{{}, {Compressed: true}, {Text: true}} {
		t.Run(fmt.Sprintf("%+v", f), func(t *testing.T) {
			xy := make([]float64, 2*len(many))
			xy[len(xy)-2], xy[len(xy)-1] = 1, 2
			file := f.Geometry(2, xy, []Block{{Type: Triangle, Arity: 3, Nodes: []int32{0, 1, 2}}, {Type: Line, Arity: 2, Nodes: []int32{0, 39_999}}})
			for _, a := range arrays {
				file.PointData = append(file.PointData, f.Encode(a))
			}
			file.FieldData = append(file.FieldData, f.Encode(Array{Name: "TimeValue", Values: []float64{0.25}}))
			var out bytes.Buffer
			if err := f.Write(&out, file); err != nil {
				t.Fatal(err)
			}
			g, err := Read(out.Bytes(), nil)
			if err != nil {
				t.Fatal(err)
			}
			g.PointsAt, g.CellsAt = 0, 0
			if got := fmt.Sprint(*g); got != want {
				t.Errorf("read %.3000s\nwant %.3000s", got, want)
			}
		})
	}
}

func TestEncodeErrors(t *testing.T) {
	for _, c := range []struct {
		array Array
		want  string
	}{
		{Array{Name: "u", Values: []string{"a"}}, "array u: values of type []string"},
		{Array{Name: "u", Components: 2, Values: []int8{1}}, "array u: 1 values are not 2 for each tuple"},
		{Array{Name: "u<", Values: []int8{1, 2}}, "array u&lt;: 2 tuples, want one for each point: 1"},
	} {
		var f Format
		file := f.Geometry(2, []float64{0, 0}, nil)
		file.PointData = []*Encoded{f.Encode(c.array)}
		var out bytes.Buffer
		if err := f.Write(&out, file); err == nil || err.Error() != c.want || out.Len() > 0 {
			t.Errorf("got %v and %d bytes, want %s", err, out.Len(), c.want)
		}
	}
}

// Parts of a file, of two pieces, too, are those of the whole grid; only of appended raw data.
func TestReadPart(t *testing.T) {
	files, _ := filepath.Glob("testdata/vtk-*.vtu")
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if head, tail, found := bytes.Cut(data, []byte("<Piece")); found {
			piece, rest, _ := bytes.Cut(tail, []byte("</Piece>"))
			piece = append(append([]byte("<Piece"), piece...), "</Piece>"...)
			data = slices.Concat(head, piece, piece, rest)
		}
		whole, err := Read(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all Grid
		for i := range 5 {
			of := func(n int) (lo, hi int) { return i * n / 5, (i + 1) * n / 5 }
			var part *Grid
			if part, err = ReadPart(data, of, of, func(name string) bool { return name != "u" }); err != nil {
				break
			}
			for _, end := range part.Offsets {
				all.Offsets = append(all.Offsets, end+len(all.Nodes))
			}
			all.Points, all.Types, all.Nodes = append(all.Points, part.Points...), append(all.Types, part.Types...), append(all.Nodes, part.Nodes...)
			if i == 0 {
				all.PointData, all.CellData = part.PointData, part.CellData
			} else {
				all.PointData, all.CellData = joined(all.PointData, part.PointData), joined(all.CellData, part.CellData)
			}
		}
		if raw := strings.Contains(path, "vtk-appended") && strings.Contains(path, "-raw-"); !raw {
			if err == nil || !strings.Contains(err.Error(), "expected appended raw data") {
				t.Errorf("%s: error %v", path, err)
			}
			continue
		}
		whole.PointData = whole.PointData[1:]
		whole.FieldData, whole.PointsAt, whole.CellsAt = nil, 0, 0
		if got, want := fmt.Sprint(all), fmt.Sprint(*whole); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", path, err, got, want)
		}
	}
}

// Sizes that a small file cannot have are errors, and take no memory.
func TestImpossibleSizes(t *testing.T) {
	file := func(points, components, offsets string) string {
		return `<VTKFile type="UnstructuredGrid" byte_order="LittleEndian" header_type="UInt32"><UnstructuredGrid>` +
			`<Piece NumberOfPoints="` + points + `" NumberOfCells="3">` +
			`<Points><DataArray type="Float64" NumberOfComponents="` + components + `" format="appended" offset="0"/></Points>` +
			`<Cells><DataArray type="Int64" Name="connectivity" format="appended" offset="0"/>` +
			`<DataArray type="Int64" Name="offsets" format="appended" offset="0"/>` +
			`<DataArray type="UInt8" Name="types" NumberOfComponents="` + offsets + `" format="appended" offset="0"/></Cells>` +
			`</Piece></UnstructuredGrid><AppendedData encoding="raw">_` + "\x18\x00\x00\x00" + strings.Repeat("\xff", 24) + `</AppendedData></VTKFile>`
	}
	second := func(n int) (int, int) { return n / 2, n }
	all := func(string) bool { return true }
	for _, text := range []string{file("2147483647", "3", "1"), file("1", "4611686018427387904", "1"), file("1", "3", "2"), file("2", "3", "1")} {
		if _, err := ReadPart([]byte(text), second, second, all); err == nil {
			t.Error("a part is read")
		}
		if _, err := Read([]byte(text), nil); err == nil {
			t.Error("it is read")
		}
	}
}
