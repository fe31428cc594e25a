package vtk

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// sizesByVTK prints the number of cells, their types, the largest difference between the volumes that VTK finds and those in the
// file, and the number of elements of the second block.
const sizesByVTK = `
import sys
from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
reader = vtkXMLMultiBlockDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
blocks = reader.GetOutput()
grid = blocks.GetBlock(0)
sizes = vtkCellSizeFilter()
sizes.SetInputData(grid)
sizes.Update()
data = sizes.GetOutput().GetCellData()
n = grid.GetNumberOfCells()
error = max(abs(data.GetArray("Volume").GetValue(i) - data.GetArray("volume").GetValue(i)) for i in range(n))
print(n, {grid.GetCellType(i) for i in range(n)}, error < 1e-12, blocks.GetBlock(1).GetNumberOfCells(), blocks.GetBlock(2).GetNumberOfCells())
`

// VTK finds the volumes of polyhedra, and what groups have of them.
func TestPolyhedra(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	m := optest.Must(optest.Must(mesh.Box(mesh.Prism, 3, 2, 2, 1, 1, 1)).Dual())
	m.Groups = append(m.Groups, mesh.Group{Name: "steel", Tag: 99, Dim: 3, Members: []mesh.Members{{Block: 0, Elements: []int32{3, 5, 20}}}})
	d := m.Declare(rt)
	volume := op2.NewDat(d.Cells, 1, optest.Must(m.Measures()), "volume")
	path := filepath.Join(t.TempDir(), "box")
	s := optest.Must(NewSeries(path, m, Groups("front", "steel")))
	optest.OK(t, s.Write(0, Cells("volume", volume)))
	optest.OK(t, s.Close())
	files := optest.Must(filepath.Glob(filepath.Join(path, "*.vtm")))
	want := fmt.Sprintf("%d {42} True %d 3\n", m.Cells(), m.Group("front").Len())
	if out, err := exec.Command(python(t), "-c", sizesByVTK, files[0]).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("VTK read %s, want %s, %v", out, want, err)
	}
	for _, name := range []string{"box.pvtu", "box.vtkhdf"} {
		if err := WriteFile(filepath.Join(t.TempDir(), name), m, Cells("volume", volume)); err == nil || !strings.HasPrefix(err.Error(), "vtk: polyhedra are written whole") {
			t.Error(err)
		}
	}
}

// Where polyhedra are refused, all ranks find out, also those that have no mesh.
func TestPolyhedraOnRanks(t *testing.T) {
	m := optest.Must(optest.Must(mesh.Box(mesh.Prism, 2, 2, 2, 1, 1, 1)).Dual())
	path := filepath.Join(t.TempDir(), "box.vtkhdf")
	refused := make([]error, 2)
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		own := m
		if rt.Rank() > 0 {
			own = nil
		}
		_, refused[rt.Rank()] = NewSeries(path, own, On(rt))
		return nil
	}, op2.WithBackend("go"), op2.WithLog(nil))
	if err != nil {
		t.Fatal(err)
	}
	for rank, err := range refused {
		if !strings.Contains(fmt.Sprint(err), "polyhedra are written whole") {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}
