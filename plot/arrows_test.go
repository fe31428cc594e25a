package plot

import (
	"math"
	"testing"
)

// plain returns a field of one color, with the vector of a cell or node from its place.
func plain(m Mesh, onCells bool, vector func(x, y float64) (u, v float64)) Field {
	f := Field{Mesh: m, Values: make([]float64, m.cells())}
	if !onCells {
		for n := range m.nodes() {
			u, v := vector(m.XY[2*n], m.XY[2*n+1])
			f.Vectors = append(f.Vectors, u, v)
		}
		return f
	}
	for c := range m.cells() {
		x, y := 0.0, 0.0
		for _, n := range m.cell(c) {
			x, y = x+m.XY[2*n]/float64(m.Corners), y+m.XY[2*n+1]/float64(m.Corners)
		}
		u, v := vector(x, y)
		f.Vectors = append(f.Vectors, u, v)
	}
	return f
}

// Arrows lie on a grid, in cells, and have the vectors that are there.
func TestArrows(t *testing.T) {
	turn := func(x, y float64) (u, v float64) { return -y, x }
	for _, onCells := range []bool{true, false} {
		f := plain(grid(40, 20, Rect{0, 0, 4, 2}, nil), onCells, turn)
		f.Vectors[0] = math.NaN()
		o := small
		o.Arrows = 20
		_, lay := drawn(t, f, o)
		a := newData(f, false, o).newArrows(lay, o)
		if len(a.all) < 190 || len(a.all) > 200 {
			t.Errorf("on cells %v: %d arrows, want 20 by 10 but for those without a vector", onCells, len(a.all))
		}
		spacing := float64(lay.box.Dx()) / 20
		for _, arrow := range a.all {
			at := lay.ground.back(arrow.at)
			if u, v := turn(at.x, at.y); math.Hypot(arrow.vector.x-u, arrow.vector.y-v) > 0.08 { // of cells: that of their middle
				t.Fatalf("on cells %v: the vector at %v is %v, want (%g, %g)", onCells, at, arrow.vector, u, v)
			}
		}
		if a.full > spacing || a.full < 0.9*spacing || math.Abs(a.longest-math.Hypot(4, 2)) > 0.3 {
			t.Errorf("on cells %v: the longest is %g, %g pixels long of %g", onCells, a.longest, a.full, spacing)
		}
		o.Longest = 10
		if a := newData(f, false, o).newArrows(lay, o); a.longest != 10 {
			t.Errorf("the longest is %g, want 10", a.longest)
		}
	}
}

// An arrow points to where its vector does: its head is there. Vectors of no length
// are dots.
func TestDrawArrows(t *testing.T) {
	m := grid(1, 1, Rect{0, 0, 1, 1}, nil)
	dark := func(f Field, o Options) (right, left int) {
		picture, lay := drawn(t, f, o)
		middle := (lay.box.Min.X + lay.box.Max.X) / 2
		for y := lay.box.Min.Y; y < lay.box.Max.Y; y++ {
			for x := lay.box.Min.X; x < lay.box.Max.X; x++ {
				switch c := picture.RGBAAt(x, y); {
				case c.G > 100:
				case x > middle:
					right++
				default:
					left++
				}
			}
		}
		return right, left
	}
	o := small
	o.Arrows, o.Map = 2, Colormap{Colors: hex(0xdddddd, 0xdddddd)}
	right, left := dark(plain(m, true, func(x, y float64) (u, v float64) { return 2, 0 }), o)
	if mirrorRight, mirrorLeft := dark(plain(m, true, func(x, y float64) (u, v float64) { return -2, 0 }), o); right < left || mirrorLeft < mirrorRight {
		t.Errorf("heads: %d and %d dark pixels to the right, %d and %d to the left", right, mirrorRight, left, mirrorLeft)
	}
	few, others := dark(plain(m, true, func(x, y float64) (u, v float64) { return 0, 0 }), o)
	if n := few + others; n == 0 || n > 60 {
		t.Errorf("%d dark pixels for vectors of no length", n)
	}
}

// The arrow above the mesh has a round length.
func TestRoundBelow(t *testing.T) {
	for v, want := range map[float64]float64{1: 1, 1.99: 1, 2: 2, 4.9: 2, 5: 5, 9.9: 5, 0.3: 0.2, 340: 200, 1e-9: 1e-9} {
		if got := roundBelow(v); math.Abs(got-want) > 1e-12*want {
			t.Errorf("the round length below %g is %g, want %g", v, got, want)
		}
	}
}

// Edges are drawn along cells and nowhere else, in a color that can be seen.
func TestDrawEdges(t *testing.T) {
	f := Field{Mesh: grid(4, 2, Rect{0, 0, 4, 2}, nil), Values: []float64{0, 1, 0, 1, 1, 0, 1, 0}}
	without, lay := drawn(t, f, small)
	o := small
	o.Edges = true
	with, _ := drawn(t, f, o)
	for c := range f.Values {
		x, y := float64(c%4), float64(c/4)
		i, j := lay.pixel(x+0.5, y+0.5)
		if with.RGBAAt(i, j) != without.RGBAAt(i, j) {
			t.Errorf("cell %d has another color", c)
		}
		if x == 0 || y == 0 {
			continue
		}
		// Just beside the edges: on dark colors lighter, on light ones darker.
		for _, p := range [...]point{{x, y + 0.5}, {x + 0.5, y}} {
			i, j := lay.pixel(p.x, p.y)
			changed := false
			for k := -1; k <= 1; k++ {
				changed = changed || with.RGBAAt(i+k, j) != without.RGBAAt(i+k, j) || with.RGBAAt(i, j+k) != without.RGBAAt(i, j+k)
			}
			if !changed {
				t.Errorf("there is no edge at (%g, %g)", p.x, p.y)
			}
		}
	}
}
