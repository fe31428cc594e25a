package mesh

import (
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"testing"
)

// twoTriangles returns a unit square of two triangles, with one line and a group of each dimension.
func twoTriangles() *Mesh {
	return &Mesh{
		Dim:    2,
		Points: []float64{0, 0, 1, 0, 1, 1, 0, 1},
		Blocks: []Block{{Kind: Triangle, Nodes: []int32{0, 1, 2, 0, 2, 3}}, {Kind: Line, Nodes: []int32{0, 1, 1, 2}}},
		Groups: []Group{
			{"corner", 1, 0, []Members{{-1, []int32{3}}}},
			{"bottom", 2, 1, []Members{{1, []int32{0}}}},
			{"inside", 3, 2, []Members{{0, []int32{0, 1}}}},
		},
	}
}

func TestValid(t *testing.T) {
	for _, m := range []*Mesh{{}, {Dim: 2}, {Dim: 3, Points: []float64{1, 2, 3}}, twoTriangles()} {
		if err := m.Valid(); err != nil {
			t.Errorf("%+v: %v", m, err)
		}
	}
	for _, c := range []struct {
		spoil func(*Mesh)
		want  string
	}{
		{func(m *Mesh) { m.Dim = 0 }, "mesh: Dim: expected 2 or 3, found 0"},
		{func(m *Mesh) { m.Points = m.Points[1:] }, "mesh: Points: expected 2 coordinates for each node, found 7 in all"},
		{func(m *Mesh) { m.Points[3] = math.NaN() }, "mesh: Points[3]: expected a finite coordinate, found NaN"},
		{func(m *Mesh) { m.Blocks[1].Kind = kinds }, "mesh: Blocks[1]: expected a kind, found Kind(81)"},
		{func(m *Mesh) { m.Blocks[1].Nodes = []int32{0} }, "mesh: Blocks[1]: expected 2 nodes for each line, found 1 in all"},
		{func(m *Mesh) { m.Blocks[0].Nodes[4] = 4 }, "mesh: Blocks[0].Nodes[4]: expected a node index in [0,4), found 4"},
		{func(m *Mesh) { m.Blocks[0], m.Blocks[1] = m.Blocks[1], m.Blocks[0] },
			"mesh: Blocks[1]: expected blocks of higher dimension first, found triangle after line"},
		{func(m *Mesh) { m.Blocks[1] = m.Blocks[0] },
			"mesh: Blocks[1]: expected one block for each kind, found a second one of kind triangle"},
		{func(m *Mesh) { m.Blocks[0] = Block{Kind: Tetrahedron, Nodes: []int32{0, 1, 2, 3}} }, "mesh: Blocks[0]: a tetrahedron in 2 dimensions"},
		{func(m *Mesh) { m.Groups[0].Members[0].Block = -2 }, "mesh: Groups[0] (corner): Members[0].Block: expected an index in [-1,2), found -2"},
		{func(m *Mesh) { m.Groups[0].Members[0].Elements[0] = -1 },
			"mesh: Groups[0] (corner).Members[0].Elements[0]: expected a node index in [0,4), found -1"},
		{func(m *Mesh) { m.Groups[1].Members[0].Block = 0 },
			"mesh: Groups[1] (bottom): Members[0]: expected elements of dimension 1, found triangles"},
		{func(m *Mesh) { m.Groups[2].Members[0].Elements[1] = 2 },
			"mesh: Groups[2] (inside).Members[0].Elements[1]: expected a triangle index in [0,2), found 2"},
	} {
		m := twoTriangles()
		c.spoil(m)
		if err := m.Valid(); err == nil || err.Error() != c.want {
			t.Errorf("error %v\n want %s", err, c.want)
		}
	}
}

// What returns an error does so for a nil mesh, too.
func TestNilMesh(t *testing.T) {
	var m *Mesh
	methods := reflect.TypeOf(m)
	for i := range methods.NumMethod() {
		method := methods.Method(i)
		f, last := method.Type, method.Type.NumOut()-1
		if last < 0 || f.Out(last) != reflect.TypeFor[error]() {
			continue
		}
		args := []reflect.Value{reflect.ValueOf(m)}
		for i := 1; i < f.NumIn() && !(f.IsVariadic() && i == f.NumIn()-1); i++ {
			arg := reflect.New(f.In(i)).Elem()
			if arg.Kind() == reflect.String {
				arg.SetString(filepath.Join(t.TempDir(), "m.h5"))
			}
			args = append(args, arg)
		}
		if err, _ := method.Func.Call(args)[last].Interface().(error); !errors.Is(err, errNil) {
			t.Errorf("%s returns %v", method.Name, err)
		}
	}
}
