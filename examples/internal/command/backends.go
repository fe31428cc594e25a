package command

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

// OnEachBackend runs f as a subtest on every backend that works here, and on the stand-in for CUDA.
// Those that OP2_REQUIRE lists must work.
func OnEachBackend(t *testing.T, f func(t *testing.T, rt *op2.Runtime)) {
	for _, name := range []string{"go", "sequential", "openmp", "opencl", gputest.Standin} {
		t.Run(name, func(t *testing.T) {
			if name == "opencl" || name == gputest.Standin {
				gputest.Require(t, name)
			}
			rt, err := op2.Open(op2.WithBackend(name), op2.WithLog(nil))
			if errors.Is(err, op2.ErrUnavailable) && !slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), name) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer rt.Close()
			f(t, rt)
		})
	}
}
