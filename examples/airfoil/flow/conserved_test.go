package flow

import (
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

// The kernels that take structs compute the same, bit for bit where nothing is fused, as those that
// take arrays.
func TestConserved(t *testing.T) {
	exact := op2.WithCFlags("-ffp-contract=off")
	for _, c := range []struct {
		name, backend string
		options       []op2.Option
		off           float64 // of a value
	}{
		{"go", "go", nil, 1e-13}, // some processors fuse
		{"packs", "sequential", []op2.Option{exact, op2.WithSIMD(op2.On)}, 0},
		{"scalar", "sequential", []op2.Option{exact, op2.WithSIMD(op2.Off)}, 0},
		{"openmp", "openmp", []op2.Option{exact, op2.WithThreads(2), op2.WithBlockSize(50)}, 0},
		{"opencl", "opencl", []op2.Option{optest.Unoptimized()}, 1e-13},
		{"staged", "opencl", []op2.Option{op2.WithStrategy(op2.Staged), op2.WithLayout(op2.SoA), optest.Unoptimized()}, 1e-13},
		{"cuda", gputest.Standin, []op2.Option{optest.Unoptimized()}, 1e-13},
		{"cuda staged", gputest.Standin, []op2.Option{op2.WithStrategy(op2.Staged), optest.Unoptimized()}, 1e-13},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.backend == "opencl" || c.backend == gputest.Standin {
				gputest.Require(t, c.backend)
			} else {
				optest.OpenBackend(t, c.backend)
			}
			const iterations = 25
			options := append(c.options, op2.WithBackend(c.backend))
			want, wantRMS := march(t, New, small, iterations, options...)
			got, rms := march(t, NewConserved, small, iterations, options...)
			if d := math.Abs(rms/wantRMS - 1); !(d <= 10*c.off) {
				t.Errorf("rms %.16e, with arrays %.16e: off by %.1e", rms, wantRMS, d)
			}
			for i := range want {
				if d := math.Abs(got[i] - want[i]); !(d <= c.off) {
					t.Fatalf("q[%d] is %.16e, with arrays %.16e: off by %.1e", i, got[i], want[i], d)
				}
			}
		})
	}
}
