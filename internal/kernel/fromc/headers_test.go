package fromc

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/mathfn"
)

func TestHeaders(t *testing.T) {
	for _, h := range headerNames() {
		source := "#include <" + h + ">\nvoid k(double *x) { *x = 1; }"
		if _, err := Kernel("k", source, nil); err != nil {
			t.Error(err)
		}
	}
}

// Everything in the headers that need no #include parses, and math.h is complete.
func TestVisible(t *testing.T) {
	names := slices.Collect(maps.Keys(implicitNames()))
	source := "// " + strings.Join(names, " ") + "\nvoid k(double *x) { *x = sin(INFINITY) + NAN + INT64_MAX; }"
	if _, err := Kernel("k", source, nil); err != nil {
		t.Error(err)
	}
	for _, f := range strings.Fields(`acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1
		frexp ilogb ldexp log log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma
		ceil floor nearbyint rint lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter
		nexttoward fdim fmax fmin fma`) {
		for _, name := range []string{f, f + "f", f + "l"} {
			if library()[name] != "math.h" {
				t.Errorf("<math.h> has no %s", name)
			}
		}
	}
	for _, name := range mathfn.CNames() {
		if library()[name] != "math.h" {
			t.Errorf("<math.h> has no %s", name)
		}
	}
}
