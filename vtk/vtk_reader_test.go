package vtk

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// readWithVTK prints what VTK's own readers make of a data set of blocks, and of a grid in HDF5.
const readWithVTK = `
import sys
from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader

def show(name, grid):
    nodes = lambda c: (c.GetCellType(), [c.GetPointId(k) for k in range(c.GetNumberOfPoints())])
    print(name, [grid.GetPoint(p) for p in range(grid.GetNumberOfPoints())],
        [nodes(grid.GetCell(c)) for c in range(grid.GetNumberOfCells())])
    for data in grid.GetPointData(), grid.GetCellData(), grid.GetFieldData():
        for a in map(data.GetArray, range(data.GetNumberOfArrays())):
            print("  ", a.GetName(), a.GetDataTypeAsString(), [a.GetComponentName(k) for k in range(a.GetNumberOfComponents())],
                [a.GetComponent(t, k) for t in range(a.GetNumberOfTuples()) for k in range(a.GetNumberOfComponents())])

for path in sys.argv[1:]:
    if path.endswith(".vtkhdf"):
        from vtkmodules.vtkIOHDF import vtkHDFReader
        reader = vtkHDFReader()
        reader.SetFileName(path)
        reader.UpdateInformation()
        for step in range(max(1, reader.GetNumberOfSteps())):
            reader.SetStep(step)
            reader.Update()
            grid = reader.GetOutputDataObject(0)
            if grid.IsA("vtkPartitionedDataSetCollection"):
                for i in range(grid.GetNumberOfPartitionedDataSets()):
                    show(grid.GetMetaData(i).Get(grid.NAME()), grid.GetPartitionedDataSet(i))
                print()
            else:
                show("cells", grid)
        continue
    if path.endswith(".pvtu"):
        from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader
        reader = vtkXMLPUnstructuredGridReader()
        reader.SetFileName(path)
        reader.Update()
        show("cells", reader.GetOutput())
        continue
    reader = vtkXMLMultiBlockDataReader()
    reader.SetFileName(path)
    reader.Update()
    blocks = reader.GetOutput()
    for i in range(blocks.GetNumberOfBlocks()):
        show(blocks.GetMetaData(i).Get(blocks.NAME()), blocks.GetBlock(i))
    print()
`

// python returns a Python with VTK for the rest of the test, as make setup installs it or as it is installed; without, it
// skips the test, unless OP2_REQUIRE requires it.
func python(t *testing.T) string {
	tools, err := filepath.Abs("../.tools/vtk")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", tools+string(os.PathListSeparator)+os.Getenv("PYTHONPATH"))
	var missing error
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		_, err := exec.Command(p, "-c", "import vtkmodules.vtkIOXML").Output()
		if err == nil {
			return p
		}
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = errors.New(string(failed.Stderr))
		}
		missing = errors.Join(missing, err)
	}
	if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "vtk") {
		t.Fatalf("vtk is required by OP2_REQUIRE, and missing: %v", missing)
	}
	t.Skipf("no VTK for Python: %v", missing)
	return ""
}

// VTK reads what is written: compressed, as text, and in single precision.
func TestVTKReads(t *testing.T) {
	interpreter := python(t)
	s := declare(t)
	want := `cells [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0)] [(5, [0, 1, 2]), (5, [0, 2, 3]), (9, [1, 4, 5, 2])]
   u double [None, None, None] [0.0, 1.0, 0.0, 10.0, 11.0, 0.0, 20.0, 21.0, 0.0, 30.0, 31.0, 0.0, 40.0, 41.0, 0.0, 50.0, 51.0, 0.0]
   q<& double ['mass', 'energy "e"'] [0.0, 1.0, 10.0, 11.0, 20.0, 21.0, 30.0, 31.0, 40.0, 41.0, 50.0, 51.0]
   material unsigned char [None] [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
   h double [None] [1.0, 2.0, 3.0]
   TimeValue double [None] [0.5]
bottom [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0)] [(3, [0, 1]), (3, [1, 2])]
   u double [None, None, None] [0.0, 1.0, 0.0, 10.0, 11.0, 0.0, 40.0, 41.0, 0.0]
   q<& double ['mass', 'energy "e"'] [0.0, 1.0, 10.0, 11.0, 40.0, 41.0]
   material unsigned char [None] [0.0, 1.0, 4.0]
   TimeValue double [None] [0.5]
last edges [(1.0, 1.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0)] [(3, [0, 2]), (3, [2, 1])]
   u double [None, None, None] [20.0, 21.0, 0.0, 40.0, 41.0, 0.0, 50.0, 51.0, 0.0]
   q<& double ['mass', 'energy "e"'] [20.0, 21.0, 40.0, 41.0, 50.0, 51.0]
   material unsigned char [None] [2.0, 4.0, 5.0]
   flux double [None] [200.0, 300.0]
   TimeValue double [None] [0.5]

`
	args := []string{"-c", readWithVTK}
	for _, options := range [][]Option{nil, {Text()}, {Single()}} {
		path := filepath.Join(t.TempDir(), "s")
		series, err := NewSeries(path, strip(), append(options, Groups("bottom"), Part(mesh.Line, s.edgeNodes, s.last))...)
		if err != nil {
			t.Fatal(err)
		}
		err = series.Write(0.5, Nodes("u", s.u), Nodes("q<&", s.u).Components("mass", `energy "e"`), Nodes("", s.material),
			Cells("h", s.ht, s.hq), Cells("flux", s.flux))
		if err := errors.Join(err, series.Close()); err != nil {
			t.Fatal(err)
		}
		args = append(args, filepath.Join(path, "s_000000.vtm"))
	}
	out, err := exec.Command(interpreter, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	single := strings.ReplaceAll(strings.ReplaceAll(want, " double", " float"), "TimeValue float", "TimeValue double")
	if want := want + want + single; string(out) != want {
		t.Errorf("VTK read\n%s\nwant\n%s", out, want)
	}
}

// VTK reads files in HDF5.
func TestVTKReadsHDF(t *testing.T) {
	interpreter := python(t)
	s := declare(t)
	path := filepath.Join(t.TempDir(), "out", "end.vtkhdf")
	err := WriteFile(path, strip(), Nodes("u", s.u), Nodes("", s.material), Cells("h", s.ht, s.hq))
	if errors.Is(err, op2.ErrUnavailable) {
		optest.Require(t, "hdf5", err.Error())
	}
	optest.OK(t, err)
	want := `cells [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0)] [(5, [0, 1, 2]), (5, [0, 2, 3]), (9, [1, 4, 5, 2])]
   material unsigned char [None] [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
   u double [None, None, None] [0.0, 1.0, 0.0, 10.0, 11.0, 0.0, 20.0, 21.0, 0.0, 30.0, 31.0, 0.0, 40.0, 41.0, 0.0, 50.0, 51.0, 0.0]
   h double [None] [1.0, 2.0, 3.0]
`
	series := filepath.Join(t.TempDir(), "s.vtkhdf")
	of := strip()
	steps, err := NewSeries(series, of)
	optest.OK(t, err)
	for step, x := range []float64{0, 0, 7} {
		of.Points[0] = x
		optest.OK(t, s.ht.Fill(float64(step)))
		optest.OK(t, steps.Write(0.5*float64(step), Cells("h", s.ht, s.hq), Nodes("", s.material)))
	}
	optest.OK(t, steps.Close())
	for step, x := range []string{"0.0", "0.0", "7.0"} {
		want += strings.ReplaceAll(fmt.Sprintf(`cells [(X, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0)] [(5, [0, 1, 2]), (5, [0, 2, 3]), (9, [1, 4, 5, 2])]
   material unsigned char [None] [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
   h double [None] [%d.0, %[1]d.0, 3.0]
   Time double [None] [%.1[2]f]
`, step, 0.5*float64(step)), "X", x)
	}
	if out, err := exec.Command(interpreter, "-c", readWithVTK, path, series).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("%v: VTK read\n%s\nwant\n%s", err, out, want)
	}
	again := optest.Must(NewSeries(series, of, Single()))
	err = errors.Join(again.Write(0, Cells("h", s.ht, s.hq)), again.Write(1, Nodes("", s.material)), again.Close())
	if err == nil || !strings.HasSuffix(err.Error(), "s.vtkhdf: found the fields PointData/material, expected those of the steps before, CellData/h") {
		t.Errorf("other fields: %v", err)
	}
	if _, err := NewSeries(series, of, Text()); err == nil || !strings.Contains(err.Error(), "files in HDF5 have no text") {
		t.Errorf("text: %v", err)
	}
	if err := WriteFile(path, strip(), Nodes("u/v", s.u)); err == nil || err.Error() != `vtk: field "u/v": VTKHDF has no names with slashes` {
		t.Errorf("%v", err)
	}
}
