package optest

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
	"github.com/go-op2/op2/internal/mpi/mpitest"
)

// Main runs a package's tests: its TestMain. The tests have the backends standin and test (FakeDriver),
// nothing of OP2's in the environment, and one cache, so that each source is compiled once: it is
// OP2_TEST_CACHE_DIR, or is removed with the process. In a rank that mpitest has started, MPI runs
// until all tests have ended.
func Main(m *testing.M) {
	registrytest.Add(FakeDriver)
	gputest.Register()
	os.Exit(func() int {
		dir := os.Getenv("OP2_TEST_CACHE_DIR")
		if dir == "" {
			var err error
			if dir, err = os.MkdirTemp("", "op2-test-"); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer os.RemoveAll(dir)
		}
		os.Setenv("OP2_CACHE_DIR", dir)
		for _, name := range []string{"OP2_BACKEND", "OP2_THREADS", "OP2_CC", "OP2_CFLAGS", "OP2_DIAGS", "OP2_QUIET",
			"OP2_BLOCK_SIZE", "OP2_SCHEDULE", "OP2_SIMD", "OP2_SOLVER", "OP2_STRATEGY", "OP2_DETERMINISTIC", "OP2_REPRODUCIBLE",
			"OP2_LAYOUT", "OP2_MPI", "OP2_MPI_LIBRARY", "OP2_PARTITIONER", "OP2_RANK_WEIGHT", "OP2_OPENCL_DEVICE", "OP2_CUDA_DEVICE", "OMP_NUM_THREADS"} {
			os.Unsetenv(name)
		}
		if os.Getenv(gputest.SourcesFolder) == "" { // otherwise it is that of the process which started this one
			sources, err := os.MkdirTemp("", "op2-test-sources-")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer os.RemoveAll(sources)
			os.Setenv(gputest.SourcesFolder, sources)
		}
		release := mpitest.Retain()
		code := m.Run()
		if !release() {
			return 1
		}
		return code
	}())
}
