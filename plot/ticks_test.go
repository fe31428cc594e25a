package plot

import (
	"math"
	"slices"
	"testing"
)

func TestNiceStep(t *testing.T) {
	for _, test := range []struct {
		length float64
		n      int
		want   float64
	}{
		{1, 10, 0.1}, {1, 9, 0.2}, {1, 5, 0.2}, {1, 4, 0.5}, {1, 1, 1}, {1.01, 1, 2},
		{0.3, 3, 0.1}, {1000, 1, 1000}, {7e-9, 5, 2e-9}, {6, 1, 10},
	} {
		got := niceStep(test.length, test.n)
		if math.Abs(got-test.want) > 1e-12*test.want {
			t.Errorf("niceStep(%g, %d) = %g, want %g", test.length, test.n, got, test.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		step, lo, hi float64
		labels       []string
		power        int
	}{
		{0.5, 0, 1.6, []string{"0.0", "0.5", "1.0", "1.5"}, 0},
		{0.1, -0.2, 0.1, []string{"−0.2", "−0.1", "0.0", "0.1"}, 0},
		{0.1, 0.3, 0.7, []string{"0.3", "0.4", "0.5", "0.6", "0.7"}, 0},
		{5, -5, 5, []string{"−5", "0", "5"}, 0},
		{20000, 0, 60000, []string{"0", "20000", "40000", "60000"}, 0},
		{50000, 0, 100000, []string{"0.0", "0.5", "1.0"}, 5},
		{1e-7, -1e-7, 2e-7, []string{"−1", "0", "1", "2"}, -7},
		{0.002, 0.001, 0.005, []string{"0.002", "0.004"}, 0},
		{0.01, 101325, 101325.02, []string{"101325.00", "101325.01", "101325.02"}, 0},
		{5e307, 0, 1.5e308, []string{"0.0", "0.5", "1.0", "1.5"}, 308},
		{1, 0.2, 0.8, nil, 0},
	} {
		ticks := multiples(test.step, test.lo, test.hi)
		labels, power := tickLabels(ticks, test.step)
		if !slices.Equal(labels, test.labels) || power != test.power {
			t.Errorf("step %g from %g to %g: %q times 10^%d, want %q times 10^%d",
				test.step, test.lo, test.hi, labels, power, test.labels, test.power)
		}
	}
	if got := multiples(0.1, 0, 0.3); !slices.Equal(got, []float64{0, 0.1, 0.2, 0.3}) {
		t.Errorf("multiples of 0.1 are %v", got)
	}
}
