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
		want      limits
	}{
		{"rounded outwards", even(1000, 0.013, 1.587), false, limits{0, 1.6, false, false}},
		{"an outlier", even(1000, 0, 1, 1e6), false, limits{0, 1, false, true}},
		{"outliers at both ends", even(1000, 0, 1, -1e6, 1e6), false, limits{0, 1, true, true}},
		{"a little more is not cut off", even(1000, 0, 1, 1.1), false, limits{0, 1.1, false, false}},
		{"symmetric", even(1000, -0.5, 1), true, limits{-1, 1, false, false}},
		{"all positive", even(1000, 0.5, 1), true, limits{0.5, 1, false, false}},
		{"all equal", []float64{3, 3, 3}, false, limits{2.7, 3.3, false, false}},
		{"all equal but for rounding", []float64{1, math.Nextafter(1, 2)}, false, limits{0.9, 1.1, false, false}},
		{"all zero", []float64{0, 0}, true, limits{-1, 1, false, false}},
		{"one cell differs", even(1000, 1, 1, 2), false, limits{1, 2, false, false}},
		{"not finite", []float64{math.NaN(), 0, math.Inf(1), 1, math.Inf(-1)}, false, limits{0, 1, false, false}},
		{"none finite", []float64{math.NaN()}, false, limits{0, 1, false, false}},
		{"none at all", nil, false, limits{0, 1, false, false}},
		{"huge", []float64{-math.MaxFloat64, math.MaxFloat64}, false, limits{-1.8e305, 1.8e305, true, true}},
	} {
		c := newCensus()
		for _, v := range test.values {
			c.extend(v)
			if finite(v) {
				c.cells = append(c.cells, weighted{v, 1})
			}
		}
		got := chooseLimits(c, test.diverging)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }
		if !near(got.lo, test.want.lo) || !near(got.hi, test.want.hi) || got.below != test.want.below || got.above != test.want.above {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
