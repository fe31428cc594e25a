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

//go:embed blocks_pieces_test.go
var blocksSource string

// middle keeps a number of where the middle of an edge is.
func middle(x *[2][2]float64, f *float64) { *f = x[0][0] + x[1][0] + 3*(x[0][1]+x[1][1]) }

// VTK reads groups, and parts of loops, in the pieces of three ranks as those of one: of a mesh that each has, before and after
// it has been distributed, and of shares that ranks read.
func TestVTKReadsBlocksOfPieces(t *testing.T) {
	interpreter := python(t)
	args := []string{"-c", strings.Replace(readWithVTK, "\nfor path", summary+"\nfor path", 1)}
	whole := foilWithGroups()
	file := filepath.Join(t.TempDir(), "foil.msh")
	optest.OK(t, whole.WriteFile(file))
	read := func(rt *op2.Runtime) (*mesh.Mesh, error) { return mesh.ReadShare(rt, file) }
	each := func(*op2.Runtime) (*mesh.Mesh, error) { return whole, nil }
	for _, run := range []struct {
		ranks       int
		name        string
		mesh        func(rt *op2.Runtime) (*mesh.Mesh, error)
		distributed bool
	}{
		{1, "s.vtkhdf", each, false}, {3, "s.vtkhdf", each, true}, {4, "s.vtkhdf", read, false},
		{1, "s", each, false}, {1, "s.pvtu", each, false}, {3, "s.pvtu", each, false}, {3, "s.pvtu", each, true}, {2, "s.pvtu", read, false}, {3, "s.pvtu", read, false}, {5, "s.pvtu", read, true},
	} {
		dir := t.TempDir()
		err := optest.OnRanks(run.ranks, func(rt *op2.Runtime) error {
			m, err := run.mesh(rt)
			if err != nil {
				return err
			}
			return writeBlocks(rt, m, filepath.Join(dir, run.name), run.distributed)
		})
		if errors.Is(err, op2.ErrUnavailable) {
			optest.Require(t, "hdf5", err.Error())
		}
		optest.OK(t, err)
		if run.name == "s.vtkhdf" {
			args = append(args, filepath.Join(dir, run.name))
			continue
		}
		index := string(optest.Must(os.ReadFile(filepath.Join(dir, "s.pvd"))))
		if strings.Count(index, "<DataSet") != 2 || !strings.Contains(index, "s/s_000001.vtm") {
			t.Errorf("%v: s.pvd is %s", run, index)
		}
		args = append(args, filepath.Join(dir, "s", "s_000001.vtm"))
	}
	out, err := exec.Command(interpreter, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const first = 6 // the run of one rank without pieces: those before are of both steps
	grids := strings.SplitAfter(strings.NewReplacer("wall_2\n", "wall\n", "some_2\n", "some\n").Replace(string(out)), "\n\n\n")
	if len(grids) != first+7+1 {
		t.Fatalf("%d grids in %s", len(grids)-1, out)
	}
	for i, got := range grids[:first+7] {
		if i < first && i%2 == 0 {
			continue
		}
		if got != grids[first] || strings.Count(got, "\n") < 60 {
			t.Errorf("grid %d: VTK read\n%s\nof one rank without pieces\n%s", i, got, grids[first])
		}
	}
}

// foilWithGroups returns an airfoil with groups of boundary edges, and one of cells.
func foilWithGroups() *mesh.Mesh {
	m := optest.Must(mesh.NACA0012(4, 2))
	var some []int32
	for i := range m.Cells() {
		if i%3 == 1 {
			some = append(some, int32(i))
		}
	}
	m.Groups = append(m.Groups, mesh.Group{Name: "some", Tag: 1, Dim: 2, Members: []mesh.Members{{Block: 0, Elements: some}}})
	return m
}

// writeBlocks writes a series of two steps with groups and parts, between which the mesh is distributed, if it has not been before.
func writeBlocks(rt *op2.Runtime, m *mesh.Mesh, path string, distributed bool) error {
	d := m.Declare(rt, mesh.WithEdges())
	at, flux := op2.NewDat[float64](d.Cells, 2, nil, "at"), op2.NewDat[float64](d.Bedges, 1, nil, "flux")
	values := func() error {
		return errors.Join(op2.ParLoop(op2.Kernels(piecesSource).Func(corner), d.Cells, d.X.Read(d.CellNodes.At(1)), at.Write()),
			op2.ParLoop(op2.Kernels(blocksSource).Func(middle), d.Bedges, d.X.Read(d.BedgeNodes), flux.Write()))
	}
	if distributed {
		if err := values(); err != nil {
			return err
		}
	}
	s, err := NewSeries(path, m, On(rt), Groups(), Part(mesh.Line, d.BedgeNodes, d.BoundaryOf("wall")), Part(mesh.Line, d.BedgeNodes, d.Bedges),
		Part(mesh.Quadrilateral, d.CellNodes, d.CellsOf("some")))
	if err != nil {
		return err
	}
	for step := range 2 {
		if err := s.Write(float64(step), Nodes("x", d.X), NodeValues("points", m.Points), Cells("at", at), Cells("flux", flux)); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
		if err := values(); err != nil {
			return err
		}
	}
	return errors.Join(s.Close(), rt.Err())
}
