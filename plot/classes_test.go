package plot

import (
	"image/color"
	"math"
	"testing"
)

// Cells have exactly the colors of their classes, and so has the bar.
func TestDrawClasses(t *testing.T) {
	f := Field{Mesh: grid(4, 2, Rect{0, 0, 4, 2}, nil), Values: []float64{0, 1, 2, 3, 4, 0, math.NaN(), 2}}
	o := small
	o.Classes, o.Min, o.Max, o.Map = 5, 1, 2, CoolWarm()
	picture, lay := drawn(t, f, o)
	colorOf := func(v float64) color.RGBA {
		if math.IsNaN(v) {
			return Category(-1)
		}
		return Category(int(v))
	}
	for c, v := range f.Values {
		if got := picture.RGBAAt(lay.pixel(float64(c%4)+0.5, float64(c/4)+0.5)); got != colorOf(v) {
			t.Errorf("cell %d: %v, want %v", c, got, colorOf(v))
		}
	}
	x, h := (lay.bar.Min.X+lay.bar.Max.X)/2, lay.bar.Dy()
	for class := range o.Classes {
		for _, part := range []float64{0.1, 0.5, 0.9} {
			y := lay.bar.Max.Y - int((float64(class)+part)*float64(h)/5)
			if got := picture.RGBAAt(x, y); got != Category(class) {
				t.Errorf("the bar at %g of class %d: %v, want %v", part, class, got, Category(class))
			}
		}
	}
	swatch := lay.swatch.Min.Add(lay.swatch.Max).Div(2)
	if got := picture.RGBAAt(swatch.X, swatch.Y); got != Category(-1) || lay.swatchLabel.string != "other" {
		t.Errorf("%q is %v", lay.swatchLabel.string, got)
	}
}

func TestClassAxis(t *testing.T) {
	for _, c := range []struct {
		classes int
		length  float64
		last    string
		ticks   int
	}{
		{1, 500, "0", 1},
		{4, 500, "3", 4},
		{4, 100, "2", 2},
		{256, 500, "240", 13},
	} {
		a := newClassAxis(regular(), 1, classLimits(c.classes), c.length)
		if n := len(a.ticks); n != c.ticks || a.labels[n-1].string != c.last {
			t.Errorf("%d classes in %g pixels: ticks %v", c.classes, c.length, a.ticks)
		}
	}
}

// Rounding to shades moves no class into another.
func TestClassesInShades(t *testing.T) {
	for n := 1; n <= maxClasses; n++ {
		s := newScale(classLimits(n), Colormap{}, outsideColor, bodyColor)
		s.classify(n)
		for class := range n {
			if got := s.palette[s.ink(s.limits.part(float64(class)))]; got != Category(class) {
				t.Fatalf("class %d of %d: %v, want %v", class, n, got, Category(class))
			}
		}
	}
}
