package plot

import (
	"math"
	"testing"
)

func TestBoundary(t *testing.T) {
	clockwise := wing(40, 10, false)
	for c := range clockwise.cells() {
		p := clockwise.cell(c)
		p[1], p[3] = p[3], p[1]
	}
	for _, test := range []struct {
		name string
		mesh Mesh
	}{
		{"shared nodes", wing(40, 10, false)},
		{"nodes twice along a cut", wing(40, 10, true)},
		{"clockwise", clockwise},
	} {
		m := test.mesh
		all := boundary(m, mergeNodes(m.XY))
		if len(all) != 2 {
			t.Errorf("%s: %d loops, want 2", test.name, len(all))
			continue
		}
		inner, outer := all[0], all[1]
		if !inner.hole() {
			inner, outer = outer, inner
		}
		if len(inner.edges) != 40 || !inner.hole() || math.Abs(inner.area+0.1067) > 0.002 {
			t.Errorf("%s: the wing has %d edges, area %.3f", test.name, len(inner.edges), inner.area)
		}
		if len(outer.edges) != 40 || outer.hole() || math.Abs(outer.area-9*math.Pi) > 0.2 {
			t.Errorf("%s: the outer rim has %d edges, area %.3f", test.name, len(outer.edges), outer.area)
		}
		for _, p := range []struct {
			point
			want bool
		}{{point{0.5, 0}, true}, {point{0.5, 1}, true}, {point{3.6, 0}, false}, {point{0, 3.2}, false}} {
			if got := enclosed(m, all, p.point); got != p.want {
				t.Errorf("%s: enclosed(%v) is %v", test.name, p.point, got)
			}
		}
	}
}

func TestSlitsAreNoHoles(t *testing.T) {
	// Two cells on the right share the side of one on the left, and a node is
	// on the middle of that side, almost.
	m := Mesh{
		XY:      []float64{0, 0, 1, 0, 2, 0, 1 + 1e-9, 1, 2, 1, 0, 2, 1, 2, 2, 2},
		Cells:   []int32{0, 1, 6, 5, 1, 2, 4, 3, 3, 4, 7, 6},
		Corners: 4,
	}
	for _, l := range boundary(m, mergeNodes(m.XY)) {
		if l.hole() {
			t.Errorf("%d edges around an area of %g are a hole", len(l.edges), l.area)
		}
	}
}
