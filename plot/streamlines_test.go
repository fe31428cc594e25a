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
		if r := radius(line[0]); r > 5 && r < float64(h)/2-apart && distance(line[0], line[len(line)-1]) > 2 {
			t.Errorf("line %d, a circle of %g pixels, has a gap", i, r)
		}
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

// A line has one color from dark cells to light ones, and goes on where it passes the corners of cells.
func TestStreamlineHasOneColor(t *testing.T) {
	f := plain(grid(40, 30, Rect{-4, -3, 4, 3}, nil), false, func(x, y float64) (u, v float64) { return 1, 0 })
	for c := range f.Values {
		f.Values[c] = float64(c % 40)
	}
	o := small
	o.Streamlines, o.Width, o.Height = 7, 1600, 1200
	picture, lay := drawn(t, f, o)
	apart := float64(lay.box.Dx()) / 7
	lines := newData(f, false, o).newFlow(lay, apart/8).streamlines(lay.box.Dx(), lay.box.Dy(), apart)
	for _, line := range lines {
		if first, last := line[0], line[len(line)-1]; last.x-first.x < float64(lay.box.Dx())-apart/3 {
			t.Errorf("a line from %v to %v", first, last)
		}
	}
	least := 255
	for k := range lines[0] {
		x, y := lay.box.Min.X+int(lines[0][k].x), lay.box.Min.Y+int(lines[0][k].y)
		lightest := 0 // of the pixels across the line
		for _, at := range []int{y - 1, y, y + 1} {
			c := picture.RGBAAt(x, at)
			lightest = max(lightest, min(int(c.R), int(c.G), int(c.B)))
		}
		least = min(least, lightest)
	}
	if least < 150 {
		t.Errorf("a light line has a pixel of %d", least)
	}
}
