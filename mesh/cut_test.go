package mesh_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-op2/op2/mesh"
)

// The polygons of a cut cover the section of the body, and linear values are exact there.
func TestCut(t *testing.T) {
	for _, kind := range []mesh.Kind{mesh.Tetrahedron, mesh.Prism, mesh.Hexahedron} {
		box, err := mesh.Box(kind, 4, 3, 2, 2, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		u, cells := make([]float64, box.Nodes()), make([]float64, box.Cells())
		for i := range u {
			x := box.Point(int32(i))
			u[i] = x[0] + 10*x[1] + 100*x[2]
		}
		for i := range cells {
			cells[i] = float64(i)
		}
		for _, test := range []struct {
			name          string
			point, normal [3]float64
			area          float64
			value         func(x, y float64) float64 // at a point of the plane
		}{
			{"across x", [3]float64{0.3, 0, 0}, [3]float64{-2, 0, 0}, 1, func(x, y float64) float64 { return 0.3 + 10*x + 100*y }},
			{"across y", [3]float64{0, 0.25, 0}, [3]float64{0, 1, 0}, 2, func(x, y float64) float64 { return x + 2.5 + 100*y }},
			{"across z", [3]float64{0, 0, 0.9}, [3]float64{0, 0, 1}, 2, func(x, y float64) float64 { return x + 10*y + 90 }},
			{"through nodes", [3]float64{0.5, 0, 0}, [3]float64{1, 0, 0}, 1, func(x, y float64) float64 { return 0.5 + 10*x + 100*y }},
			{"aslant", [3]float64{1, 0.5, 0.5}, [3]float64{1, 0, -1}, math.Sqrt2, nil},
			{"beside", [3]float64{-1, 0, 0}, [3]float64{1, 0, 0}, 0, nil},
		} {
			cut, err := box.Cut(test.point, test.normal)
			if err != nil {
				t.Fatal(err)
			}
			area := 0.0
			for i := range cut.From {
				p := cut.Polygons[i*cut.Corners : (i+1)*cut.Corners]
				for j := range p {
					a, b := 2*p[j], 2*p[(j+1)%len(p)]
					area += (cut.Points[a]*cut.Points[b+1] - cut.Points[b]*cut.Points[a+1]) / 2
				}
			}
			if math.Abs(area-test.area) > 1e-12 {
				t.Errorf("%v %s: area %g, want %g", kind, test.name, area, test.area)
			}
			for i, v := range cut.Nodes(u) {
				if test.value != nil && math.Abs(v-test.value(cut.Points[2*i], cut.Points[2*i+1])) > 1e-12 {
					t.Fatalf("%v %s: %g at %g", kind, test.name, v, cut.Points[2*i:2*i+2])
				}
			}
			for i, v := range cut.Cells(cells) {
				if v != float64(cut.From[i]) {
					t.Fatalf("%v %s: %g in polygon %d of cell %d", kind, test.name, v, i, cut.From[i])
				}
			}
		}
		if _, err := box.Cut([3]float64{}, [3]float64{}); err == nil || err.Error() != "mesh: the normal of a cut is zero, or not finite" {
			t.Error(err)
		}
	}
	square, err := mesh.Rectangle(mesh.Triangle, 1, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := square.Cut([3]float64{}, [3]float64{1}); err == nil || err.Error() != "mesh: only volumes can be cut" {
		t.Error(err)
	}
}

func TestSectionPanics(t *testing.T) {
	box, err := mesh.Box(mesh.Hexahedron, 2, 1, 1, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := box.Cut([3]float64{0.5, 0.5, 0.5}, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for want, values := range map[string]func([]float64) []float64{"12 nodes": cut.Nodes, "2 cells": cut.Cells} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); text != "mesh: a section: expected values of the "+want+" of the mesh, found 1" {
					t.Error(text)
				}
			}()
			values(make([]float64, 1))
		}()
	}
}
