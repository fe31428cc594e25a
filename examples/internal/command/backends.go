package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

// OnEachBackend runs f as a subtest on every backend that works here, and on the stand-in for CUDA.
// Those that OP2_REQUIRE lists must work.
func OnEachBackend(t *testing.T, f func(t *testing.T, rt *op2.Runtime)) {
	for _, name := range []string{"go", "sequential", "openmp", "opencl", gputest.Standin} {
		t.Run(name, func(t *testing.T) {
			var options []op2.Option
			if name == "opencl" || name == gputest.Standin {
				gputest.Require(t, name)
			}
			if name != "sequential" { // where the default flags are tested
				options = append(options, optest.Unoptimized())
			}
			rt := open(t, name, options...)
			defer rt.Close()
			f(t, rt)
		})
	}
}

// OnEachBackendAndRanks runs f like OnEachBackend, and on two and on three ranks that are goroutines.
// They share consts, which f must not change.
func OnEachBackendAndRanks(t *testing.T, f func(t *testing.T, rt *op2.Runtime)) {
	OnEachBackend(t, f)
	for _, ranks := range []int{2, 3} {
		t.Run(fmt.Sprint(ranks, " ranks"), func(t *testing.T) { onRanks(t, ranks, "sequential", f) })
	}
}

func onRanks(t *testing.T, ranks int, backend string, f func(t *testing.T, rt *op2.Runtime)) {
	open(t, backend).Close() // skips where it is missing
	err := op2.RunRanks(ranks, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend(backend), op2.WithLog(nil))
		if err != nil {
			return err
		}
		defer rt.Close()
		f(t, rt)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// open opens a runtime, or skips the test where the backend is missing and not required.
func open(t *testing.T, backend string, options ...op2.Option) *op2.Runtime {
	t.Helper()
	rt, err := op2.Open(append(options, op2.WithBackend(backend), op2.WithLog(nil))...)
	if errors.Is(err, op2.ErrUnavailable) && !slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), backend) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rt
}
