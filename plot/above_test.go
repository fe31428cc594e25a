package plot

import (
	"math"
	"testing"
)

// The part of a square above a slanted line has its area, and values there are as they were.
func TestAbove(t *testing.T) {
	m := grid(7, 5, Rect{0, 0, 1, 1}, nil)
	height := make([]float64, m.nodes())
	for n := range height {
		height[n] = m.XY[2*n] + 2*m.XY[2*n+1]
	}
	for _, onNodes := range []bool{true, false} {
		f := Field{Mesh: m}
		for n := range m.nodes() {
			f.Vectors = append(f.Vectors, m.XY[2*n], 3*m.XY[2*n+1])
			if onNodes {
				f.Values = append(f.Values, 4*m.XY[2*n]-m.XY[2*n+1])
			}
		}
		for c := 0; !onNodes && c < m.cells(); c++ {
			f.Values = append(f.Values, float64(c))
		}
		above, err := Above(f, 1, height)
		if err != nil {
			t.Fatal(err)
		}
		area := 0.0
		for c := range above.Mesh.cells() {
			area += above.Mesh.area(c)
			for i, n := range above.Mesh.cell(c) {
				x, y := above.Mesh.XY[2*n], above.Mesh.XY[2*n+1]
				if x+2*y < 1-1e-12 {
					t.Errorf("cell %d, corner %d at (%g, %g) is below the line", c, i, x, y)
				}
			}
		}
		if math.Abs(area-0.75) > 1e-12 {
			t.Errorf("area %g, want 0.75", area)
		}
		for n := range above.Mesh.nodes() {
			x, y := above.Mesh.XY[2*n], above.Mesh.XY[2*n+1]
			if onNodes && math.Abs(above.Values[n]-(4*x-y)) > 1e-12 || math.Abs(above.Vectors[2*n]-x) > 1e-12 || math.Abs(above.Vectors[2*n+1]-3*y) > 1e-12 {
				t.Errorf("node %d at (%g, %g): %g, %g", n, x, y, above.Values[n], above.Vectors[2*n:2*n+2])
			}
		}
		if !onNodes && (above.Values[0] != 4 || above.Values[len(above.Values)-1] != 34) {
			t.Errorf("values of cells are %v", above.Values)
		}
		if _, err := Draw(above, small); err != nil {
			t.Error(err)
		}
	}
}

func TestAboveErrorsAndCorners(t *testing.T) {
	square := Field{Mesh: Mesh{Corners: 4, XY: []float64{0, 0, 1, 0, 1, 1, 0, 1, 9, 9}, Cells: []int32{0, 1, 2, 3}}, Values: []float64{5}}
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{1, 2}, "plot: 2 values that are to be above 0.5 are not one for each of 5 nodes"},
		{[]float64{0, 0, 0, 0, 9}, "plot: no value is above 0.5"},
		{[]float64{1, 1, math.NaN(), 1, 9}, "plot: no value is above 0.5"},
	} {
		if _, err := Above(square, 0.5, c.values); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, err := Above(Field{}, 0, nil); err == nil {
		t.Error("no error of the field")
	}
	// Two opposite corners above, two below: six corners are one more than there is room for.
	saddle, err := Above(square, 0.5, []float64{1, 0, 1, 0, 0})
	if err != nil || saddle.Mesh.Corners != 6 || math.Abs(saddle.Mesh.area(0)-0.75) > 1e-12 {
		t.Errorf("%v: %v", err, saddle)
	}
	// As many nodes as cells would be ambiguous: three nodes of three triangles that lie on each other.
	thrice := Field{Mesh: Mesh{Corners: 3, XY: []float64{0, 0, 1, 0, 0, 1, 5, 5}, Cells: []int32{0, 1, 2, 0, 1, 2, 0, 1, 2}}, Values: []float64{1, 2, 3}}
	if above, err := Above(thrice, 0, []float64{1, 1, 1, 1}); err != nil || above.Mesh.nodes() != 4 {
		t.Errorf("%v: %v", err, above)
	}
}
