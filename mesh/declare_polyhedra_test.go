package mesh_test

import (
	_ "embed"
	"math"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

//go:embed declare_polyhedra_test.go
var polyhedraSource string

// outOf returns three times the volume of the cone from the origin to a face with the given corners, which is the flux of x
// through it: as triangles around its middle.
func outOf(x [][3]float64) float64 {
	mx, my, mz := 0.0, 0.0, 0.0
	for i := range x {
		mx += x[i][0]
		my += x[i][1]
		mz += x[i][2]
	}
	n := float64(len(x))
	mx /= n
	my /= n
	mz /= n
	flux := 0.0
	for i := range x {
		j := i + 1
		if j == len(x) {
			j = 0
		}
		flux += (mx*(x[i][1]*x[j][2]-x[i][2]*x[j][1]) + my*(x[i][2]*x[j][0]-x[i][0]*x[j][2]) + mz*(x[i][0]*x[j][1]-x[i][1]*x[j][0])) / 2
	}
	return flux
}

func betweenCells(x [][3]float64, volume *[2]float64) {
	flux := outOf(x)
	volume[0] += flux / 3
	volume[1] -= flux / 3
}

func aroundCell(x [][3]float64, volume *float64) { *volume += outOf(x) / 3 }

func countCorners(x [][3]float64, corners *float64) { *corners = float64(len(x)) }

func countFaces(one []float64, faces *float64) {
	for i := range one {
		*faces += one[i]
	}
}

// The flux of x out of each polyhedron is three times its volume, on all backends and on ranks, and it has its corners and faces.
func TestDeclarePolyhedra(t *testing.T) {
	m := optest.Must(optest.Must(mesh.Box(mesh.Tetrahedron, 3, 2, 3, 1, 2, 3)).Dual())
	for _, backend := range []string{"go", "sequential", "openmp", "opencl"} {
		checkPolyhedra(t, optest.OpenBackend(t, backend), m)
	}
	for _, ranks := range []int{2, 5} {
		optest.OK(t, optest.OnRanks(ranks, func(rt *op2.Runtime) error {
			checkPolyhedra(t, rt, m)
			return nil
		}))
	}
}

func checkPolyhedra(t *testing.T, rt *op2.Runtime, m *mesh.Mesh) {
	t.Helper()
	d := m.Declare(rt, mesh.WithFaces(), mesh.WithCellFaces())
	volume := op2.NewDat[float64](d.Cells, 1, nil, "volume")
	corners := op2.NewDat[float64](d.Cells, 1, nil, "corners")
	count := op2.NewDat[float64](d.Cells, 1, nil, "faces")
	one := op2.NewDat[float64](d.AllFaces, 1, nil, "one")
	optest.OK(t, rt.Err())
	optest.OK(t, one.Fill(1))
	k := op2.Kernels(polyhedraSource)
	optest.OK(t, op2.ParLoop(k.Func(betweenCells), d.Faces, d.X.Read(d.FaceNodes), volume.Inc(d.FaceCells)))
	optest.OK(t, op2.ParLoop(k.Func(aroundCell), d.Bfaces, d.X.Read(d.BfaceNodes), volume.Inc(d.BfaceCell)))
	optest.OK(t, op2.ParLoop(k.Func(countCorners), d.Cells, d.X.Read(d.CellNodes), corners.Write()))
	optest.OK(t, op2.ParLoop(k.Func(countFaces), d.Cells, one.Read(d.CellFaces), count.Inc()))
	volumes, nodes := optest.Must(volume.InDeclaredOrder()), optest.Must(corners.InDeclaredOrder())
	faces, f := optest.Must(count.InDeclaredOrder()), optest.Must(m.Facets())
	for c, want := range optest.Must(m.Measures()) {
		if math.Abs(volumes[c]-want) > 1e-12 || int(nodes[c]) != len(m.Blocks[0].Element(c)) || int(faces[c]) != len(f.Of(c)) {
			t.Fatalf("cell %d: volume %g, %g corners and %g faces, want %g, %d and %d", c, volumes[c], nodes[c], faces[c], want, len(m.Blocks[0].Element(c)), len(f.Of(c)))
		}
	}
	if of := d.BoundaryOf("front"); of.Size() == 0 || rt.Err() != nil {
		t.Error(of.Size(), rt.Err())
	}
}

func TestDeclarePolyhedraErrors(t *testing.T) {
	m := optest.Must(optest.Must(mesh.Box(mesh.Hexahedron, 1, 1, 1, 1, 1, 1)).Polyhedra())
	for option, want := range map[string]mesh.DeclareOption{
		"mesh: Edges: the cells are polyhedra":                mesh.WithCellEdges(),
		"mesh: Corners: the cells are polyhedra":              mesh.WithCorners(),
		"mesh: WithEdges: the cells are polyhedra: WithFaces": mesh.WithEdges(),
	} {
		rt := optest.OpenBackend(t, "go")
		m.Declare(rt, want)
		if err := rt.Err(); err == nil || !strings.HasPrefix(err.Error(), option) {
			t.Errorf("%v, want %s", err, option)
		}
	}
}
