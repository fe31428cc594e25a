package plot

import (
	"math"
	"testing"
)

// In a vortex, streamlines are circles, and apart from each other.
func TestStreamlines(t *testing.T) {
	f := plain(grid(80, 60, Rect{-4, -3, 4, 3}, nil), false, func(x, y float64) (u, v float64) { return -y, x })
	o := small
	o.Streamlines = 16
	_, lay := drawn(t, f, o)
	w, h := lay.box.Dx(), lay.box.Dy()
	apart := float64(w) / 16
	lines := newData(f, false, o).newFlow(lay, 3).streamlines(w, h, apart)
	radius := func(p point) float64 {
		at := lay.ground.back(p)
		return math.Hypot(at.x, at.y) * lay.ground.scale
	}
	longest := 0
	for i, line := range lines {
		longest = max(longest, len(line))
		for _, p := range line {
			if r := radius(p); math.Abs(r-radius(line[0])) > 2 {
				t.Fatalf("line %d begins %g pixels from the middle and is at %g", i, radius(line[0]), r)
			}
		}
		for _, other := range lines[:i] {
			for k := 0; k < len(line); k += 5 {
				for _, q := range other {
					if distance(line[k], q) < apart/2-0.1 {
						t.Fatalf("line %d comes within %g of another, want %g", i, distance(line[k], q), apart/2)
					}
				}
			}
		}
	}
	if len(lines) < 8 || longest < int(2*apart) {
		t.Errorf("%d lines, the longest of %d points", len(lines), longest)
	}
	// Every place is near a line.
	for y := apart; y < float64(h)-apart; y += apart / 3 {
		for x := apart; x < float64(w)-apart; x += apart / 3 {
			near := math.Inf(1)
			for _, line := range lines {
				for _, q := range line {
					near = min(near, distance(q, point{x, y}))
				}
			}
			if at := (point{x, y}); near > 1.1*apart && radius(at) > apart {
				t.Errorf("at (%g, %g) the nearest line is %g away, want %g", x, y, near, apart)
			}
		}
	}
	// Where there are no vectors, there are no lines.
	still := plain(f.Mesh, true, func(x, y float64) (u, v float64) { return 0, 0 })
	if lines := newData(still, false, o).newFlow(lay, 3).streamlines(w, h, apart); len(lines) != 0 {
		t.Errorf("%d lines without a flow", len(lines))
	}
}

// The range for a series is that of one picture with all values.
func TestLimits(t *testing.T) {
	f := Field{Mesh: grid(2, 1, Rect{0, 0, 2, 1}, nil), Values: []float64{0.02, 1}}
	g := f
	g.Values = []float64{3, 9.97}
	for _, c := range []struct {
		o      Options
		fields []Field
		lo, hi float64
	}{
		{Options{}, []Field{f}, 0, 1}, {Options{}, []Field{f, g}, 0, 10}, {Options{Map: CoolWarm()}, []Field{f, g}, 0, 10},
		{Options{View: Rect{0, 0, 0.5, 1}}, []Field{f, g}, 0, 3}, {Options{}, nil, 0, 1},
	} {
		if lo, hi, err := Limits(c.o, c.fields...); err != nil || lo != c.lo || hi != c.hi {
			t.Errorf("from %g to %g, %v; want from %g to %g", lo, hi, err, c.lo, c.hi)
		}
	}
	if _, _, err := Limits(Options{}, Field{}); err == nil {
		t.Error("a field without a mesh is accepted")
	}
}
