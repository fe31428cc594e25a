package plot

import (
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	type state struct{ Rho, E float64 }
	if got := Of([]state{{1, 2}, {3, 5}}, func(s state) float64 { return s.E - s.Rho }); !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("got %v", got)
	}
	if got := Of(nil, func(int) float64 { return 1 }); got == nil || len(got) != 0 {
		t.Errorf("got %v of nothing", got)
	}
}
