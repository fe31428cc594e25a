package vtk

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// VTK reads the pieces of three ranks: of a mesh that each has, and of shares, once the mesh is distributed.
func TestVTKReadsPieces(t *testing.T) {
	interpreter := python(t)
	args := []string{"-c", strings.Replace(readWithVTK, "\nfor path", summary+"\nfor path", 1)}
	for _, shares := range []bool{false, true} {
		for _, ranks := range []int{1, 3} {
			dir := t.TempDir()
			err := optest.OnRanks(ranks, func(rt *op2.Runtime) error { return writePieces(rt, dir, shares) })
			if errors.Is(err, op2.ErrUnavailable) {
				optest.Require(t, "hdf5", err.Error())
			}
			optest.OK(t, err)
			args = append(args, filepath.Join(dir, "s", "s_000001.pvtu"), filepath.Join(dir, "end.pvtu"), filepath.Join(dir, "s.vtkhdf"))
			index := string(optest.Must(os.ReadFile(filepath.Join(dir, "s.pvd"))))
			if strings.Count(index, "<DataSet") != 2 || !strings.Contains(index, "s/s_000001.pvtu") {
				t.Errorf("%d ranks: s.pvd is %s", ranks, index)
			}
			if pieces := optest.Must(filepath.Glob(filepath.Join(dir, "s", "s_000001_*.vtu"))); len(pieces) != ranks {
				t.Errorf("%d ranks: the pieces are %q", ranks, pieces)
			}
		}
	}
	out, err := exec.Command(interpreter, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const each = 4 // grids: two of PVTU, and two steps
	grids := strings.SplitAfter(string(out), "\n\n")
	if len(grids) != 4*each+1 {
		t.Fatalf("%d grids in %s", len(grids)-1, out)
	}
	for i := each; i < 4*each; i++ {
		if want := grids[i%each]; grids[i] != want || strings.Count(want, "\n") < 24 {
			t.Errorf("grid %d of run %d: VTK read\n%s\non one rank\n%s", i%each, i/each, grids[i], want)
		}
	}
}

// summary prints the cells by the coordinates and values at their nodes, whatever the numbers of points are.
const summary = `
def show(name, grid):
    cells = []
    parts = [grid]
    if grid.IsA("vtkPartitionedDataSet"):
        parts = map(grid.GetPartition, range(grid.GetNumberOfPartitions()))
    for grid, c in ((grid, c) for grid in parts for c in range(grid.GetNumberOfCells())):
        cell = grid.GetCell(c)
        row = [cell.GetCellType()]
        for k in range(cell.GetNumberOfPoints()):
            p = cell.GetPointId(k)
            row += grid.GetPoint(p)
            for a in map(grid.GetPointData().GetArray, range(grid.GetPointData().GetNumberOfArrays())):
                row += a.GetTuple(p)
        for a in map(grid.GetCellData().GetArray, range(grid.GetCellData().GetNumberOfArrays())):
            row += a.GetTuple(c)
        cells.append(row)
    print(name, len(cells), *sorted(cells), sep="\n", end="\n\n")
`

//go:embed pieces_test.go
var piecesSource string

// corner keeps where a corner of a cell is.
func corner(x *[2]float64, at *[2]float64) { *at = *x }

// writePieces writes a series of two steps, in pieces and in HDF5, and a file. Values show where they belong.
func writePieces(rt *op2.Runtime, dir string, shares bool) error {
	m, err := mesh.NACA0012(4, 2)
	if shares {
		m, err = mesh.NACA0012Share(4, 2, rt.Rank(), rt.Ranks())
	}
	if err != nil {
		return err
	}
	newSet := rt.NewSet
	if shares {
		newSet = rt.NewSetShare
	}
	nodes, cells := newSet(m.Nodes(), "nodes"), newSet(m.Cells(), "cells")
	x := op2.NewDat(nodes, 2, m.Points, "x")
	corners := op2.NewMap(cells, nodes, 4, m.Blocks[0].Nodes, "corners")
	at := op2.NewDat[float64](cells, 2, nil, "at")
	series, err := NewSeries(filepath.Join(dir, "s.pvtu"), m, On(rt))
	if err != nil {
		return err
	}
	inOne, err := NewSeries(filepath.Join(dir, "s.vtkhdf"), m, On(rt))
	if err != nil {
		return err
	}
	for step := range 2 {
		if err := op2.ParLoop(op2.Kernels(piecesSource).Func(corner), cells, x.Read(corners.At(step)), at.Write()); err != nil {
			return err
		}
		fields := []Field{Nodes("x", x), NodeValues("points", m.Points), Cells("", at)}
		if err := errors.Join(series.Write(float64(step), fields...), inOne.Write(float64(step), fields...)); err != nil {
			return err
		}
	}
	return errors.Join(series.Close(), inOne.Close(), WriteFile(filepath.Join(dir, "end.pvtu"), m, Nodes("x", x)), rt.Err())
}

// An error of one rank is that of all, and no file lists what is incomplete.
func TestPiecesFailTogether(t *testing.T) {
	dir := t.TempDir()
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 3, 3, 1, 1))
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		s := m.Declare(rt)
		path := filepath.Join(dir, "s.pvtu")
		if _, err := NewSeries(path, map[int]*mesh.Mesh{0: m}[rt.Rank()], On(rt)); err == nil || !strings.Contains(err.Error(), "there is no mesh") {
			return fmt.Errorf("without a mesh: %v", err)
		}
		if _, err := NewSeries(path, m, On(rt), Groups()); err == nil || !strings.Contains(err.Error(), "a series in pieces has the cells alone") {
			return fmt.Errorf("groups: %v", err)
		}
		series, err := NewSeries(path, m, On(rt))
		if err != nil {
			return err
		}
		if err := series.Write(0, NodeValues("some", make([]float64, 5+11*rt.Rank()))); err == nil || !strings.Contains(err.Error(), "5 values are not as many for each of 16") {
			return fmt.Errorf("a slice too short on one rank: %v", err)
		}
		if err := series.Write(0, Cells("on nodes", s.X)); err == nil || !strings.Contains(err.Error(), "it has values for 16, expected them for the 18 cells of the mesh") {
			return fmt.Errorf("a dat on nodes: %v", err)
		}
		if rt.Rank() == 1 { // the place of its piece is taken
			if err := os.MkdirAll(filepath.Join(dir, "s", "s_000000_1.vtu"), 0o777); err != nil {
				return err
			}
		}
		if err := series.Write(0, Nodes("x", s.X)); err != nil {
			return err
		}
		if err := series.Close(); err == nil || !strings.Contains(err.Error(), "s_000000_1.vtu: expected a regular file") {
			return fmt.Errorf("no room for a piece: %v", err)
		}
		return nil
	})
	optest.OK(t, err)
	for _, name := range []string{"s.pvd", "s/s_000000.pvtu"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("there is %s", name)
		}
	}
}
