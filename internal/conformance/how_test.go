package conformance

import (
	"errors"
	"regexp"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// Stats say how a loop ran: on packs or why not, on how many threads, and whether it had to be
// compiled.
func TestHow(t *testing.T) {
	for _, c := range []struct {
		backend, how, code string
		options            []op2.Option
	}{
		{"sequential", "packs of [248]", "compiled|found", []op2.Option{op2.WithSIMD(op2.On)}},
		{"sequential", `scalar \(SIMD is off\)`, "compiled|found", []op2.Option{op2.WithSIMD(op2.Off)}},
		{"openmp", "packs of [248], 2 threads, 5 blocks", "compiled|found", []op2.Option{op2.WithSIMD(op2.On), op2.WithThreads(2), op2.WithBlockSize(8)}},
		{"go", "Go functions, 2 goroutines, 5 blocks", "", []op2.Option{op2.WithThreads(2), op2.WithBlockSize(8)}},
	} {
		t.Run(c.backend+" "+c.how, func(t *testing.T) {
			rt, err := op2.Open(append(c.options, op2.WithBackend(c.backend), op2.WithCFlags("-O1"))...)
			if errors.Is(err, op2.ErrUnavailable) {
				optest.Require(t, c.backend, err.Error())
			}
			optest.OK(t, err)
			defer rt.Close()
			op2.NewConst(rt, "packScale", &packScale)
			set := optest.NewSet(t, rt, 37, "elements")
			x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
			optest.Run(t, op2.Kernels(packsSource).Func(scaled), set, x.Read(), y.Write())
			stats := rt.Stats()[0]
			if !regexp.MustCompile("^("+c.how+")$").MatchString(stats.How) || !regexp.MustCompile("^("+c.code+")$").MatchString(stats.Code) {
				t.Errorf("the loop ran %q, its code was %q; want %s, %s", stats.How, stats.Code, c.how, c.code)
			}
		})
	}
}
