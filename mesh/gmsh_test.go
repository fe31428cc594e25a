package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// twoTriangles2 is twoTriangles in version 2.2, and twoTriangles4 in 4.1.
const twoTriangles2 = `$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
0 1 "corner"
1 2 "bottom"
2 3 "inside"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
5
1 15 2 1 2 4
2 1 2 2 2 1 2
3 1 2 0 1 2 3
4 2 2 3 2 1 2 3
5 2 2 3 2 1 3 4
$EndElements
`

const twoTriangles4 = `$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 1 "corner"
1 2 "bottom"
2 3 "inside"
$EndPhysicalNames
$Entities
1 2 1 0
2 0 1 0 1 1
2 0 0 0 1 0 0 1 2 0
1 1 0 0 1 1 0 0 0
2 0 0 0 1 1 0 1 3 0
$EndEntities
$Nodes
1 4 1 4
2 2 0 4
1
2
3
4
0 0 0
1 0 0
1 1 0
0 1 0
$EndNodes
$Elements
4 5 1 5
0 2 15 1
1 4
1 2 1 1
2 1 2
1 1 1 1
3 2 3
2 2 2 2
4 1 2 3
5 1 3 4
$EndElements
`

// replaced returns a text with one of its lines replaced.
func replaced(t *testing.T, text, old, line string) string {
	t.Helper()
	if strings.Count(text, "\n"+old+"\n") != 1 {
		t.Fatalf("expected one line %q", old)
	}
	return strings.Replace(text, "\n"+old+"\n", "\n"+line+"\n", 1)
}

func TestReadGmsh(t *testing.T) {
	// Nodes have four lines in each text, which here begin alike.
	points := strings.NewReplacer("\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n", "\n0 0 0 5 6\n1 0 0 5 6\n1 1 0 5 6\n0 1 0 5 6\n")
	raised := strings.NewReplacer("\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n", "\n1 0 0 7\n2 1 0 7\n3 1 1 7\n4 0 1 7\n")
	for _, c := range []struct{ name, text string }{
		{"version 2.2", twoTriangles2},
		{"version 4.1", twoTriangles4},
		{"carriage returns", strings.ReplaceAll(twoTriangles4, "\n", "\r\n")},
		{"spaces at ends", strings.ReplaceAll(twoTriangles2, "\n", " \t\n")},
		{"no line break at the end", strings.TrimSuffix(twoTriangles4, "\n")},
		{"other sections", strings.Replace(twoTriangles4, "$Nodes\n",
			"$Periodic\n1\n1 2 3\n$EndPeriodic\n$Parametrizations\n$EndParametrizations\n\n$Nodes\n", 1) + "$NodeData\n1\n$EndNodeData\n"},
		{"parametric", replaced(t, points.Replace(twoTriangles4), "2 2 0 4", "2 2 1 4")},
		{"reversed group", replaced(t, twoTriangles4, "2 0 0 0 1 0 0 1 2 0", "2 0 0 0 1 0 0 2 -2 2 0")},
		{"partitioned", strings.Replace(strings.Replace(twoTriangles4, "$Nodes\n", `$PartitionedEntities
2
1
5 1
1 1 0 0
7 0 2 1 2 0 1 0 1 1
8 2 2 1 2 0 0 0 1 1 0 1 3 0
$EndPartitionedEntities
$Nodes
`, 1), "\n4 5 1 5\n0 2 15 1\n1 4\n", "\n5 6 1 6\n0 7 15 1\n1 4\n1 8 1 1\n9 1 3\n", 1)},
		{"unused nodes", replaced(t, replaced(t, twoTriangles2, "4", "6"), "3 1 1 0", "17 5 5 5\n3 1 1 0\n0 1 2 3")},
		{"another z", raised.Replace(twoTriangles2)},
	} {
		m, err := ReadGmsh(iotest.HalfReader(strings.NewReader(c.text)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !reflect.DeepEqual(m, twoTriangles()) {
			t.Errorf("%s: found\n%+v\n want\n%+v", c.name, m, twoTriangles())
		}
	}
}

// What Gmsh itself writes of one mesh is the same in all its forms, and nodes of second order are where they belong.
func TestReadGmshOwn(t *testing.T) {
	for _, c := range []struct {
		order  string
		blocks string
		nodes  int
	}{
		{"first", "tetrahedron 1, hexahedron 1, prism 1, pyramid 1, triangle 1, quadrilateral 3, line 1", 12},
		{"second", "tetrahedron10 1, hexahedron27 1, prism18 1, pyramid14 1, triangle6 1, quadrilateral9 3, line3 1", 45},
		{"incomplete", "tetrahedron10 1, hexahedron20 1, prism15 1, pyramid13 1, triangle6 1, quadrilateral8 3, line3 1", 36},
	} {
		var first *Mesh
		for _, form := range []string{"2.2-text", "2.2-binary", "4.1-text", "4.1-binary"} {
			m := readTestdata(t, c.order+"-"+form+".msh")
			if first == nil {
				first = m
			}
			if !reflect.DeepEqual(m, first) {
				t.Errorf("%s %s: found %+v\n want %+v", c.order, form, m, first)
			}
			var blocks []string
			for _, b := range m.Blocks {
				blocks = append(blocks, fmt.Sprint(b.Kind, " ", b.Len()))
				checkMiddles(t, m, b)
			}
			if found := strings.Join(blocks, ", "); found != c.blocks || m.Nodes() != c.nodes {
				t.Errorf("%s %s: %d nodes, %s\n want %d nodes, %s", c.order, form, m.Nodes(), found, c.nodes, c.blocks)
			}
			var groups []string
			for _, g := range m.Groups {
				groups = append(groups, fmt.Sprint(g.Dim, " ", g.Tag, " ", g.Name, " ", g.Len()))
			}
			if found, want := strings.Join(groups, ", "), "0 1 corner 1, 1 2 bottom edge 1, 2 3 walls 4, 2 4 bottom 1, 3 5 fluid 4, 3 6 roof 2"; found != want {
				t.Errorf("%s %s: groups %s\n want %s", c.order, form, found, want)
			}
		}
	}
}

func readTestdata(t testing.TB, name string) *Mesh {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "gmsh", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := ReadGmsh(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// checkMiddles checks that the nodes of elements with straight edges are in the middle of edges, facets and elements.
func checkMiddles(t *testing.T, m *Mesh, b Block) {
	t.Helper()
	for e := range b.Len() {
		nodes := b.Element(e)
		check := func(node int32, corners []uint8) {
			for k, x := range m.Point(node) {
				var mean float64
				for _, c := range corners {
					mean += m.Point(nodes[c])[k] / float64(len(corners))
				}
				if x-mean > 1e-12 || mean-x > 1e-12 {
					t.Errorf("%s %d: node %d at %v is not in the middle of corners %v", b.Kind, e, node, m.Point(node), corners)
					return
				}
			}
		}
		for _, parts := range [][]Part{b.Kind.Edges(), b.Kind.Facets()} {
			for _, p := range parts {
				switch p.Kind {
				case Line3:
					check(nodes[p.Nodes[2]], p.Nodes[:2])
				case Quadrilateral9:
					check(nodes[p.Nodes[8]], p.Nodes[:4])
				}
			}
		}
		switch b.Kind {
		case Quadrilateral9, Hexahedron27:
			all := []uint8{0, 1, 2, 3, 4, 5, 6, 7}
			check(nodes[len(nodes)-1], all[:b.Kind.Corners()])
		}
	}
}

func TestGmshRoundTrip(t *testing.T) {
	overlapping := twoTriangles()
	overlapping.Groups = append(overlapping.Groups, Group{"half", 4, 2, []Members{{0, []int32{1}}}},
		Group{"", 5, 2, []Members{{0, []int32{0}}}}, Group{"none", 6, 2, nil})
	for name, m := range map[string]*Mesh{
		"first":       readTestdata(t, "first-4.1-text.msh"),
		"second":      readTestdata(t, "second-4.1-text.msh"),
		"incomplete":  readTestdata(t, "incomplete-4.1-text.msh"),
		"two":         twoTriangles(),
		"overlapping": overlapping,
		"empty":       {Dim: 2},
	} {
		for _, length := range []int{1, 2, 1 << 14} {
			for _, form := range []struct {
				writing
				order binary.AppendByteOrder
			}{
				{writing{true, true}, nil}, {writing{true, false}, nil},
				{writing{false, true}, binary.LittleEndian}, {writing{false, false}, binary.LittleEndian},
				{writing{false, true}, binary.BigEndian}, {writing{false, false}, binary.BigEndian},
			} {
				var b bytes.Buffer
				if err := m.writeGmsh(&b, form.writing, form.order); err != nil {
					t.Fatal(err)
				}
				read, err := ReadGmsh(&b, func(r *reading) { r.pieceLength = length })
				if err != nil {
					t.Errorf("%s %v: %v", name, form, err)
				} else if len(read.Points) != len(m.Points) || !slices.Equal(read.Points, m.Points) || !reflect.DeepEqual(read.Blocks, m.Blocks) || !reflect.DeepEqual(read.Groups, m.Groups) {
					t.Errorf("%s %v: read\n%+v\nof\n%+v", name, form, read, m)
				}
			}
		}
	}
}

func TestReadGmshErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "input:1: expected $MeshFormat, found the end of the file"},
		{"// a square\nPoint(1) = {0, 0, 0, 1};\n", `input:1: expected $MeshFormat, found "// a square"; a geometry, of which Gmsh makes a mesh: gmsh -2 FILE -o NEW for areas, -3 for volumes`},
		{"solid\n", `input:1: expected the beginning of a section, such as $Nodes, found "solid"`},
		{"$NOD\n1\n1 0 0 0\n$ENDNOD\n", `input:1: expected version 2.2 or 4.1, found version 1: gmsh FILE -save -format msh41 -o NEW converts it`},
		{"$MeshFormat\n4 0 8\n", `input:2: expected version 2.2 or 4.1, found "4": gmsh FILE -save -format msh41 -o NEW converts it`},
		{"$MeshFormat\n4.1 0\n", `input:2: expected a version, 0 for text or 1 for binary, and the size of a number, found "4.1 0"`},
		{"$MeshFormat\n4.1 2 8\n", `input:2: expected 0 for text or 1 for binary, found "2"`},
		{"$MeshFormat\n4.1 1 4\n", `input:2: expected numbers of 8 bytes, found "4"`},
		{"$MeshFormat\n4.1 1 8\n\x02\x00\x00\x00\n", `input: byte 20: expected the number 1 that gives the byte order, found the bytes 02 00 00 00`},
		{"$MeshFormat\n4.1 1 8\n\x01", `input: byte 21: expected the number 1 that gives the byte order, found the end of the file`},
		{"$MeshFormat\n2.2 0 8\n", "input:3: expected $EndMeshFormat, found the end of the file"},
		{"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "input:4: expected a section $Nodes, found the end of the file"},
		{twoTriangles2[:strings.Index(twoTriangles2, "$Elements")], "input:17: expected a section $Elements, found the end of the file"},
		{strings.Replace(twoTriangles2, "$Nodes", "$ParametricNodes", 1),
			"input:11: expected $Nodes, found $ParametricNodes: save the mesh without Mesh.SaveParametric"},
		{replaced(t, twoTriangles2, `1 2 "bottom"`, `1 2 bottom`), `input:7: expected a dimension, a tag and a "name", found "1 2 bottom"`},
		{replaced(t, twoTriangles2, `1 2 "bottom"`, `4 2 "bottom"`), `input:7: expected a dimension from 0 to 3 and a tag, found "4 2 \"bottom\""`},
		{replaced(t, twoTriangles2, "4", "5"), `input:16: expected 5 nodes, found "$EndNodes" after 4`},
		{replaced(t, twoTriangles2, "4", "3"), `input:15: expected $EndNodes, found "4 0 1 0"`},
		{replaced(t, twoTriangles2, "4", "-4"), `input:11: expected the number of nodes, for which the rest of the file has room, found "-4"`},
		{replaced(t, twoTriangles2, "4", "4000000000000"), `input:11: expected the number of nodes, for which the rest of the file has room, found "4000000000000"`},
		{replaced(t, twoTriangles2, "2 1 0 0", "2 1 0"), `input:13: expected a node (its tag, x, y and z), found "2 1 0"`},
		{replaced(t, twoTriangles2, "2 1 0 0", "2 1 0 0 0"), `input:13: expected a node (its tag, x, y and z), found "2 1 0 0 0"`},
		{replaced(t, twoTriangles2, "2 1 0 0", "2 1 0 nan"), `input:13: expected a node (its tag, x, y and z), found "2 1 0 nan"`},
		{replaced(t, twoTriangles2, "2 1 0 0", "3 1 0 0"), `input:14: expected each node once, found a second one with the tag 3`},
		{replaced(t, twoTriangles2, "4 2 2 3 2 1 2 3", "4 26 2 3 2 1 2 3"), "input:22: expected the type of an element of first or second order, from 1 to 19, found 26"},
		{replaced(t, twoTriangles2, "4 2 2 3 2 1 2 3", "4 2 2 3 2 1 2"),
			`input:22: expected an element (its number, its type, the number of tags, the tags, and 3 nodes), found "4 2 2 3 2 1 2"`},
		{replaced(t, twoTriangles2, "4 2 2 3 2 1 2 3", "4 2 2 3 2 1 2 5"), "input:22: expected the tag of a node, found 5, which $Nodes does not hold"},
		{replaced(t, twoTriangles2, "4 2 2 3 2 1 2 3", "4 2 99 3 2 1 2 3"),
			`input:22: expected an element (its number, its type, the number of tags, the tags, and 3 nodes), found "4 2 99 3 2 1 2 3"`},
		{twoTriangles2 + "$What\n1\n", "input:27: expected $EndWhat, found the end of the file"},
		{twoTriangles2 + "1 2 3\n", `input:25: expected the beginning of a section, such as $Nodes, found "1 2 3"`},
		{replaced(t, twoTriangles4, "2 0 1 0 1 1", "2 0 1 0 1 x"), `input:12: expected a physical tag, found "x"`},
		{replaced(t, twoTriangles4, "2 0 1 0 1 1", "2 0 y 0 1 1"), `input:12: expected a coordinate, found "y"`},
		{replaced(t, twoTriangles4, "2 2 0 4", "2 2 2 4"), "input:19: expected a dimension from 0 to 3 and 0 or 1 for parametric coordinates, found 2 and 2"},
		{replaced(t, twoTriangles4, "2 2 0 4", "2 2 0 5"), `input:28: expected 5 coordinates of nodes, found "$EndNodes" after 3`},
		{replaced(t, twoTriangles4, "2 2 0 4", "2 2 0 4 1"), `input:19: expected the end of the line, found "1"`},
		{replaced(t, twoTriangles4, "1 1 0", "1 1 0 0"), `input:26: expected the 3 coordinates of a node, found "1 1 0 0"`},
		{strings.Replace(twoTriangles4, "\n2\n3\n4\n", "\n2\nx\n4\n", 1), `input:22: expected the tag of a node, found "x"`},
		{replaced(t, twoTriangles4, "2 2 2 2", "2 2 1 2"), "input:37: expected elements of dimension 2 on an entity of that dimension, found a line"},
		{replaced(t, twoTriangles4, "4 1 2 3", "4 1 2"), `input:38: expected a triangle (its tag and those of its 3 nodes), found "4 1 2"`},
		{replaced(t, twoTriangles4, "4 1 2 3", "4 1 2 9"), "input:38: expected the tag of a node, found 9, which $Nodes does not hold"},
		{replaced(t, twoTriangles4, "2 2 2 2", "2 2 2 20000"), "input:37: expected the number of elements, for which the rest of the file has room, found 20000"},
	} {
		_, err := ReadGmsh(strings.NewReader(c.text))
		var wrong *FormatError
		if !errors.As(err, &wrong) || err.Error() != "mesh: "+c.want {
			t.Errorf("error %v\n want mesh: %s", err, c.want)
		}
	}
	_, err := ReadGmsh(iotest.ErrReader(errors.New("out of paper")))
	if want := "mesh: input: out of paper"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A binary file that ends too early is an error wherever it ends, and names the byte.
func TestReadGmshTruncated(t *testing.T) {
	for _, o := range []writing{{false, true}, {false, false}} {
		var b bytes.Buffer
		if err := twoTriangles().writeGmsh(&b, o, binary.LittleEndian); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		for n := range len(whole) - 1 {
			var wrong *FormatError
			if _, err := ReadGmsh(bytes.NewReader(whole[:n])); !errors.As(err, &wrong) || wrong.Line == 0 && wrong.Offset > int64(n) {
				t.Errorf("%d of %d bytes: error %v", n, len(whole), err)
			}
		}
	}
}

func TestWriteGmshErrors(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Mesh)
		want  string
	}{
		{func(m *Mesh) { m.Dim = 4 }, "mesh: Dim: expected 2 or 3, found 4"},
		{func(m *Mesh) { m.Groups[0].Name = `the "corner"` },
			`mesh: group "the \"corner\"": Gmsh's format has no names with quotation marks or line breaks`},
	} {
		m := twoTriangles()
		c.spoil(m)
		var b bytes.Buffer
		if err := m.WriteGmsh(&b); err == nil || err.Error() != c.want || b.Len() > 0 {
			t.Errorf("error %v\n want %s", err, c.want)
		}
	}
}

// Tags that are missing or taken are replaced by free ones.
func TestPhysicalTags(t *testing.T) {
	groups := []Group{{Dim: 1, Tag: 2}, {Dim: 1}, {Dim: 1, Tag: 2}, {Dim: 2, Tag: 2}, {Dim: 2, Tag: -1}, {Dim: 1, Tag: 1}}
	if tags, want := physicalTags(groups), []int{2, 3, 4, 2, 1, 1}; !slices.Equal(tags, want) {
		t.Errorf("%d, want %d", tags, want)
	}
}

func TestTagIndex(t *testing.T) {
	for _, c := range []struct {
		tags  []int64
		twice int
	}{
		{nil, -1},
		{[]int64{3, 1, 2}, -1},
		{[]int64{-5, 7, 0}, -1},
		{[]int64{3, 1, 3, 1}, 2},
		{[]int64{1 << 40, -1 << 40, 5, 6}, -1},
		{[]int64{1<<63 - 1, -1 << 63, 0}, -1},
		{[]int64{1 << 40, 5, 5, 1 << 40}, 2},
	} {
		x, twice := newTagIndex(c.tags)
		if twice != c.twice {
			t.Errorf("%d: twice %d, want %d", c.tags, twice, c.twice)
		}
		if twice >= 0 {
			continue
		}
		for i, tag := range c.tags {
			if n := x.find(tag); int(n) != i {
				t.Errorf("%d: tag %d is node %d, want %d", c.tags, tag, n, i)
			}
		}
		for _, tag := range []int64{4, 1 << 39, -1<<63 + 1} {
			if n := x.find(tag); n != -1 {
				t.Errorf("%d: tag %d is node %d, want none", c.tags, tag, n)
			}
		}
	}
}

// What can be read can be written, and is then read as the same mesh.
func FuzzReadGmsh(f *testing.F) {
	f.Add([]byte(twoTriangles2))
	f.Add([]byte(twoTriangles4))
	files, err := filepath.Glob("testdata/gmsh/*.msh")
	if err != nil || len(files) == 0 {
		f.Fatal("no files: ", err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadGmsh(bytes.NewReader(data))
		if err != nil {
			var wrong *FormatError
			if !errors.As(err, &wrong) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if err := m.Valid(); err != nil {
			t.Fatal(err)
		}
		for _, o := range []writing{{true, false}, {false, true}} {
			var b bytes.Buffer
			if err := m.writeGmsh(&b, o, binary.BigEndian); err != nil {
				if strings.Contains(err.Error(), "no names with") {
					return
				}
				t.Fatal(err)
			}
			again, err := ReadGmsh(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatalf("%v in\n%s", err, b.Bytes())
			}
			if !slices.Equal(again.Points, m.Points) || !reflect.DeepEqual(again.Blocks, m.Blocks) {
				t.Fatalf("read\n%+v\nof\n%+v", again, m)
			}
		}
	})
}
