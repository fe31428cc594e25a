package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

func TestMesh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grid.dat")
	out, status, err := outputs(t, "mesh", "-i", "4", "-j", "3", "-o", path)
	if want := "52 nodes, 36 cells, 61 edges, 22 boundary edges\n"; err != nil || out != want || status != "wrote "+path+"\n" {
		t.Fatalf("error %v, %q and %q, not %q", err, out, status, want)
	}
	m, err := mesh.ReadFile(path)
	if err != nil || m.Cells() != 36 {
		t.Errorf("reading it back: %v", err)
	}
}

// A mesh is described alike in each of its formats, and drawn.
func TestMeshFile(t *testing.T) {
	t.Chdir(t.TempDir())
	want := `nodes               47, x -9 to 9, y -18 to 18
quadrilaterals      36, area 0.7346 to 27.62
lines               22
group               wall: 4 lines
group               far: 18 lines
checks              no problems
`
	if _, err := output(t, "mesh", "-i", "4", "-j", "3", "-o", "a.msh"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"a.msh", "-o", "b.vtu"},
		{"-o", "c.dat", "b.vtu"},
		{"c.dat", "-o", "d.msh", "-text", "-gmsh22"},
		{"-orient", "d.msh", "-png", "e.png"},
	} {
		out, status, err := outputs(t, append([]string{"mesh"}, args...)...)
		written := args[len(args)-1]
		if i := strings.Index(strings.Join(args, " "), "-o "); i >= 0 {
			written = strings.Fields(strings.Join(args, " ")[i+3:])[0]
		}
		if err != nil || out != want || status != "wrote "+written+"\n" {
			t.Errorf("%s: error %v, %q\n%s want\n%s", args, err, status, out, want)
		}
	}
	if _, _, err := outputs(t, "mesh", "b.vtu", "-o", "f.h5"); errors.Is(err, op2.ErrUnavailable) {
		optest.Require(t, "hdf5", err.Error())
	}
	for _, args := range [][]string{{"f.h5"}, {"f.h5", "-o", "g.dat"}, {"g.dat"}} {
		if out, err := output(t, append([]string{"mesh"}, args...)...); err != nil || out != want {
			t.Errorf("%s: error %v\n%s want\n%s", args, err, out, want)
		}
	}
	for name, begins := range map[string]string{"f.h5": "\x89HDF", "b.vtu": "<?xml", "d.msh": "$MeshFormat\n2.2 0 8\n", "e.png": "\x89PNG"} {
		if data, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(data), begins) {
			t.Errorf("%s: error %v, begins %.20q", name, err, data)
		}
	}
}

func TestMeshSolid(t *testing.T) {
	t.Chdir(t.TempDir())
	m, err := mesh.Box(mesh.Tetrahedron, 1, 1, 1, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.Groups[1].Name = ""
	m.Blocks[0].Nodes[0], m.Blocks[0].Nodes[1] = m.Blocks[0].Nodes[1], m.Blocks[0].Nodes[0]
	if err := m.WriteFile("box.msh"); err != nil {
		t.Fatal(err)
	}
	want := `nodes               8, x 0 to 1, y 0 to 1, z 0 to 1
tetrahedra          6, volume -0.1667 to 0.1667
triangles           12
group               left: 2 triangles
group               (tag 2): 2 triangles
group               front: 2 triangles
group               back: 2 triangles
group               bottom: 2 triangles
group               top: 2 triangles
checks              1 cell is inverted: 0
                    1 group has no name: 1
`
	out, err := output(t, "mesh", "box.msh")
	if err != nil || out != want {
		t.Errorf("error %v\n%s want\n%s", err, out, want)
	}
	oriented := strings.Replace(strings.Replace(want, "-0.1667 to ", "", 1), "1 cell is inverted: 0\n                    ", "", 1)
	if out, err := output(t, "mesh", "-orient", "box.msh"); err != nil || out != oriented {
		t.Errorf("error %v\n%s want\n%s", err, out, oriented)
	}
}

// The picture of a box shows three of its sides.
func TestMeshPicture(t *testing.T) {
	m, err := mesh.Box(mesh.Hexahedron, 2, 2, 2, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	faces, err := facesOf(m)
	if err != nil || len(faces) != 24 {
		t.Fatalf("error %v, %d faces", err, len(faces))
	}
	names := strings.Join(groupFaces(m, faces), ", ")
	if want := "0 left, 1 right, 2 front, 3 back, 4 bottom, 5 top"; names != want {
		t.Errorf("groups %s, want %s", names, want)
	}
	field := pictureOf(m, faces)
	count := map[float64]int{}
	for _, v := range field.Values {
		count[v]++
	}
	if len(count) != 3 || count[1] != 4 || count[2] != 4 || count[5] != 4 || field.Mesh.Corners != 4 {
		t.Errorf("%v faces of each group are seen, want 4 of 1, 2 and 5", count)
	}
}

func TestMeshErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"mesh"}, {"mesh", "-i", "4"}} { // no large file for a typing error
		if out, err := output(t, args...); !errors.Is(err, flag.ErrHelp) || !strings.HasPrefix(out, "op2 mesh [flags] [FILE]\n") {
			t.Errorf("%s: error %v\n%s", args, err, out)
		}
		if files := optest.Must(os.ReadDir(".")); len(files) > 0 {
			t.Errorf("%s wrote %s", args, files[0].Name())
		}
	}
	if err := os.WriteFile("bad.msh", []byte("$MeshFormat\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const hint = "\n  hint: op2 mesh -help shows how it is used"
	for _, c := range []struct{ args, want string }{
		{"-i 0 -o a.dat", "op2 mesh: naca0012 0 by 600: expected from 2 to 30000 cells along the airfoil, found 0"},
		{"bad.msh", "op2 mesh: bad.msh:2: expected a version, 0 for text or 1 for binary, and the size of a number, found the end of the file"},
		{"bad.stl", "op2 mesh: bad.stl: expected a file .msh (Gmsh), .vtu (VTK), .h5 (HDF5) or .dat (OP2's airfoil), found the extension \".stl\""},
		{"a.msh b.msh", `op2 mesh: unexpected argument "b.msh"` + hint},
		{"-text", "op2 mesh: -text goes with a FILE" + hint},
		{"a.msh -i 4", "op2 mesh: -i goes without a FILE" + hint},
	} {
		if _, err := output(t, append([]string{"mesh"}, strings.Fields(c.args)...)...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("op2 mesh %s: error %v\n want %s", c.args, err, c.want)
		}
	}
}
