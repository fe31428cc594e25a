package elements_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/mesh"
)

// The first row of mass matrices that are in textbooks, on a reference cell.
func TestMassMatrices(t *testing.T) {
	for name, want := range map[string]struct {
		of  float64
		row []float64
	}{
		"LineP1":          {6, []float64{2, 1}},
		"LineP2":          {30, []float64{4, -1, 2}},
		"LineP3":          {1680, []float64{128, 19, 99, -36}},
		"TriangleP1":      {24, []float64{2, 1, 1}},
		"TriangleP2":      {360, []float64{6, -1, -1, 0, -4, 0}},
		"TriangleP3":      {13440, []float64{76, 11, 11, 18, 0, 27, 27, 0, 18, 36}},
		"QuadrilateralQ1": {36, []float64{4, 2, 1, 2}},
		"QuadrilateralQ2": {900, []float64{16, -4, 1, -4, 8, -2, -2, 8, 4}},
		"TetrahedronP1":   {120, []float64{2, 1, 1, 1}},
		"TetrahedronP2":   {2520, []float64{6, 1, 1, 1, -4, -6, -4, -4, -6, -6}},
		"HexahedronQ1":    {216, []float64{8, 4, 2, 4, 4, 2, 1, 2}},
		"PrismP1":         {144, []float64{4, 2, 2, 2, 1, 1}},
	} {
		e := elementOf(t, name)
		row := make([]float64, len(want.row))
		for q, rule := 0, finest(e.cell); q < rule.points; q++ {
			p, w := rule.at(q)
			n, _ := e.at(p)
			for i := range row {
				row[i] += w * n[0] * n[i]
			}
		}
		for i := range row {
			near(t, fmt.Sprintf("%s: entry %d", name, i), row[i]*want.of, want.row[i], 1e-12)
		}
	}
}

func elementOf(t *testing.T, name string) element {
	for _, e := range all {
		if e.name == name {
			return e
		}
	}
	t.Fatalf("no element %s", name)
	return element{}
}

// finest returns the formula of the highest degree for a cell.
func finest(cell mesh.Kind) (best rule) {
	if cell == mesh.Pyramid {
		cell = mesh.Hexahedron
	}
	for _, r := range rules {
		if r.cell == cell && r.degree >= best.degree {
			best = r
		}
	}
	return best
}

// On curved cells, nodes that hold a linear function have its gradient everywhere, and the volume is what
// Gauss' theorem makes of the boundary, whose normals point outwards.
func TestGeometry(t *testing.T) {
	for _, e := range all {
		dim := e.cell.Dim()
		if dim == 1 || e.order == 3 {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			x := e.nodes()
			for i, p := range x {
				x[i] = [3]float64{1 + 2*p[0] + 0.3*p[1] - 0.1*p[2], p[1] - 0.2*p[0] + 0.1*p[2], 3 * p[2]}
				for k := range dim {
					if e.order == 2 {
						x[i][k] += 0.05 * rand.Float64()
					}
				}
			}
			if dim == 2 {
				for i := range x {
					x[i][2] = 0
				}
			}
			slope := [3]float64{1, -2, 3}
			volume := 0.0
			for q, rule := 0, finest(e.cell); q < rule.points; q++ {
				p, w := rule.at(q)
				_, d := e.at(p)
				g, det := gradients(x, d)
				volume += w * det
				for k := range dim {
					sum := 0.0
					for i := range g {
						sum += g[i][k] * (slope[0]*x[i][0] + slope[1]*x[i][1] + slope[2]*x[i][2])
					}
					near(t, "gradient", sum, slope[k], 1e-12)
				}
			}
			kind := e.cell
			if e.order == 2 {
				kind = quadratic[kind]
			}
			flux, around := 0.0, [3]float64{}
			for _, f := range kind.Facets() {
				of := facets[f.Kind]
				xs := make([][3]float64, len(f.Nodes))
				for i, n := range f.Nodes {
					xs[i] = x[n]
				}
				for q, rule := 0, finest(of.cell); q < rule.points; q++ {
					p, w := rule.at(q)
					n, d := of.at(p)
					normal, place := normals(xs, d), Value3(n, xs)
					if dim == 2 {
						flat := Value2(n, plane(xs))
						place = [3]float64{flat[0], flat[1]}
					}
					for k := range dim {
						flux += w * place[k] * normal[k] / float64(dim)
						around[k] += w * normal[k]
					}
				}
			}
			near(t, "volume", flux, volume, 1e-12)
			for k := range around {
				near(t, "sum of normals", around[k], 0, 1e-13)
			}
			if !(volume > 0) {
				t.Errorf("the volume is %g", volume)
			}
		})
	}
}

// facets are the elements on facets of each kind.
var facets = map[mesh.Kind]element{mesh.Line: all[0], mesh.Line3: all[1], mesh.Triangle: all[3], mesh.Triangle6: all[4],
	mesh.Quadrilateral: all[6], mesh.Quadrilateral9: all[7]}

// gradients calls Gradients2 or Gradients3.
func gradients(x [][3]float64, d [][]float64) (g [][]float64, det float64) {
	if len(d[0]) == 2 {
		found := make([][2]float64, len(d))
		det = Gradients2(plane(x), plane(d), found)
		return rows2(found), det
	}
	var slopes [][3]float64
	for _, s := range d {
		slopes = append(slopes, [3]float64(s))
	}
	found := make([][3]float64, len(d))
	det = Gradients3(x, slopes, found)
	return rows3(found), det
}

// normals calls Normal2 or Normal3.
func normals(x [][3]float64, d [][]float64) [3]float64 {
	if len(d[0]) == 2 {
		return Normal3(x, plane(d))
	}
	var slopes []float64
	for _, s := range d {
		slopes = append(slopes, s[0])
	}
	n := Normal2(plane(x), slopes)
	return [3]float64{n[0], n[1]}
}

// plane returns the first two coordinates of each row.
func plane[R []float64 | [3]float64](rows []R) (list [][2]float64) {
	for _, r := range rows {
		switch r := any(r).(type) {
		case []float64:
			list = append(list, [2]float64{r[0], r[1]})
		case [3]float64:
			list = append(list, [2]float64{r[0], r[1]})
		}
	}
	return list
}
