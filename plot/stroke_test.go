package plot

import (
	"math"
	"testing"
)

// A line covers as much as its length and width say.
func TestLineCoverage(t *testing.T) {
	for _, test := range []struct {
		a, b   point
		width  float64
		length float64 // on the grid
	}{
		{point{10, 10}, point{90, 10}, 1, 80},
		{point{10, 10}, point{90, 70}, 2, 100},
		{point{50.3, 5}, point{50.3, 95}, 1.3, 90},
		{point{-1e6, 50}, point{1e6, 50.5}, 1, 100},
	} {
		s := newStrokes(100, 100)
		s.line(test.a, test.b, test.width)
		got := 0.0
		for _, c := range s.cover {
			got += float64(c) / 255
		}
		if want := test.length * test.width; math.Abs(got-want) > 0.05*want {
			t.Errorf("from %v to %v, width %g: covers %.1f pixels, want %.1f", test.a, test.b, test.width, got, want)
		}
	}
}

// The iso-lines of the distance from a point are circles around it.
func TestContours(t *testing.T) {
	m := grid(60, 60, Rect{0, 0, 60, 60}, nil)
	values := make([]float64, m.nodes())
	for n := range values {
		values[n] = math.Hypot(m.XY[2*n]-30, m.XY[2*n+1]-30)
	}
	values[0] = math.NaN()
	s := newStrokes(60, 60)
	paintContours([]*strokes{s, s}, m, ground{scale: 1, y1: 60}, values, []float64{10, 20}, 1)
	covered := 0.0
	for j := range 60 {
		for i := range 60 {
			c := float64(s.cover[j*60+i]) / 255
			covered += c
			r := math.Hypot(float64(i)+0.5-30, float64(j)+0.5-30)
			if off := min(math.Abs(r-10), math.Abs(r-20)); c > 0 && off > 1.1 || c < 0.5 && off < 0.3 {
				t.Fatalf("pixel (%d, %d) at radius %.2f is covered %.2f", i, j, r, c)
			}
		}
	}
	if want := 2 * math.Pi * 30; math.Abs(covered-want) > 0.05*want {
		t.Errorf("the lines cover %.1f pixels, want %.1f", covered, want)
	}
}
