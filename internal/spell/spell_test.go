package spell

import "testing"

func TestNearest(t *testing.T) {
	candidates := []string{"go", "sequential", "openmp", "opencl", "cuda"}
	for _, c := range []struct{ name, want string }{
		{"sequental", "sequential"},
		{"sequnetial", "sequential"},
		{"openpm", "openmp"},
		{"cdua", "cuda"},
		{"OpenMP", "openmp"},
		{"CUDA", "cuda"},
		{"metal", ""},
		{"x", ""},
		{"", ""},
	} {
		if got := Nearest(c.name, candidates); got != c.want {
			t.Errorf("nearest to %q is %q, not %q", c.name, got, c.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	if got, want := DidYouMean("cdua", []string{"cuda"}), ` (did you mean "cuda"?)`; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got := DidYouMean("metal", []string{"cuda"}); got != "" {
		t.Errorf("%q for a name that is not near", got)
	}
}
