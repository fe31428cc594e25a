package vtk

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/mesh"
)

// strip returns a mesh of two triangles and a quadrilateral, with the lines at its bottom as a group.
func strip() *mesh.Mesh {
	return &mesh.Mesh{
		Dim:    2,
		Points: []float64{0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 2, 1},
		Blocks: []mesh.Block{
			{Kind: mesh.Triangle, Nodes: []int32{0, 1, 2, 0, 2, 3}},
			{Kind: mesh.Quadrilateral, Nodes: []int32{1, 4, 5, 2}},
			{Kind: mesh.Line, Nodes: []int32{0, 1, 1, 4}},
		},
		Groups: []mesh.Group{
			{Name: "bottom", Tag: 1, Dim: 1, Members: []mesh.Members{{Block: 2, Elements: []int32{0, 1}}}},
			{Name: "right", Tag: 2, Dim: 2, Members: []mesh.Members{{Block: 0, Elements: []int32{0}}, {Block: 1, Elements: []int32{0}}}},
			{Tag: 3, Members: []mesh.Members{{Block: -1, Elements: []int32{3, 5}}}},
		},
	}
}

// declared is the strip as sets, maps and dats.
type declared struct {
	rt                                  *op2.Runtime
	nodes, triangles, quads, edges      *op2.Set
	triangleNodes, quadNodes, edgeNodes *op2.Map
	x, u, ht, hq, flux                  *op2.Dat[float64]
	material                            *op2.Dat[uint8]
	last                                *op2.Subset
	upper                               *op2.Subset
}

func declare(t *testing.T) *declared {
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	m := strip()
	s := &declared{rt: rt}
	s.nodes, s.triangles, s.quads, s.edges = rt.NewSet(6, "nodes"), rt.NewSet(2, "triangles"), rt.NewSet(1, "quads"), rt.NewSet(3, "edges")
	s.triangleNodes = op2.NewMap(s.triangles, s.nodes, 3, m.Blocks[0].Nodes, "triangle2node")
	s.quadNodes = op2.NewMap(s.quads, s.nodes, 4, m.Blocks[1].Nodes, "quad2node")
	s.edgeNodes = op2.NewMap(s.edges, s.nodes, 2, []int32{3, 2, 2, 5, 5, 4}, "edge2node")
	s.x = op2.NewDat(s.nodes, 2, m.Points, "x")
	s.u = op2.NewDat(s.nodes, 2, []float64{0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51}, "u")
	s.ht, s.hq = op2.NewDat(s.triangles, 1, []float64{1, 2}, "h"), op2.NewDat(s.quads, 1, []float64{3}, "h")
	s.flux = op2.NewDat(s.edges, 1, []float64{100, 200, 300}, "flux")
	s.material = op2.NewDat(s.nodes, 1, []uint8{0, 1, 2, 3, 4, 5}, "material")
	s.last = op2.NewSubset(s.edges, []int32{1, 2}, "last edges")
	s.upper = op2.NewSubset(s.triangles, []int32{1}, "upper")
	if err := rt.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// show reads a VTU file and returns its cells and data as text.
func show(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := vtu.Read(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := new(strings.Builder)
	fmt.Fprintln(text, g.Points, g.Nodes, g.Offsets, g.Types)
	for _, s := range []struct {
		what   string
		arrays []vtu.Array
	}{{"points", g.PointData}, {"cells", g.CellData}, {"fields", g.FieldData}} {
		for _, a := range s.arrays {
			fmt.Fprintf(text, "%s: %s %T %d%q %v\n", s.what, a.Name, a.Values, a.Components, a.Names, a.Values)
		}
	}
	return text.String()
}

type state struct {
	Rho      float64
	Velocity struct{ X, Y float64 }
	Sides    [2]int32
}

type pair struct{ Low, High float32 }

// states returns states with different values.
func states(n int) []state {
	list := make([]state, n)
	for i := range list {
		list[i].Velocity.X, list[i].Velocity.Y, list[i].Sides[1] = float64(i+1), float64(10*i+10), -int32(i+1)
	}
	return list
}

func TestWriteFile(t *testing.T) {
	s := declare(t)
	dir := t.TempDir()
	points := "[0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0] [0 1 2 0 2 3 1 4 5 2] [3 6 10] [5 5 9]\n"
	for _, c := range []struct {
		name   string
		fields []Field
		want   string
	}{
		{"no fields", nil, ""},
		{"dats", []Field{Nodes("velocity", s.u), Nodes("", s.material), Cells("", s.ht, s.hq)},
			"points: velocity []float64 3[] [0 1 0 10 11 0 20 21 0 30 31 0 40 41 0 50 51 0]\n" +
				"points: material []uint8 1[] [0 1 2 3 4 5]\ncells: h []float64 1[] [1 2 3]\n"},
		{"slices", []Field{NodeValues("n", []int16{1, 2, 3, 4, 5, 6}), CellValues("c", []int8{1, 2, 3}), CellValues("d", []uint64{1, 2}, []uint64{3})},
			"points: n []int16 1[] [1 2 3 4 5 6]\ncells: c []int8 1[] [1 2 3]\ncells: d []uint64 1[] [1 2 3]\n"},
		{"names", []Field{Nodes("q", s.u).Components("mass", "energy")},
			"points: q []float64 2[\"mass\" \"energy\"] [0 1 10 11 20 21 30 31 40 41 50 51]\n"},
		{"structs", []Field{
			CellValues("q", make([]state, 3)).Of("Rho"), CellValues("m", states(3)).Of("Velocity"), CellValues("y", states(3)).Of("Velocity.Y"), CellValues("pair", make([]pair, 3)),
			CellValues("z", []complex64{1i, 2, 3}), CellValues("on", []bool{true, false, true}), CellValues("a", states(3)).Of("Sides[1]"),
		},
			"cells: q []float64 1[] [0 0 0]\ncells: m []float64 3[] [1 10 0 2 20 0 3 30 0]\ncells: y []float64 1[] [10 20 30]\n" +
				"cells: pair []float32 2[\"Low\" \"High\"] [0 0 0 0 0 0]\ncells: z []float32 2[\"re\" \"im\"] [0 1 2 0 3 0]\n" +
				"cells: on []uint8 1[] [1 0 1]\ncells: a []int32 1[] [-1 -2 -3]\n"},
		{"tensors", []Field{CellValues("3", []int32{1, 2, 3, 1, 2, 3, 1, 2, 3}).Tensor(), CellValues("4", []int32{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}).Tensor()},
			"cells: 3 []int32 6[] [1 2 0 3 0 0 1 2 0 3 0 0 1 2 0 3 0 0]\n" +
				"cells: 4 []int32 9[] [1 2 0 3 4 0 0 0 0 1 2 0 3 4 0 0 0 0 1 2 0 3 4 0 0 0 0]\n"},
	} {
		path := filepath.Join(dir, c.name, "end.vtu")
		if err := WriteFile(path, strip(), c.fields...); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := show(t, path); got != points+c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, points+c.want)
		}
	}
}

// A series has a file for each step and block; the index lists the steps that are there.
func TestSeries(t *testing.T) {
	s := declare(t)
	if err := s.rt.Renumber(s.x); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "new", "flow")
	series, err := NewSeries(path+"/", strip(), Groups(), Part(mesh.Line, s.edgeNodes, s.last), Part(mesh.Triangle, s.triangleNodes, s.upper), Part(mesh.Line, s.edgeNodes, s.edges))
	if err != nil {
		t.Fatal(err)
	}
	index := func() string {
		data, err := os.ReadFile(path + ".pvd")
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		for _, step := range regexp.MustCompile(`<DataSet timestep="([^"]*)" part="0" file="([^"]*)"/>`).FindAllStringSubmatch(string(data), -1) {
			steps = append(steps, step[1]+": "+step[2])
		}
		return fmt.Sprint(steps)
	}
	if _, err := os.Stat(path + ".pvd"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an index before the first step: %v", err)
	}
	for _, time := range []float64{0, 0.25} {
		if err := series.Write(time, Nodes("", s.material), Cells("h", s.ht, s.hq), Cells("flux", s.flux)); err != nil {
			t.Fatal(err)
		}
		if err := s.ht.Fill(7); err != nil { // has been copied
			t.Fatal(err)
		}
	}
	// The first step has been written before the second one began.
	if got := index(); !strings.HasPrefix(got, "[0: flow/flow_000000.vtm") {
		t.Error(got)
	}
	if err := series.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := index(), "[0: flow/flow_000000.vtm 0.25: flow/flow_000001.vtm]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	blocks, err := os.ReadFile(path + "/flow_000001.vtm")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"cells", "bottom", "right", "#3", "last edges", "upper", "edges"} {
		if want := fmt.Sprintf(`<DataSet index="%d" name="%s" file="flow_000001_%d.vtu"/>`, i, name, i); !strings.Contains(string(blocks), want) {
			t.Errorf("%s\nlacks %s", blocks, want)
		}
	}
	time := "fields: TimeValue []float64 1[] [0]\n"
	for i, want := range []string{
		"[0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0] [0 1 2 0 2 3 1 4 5 2] [3 6 10] [5 5 9]\n" +
			"points: material []uint8 1[] [0 1 2 3 4 5]\ncells: h []float64 1[] [1 2 3]\n" + time,
		"[0 0 0 1 0 0 2 0 0] [0 1 1 2] [2 4] [3 3]\npoints: material []uint8 1[] [0 1 4]\n" + time,
		"[0 0 0 1 0 0 1 1 0 2 0 0 2 1 0] [0 1 2 1 3 4 2] [3 7] [5 9]\n" +
			"points: material []uint8 1[] [0 1 2 4 5]\ncells: h []float64 1[] [1 3]\n" + time,
		"[0 1 0 2 1 0] [0 1] [1 2] [1 1]\npoints: material []uint8 1[] [3 5]\n" + time,
		"[1 1 0 2 0 0 2 1 0] [0 2 2 1] [2 4] [3 3]\npoints: material []uint8 1[] [2 4 5]\ncells: flux []float64 1[] [200 300]\n" + time,
		"[0 0 0 1 1 0 0 1 0] [0 1 2] [3] [5]\npoints: material []uint8 1[] [0 2 3]\ncells: h []float64 1[] [2]\n" + time,
		"[1 1 0 0 1 0 2 0 0 2 1 0] [1 0 0 3 3 2] [2 4 6] [3 3 3]\npoints: material []uint8 1[] [2 3 4 5]\ncells: flux []float64 1[] [100 200 300]\n" + time,
	} {
		if got := show(t, fmt.Sprintf("%s/flow_000000_%d.vtu", path, i)); got != want {
			t.Errorf("block %d: got\n%s\nwant\n%s", i, got, want)
		}
	}
	if got := show(t, path+"/flow_000001_0.vtu"); !strings.Contains(got, "[7 7 3]") || !strings.Contains(got, "TimeValue []float64 1[] [0.25]") {
		t.Error(got)
	}
	if err := series.Write(1); err == nil || err.Error() != "vtk: the series is closed" {
		t.Error(err)
	}
}

// Steps have the nodes where they are: those of the mesh, moved in place, or those of a dat.
func TestMovingPoints(t *testing.T) {
	s := declare(t)
	optest.OK(t, s.rt.Renumber(s.x))
	m := strip()
	for _, c := range []struct {
		name    string
		options []Option
	}{{"blocks", []Option{Groups("bottom"), Single()}}, {"cells", nil}} {
		path := filepath.Join(t.TempDir(), "moving")
		series := optest.Must(NewSeries(path, m, c.options...))
		material := Nodes("", s.material)
		optest.OK(t, series.Write(0, material))
		m.Points[2*4] = 7 // node 4
		optest.OK(t, series.Write(1, material))
		optest.OK(t, series.Write(2, material, Points(s.x)))
		optest.OK(t, series.Close())
		m.Points[2*4] = 2
		files := optest.Must(filepath.Glob(path + "/*.vtu"))
		for i, file := range files {
			g := optest.Must(vtu.Read(optest.Must(os.ReadFile(file)), nil))
			node := slices.Index(g.PointData[0].Values.([]uint8), 4)
			if got, want := g.Points[3*node], []float64{2, 7, 2}[3*i/len(files)]; got != want {
				t.Errorf("%s: %s: node 4 is at %v, want %v", c.name, file, got, want)
			}
		}
	}
	want := "vtk: found 6 coordinates, expected the 12 of the mesh that the series began with\n  hint: nodes may move; for another mesh, start another series"
	u := op2.NewDat[float64](s.nodes, 1, nil, "u")
	optest.ExpectError(t, WriteFile(filepath.Join(t.TempDir(), "end.vtu"), strip(), Points(u)), want)
}

func TestErrors(t *testing.T) {
	s := declare(t)
	path := filepath.Join(t.TempDir(), "flow")
	var none *op2.Dat[float64]
	for _, c := range []struct {
		fields []Field
		want   string
	}{
		{[]Field{Nodes("h", s.ht)}, `vtk: field "h": dat h on triangles has values for 2, expected them for the 6 nodes of the mesh`},
		{[]Field{Cells("h", s.ht)}, `vtk: field "h": dat h on triangles has values for 2, expected them for the 3 cells of the mesh`},
		{[]Field{Cells("h", s.hq, s.ht)}, `vtk: field "h": dat h on quads has values for 1, expected them for the 2 triangles of the mesh`},
		{[]Field{Cells("h", s.ht, s.hq, s.hq)}, `vtk: field "h": found values for 3 kinds of cells, expected them for 2: triangles, quadrilaterals`},
		{[]Field{CellValues("h", []float64{1, 2}, []float64{3, 4})}, `vtk: field "h": the slice: expected values of the type and dim of the slice`},
		{[]Field{CellValues("h", []float64{1, 2}, nil)}, `vtk: field "h": the slice: it has 0 values, expected as many for each of 1 cells`},
		{[]Field{NodeValues("h", make([]float64, 7))}, `vtk: field "h": the slice: it has 7 values, expected as many for each of 6 nodes`},
		{[]Field{Nodes("", none)}, `vtk: field "": the dat is nil, or was not made by NewDat`},
		{[]Field{NodeValues[float64]("", nil)}, `vtk: field "": a field needs a name`},
		{[]Field{Nodes("u", new(op2.Dat[float64]))}, `vtk: field "u": the dat is nil, or was not made by NewDat`},
		{[]Field{Nodes("u", none)}, `vtk: field "u": the dat is nil, or was not made by NewDat`},
		{[]Field{Nodes("u", s.u), Nodes("u", s.u)}, `vtk: two fields are named "u"`},
		{[]Field{CellValues("q", make([]state, 3)).Of("Rho"), CellValues("q", make([]state, 3)).Of("Rho")}, "vtk: two fields are named \"q\"\n" +
			`  hint: the name "" makes names of a dat's name and the part that Of chooses, such as q.Rho`},
		{[]Field{Nodes("u", s.u).Components("a")}, `vtk: field "u": 1 names for 2 components`},
		{[]Field{Nodes("u", s.u).Tensor()}, `vtk: field "u": tensors have 9 components, 6 or, in the plane, 4 or 3; there are 2`},
		{[]Field{CellValues("q", make([]state, 3))}, `vtk: field "q": the slice: state has numbers of several types, float64 and int32: choose some by Of`},
		{[]Field{CellValues("q", make([]state, 3)).Of("Pressure")}, `vtk: field "q": the slice: state has no Pressure`},
		{[]Field{CellValues("q", make([]state, 3)).Of("Rh")}, `vtk: field "q": the slice: state has no Rh`},
		{[]Field{Cells("flux", s.flux)}, ``}, // there are as many edges as cells
	} {
		err := WriteFile(path+".vtu", strip(), c.fields...)
		if c.want != "" {
			optest.ExpectError(t, err, c.want)
		} else {
			optest.OK(t, err)
		}
	}
	for _, c := range []struct {
		option Option
		want   string
	}{
		{Groups("top"), `vtk: the mesh has no group "top"; it has: bottom, right, `},
		{Part(mesh.Line, nil, s.edges), `vtk: Part: the set or the map is nil`},
		{Part(mesh.Line, s.edgeNodes, nil), `vtk: Part: the set or the map is nil`},
		{Part(mesh.Line, s.edgeNodes, s.quads), `vtk: Part quads: map edge2node is from edges, not from quads`},
		{Part(mesh.Triangle, s.edgeNodes, s.edges), `vtk: Part edges: map edge2node has arity 2, a triangle has 3 nodes`},
		{Part(mesh.Line, op2.NewVaryingMap(s.edges, s.nodes, []int32{0, 2, 3, 5}, []int32{3, 2, 2, 5, 4}, "some"), s.edges), "vtk: Part edges: the rows of map some differ in length, and the elements of a part are of one kind\n  hint: Groups adds boundaries of the mesh, whatever their faces"},
	} {
		if _, err := NewSeries(path, strip(), c.option); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	if _, err := NewSeries("", strip()); err == nil || err.Error() != `vtk: "" is no name of a series` {
		t.Error(err)
	}
	for _, name := range []string{"flow", "flow.pvd", "flow.vtu", "flow.pvtu"} {
		name := filepath.Join(t.TempDir(), name)
		series, err := NewSeries(name, strip())
		optest.OK(t, err)
		optest.OK(t, errors.Join(series.Write(0), series.Close()))
		if _, err := os.Stat(filepath.Join(filepath.Dir(name), "flow.pvd")); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"flow\n", "flow\x01", "flow\xff"} {
		want := fmt.Sprintf("vtk: %q is no name of a series: its index, an XML file, cannot name its files", name)
		if _, err := NewSeries(name, strip()); err == nil || err.Error() != want {
			t.Error(err)
		}
	}
	if _, err := NewSeries(path, nil); err == nil || err.Error() != `vtk: there is no mesh` {
		t.Error(err)
	}
	if err := WriteFile("flow.png", strip()); err == nil || err.Error() != "vtk: flow.png: results on a mesh are VTU files, or VTKHDF: name it flow.vtu" {
		t.Error(err)
	}

	series, err := NewSeries(path, strip())
	if err != nil {
		t.Fatal(err)
	}
	if err := series.Write(1); err != nil {
		t.Fatal(err)
	}
	if err := series.Write(1); err == nil || err.Error() != "vtk: a step at time 1 after one at 1" {
		t.Error(err)
	}
	for _, time := range []float64{math.NaN(), math.Inf(1)} {
		if err := series.Write(time); err == nil || err.Error() != fmt.Sprint("vtk: a step at time ", time) {
			t.Error(err)
		}
	}
	// An error while a step is written is that of the next call, and of all later ones.
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := series.Write(2); err != nil {
		t.Fatal(err)
	}
	if err := series.Write(3); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := series.Close(); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// What a mesh declares fits it: the set of all cells where there are several kinds, faces of two shapes, and the
// elements of a group.
func TestDeclaredMesh(t *testing.T) {
	m := &mesh.Mesh{
		Dim:    3,
		Points: []float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 2, 0, 0, 2, 0, 1},
		Blocks: []mesh.Block{
			{Kind: mesh.Hexahedron, Nodes: []int32{0, 1, 2, 3, 4, 5, 6, 7}},
			{Kind: mesh.Prism, Nodes: []int32{1, 8, 2, 5, 9, 6}},
			{Kind: mesh.Triangle, Nodes: []int32{5, 9, 6}},
		},
		Groups: []mesh.Group{{Name: "lid", Tag: 1, Dim: 2, Members: []mesh.Members{{Block: 2, Elements: []int32{0}}}}},
	}
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	box := m.Declare(rt, mesh.WithFaces())
	h := op2.NewDat(box.Cells, 1, []float64{1, 2}, "h")
	prisms := op2.NewDat(box.Kinds[1].Cells, 3, []float64{1, 2, 3}, "v")
	flux := op2.NewDat(box.Bfaces, 1, []float64{10, 11, 12, 13, 14, 15, 16, 17, 18}, "flux")
	lid := box.BoundaryOf("lid")
	if err := rt.Err(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	s, err := NewSeries(path, m, Part(mesh.Quadrilateral, box.BfaceNodes, lid), Part(mesh.Prism, box.Kinds[1].Nodes, box.Kinds[1].Cells))
	if err != nil {
		t.Fatal(err)
	}
	hexahedron := CellValues("w", []float64{0, 0, 0}, []float64{1, 2, 3})
	if err := errors.Join(s.Write(0, Cells("h", h), Cells("flux", flux), hexahedron), s.Close()); err != nil {
		t.Fatal(err)
	}
	if got := show(t, path+"/s_000000_0.vtu"); !strings.Contains(got, "[8 14] [12 13]\ncells: h []float64 1[] [1 2]\ncells: w []float64 3[] [0 0 0 1 2 3]\n") {
		t.Error(got)
	}
	if got := show(t, path+"/s_000000_1.vtu"); !strings.HasPrefix(got, "[1 0 1 1 1 1 2 0 1] [0 2 1 1] [4] [9]\ncells: flux []float64 1[] [1") {
		t.Error(got)
	}
	if got := show(t, path+"/s_000000_2.vtu"); !strings.Contains(got, "[6] [13]\ncells: h []float64 1[] [2]\ncells: w []float64 3[] [1 2 3]\n") {
		t.Error(got)
	}
	want := `vtk: field "v": dat v on prisms has values for 1, expected them for the 2 cells of the mesh`
	if err := WriteFile(path+".vtu", m, Cells("v", prisms)); err == nil || err.Error() != want {
		t.Error(err)
	}
}

// A second series of one name takes the place over; the first one no longer writes there.
func TestReplacedSeries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flow")
	first, err := NewSeries(path, strip())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(first.Write(0), first.Write(1)); err != nil {
		t.Fatal(err)
	}
	second, err := NewSeries(path+".pvd", strip())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(second.Write(5), second.Close()); err != nil {
		t.Fatal(err)
	}
	if err := first.Write(2); err == nil || err.Error() != "vtk: another series has replaced "+path {
		t.Error(err)
	}
	first.Close()
	if _, err := NewSeries(path, strip()); err != nil { // fails before its first step, which leaves the series before
		t.Fatal(err)
	}
	index, err := os.ReadFile(path + ".pvd")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(index), "<DataSet"); n != 1 || !strings.Contains(string(index), `timestep="5"`) {
		t.Errorf("the index lists %d steps:\n%s", n, index)
	}
}

// Files are XML whatever the fields and groups are called.
func TestNamesInXML(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.vtu")
	const name = "a<b>&\"' \x00\x01\x1f\x7f\ufffe\xff"
	if err := WriteFile(path, strip(), NodeValues(name, make([]float64, 6))); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file = append(file[:bytes.Index(file, []byte("<AppendedData"))], "</VTKFile>"...)
	for d := xml.NewDecoder(bytes.NewReader(file)); err == nil; {
		_, err = d.Token()
	}
	if err != io.EOF {
		t.Error(err)
	}
}
