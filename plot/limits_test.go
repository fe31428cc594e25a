package plot

import (
	"math"
	"testing"
)

func TestChooseLimits(t *testing.T) {
	even := func(n int, lo, hi float64, others ...float64) []float64 {
		for i := range n {
			others = append(others, lo+(hi-lo)*float64(i)/float64(n-1))
		}
		return others
	}
	for _, test := range []struct {
		name      string
		values    []float64
		diverging bool
		trim      bool
		want      limits
	}{
		{"rounded outwards", even(1000, 0.013, 1.587), false, true, limits{lo: 0, hi: 1.6, below: false, above: false}},
		{"an outlier", even(1000, 0, 1, 1e6), false, true, limits{lo: 0, hi: 1, below: false, above: true}},
		{"outliers at both ends", even(1000, 0, 1, -1e6, 1e6), false, true, limits{lo: 0, hi: 1, below: true, above: true}},
		{"a little more is not cut off", even(1000, 0, 1, 1.1), false, true, limits{lo: 0, hi: 1.1, below: false, above: false}},
		{"symmetric", even(1000, -0.5, 1), true, true, limits{lo: -1, hi: 1, below: false, above: false}},
		{"all positive", even(1000, 0.5, 1), true, true, limits{lo: 0.5, hi: 1, below: false, above: false}},
		{"all equal", []float64{3, 3, 3}, false, true, limits{lo: 2.7, hi: 3.3, below: false, above: false}},
		{"all equal but for rounding", []float64{1, math.Nextafter(1, 2)}, false, true, limits{lo: 0.9, hi: 1.1, below: false, above: false}},
		{"all zero", []float64{0, 0}, true, true, limits{lo: -1, hi: 1, below: false, above: false}},
		{"one cell differs", even(1000, 1, 1, 2), false, true, limits{lo: 1, hi: 2, below: false, above: false}},
		{"not finite", []float64{math.NaN(), 0, math.Inf(1), 1, math.Inf(-1)}, false, true, limits{lo: 0, hi: 1, below: false, above: false}},
		{"none finite", []float64{math.NaN()}, false, true, limits{lo: 0, hi: 1, below: false, above: false}},
		{"an outlier is not cut off", even(1000, 0, 1, 309), false, false, limits{lo: 0, hi: 320, below: false, above: false}},
		{"nor are those at both ends", even(1000, 0, 1, -12.5, 10), true, false, limits{lo: -13, hi: 13, below: false, above: false}},
		{"all of it is huge", []float64{-math.MaxFloat64, 0}, false, false, limits{lo: -1.8e305, hi: 0, below: true, above: false}},
		{"none at all", nil, false, true, limits{lo: 0, hi: 1, below: false, above: false}},
		{"huge", []float64{-math.MaxFloat64, math.MaxFloat64}, false, true, limits{lo: -1.8e305, hi: 1.8e305, below: true, above: true}},
	} {
		c := newCensus()
		for _, v := range test.values {
			c.extend(v)
			if finite(v) {
				c.cells = append(c.cells, weighted{v, 1})
			}
		}
		got := chooseLimits(c, test.diverging, test.trim)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }
		if !near(got.lo, test.want.lo) || !near(got.hi, test.want.hi) || got.below != test.want.below || got.above != test.want.above {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if (got.below || got.above) && (got.least != c.least || got.greatest != c.greatest) {
			t.Errorf("%s: the extremes are %g and %g, want %g and %g", test.name, got.least, got.greatest, c.least, c.greatest)
		}
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

// Rounding is not beyond the ends that are given.
func TestGivenLimits(t *testing.T) {
	for _, c := range []struct {
		least, greatest float64
		below, above    bool
	}{{0, 1, false, false}, {-1e-16, 1 + 1e-15, false, false}, {-1e-6, 1, true, false}, {0, 1 + 1e-6, false, true}} {
		if l := givenLimits(census{least: c.least, greatest: c.greatest}, 0, 1); l.below != c.below || l.above != c.above {
			t.Errorf("from %g to %g: below %v, above %v", c.least, c.greatest, l.below, l.above)
		}
	}
}
