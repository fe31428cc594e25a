package mesh

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

func open(t testing.TB) *op2.Runtime {
	t.Helper()
	rt, err := op2.Open(op2.WithBackend("go"), op2.WithLog(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt
}

// describe lists the sizes of sets, and the arities of maps.
func (to *Declared) describe() string {
	var parts []string
	for _, s := range []*op2.Set{to.Nodes, to.Cells, to.Edges, to.Bedges, to.Faces, to.Bfaces, to.AllEdges, to.AllFaces, to.Corners} {
		if s.Err() == nil {
			parts = append(parts, fmt.Sprintf("%s %d", s.Name(), s.Size()))
		}
	}
	maps := []*op2.Map{to.CellNodes, to.EdgeNodes, to.EdgeCells, to.BedgeNodes, to.BedgeCell, to.FaceNodes, to.FaceCells, to.BfaceNodes, to.BfaceCell,
		to.AllEdgeNodes, to.CellEdges, to.AllFaceNodes, to.CellFaces, to.CellCorners, to.CornerNode}
	for _, k := range to.Kinds {
		if len(to.Kinds) > 1 {
			parts = append(parts, fmt.Sprintf("%s %d", k.Cells.Name(), k.Cells.Size()))
			maps = append(maps, k.Nodes, k.Cell, k.Edges, k.Faces, k.Corners)
		}
	}
	for _, m := range maps {
		if m.Err() == nil {
			parts = append(parts, fmt.Sprintf("%s*%d", m.Name(), m.Arity()))
		}
	}
	return strings.Join(parts, ", ")
}

func TestDeclare(t *testing.T) {
	edges, faces, cellEdges, cellFaces, corners := WithEdges(), WithFaces(), WithCellEdges(), WithCellFaces(), WithCorners()
	inverted := func() (*Mesh, error) {
		m, err := Rectangle(Triangle, 2, 1, 1, 1)
		slices.Reverse(m.Blocks[0].Element(2))
		return m, err
	}
	for _, test := range []struct {
		name    string
		make    func() (*Mesh, error)
		options []DeclareOption
		want    string // or the error
	}{
		{"plain", inverted, nil, "nodes 6, cells 4, cell2node*3"},
		{"edges", func() (*Mesh, error) { return Rectangle(Triangle, 2, 1, 1, 1) }, []DeclareOption{edges, cellEdges},
			"nodes 6, cells 4, edges 3, bedges 6, alledges 9, cell2node*3, edge2node*2, edge2cell*2, bedge2node*2, bedge2cell*1, alledge2node*2, cell2edge*3"},
		{"faces", func() (*Mesh, error) { return Box(Tetrahedron, 1, 1, 1, 1, 1, 1) }, []DeclareOption{faces, cellEdges, cellFaces},
			"nodes 8, cells 6, faces 6, bfaces 12, alledges 19, allfaces 18, cell2node*4, face2node*3, face2cell*2, bface2node*3, bface2cell*1, " +
				"alledge2node*2, cell2edge*6, allface2node*3, cell2face*4"},
		{"mixed", func() (*Mesh, error) { return mixed(), nil }, []DeclareOption{faces, cellFaces},
			"nodes 12, cells 4, faces 3, bfaces 14, allfaces 17, tetrahedra 1, hexahedra 1, prisms 1, pyramids 1, face2node*4, face2cell*2, bface2node*4, bface2cell*1, allface2node*4, " +
				"tetrahedron2node*4, tetrahedron2cell*1, tetrahedron2face*4, hexahedron2node*8, hexahedron2cell*1, hexahedron2face*6, " +
				"prism2node*6, prism2cell*1, prism2face*5, pyramid2node*5, pyramid2cell*1, pyramid2face*5"},
		{"second order", func() (*Mesh, error) { return optest.Must(Rectangle(Triangle, 2, 1, 1, 1)).Quadratic(nil) }, []DeclareOption{edges, corners},
			"nodes 15, cells 4, edges 3, bedges 6, corners 6, cell2node*6, edge2node*3, edge2cell*2, bedge2node*3, bedge2cell*1, cell2corner*3, corner2node*1"},
		{"mixed, of second order", func() (*Mesh, error) { return mixed().Quadratic(nil) }, []DeclareOption{corners},
			"nodes 45, cells 4, corners 12, tetrahedron10s 1, hexahedron27s 1, prism18s 1, pyramid14s 1, corner2node*1, " +
				"tetrahedron102node*10, tetrahedron102cell*1, tetrahedron102corner*4, hexahedron272node*27, hexahedron272cell*1, hexahedron272corner*8, " +
				"prism182node*18, prism182cell*1, prism182corner*6, pyramid142node*14, pyramid142cell*1, pyramid142corner*5"},
		{"faces of areas", func() (*Mesh, error) { return Disc(Quadrilateral, 1, 1) }, []DeclareOption{faces},
			"mesh: WithFaces: the cells are quadrilaterals: WithEdges is for areas"},
		{"edges of volumes", func() (*Mesh, error) { return mixed(), nil }, []DeclareOption{edges},
			"mesh: WithEdges: the cells are tetrahedra: WithFaces is for volumes"},
		{"faces of second order", func() (*Mesh, error) { return optest.Must(Box(Hexahedron, 1, 1, 1, 1, 1, 1)).Quadratic(nil) }, []DeclareOption{faces},
			"nodes 27, cells 1, faces 0, bfaces 6, cell2node*27, face2node*9, face2cell*2, bface2node*9, bface2cell*1"},
		{"edges of lines", func() (*Mesh, error) {
			return &Mesh{Dim: 2, Points: []float64{0, 0, 1, 0}, Blocks: []Block{{Kind: Line, Nodes: []int32{0, 1}}}}, nil
		}, []DeclareOption{edges},
			"mesh: WithEdges: the cells are lines: edges and faces are those of areas and volumes; Cells are what loops over lines or points run over, with their nodes in CellNodes"},
		{"inverted", inverted, []DeclareOption{edges}, "mesh: triangle 2 is inverted, its area is -0.25: normals would point the wrong way\n" +
			"  hint: Mesh.Orient makes the orientation of all cells positive"},
		{"no mesh", func() (*Mesh, error) { return &Mesh{Dim: 4}, nil }, []DeclareOption{edges, cellFaces, corners}, "mesh: Dim: expected 2 or 3, found 4"},
		{"empty", func() (*Mesh, error) { return &Mesh{}, nil }, []DeclareOption{cellEdges, corners}, "nodes 0, cells 0, alledges 0, corners 0, alledge2node*2, corner2node*1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := test.make()
			if err != nil {
				t.Fatal(err)
			}
			rt := open(t)
			declared := m.Declare(rt, test.options...)
			if err := rt.Err(); err != nil {
				if optest.ErrorText(err) != test.want {
					t.Errorf("error %v\nwant  %s", err, test.want)
				}
			} else if got := declared.describe(); got != test.want {
				t.Errorf("declared %s\nwant     %s", got, test.want)
			}
		})
	}
}

// Renumbered, subsets hold the same places as before, whether they are declared before or after.
func TestDeclareGroups(t *testing.T) {
	m, err := Rectangle(Triangle, 4, 3, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	number := permutation(r, m.Nodes())
	m.Points = moved(m.Points, 2, number)
	for i := range m.Blocks {
		m.Blocks[i].Nodes = renumbered(m.Blocks[i].Nodes, number)
	}
	m.Blocks[0].Nodes = moved(m.Blocks[0].Nodes, 3, permutation(r, m.Cells()))
	m.Groups = append(m.Groups, Group{Name: "rock", Dim: 2, Members: []Members{{0, []int32{3, 4, 9}}}})

	rt := open(t)
	steps := optest.Steps(rt)
	to := m.Declare(rt, WithEdges())
	before := to.BoundaryOf("left", "top")
	rock := to.CellsOf("rock")
	places := func() string {
		x, err := to.X.DataRO()
		steps.Check(err)
		at := func(nodes ...int32) string {
			var all []string
			for _, n := range nodes {
				all = append(all, fmt.Sprint(x[2*n], ",", x[2*n+1]))
			}
			return strings.Join(all, " ")
		}
		var all []string
		for _, e := range before.Elements() {
			all = append(all, at(to.BedgeNodes.Values()[2*e:2*e+2]...))
		}
		for _, c := range rock.Elements() {
			all = append(all, at(to.CellNodes.Values()[3*c:3*c+3]...))
		}
		slices.Sort(all)
		return strings.Join(all, "; ")
	}
	want := places()
	steps.Check(rt.Renumber(to.X))
	if got := places(); got != want {
		t.Errorf("renumbered, groups are at %s\nbefore at                 %s", got, want)
	}
	if to.BoundaryOf("top", "left") != before || to.CellsOf("rock") != rock {
		t.Error("the same names give other subsets")
	}
	after := to.NodesOf("left")
	x, err := to.X.DataRO()
	steps.Check(err)
	if steps.Err() != nil {
		t.Fatal(steps.Err())
	}
	for n := range to.Nodes.Size() {
		if left := x[2*n] == 0; after.Contains(n) != left {
			t.Errorf("the node at %v is on the left: %v", x[2*n:2*n+2], !left)
		}
	}
	if to.NodesOf().Size() != 14 {
		t.Errorf("%d nodes on the boundary", to.NodesOf().Size())
	}
}

// Groups are told apart whatever their names are, and no name stands for all.
func TestDeclareGroupsNames(t *testing.T) {
	m, err := Rectangle(Triangle, 4, 3, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(name string, elements ...int32) Group {
		return Group{Name: name, Dim: 1, Members: []Members{{1, elements}}}
	}
	m.Groups = []Group{lines("a", 0), lines("b", 1), lines("a+b", 2, 3, 4), lines("boundary", 5, 6), lines("", 7)}
	rt := open(t)
	to := m.Declare(rt, WithEdges())
	second := optest.Must(m.Quadratic(nil)).Declare(rt, WithCorners())
	for _, test := range []struct {
		subset func(names ...string) *op2.Subset
		names  []string
		want   int
	}{
		{to.BoundaryOf, []string{"a", "b"}, 2},
		{to.BoundaryOf, []string{"a+b"}, 3},
		{to.BoundaryOf, nil, 14},
		{to.BoundaryOf, []string{"boundary"}, 2},
		{to.BoundaryOf, []string{""}, 1},
		{to.NodesOf, nil, 14},
		{to.NodesOf, []string{"boundary"}, 3},
		{to.NodesOf, []string{""}, 2},
		{second.NodesOf, []string{"boundary"}, 5},
		{second.CornersOf, []string{"boundary"}, 3},
		{second.NodesOf, nil, 28},
		{second.CornersOf, nil, 14},
		{to.CellsOf, nil, 24},
	} {
		s := test.subset(test.names...)
		if rt.Err() != nil {
			t.Fatal(rt.Err())
		}
		if s.Size() != test.want {
			t.Errorf("%q: a subset %s of %d, want %d", test.names, s.Name(), s.Size(), test.want)
		}
	}
}

func TestDeclareGroupsErrors(t *testing.T) {
	m, err := Rectangle(Triangle, 1, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.Blocks[1].Nodes = append(m.Blocks[1].Nodes, 0, 3)
	m.Groups = append(m.Groups, Group{Name: "crack", Dim: 1, Members: []Members{{1, []int32{4}}}})
	for _, test := range []struct {
		name string
		use  func(to *Declared) *op2.Subset
		want string
	}{
		{"unknown", func(to *Declared) *op2.Subset { return to.BoundaryOf("rigth") },
			`mesh: there is no group "rigth" among "bottom", "crack", "left", "right", "top" (did you mean "right"?)`},
		{"unknown, of nodes", func(to *Declared) *op2.Subset { return to.NodesOf("inlet") },
			`mesh: there is no group "inlet" among "bottom", "crack", "left", "right", "top"`},
		{"inside", func(to *Declared) *op2.Subset { return to.BoundaryOf("left", "crack") },
			`mesh: group "crack": 1 of its elements are between two cells, not on the boundary`},
		{"no cells", func(to *Declared) *op2.Subset { return to.CellsOf("left") },
			`mesh: group "left" has elements of dimension 1, cells have 2`},
	} {
		t.Run(test.name, func(t *testing.T) {
			rt := open(t)
			to := m.Declare(rt, WithEdges())
			if test.use(to); rt.Err() == nil || optest.ErrorText(rt.Err()) != test.want {
				t.Errorf("error %v\nwant  %s", rt.Err(), test.want)
			}
			test.use(to) // safe after an error
			to.BoundaryOf("left")
			to.NodesOf()
		})
	}
	rt := open(t)
	if m.Declare(rt).BoundaryOf("left"); rt.Err() == nil || !strings.Contains(rt.Err().Error(), "hint: give WithEdges or WithFaces") {
		t.Errorf("error %v", rt.Err())
	}
	rt = open(t)
	lacking := m.Declare(rt)
	optest.OK(t, rt.Err())
	if flux := op2.NewDat[float64](lacking.Edges, 1, nil, "flux"); flux.Err() == nil || rt.Err() != flux.Err() || !strings.Contains(rt.Err().Error(), "hint: declare the mesh with mesh.WithEdges()\n  declared at ") {
		t.Errorf("error %v, of the runtime %v", flux.Err(), rt.Err())
	}
	rt = open(t)
	if m.Declare(rt).CornersOf("left"); rt.Err() == nil || !strings.Contains(rt.Err().Error(), "hint: give WithCorners") {
		t.Errorf("error %v", rt.Err())
	}
}

// Marked by place, the boundary's facets become groups, of elements there are where there are some.
func TestMark(t *testing.T) {
	m, err := Rectangle(Quadrilateral, 3, 2, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	lines := m.Blocks[1].Len()
	m.Blocks[1].Nodes = m.Blocks[1].Nodes[:2*3] // those of the bottom
	m.Groups = m.Groups[:1]
	for _, err := range []error{
		m.Mark("half", func(x []float64) bool { return x[0] < 1.6 }),
		m.Mark("rest", func(x []float64) bool { return x[0] >= 1.6 }),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if m.Blocks[1].Len() != lines || len(m.Blocks) != 2 {
		t.Errorf("%d lines, want %d", m.Blocks[1].Len(), lines)
	}
	if half, rest := m.Group("half").Len(), m.Group("rest").Len(); half != 6 || rest != 4 {
		t.Errorf("%d and %d edges, want 6 and 4", half, rest)
	}
	if got, want := fmt.Sprint(m.GroupNodes("half")), "[0 1 2 4 8 9 10] <nil>"; got != want {
		t.Errorf("nodes %s, want %s", got, want)
	}
	for _, test := range []struct{ name, want string }{
		{"half", `mesh: there is a group "half" already`},
		{"none", `mesh: group "none": no facet of the boundary is there`},
	} {
		if err := m.Mark(test.name, func([]float64) bool { return false }); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
	box := mixed()
	if err := box.Mark("all", func([]float64) bool { return true }); err != nil || box.Valid() != nil {
		t.Fatal(err, box.Valid())
	}
	if len(box.Group("all").Members) != 2 || box.Group("all").Len() != 14 {
		t.Errorf("group %+v", box.Group("all"))
	}
}

// What a program declares of a mesh that it could not read has an error, and so has all that depends on it.
func TestDeclareNil(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	var m *Mesh
	d := m.Declare(rt, WithEdges(), WithCellEdges(), WithPolygons(), WithCorners(), KeepOrder())
	h := op2.NewDat[float64](d.Cells, 1, nil, "h")
	const want = "mesh: Declare: the mesh is nil\n  hint: look at the error of what has read or made it"
	for _, err := range []error{rt.Err(), d.Cells.Err(), d.X.Err(), d.Polygons.Err(), d.BoundaryOf("wall").Err(), h.Err()} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
