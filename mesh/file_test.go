package mesh

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
)

func TestMeshFiles(t *testing.T) {
	dir := t.TempDir()
	foil := mustNACA0012(t, 8, 5)
	for _, c := range []struct {
		name    string
		m       *Mesh
		options []WriteOption
		begins  string
	}{
		{"two.msh", twoTriangles(), nil, "$MeshFormat\n4.1 1 8\n"},
		{"two.MSH", twoTriangles(), []WriteOption{WithText(), WithGmsh22()}, "$MeshFormat\n2.2 0 8\n"},
		{"two.vtu", twoTriangles(), nil, "<?xml"},
		{"foil.dat", foil, nil, "150 120 219 42\n"},
		{"two.h5", twoTriangles(), nil, "\x89HDF"},
		{"foil.h5", foil, nil, "\x89HDF"},
	} {
		path := filepath.Join(dir, c.name)
		if err := c.m.WriteFile(path, c.options...); errors.Is(err, op2.ErrUnavailable) && strings.HasSuffix(path, ".h5") {
			continue // TestHDF5 says so
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), c.begins) {
			t.Errorf("%s: error %v, begins %.40q, want %q", c.name, err, data, c.begins)
		}
		m, err := ReadFile(path)
		want, _ := c.m.Joined()
		if err != nil || !slices.Equal(m.Points, want.Points) || !reflect.DeepEqual(m.Blocks[0], want.Blocks[0]) || len(m.Groups) != len(want.Groups) {
			t.Errorf("%s: error %v, read\n%+v\nof\n%+v", c.name, err, m, want)
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
		{stl, `mesh: DIR/bad.stl: expected a file .msh (Gmsh), .vtu (VTK), .h5 (HDF5) or .dat (OP2's airfoil), found the extension ".stl"`},
		{twoTriangles().WriteFile(in("two")), `mesh: DIR/two: expected a file .msh (Gmsh), .vtu (VTK), .h5 (HDF5) or .dat (OP2's airfoil), found the extension ""`},
		{twoTriangles().WriteFile(in("no/two.msh")), "mesh: create DIR/no/two.msh: there is no folder DIR/no"},
		{twoTriangles().WriteFile(in("two.dat")), "mesh: expected quadrilaterals in the plane for OP2's airfoil, found triangles in 2 dimensions"},
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

// Without given edges, the file has those that are found, each with its first cell to the right.
func TestWriteAirfoilWithoutGiven(t *testing.T) {
	m, err := mustNACA0012(t, 6, 4).Joined()
	if err != nil {
		t.Fatal(err)
	}
	m.Given = nil
	var b strings.Builder
	if err := m.WriteAirfoil(&b); err != nil {
		t.Fatal(err)
	}
	read, err := ReadAirfoil(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read.Facets(); err != nil { // of another orientation, it would fail
		t.Error(err)
	}
	m.Groups[0].Name = "surface"
	if err := m.WriteAirfoil(&b); err == nil || !strings.HasSuffix(err.Error(), `expected it in one of the groups "far", "wall", found it in none`) {
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
