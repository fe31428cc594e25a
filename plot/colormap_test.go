package plot

import (
	"image/color"
	"math"
	"testing"
)

func TestColormapEnds(t *testing.T) {
	for _, test := range []struct {
		name string
		m    Colormap
		t    float64
		want uint32
	}{
		{"zero map", Colormap{}, 0, 0x440154},
		{"viridis", Viridis(), 0, 0x440154},
		{"viridis", Viridis(), 1, 0xfde725},
		{"below", Viridis(), -3, 0x440154},
		{"above", Viridis(), 3, 0xfde725},
		{"NaN", Viridis(), math.NaN(), 0x440154},
		{"cool-warm", CoolWarm(), 0, 0x3b4cc0},
		{"cool-warm", CoolWarm(), 0.5, 0xdddddd},
		{"cool-warm", CoolWarm(), 1, 0xb40426},
		{"one color", Colormap{Colors: hex(0x123456)}, 0.3, 0x123456},
	} {
		if got, want := test.m.At(test.t), hex(test.want)[0]; got != want {
			t.Errorf("%s at %g: %v, want %v", test.name, test.t, got, want)
		}
	}
}

// Between the control points the maps are those of their authors.
func TestColormapBetween(t *testing.T) {
	for _, test := range []struct {
		name string
		m    Colormap
		t    float64
		want uint32
	}{
		{"viridis", Viridis(), 64. / 255, 0x3b528b},
		{"viridis", Viridis(), 128. / 255, 0x21918c},
		{"viridis", Viridis(), 191. / 255, 0x5cc863},
		{"viridis", Viridis(), 223. / 255, 0xaadc32},
		{"cool-warm", CoolWarm(), 1. / 32, 0x445acc},
		{"cool-warm", CoolWarm(), 17. / 32, 0xe5d8d1},
		{"cool-warm", CoolWarm(), 31. / 32, 0xc0282f},
	} {
		got, want := test.m.At(test.t), hex(test.want)[0]
		off := func(a, b uint8) bool { return math.Abs(float64(a)-float64(b)) > 4 }
		if off(got.R, want.R) || off(got.G, want.G) || off(got.B, want.B) {
			t.Errorf("%s at %g: %v, want %v", test.name, test.t, got, want)
		}
	}
}

func TestMapsRise(t *testing.T) {
	for name, m := range map[string]Colormap{"viridis": Viridis(), "plasma": Plasma(), "inferno": Inferno(), "cividis": Cividis()} {
		last := -1.0
		for i := range 101 {
			l := toOklab(m.At(float64(i) / 100)).l
			if l <= last {
				t.Fatalf("%s: at %d %% the lightness falls from %g to %g", name, i, last, l)
			}
			last = l
		}
	}
}

func TestOklabReturns(t *testing.T) {
	for _, c := range append(Viridis().Colors, hex(0, 0xffffff, 0xff0000, 0x0000ff)...) {
		if got := toOklab(c).rgba(); got != c {
			t.Errorf("%v becomes %v", c, got)
		}
	}
}

func TestCategoriesDiffer(t *testing.T) {
	const n = 40
	seen := make(map[color.RGBA]int)
	for i := -1; i < n; i++ {
		c := Category(i)
		if j, ok := seen[c]; ok {
			t.Errorf("classes %d and %d are both %v", j, i, c)
		}
		seen[c] = i
	}
	for i := 1; i < n; i++ {
		a, b := toOklab(Category(i-1)), toOklab(Category(i))
		if d := math.Hypot(a.l-b.l, math.Hypot(a.a-b.a, a.b-b.b)); d < 0.08 {
			t.Errorf("classes %d and %d look alike: distance %.3f", i-1, i, d)
		}
	}
}
