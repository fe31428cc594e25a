package mesh_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/hdf5"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// needHDF5 skips a test where the library is missing, or fails it.
func needHDF5(t *testing.T) {
	t.Helper()
	if err := optest.Must(mesh.NACA0012(2, 1)).WriteHDF5(filepath.Join(t.TempDir(), "a.h5")); errors.Is(err, op2.ErrUnavailable) {
		optest.Require(t, "hdf5", err.Error())
	}
}

// A mesh is read as it was written: kinds, groups of elements and of nodes, OP2's order of the airfoil's edges.
func TestHDF5(t *testing.T) {
	needHDF5(t)
	gmsh := func(name string) *mesh.Mesh {
		return optest.Must(mesh.ReadFile(filepath.Join("testdata", "gmsh", name)))
	}
	nodes := optest.Must(mesh.Box(mesh.Tetrahedron, 2, 2, 2, 1, 1, 1))
	nodes.Groups = append(nodes.Groups, mesh.Group{Name: "a/b", Tag: 9, Members: []mesh.Members{{Block: -1, Elements: []int32{1, 5}}}}, mesh.Group{Name: "none", Tag: 10, Dim: 1})
	for name, m := range map[string]*mesh.Mesh{
		"disc": optest.Must(mesh.Disc(mesh.Triangle, 4, 1)), "box": nodes, "mixed": gmsh("second-4.1-text.msh"), "airfoil": optest.Must(mesh.NACA0012(8, 5)),
	} {
		path := filepath.Join(t.TempDir(), name+".h5")
		optest.OK(t, m.WriteHDF5(path))
		got, err := mesh.ReadHDF5(path)
		optest.OK(t, err)
		if !slices.Equal(got.Points, m.Points) || got.Dim != m.Dim || !reflect.DeepEqual(got.Blocks, m.Blocks) || !reflect.DeepEqual(got.Groups, m.Groups) {
			t.Errorf("%s: read\n%+v\nof\n%+v", name, got, m)
		}
		if want := m.Given; want != nil && (got.Given == nil || !reflect.DeepEqual(got.Given.Interior, want.Interior) || !reflect.DeepEqual(got.Given.Boundary, want.Boundary)) {
			t.Errorf("%s: other edges", name)
		}
	}
}

// Meshes in layouts of other programs, such as Volna's, are read by the names that these have.
func TestHDF5OfOthers(t *testing.T) {
	needHDF5(t)
	of := optest.Must(mesh.Rectangle(mesh.Triangle, 3, 2, 1, 1))
	points := make([]float32, len(of.Points))
	for i, x := range of.Points {
		points[i] = float32(x)
	}
	rt := optest.OpenBackend(t, "go")
	nodes, cells := rt.NewSet(of.Nodes(), "nodes"), rt.NewSet(of.Cells(), "cells")
	corners := op2.NewMap(cells, nodes, 3, of.Blocks[0].Nodes, "cellsToNodes")
	coordinates := op2.NewDat(nodes, 2, points, "nodeCoords")
	optest.OK(t, rt.Err())
	write := func(things ...hdf5.Thing) string {
		path := filepath.Join(t.TempDir(), "a.h5")
		f := optest.Must(hdf5.Create(rt, path))
		optest.OK(t, errors.Join(f.Write(things...), f.Close()))
		return path
	}
	m, err := mesh.ReadHDF5(write(nodes, cells, corners, coordinates))
	optest.OK(t, err)
	if m.Dim != 2 || m.Blocks[0].Kind != mesh.Triangle || !slices.Equal(m.Blocks[0].Nodes, of.Blocks[0].Nodes) || float32(m.Points[4]) != points[4] {
		t.Errorf("read %+v", m)
	}
	text := filepath.Join(t.TempDir(), "text.h5")
	optest.OK(t, os.WriteFile(text, []byte("text"), 0o666))
	for path, want := range map[string]string{
		write(nodes):       "a.h5: expected coordinates of nodes, a dataset named p_x, nodeCoords, x, found nodes",
		write(coordinates): "expected a map from cells to nodes, a dataset named pcell, cellsToNodes, cell2node, found nodeCoords",
		write(coordinates, hdf5.As("pcell", coordinates)):                                                     "pcell: expected rows of some integers, found [2]float32",
		write(coordinates, hdf5.As("pcell", op2.NewMap(cells, nodes, 1, make([]int32, cells.Size()), "one"))): "pcell: expected cells with as many nodes as a kind in 2 dimensions has, found 1",
		text: "text.h5: file signature not found",
	} {
		if _, err := mesh.ReadHDF5(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
