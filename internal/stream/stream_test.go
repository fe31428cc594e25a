package stream

import "testing"

func TestTriad(t *testing.T) {
	a, b, c := make([]float64, 75), make([]float64, 75), make([]float64, 75)
	for i := range b {
		b[i], c[i] = float64(i), float64(2*i)
	}
	triad(a, b, c)
	for i := range a {
		if a[i] != float64(7*i) {
			t.Fatalf("a[%d] is %v", i, a[i])
		}
	}
	// No machine of today is outside of this.
	if got := Triad(3<<20, 2); got < 0.05 || got > 1e5 {
		t.Errorf("%v GB/s", got)
	}
}
