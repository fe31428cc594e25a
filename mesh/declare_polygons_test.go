package mesh_test

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

//go:embed declare_polygons_test.go
var polygonsSource string

// size adds the area of a polygon, by its corners.
func size(x [][2]float64, area *float64) {
	for i := range x {
		j := i + 1
		if j == len(x) {
			j = 0
		}
		*area += (x[i][0]*x[j][1] - x[j][0]*x[i][1]) / 2
	}
}

// through returns the flux of (2x + 3y, x - y), whose divergence is 1, through an edge.
func through(x *[2][2]float64) float64 {
	mx, my := (x[0][0]+x[1][0])/2, (x[0][1]+x[1][1])/2
	return (2*mx+3*my)*(x[1][1]-x[0][1]) + (mx-my)*(x[0][0]-x[1][0])
}

func between(x *[2][2]float64, out *[2]float64) {
	f := through(x)
	out[0] += f
	out[1] -= f
}

func outwards(x *[2][2]float64, out *float64) { *out += through(x) }

// The flux out of each polygon is its area: of pentagons, hexagons and others, of triangles beside quadrilaterals, of second
// order, on all backends, and on ranks that declare the mesh whole or in shares.
func TestWithPolygons(t *testing.T) {
	dual := optest.Must(optest.Must(mesh.Disc(mesh.Triangle, 6, 1)).Dual())
	small := optest.Must((&mesh.Mesh{Dim: 2, Points: []float64{0, 0, 1, 0, 0, 1}, Blocks: []mesh.Block{{Kind: mesh.Triangle, Nodes: []int32{0, 1, 2}}}}).Dual())
	two := &mesh.Mesh{Dim: 2, Points: []float64{0, 0, 1, 0, 1, 1, 0, 1, 2, 0.5},
		Blocks: []mesh.Block{{Kind: mesh.Quadrilateral, Nodes: []int32{0, 1, 2, 3}}, {Kind: mesh.Triangle, Nodes: []int32{1, 4, 2}}}}
	quadratic := optest.Must(optest.Must(mesh.Disc(mesh.Quadrilateral, 3, 1)).Quadratic(nil))
	for _, m := range []*mesh.Mesh{dual, small, two, quadratic} {
		for _, backend := range []string{"go", "sequential", "openmp", "opencl"} {
			rt := optest.OpenBackend(t, backend)
			checkFluxes(t, rt, m, m.Declare(rt, mesh.WithEdges(), mesh.WithPolygons()))
		}
	}
	path := t.TempDir() + "/dual.vtu"
	optest.OK(t, dual.WriteFile(path))
	for _, ranks := range []int{2, 5} {
		for _, shares := range []bool{false, true} {
			optest.OK(t, op2.RunRanks(ranks, func(rank op2.Option) error {
				rt := optest.Must(op2.Open(rank, op2.WithBackend("go"), op2.WithLog(nil)))
				defer rt.Close()
				m := dual
				if shares {
					m = optest.Must(mesh.ReadShare(rt, path))
				}
				checkFluxes(t, rt, dual, m.Declare(rt, mesh.WithEdges(), mesh.WithPolygons()))
				return nil
			}))
		}
	}
}

func checkFluxes(t *testing.T, rt *op2.Runtime, m *mesh.Mesh, d *mesh.Declared) {
	t.Helper()
	area := op2.NewDat[float64](d.Cells, 1, nil, "area")
	out := op2.NewDat[float64](d.Cells, 1, nil, "out")
	optest.OK(t, rt.Err())
	cells, corners, err := m.Polygons()
	optest.OK(t, err)
	if values, arity := d.Polygons.InDeclaredOrder(), d.Polygons.Arity(); arity != corners {
		t.Errorf("rows of %d, want %d", arity, corners)
	} else {
		for c := range m.Cells() {
			row := values[c*arity : (c+1)*arity]
			if end := slices.Index(row, -1); end >= 0 {
				row = row[:end]
			}
			if want := slices.Compact(slices.Clone(cells[c*corners : (c+1)*corners])); !slices.Equal(row, want) {
				t.Fatalf("cell %d has %d, want %d", c, row, want)
			}
		}
	}
	kernels := op2.Kernels(polygonsSource)
	optest.OK(t, op2.ParLoop(kernels.Func(size), d.Cells, d.X.Read(d.Polygons), area.Inc()))
	if edges := d.EdgeNodes.Arity(); edges == 2 {
		optest.OK(t, op2.ParLoop(kernels.Func(between), d.Edges, d.X.Read(d.EdgeNodes), out.Inc(d.EdgeCells)))
		optest.OK(t, op2.ParLoop(kernels.Func(outwards), d.Bedges, d.X.Read(d.BedgeNodes), out.Inc(d.BedgeCell)))
	} else {
		optest.OK(t, out.Copy(area))
	}
	areas, fluxes := optest.Must(area.InDeclaredOrder()), optest.Must(out.InDeclaredOrder())
	for c, want := range optest.Must(m.Measures()) {
		if math.Abs(areas[c]-want) > 1e-12 || math.Abs(fluxes[c]-want) > 1e-12 {
			t.Fatalf("cell %d: area %g, flux %g, want %g", c, areas[c], fluxes[c], want)
		}
	}
}

func TestWithPolygonsErrors(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	box := optest.Must(mesh.Box(mesh.Tetrahedron, 1, 1, 1, 1, 1, 1)).Declare(rt, mesh.WithPolygons())
	if err := rt.Err(); err == nil || !strings.HasPrefix(err.Error(), "mesh: WithPolygons: the cells are tetrahedra: the faces of volumes are what WithFaces declares") {
		t.Error(err)
	}
	if err := box.Polygons.Err(); err == nil {
		t.Error("the map has no error")
	}
	rt = optest.OpenBackend(t, "go")
	without := optest.Must(mesh.Rectangle(mesh.Triangle, 1, 1, 1, 1)).Declare(rt)
	if err := without.Polygons.Err(); !strings.Contains(fmt.Sprint(err), "hint: declare the mesh with mesh.WithPolygons()") {
		t.Error(err)
	}
}
