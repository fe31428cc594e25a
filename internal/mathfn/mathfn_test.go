package mathfn

import (
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// Each function available to kernels is printed in some way, and the others in none.
func TestTable(t *testing.T) {
	special := []string{"NaN", "Sincos"} // printers handle them
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
		spelled := f.Exact || f.Helper != "" || slices.Contains(special, f.Name)
		if spelled == (f.Refused != "") || f.Exact && f.C == "" || f.Exact && f.Helper != "" {
			t.Errorf("%+v", f)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(table) {
		t.Errorf("names are not in order, or repeated: %v", names)
	}
}

func TestLookupC(t *testing.T) {
	for _, test := range []struct {
		c, name string
		float   loop.Scalar
	}{
		{"fabs", "Abs", loop.Float64},
		{"fabsf", "Abs", loop.Float32},
		{"fabsl", "Abs", loop.Float64},
		{"nearbyintf", "RoundToEven", loop.Float32},
		{"isnan", "IsNaN", loop.Float64},
		{"fma", "FMA", loop.Float64},
	} {
		f, float := LookupC(test.c)
		if f == nil || f.Name != test.name || float != test.float {
			t.Errorf("%s: %+v of %s", test.c, f, float)
		}
	}
	for _, c := range []string{"isnanf", "Abs", "j0", "ldexp", ""} {
		if f, _ := LookupC(c); f != nil {
			t.Errorf("%q is %s", c, f.Name)
		}
	}
}

func TestDeclaration(t *testing.T) {
	for name, want := range map[string]string{
		"Pow":   "func Pow(float64, float64) float64",
		"Frexp": "func Frexp(float64) (float64, int)",
		"NaN":   "func NaN() float64",
	} {
		if got := Lookup(name).Declaration(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
