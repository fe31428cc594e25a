package mesh

import (
	"math"
	"slices"
	"testing"
)

func TestRectangle(t *testing.T) {
	m, err := Rectangle(3, 2, 6, 1)
	if err != nil {
		t.Fatal(err)
	}
	if m.Nodes != 12 || m.Cells != 12 || len(m.XY) != 24 || len(m.CellNodes) != 36 {
		t.Fatalf("%d nodes, %d triangles", m.Nodes, m.Cells)
	}
	for c := range m.Cells {
		p := func(k int) (x, y float64) {
			n := m.CellNodes[3*c+k]
			return m.XY[2*n], m.XY[2*n+1]
		}
		x0, y0 := p(0)
		x1, y1 := p(1)
		x2, y2 := p(2)
		if area := ((x1-x0)*(y2-y0) - (x2-x0)*(y1-y0)) / 2; math.Abs(area-0.5) > 1e-15 {
			t.Errorf("triangle %d has the area %v, want 0.5", c, area)
		}
	}
	if want := []int32{0, 1, 2, 3, 4, 7, 8, 9, 10, 11}; !slices.Equal(m.Boundary, want) {
		t.Errorf("boundary %v, want %v", m.Boundary, want)
	}
	if m.XY[22] != 6 || m.XY[23] != 1 {
		t.Errorf("the last node is at %v", m.XY[22:])
	}
}

func TestRectangleRefused(t *testing.T) {
	for _, test := range []struct {
		nx, ny        int
		width, height float64
		want          string
	}{
		{0, 1, 1, 1, "mesh: rectangle 0 by 1: expected at least 1 by 1"},
		{1 << 16, 1 << 16, 1, 1, "mesh: rectangle 65536 by 65536: expected at most 2147483647 triangles, found 8589934592"},
		{1, 1, 0, 1, "mesh: rectangle: expected a width and a height above 0, found 0 by 1"},
		{1, 1, 1, math.NaN(), "mesh: rectangle: expected a width and a height above 0, found 1 by NaN"},
	} {
		if _, err := Rectangle(test.nx, test.ny, test.width, test.height); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}
