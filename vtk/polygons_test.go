package vtk

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// A house of a quadrilateral, a pentagon above it and a triangle beside it.
func house() *mesh.Mesh {
	return &mesh.Mesh{Dim: 2, Points: []float64{0, 0, 1, 0, 1, 1, 0, 1, 1, 2, 0.5, 3, 0, 2, 2, 0}, Blocks: []mesh.Block{
		{Kind: mesh.Triangle, Nodes: []int32{1, 7, 2}}, {Kind: mesh.Quadrilateral, Nodes: []int32{0, 1, 2, 3}}, {Kind: mesh.Polygon(5), Nodes: []int32{3, 2, 4, 5, 6}}}}
}

// Polygons are VTK's type 7, with values on all cells: package mesh reads them, and so does VTK.
func TestPolygons(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	d := house().Declare(rt, mesh.WithPolygons())
	h := op2.NewDat(d.Cells, 1, []float64{1, 2, 3}, "h")
	path := filepath.Join(t.TempDir(), "house.vtu")
	optest.OK(t, WriteFile(path, house(), Cells("h", h)))
	if got, want := fmt.Sprint(*optest.Must(mesh.ReadFile(path))), fmt.Sprint(*house()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}

	interpreter := python(t)
	paths := []string{filepath.Join(t.TempDir(), "house.pvtu"), filepath.Join(t.TempDir(), "house.vtkhdf")}
	want := ""
	for _, path := range paths {
		err := WriteFile(path, house(), Cells("h", h))
		if errors.Is(err, op2.ErrUnavailable) {
			optest.Require(t, "hdf5", err.Error())
		}
		optest.OK(t, err)
		want += `cells [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.5, 3.0, 0.0), (0.0, 2.0, 0.0), (2.0, 0.0, 0.0)] [(5, [1, 7, 2]), (9, [0, 1, 2, 3]), (7, [3, 2, 4, 5, 6])]
   h double [None] [1.0, 2.0, 3.0]
`
	}
	if out, err := exec.Command(interpreter, append([]string{"-c", readWithVTK}, paths...)...).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("%v: VTK read\n%s\nwant\n%s", err, out, want)
	}
}
