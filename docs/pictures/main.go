// Command pictures draws those pictures of the documentation that no example or command draws: meshes.png,
// vectors.png, cut.png and polyhedra.png.
//
//	go run ./docs/pictures docs
package main

import (
	"cmp"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("pictures: expected the folder to draw to")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(folder string) error {
	for _, p := range []struct {
		name    string
		columns int
		panels  func() ([]plot.Panel, error)
	}{
		{"meshes.png", 4, meshes},
		{"vectors.png", 2, vectors},
		{"cut.png", 2, cuts},
		{"polyhedra.png", 2, polyhedra},
	} {
		panels, err := p.panels()
		if err != nil {
			return err
		}
		picture, err := plot.Panels(p.columns, panels...)
		if err != nil {
			return err
		}
		if err := plot.Save(filepath.Join(folder, p.name), picture); err != nil {
			return err
		}
	}
	return nil
}

// meshes returns two discs, a refined annulus and a dual, their cells colored by number.
func meshes() ([]plot.Panel, error) {
	triangles, err1 := mesh.Disc(mesh.Triangle, 7, 1)
	quadrilaterals, err2 := mesh.Disc(mesh.Quadrilateral, 5, 1)
	annulus, err3 := refinedAnnulus()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	polygons, err := triangles.Dual()
	if err != nil {
		return nil, err
	}
	var panels []plot.Panel
	for _, p := range []struct {
		title string
		m     *mesh.Mesh
	}{
		{"Disc of triangles", triangles}, {"Disc of quadrilaterals", quadrilaterals}, {"Annulus, refined", annulus}, {"Dual of the triangles", polygons},
	} {
		cells, corners, err := p.m.Polygons()
		if err != nil {
			return nil, err
		}
		numbers := make([]float64, p.m.Cells())
		for c := range numbers {
			numbers[c] = float64(c)
		}
		panels = append(panels, plot.Panel{
			Field:   plot.Field{Mesh: plot.Mesh{XY: p.m.Points, Cells: cells, Corners: corners}, Values: numbers},
			Options: plot.Options{Title: p.title, Subtitle: fmt.Sprint(p.m.Cells(), " cells"), Label: "number", Width: 600, Edges: true},
		})
	}
	return panels, nil
}

// refinedAnnulus returns an annulus whose boundaries have stayed circles as it was refined.
func refinedAnnulus() (*mesh.Mesh, error) {
	const inner, outer = 0.4, 1
	m, err := mesh.Annulus(mesh.Quadrilateral, 2, 15, inner, outer)
	if err != nil {
		return nil, err
	}
	return m.Refine(func(group string, x []float64) {
		r := map[string]float64{"inner": inner, "outer": outer}[group] / math.Hypot(x[0], x[1])
		x[0], x[1] = r*x[0], r*x[1]
	})
}

// vectors returns the potential flow around a cylinder that turns, with arrows and with streamlines.
func vectors() ([]plot.Panel, error) {
	m, err := mesh.Annulus(mesh.Quadrilateral, 60, 240, 1, 5)
	if err != nil {
		return nil, err
	}
	cells, corners, err := m.Polygons()
	if err != nil {
		return nil, err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: cells, Corners: corners}}
	for n := range int32(m.Nodes()) {
		x, y := m.Point(n)[0], m.Point(n)[1]
		r := math.Hypot(x, y)
		outwards, around := (1-1/(r*r))*x/r, -(1+1/(r*r))*y/r-1/r
		u, v := outwards*x/r-around*y/r, outwards*y/r+around*x/r
		field.Values = append(field.Values, math.Hypot(u, v))
		field.Vectors = append(field.Vectors, u, v)
	}
	var panels []plot.Panel
	for _, streamlines := range []int{0, 20} {
		panels = append(panels, plot.Panel{Field: field, Options: plot.Options{
			Title: cmp.Or(map[bool]string{true: "Streamlines"}[streamlines > 0], "Arrows"), Label: "speed", Width: 700,
			View: plot.Rect{X0: -2.4, Y0: -1.8, X1: 2.4, Y1: 1.8}, Smooth: true, Arrows: 22, Streamlines: streamlines,
		}})
	}
	return panels, nil
}

// cuts returns two cuts through a box of tetrahedra: a field in its cells, and the same, smooth, aslant.
func cuts() ([]plot.Panel, error) {
	m, err := mesh.Box(mesh.Tetrahedron, 12, 6, 6, 2, 1, 1)
	if err != nil {
		return nil, err
	}
	u := make([]float64, m.Nodes())
	for i := range u {
		x := m.Point(int32(i))
		u[i] = math.Pow(10, math.Sin(3*x[0])*math.Cos(2*x[1])*math.Sin(3*x[2]))
	}
	var panels []plot.Panel
	for _, p := range []struct {
		title  string
		normal [3]float64
		o      plot.Options
	}{
		{"At y = 0.5", [3]float64{0, 1, 0}, plot.Options{XLabel: "x in m", YLabel: "z in m", Edges: true}},
		{"Aslant", [3]float64{0, 1, -1}, plot.Options{XLabel: "along x in m", YLabel: "across in m", Smooth: true, Contours: 6, Map: plot.Plasma()}},
	} {
		cut, err := m.Cut([3]float64{1, 0.5, 0.5}, p.normal)
		if err != nil {
			return nil, err
		}
		p.o.Title, p.o.Label, p.o.Log, p.o.Width = p.title, "concentration in mg/l", true, 800
		panels = append(panels, plot.Panel{
			Field:   plot.Field{Mesh: plot.Mesh{XY: cut.Points, Cells: cut.Polygons, Corners: cut.Corners}, Values: cut.Nodes(u)},
			Options: p.o,
		})
	}
	return panels, nil
}

// polyhedra returns cuts through tetrahedra and through their dual, polyhedra in the colors of the numbers of their faces.
func polyhedra() ([]plot.Panel, error) {
	m, err := mesh.Box(mesh.Tetrahedron, 6, 6, 6, 1, 1, 1)
	if err != nil {
		return nil, err
	}
	for i := range int32(m.Nodes()) { // move what is inside
		p := m.Point(i)
		x, y, z := p[0], p[1], p[2]
		bump := x * (1 - x) * y * (1 - y) * z * (1 - z)
		p[0], p[1], p[2] = x+4*bump*math.Sin(25*y+13*z), y+4*bump*math.Sin(31*z+7*x), z+4*bump*math.Sin(22*x+17*y)
	}
	dual, err := m.Dual()
	if err != nil {
		return nil, err
	}
	var panels []plot.Panel
	for _, p := range []struct {
		title string
		of    *mesh.Mesh
	}{{"Tetrahedra", m}, {"Polyhedra, around their nodes", dual}} {
		cut, err := p.of.Cut([3]float64{0.5, 0.45, 0.5}, [3]float64{0, 1, 0})
		if err != nil {
			return nil, err
		}
		facets, err := p.of.Facets()
		if err != nil {
			return nil, err
		}
		faces := make([]float64, p.of.Cells())
		for cell := range faces {
			faces[cell] = float64(len(facets.Of(cell)))
		}
		panels = append(panels, plot.Panel{
			Field:   plot.Field{Mesh: plot.Mesh{XY: cut.Points, Cells: cut.Polygons, Corners: cut.Corners}, Values: cut.Cells(faces)},
			Options: plot.Options{Title: p.title, Label: "faces of a cell", Edges: true, Width: 700, Min: 4, Max: 24},
		})
	}
	return panels, nil
}
