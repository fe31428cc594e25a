package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestLogTicks(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		n      int
		want   string
	}{
		{1e-3, 1e3, 7, "0.001 0.01 0.1 1 10 100 1000"},
		{1e-9, 1e9, 7, "1e\u22129 1e\u22126 0.001 1 1000 1e6 1e9"},
		{1, 100, 8, "1 2 5 10 20 50 100"},
		{0.9, 1100, 4, "1 10 100 1000"},
		{1, 4, 4, "1 2 3 4"},
		{5, 20, 4, "5 10 15 20"},
		{1e-12, 1e12, 3, "1e\u22128 1 1e8"},
	} {
		var labels []string
		for _, v := range logTicks(math.Log10(test.lo), math.Log10(test.hi), test.n) {
			labels = append(labels, logLabel(v))
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%g to %g: %s, want %s", test.lo, test.hi, got, test.want)
		}
	}
}

// Logarithmic colors are those of the logarithms.
func TestLogColors(t *testing.T) {
	f := Field{Mesh: Mesh{XY: []float64{0, 0, 1, 0, 2, 0, 3, 0, 0, 1, 1, 1, 2, 1, 3, 1}, Cells: []int32{0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6}, Corners: 4},
		Values: []float64{0.01, 1, 100}}
	lo, hi, err := Limits(Options{Log: true}, f)
	if err != nil || math.Abs(lo-0.01) > 1e-12 || math.Abs(hi-100) > 1e-9 {
		t.Errorf("limits %g and %g, %v", lo, hi, err)
	}
	picture, err := Draw(f, Options{Log: true, XLabel: "x", YLabel: "y"})
	if err != nil {
		t.Fatal(err)
	}
	y, middle := picture.Rect.Max.Y/2, Viridis().At(0.5)
	found := false
	for x := range picture.Rect.Max.X / 2 {
		found = found || picture.RGBAAt(x+picture.Rect.Max.X/4, y) == middle
	}
	if !found {
		t.Error("1 does not have the color in the middle between 0.01 and 100")
	}
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Log: true, Min: -1, Max: 1}, "plot: logarithmic colors from -1: want a positive number, or none"},
		{Options{Log: true, Max: 1}, "plot: logarithmic colors from 0: want a positive number, or none"},
		{Options{Log: true, Classes: 3}, "plot: logarithmic colors go without Classes, and with a map that is not diverging"},
		{Options{Log: true, Map: CoolWarm()}, "plot: logarithmic colors go without Classes, and with a map that is not diverging"},
	} {
		if _, err := Draw(f, test.o); fmt.Sprint(err) != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}
