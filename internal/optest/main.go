package optest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/settings"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/translated"
)

// keep is how long the cache of tests keeps what no test has used.
const keep = 7 * 24 * time.Hour

// Main runs a package's tests: its TestMain. The tests have the backends standin and test (FakeDriver),
// none of the settings in the environment but where libraries are, and one cache for all packages and runs, so that
// each source is compiled once: OP2_TEST_CACHE_DIR, or a folder in the user's cache. In a rank that mpitest has
// started, MPI runs until all tests have ended. The garbage collector runs a quarter as often, which saves a tenth
// of the tests' time; with -short, as the race detector runs, it runs as in programs.
func Main(m *testing.M) {
	if flag.Parse(); !testing.Short() && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	registrytest.Add(FakeDriver)
	gputest.Register()
	os.Exit(func() int {
		dir, remove, err := cacheDir()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer remove()
		for _, s := range settings.All {
			if !s.Finds {
				os.Unsetenv(s.Variable)
			}
		}
		os.Setenv("OP2_CACHE_DIR", dir)
		if units := os.Getenv("OP2_TEST_TRANSLATE"); units != "" { // a folder for the generated C, which opens the backend translated
			os.Setenv(unit.Variable, units)
		}
		if err := registerPrograms(os.Getenv("OP2_TEST_PROGRAMS")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
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

// registerPrograms makes programs for devices that tests have left in a folder part of this process, as those of a
// generated package are, without PTX, for which there is no device.
func registerPrograms(dir string) error {
	programs, err := unit.Read(dir)
	for _, p := range programs {
		translated.RegisterPrograms("recorded", translated.Program{Name: p.Name, Device: p.Device, Key: p.Key})
	}
	return err
}

// cacheDir returns the folder of compiled code, and what is to be done with it in the end.
func cacheDir() (dir string, end func(), err error) {
	if dir = os.Getenv("OP2_TEST_CACHE_DIR"); dir != "" {
		return dir, func() {}, nil
	}
	if dir, err = os.UserCacheDir(); err == nil {
		dir = filepath.Join(dir, "op2-tests")
		if err = os.MkdirAll(dir, 0o777); err == nil {
			return dir, func() { _, _, _ = jit.Prune(dir, keep) }, nil
		}
	}
	dir, err = os.MkdirTemp("", "op2-test-")
	return dir, func() { os.RemoveAll(dir) }, err
}
