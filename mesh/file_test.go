package mesh

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestMeshFiles(t *testing.T) {
	dir := t.TempDir()
	foil, err := mustNACA0012(t, 8, 5).Mesh()
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range foil.Points { // .dat keeps six decimals
		foil.Points[i] = round6(x)
	}
	for _, c := range []struct {
		name    string
		m       *Mesh
		options []WriteOption
		begins  string
	}{
		{"two.msh", twoTriangles(), nil, "$MeshFormat\n4.1 1 8\n"},
		{"two.MSH", twoTriangles(), []WriteOption{WithText(), WithGmsh22()}, "$MeshFormat\n2.2 0 8\n"},
		{"two.vtu", twoTriangles(), nil, "<?xml"},
		{"foil.dat", foil, nil, "141 120 219 42\n"},
	} {
		path := filepath.Join(dir, c.name)
		if err := c.m.WriteFile(path, c.options...); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), c.begins) {
			t.Errorf("%s: error %v, begins %.40q, want %q", c.name, err, data, c.begins)
		}
		m, err := ReadFile(path)
		if err != nil || !slices.Equal(m.Points, c.m.Points) || !reflect.DeepEqual(m.Blocks[0], c.m.Blocks[0]) || len(m.Groups) != len(c.m.Groups) {
			t.Errorf("%s: error %v, read\n%+v\nof\n%+v", c.name, err, m, c.m)
		}
	}
}

func TestMeshFileErrors(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("bad.msh"), []byte("$MeshFormat\n1 0 8\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, none := ReadFile(in("none.msh"))
	_, bad := ReadFile(in("bad.msh"))
	_, stl := ReadFile(in("bad.stl"))
	_, geo := ReadFile(in("coast.geo"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{none, "mesh: open DIR/none.msh: no such file or directory"},
		{bad, `mesh: DIR/bad.msh:2: expected version 2.2 or 4.1, found "1": gmsh FILE -save -format msh41 -o NEW converts it`},
		{geo, "mesh: DIR/coast.geo: expected a mesh, found a geometry, of which Gmsh makes one\n  hint: gmsh -2 DIR/coast.geo -o DIR/coast.msh for areas, -3 for volumes"},
		{stl, `mesh: DIR/bad.stl: expected a file .msh (Gmsh), .vtu (VTK) or .dat (OP2's airfoil), found the extension ".stl"`},
		{twoTriangles().WriteFile(in("two")), `mesh: DIR/two: expected a file .msh (Gmsh), .vtu (VTK) or .dat (OP2's airfoil), found the extension ""`},
		{twoTriangles().WriteFile(in("no/two.msh")), "mesh: open DIR/no/two.msh: no such file or directory"},
		{twoTriangles().WriteFile(in("two.dat")), "mesh: expected quadrilaterals in the plane for an Airfoil, found triangles in 2 dimensions"},
	} {
		found := "<nil>"
		if c.err != nil {
			found = strings.ReplaceAll(c.err.Error(), dir, "DIR")
		}
		if found != c.want {
			t.Errorf("error %s\n want %s", found, c.want)
		}
	}
	if !errors.Is(none, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", none)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("error %v, left behind: %v", err, files)
	}
}

// An airfoil's mesh, made of a Mesh, has each cell on the side where it belongs.
func TestMeshAirfoil(t *testing.T) {
	m, err := mustNACA0012(t, 6, 4).Mesh()
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Airfoil()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	right := func(ends []int32, c int32) bool {
		middle := m.middle(a.CellNodes[4*c : 4*c+4])
		from, to := m.Point(ends[0]), m.Point(ends[1])
		return (to[0]-from[0])*(middle[1]-from[1])-(to[1]-from[1])*(middle[0]-from[0]) < 0
	}
	for e := range a.Edges {
		if ends := a.EdgeNodes[2*e : 2*e+2]; !right(ends, a.EdgeCells[2*e]) || right(ends, a.EdgeCells[2*e+1]) {
			t.Errorf("edge %d: the first cell is not to the right, or the second not to the left", e)
		}
	}
	var wall float64
	for e := range a.Bedges {
		if !right(a.BedgeNodes[2*e:2*e+2], a.BedgeCell[e]) {
			t.Errorf("boundary edge %d: the cell is not to the right", e)
		}
		if a.Bound[e] == Wall {
			from, to := m.Point(a.BedgeNodes[2*e]), m.Point(a.BedgeNodes[2*e+1])
			wall += math.Hypot(to[0]-from[0], to[1]-from[1])
		}
	}
	if wall < 2 || wall > 2.1 {
		t.Errorf("the wall is %v chords long, want 2.05", wall)
	}
	m.Groups[0].Name = "surface"
	if _, err := m.Airfoil(); err == nil || !strings.HasSuffix(err.Error(), `expected it in one of the groups "wall" and "far", found it in neither`) {
		t.Errorf("error %v", err)
	}
}

func TestReadProgress(t *testing.T) {
	grid, err := Rectangle(Triangle, 50, 50, 1, 1) // more than one compressed block
	if err != nil {
		t.Fatal(err)
	}
	vtu := filepath.Join(t.TempDir(), "grid.vtu")
	if err := grid.WriteFile(vtu); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join("testdata", "gmsh", "second-4.1-text.msh"), vtu} {
		last, calls := 0.0, 0
		_, err := ReadFile(path, WithProgress(func(done float64) {
			if done <= last || done > 1 {
				t.Errorf("%s: %v after %v", path, done, last)
			}
			last = done
			calls++
		}))
		if err != nil || last != 1 || calls < 4 {
			t.Errorf("%s: error %v, %v done in %d calls", path, err, last, calls)
		}
	}
}
