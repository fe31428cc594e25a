package water

import (
	"errors"
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// The water moves, none is lost, and the number of threads changes no bit.
func TestWater(t *testing.T) {
	const n, steps = 40, 30
	var first []float64
	for _, threads := range []int{1, 3} {
		for _, backend := range []string{"go", "openmp"} {
			rt, err := op2.Open(op2.WithBackend(backend), op2.WithThreads(threads), op2.WithBlockSize(64))
			if errors.Is(err, op2.ErrUnavailable) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer rt.Close()
			w := optest.Must(New(rt, n))
			for range steps {
				if err := w.Step(); err != nil {
					t.Fatal(err)
				}
			}
			q := optest.Must(w.Q())
			volume, moved := 0.0, 0.0
			for c := range 2 * n * n {
				volume += q[3*c] / (2 * n * n)
				moved = max(moved, math.Abs(q[3*c+1]))
			}
			if math.Abs(volume-1.5) > 1e-12 || !(moved > 0.1) {
				t.Errorf("%s: a volume of %v, the largest discharge %v", backend, volume, moved)
			}
			if backend == "openmp" && first == nil {
				first = q
			} else if backend == "openmp" {
				for i := range q {
					if math.Float64bits(q[i]) != math.Float64bits(first[i]) {
						t.Fatalf("q[%d] is %v on %d threads, %v on one", i, q[i], threads, first[i])
					}
				}
			}
		}
	}
}
