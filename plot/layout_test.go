package plot

import (
	"image"
	"math"
	"testing"
)

// The pictures of a series of one range have mesh and bar in one place, whatever the
// values are: within the range, beyond it, or not finite.
func TestSeriesStaysInPlace(t *testing.T) {
	m := grid(3, 2, Rect{0, 0, 3, 2}, nil)
	for _, o := range []Options{
		{Min: -1, Max: 1},
		{Min: 0, Max: 3e-7, Label: "Label", Width: 800},
		{Min: 101325, Max: 101326, Title: "Title", Width: 800, Height: 800},
	} {
		var box, bar image.Rectangle
		for i, values := range [][]float64{
			{0, 0, 0, 0, 0, 0},
			{o.Min, o.Max, 0, 0, 0, 0},
			{-12345, 1e9, 0, 0, 0, 0},
			{math.NaN(), math.Inf(1), 0, 0, 0, -1e-300},
		} {
			picture, lay := drawn(t, Field{Mesh: m, Values: values}, o)
			if i == 0 {
				box, bar = lay.box, lay.bar
			}
			if lay.box != box || lay.bar != bar {
				t.Errorf("%+v, values %v: mesh at %v and bar at %v, were at %v and %v", o, values, lay.box, lay.bar, box, bar)
			}
			// The middle of the bar has the color of the middle of the range.
			middle := image.Pt((bar.Min.X+bar.Max.X)/2, (bar.Min.Y+bar.Max.Y)/2)
			if got, want := picture.RGBAAt(middle.X, middle.Y), Viridis().At(0.5); math.Abs(float64(got.G)-float64(want.G)) > 2 {
				t.Errorf("values %v: the middle of the bar is %v, want %v", values, got, want)
			}
		}
	}
}

// Where values lie beyond the range the bar has a tip in the color of that end, and
// the extreme value is written next to it.
func TestBarSaysWhatIsBeyond(t *testing.T) {
	m := grid(3, 2, Rect{0, 0, 3, 2}, nil)
	for _, c := range []struct {
		values       []float64
		below, above bool
	}{
		{[]float64{0, 1, 2, 3, 4, 5}, false, false},
		{[]float64{0, 1, 2, 3, 4, 309}, false, true},
		{[]float64{-7, 1, 2, 3, 4, 5}, true, false},
	} {
		picture, lay := drawn(t, Field{Mesh: m, Values: c.values}, Options{Min: 0, Max: 5, Width: 800})
		tip := lay.tip()
		ink := func(r image.Rectangle) bool {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					if picture.RGBAAt(x, y) != pageColor {
						return true
					}
				}
			}
			return false
		}
		x := (lay.bar.Min.X + lay.bar.Max.X) / 2
		text := func(top int) image.Rectangle {
			return image.Rect(lay.bar.Max.X+tip/2, top, picture.Rect.Max.X, top+tip/2)
		}
		for _, end := range []struct {
			name   string
			want   bool
			y      int
			beside image.Rectangle
		}{
			{"above", c.above, lay.bar.Min.Y - tip/2, text(lay.bar.Min.Y - tip - tip/4)},
			{"below", c.below, lay.bar.Max.Y + tip/2, text(lay.bar.Max.Y + 3*tip/4)},
		} {
			if got := picture.RGBAAt(x, end.y) != pageColor; got != end.want {
				t.Errorf("values %v, %s: a tip is there: %v", c.values, end.name, got)
			}
			if got := ink(end.beside); got != end.want {
				t.Errorf("values %v, %s: a number is there: %v", c.values, end.name, got)
			}
		}
	}
}

func TestExtreme(t *testing.T) {
	for _, c := range []struct {
		v     float64
		power int
		want  string
	}{
		{309, 0, "309"}, {309.1742, 0, "309.2"}, {-0.01234, 0, "−0.01234"}, {12345.6, 0, "12346"}, {2e7, 7, "2"}, {3.0912e7, 7, "3.091"},
		{0, 0, "0"}, {1e300, 0, "1.00e300"}, {-1e-9, 0, "−1.00e−9"}, {5e-8, -7, "0.5"}, {1e20, 7, "1.00e13"},
	} {
		if got := extreme(c.v, c.power); got != c.want {
			t.Errorf("%g at 10^%d: %q, want %q", c.v, c.power, got, c.want)
		}
	}
}
