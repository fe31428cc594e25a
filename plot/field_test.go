package plot

import (
	"math"
	"testing"
)

func TestToNodes(t *testing.T) {
	// Cells of areas 1, 2 and 1 in a row; the last is bad.
	m := Mesh{
		XY:      []float64{0, 0, 1, 0, 3, 0, 4, 0, 0, 1, 1, 1, 3, 1, 4, 1},
		Cells:   []int32{0, 1, 5, 4, 2, 1, 5, 6, 2, 3, 7, 6},
		Corners: 4,
	}
	got := toNodes(m, []float64{1, 4, math.Inf(1)}, mergeNodes(m.XY))
	for n, want := range []float64{1, 3, 4, math.NaN(), 1, 3, 4, math.NaN()} {
		if got[n] != want && !(math.IsNaN(got[n]) && math.IsNaN(want)) {
			t.Errorf("node %d: %g, want %g", n, got[n], want)
		}
	}
}

func TestToNodesJoinsACut(t *testing.T) {
	whole, cut := wing(12, 4, false), wing(12, 4, true)
	values := make([]float64, whole.cells())
	for c := range values {
		values[c] = math.Sin(float64(c))
	}
	a := toNodes(whole, values, mergeNodes(whole.XY))
	b := toNodes(cut, values, mergeNodes(cut.XY))
	for j := range 5 {
		for i := range 13 {
			if x, y := a[j*12+i%12], b[j*13+i]; x != y {
				t.Errorf("node (%d, %d): %g, with a cut %g", i, j, x, y)
			}
		}
	}
}

func TestToCells(t *testing.T) {
	got := toCells(unitSquare, []float64{0, 3, 6, math.NaN()})
	if got[0] != 3 || !math.IsNaN(got[1]) {
		t.Errorf("got %v", got)
	}
}

// A triangle among polygons repeats its last corner, which does not count more than the others.
func TestToCellsOfPolygons(t *testing.T) {
	m := Mesh{Corners: 6, XY: []float64{0, 0, 1, 0, 0, 1}, Cells: []int32{0, 1, 2, 2, 2, 2}}
	if got := toCells(m, []float64{3, 6, 9}); got[0] != 6 {
		t.Errorf("got %g, want 6", got[0])
	}
}
