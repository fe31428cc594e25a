// Package mpitest starts tests as MPI jobs: a test starts the test binary again, on several ranks.
//
//	func TestMain(m *testing.M) { mpitest.Main(m) }
//
//	func TestSum(t *testing.T) {
//		if !mpitest.Inside() {
//			mpitest.Run(t, mpitest.OpenMPI, 3, "TestSum")
//			return
//		}
//		// on each of three ranks
//	}
//
// Tests that need an MPI that is missing are skipped, unless OP2_REQUIRE has mpi.
package mpitest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
)

// The kinds of MPI.
const (
	OpenMPI = "openmpi"
	MPICH   = "mpich"
)

// Kinds returns all of them.
func Kinds() []string { return []string{OpenMPI, MPICH} }

// inside is set in the processes that this package starts.
const inside = "OP2_TEST_MPI"

// limit ends a job that hangs: any other ends long before, also on a busy machine.
const limit = 5 * time.Minute

// Inside reports whether the process is a rank of a job that this package has started.
func Inside() bool { return os.Getenv(inside) != "" }

// Main is a TestMain.
func Main(m *testing.M) {
	release := Retain()
	code := m.Run()
	if !release() {
		code = 1
	}
	os.Exit(code)
}

// Retain keeps MPI running between the Comms of a rank that this package has started. The TestMain
// of a package calls it, and at the end of all tests the function it returns, which reports whether
// MPI ends well.
func Retain() (release func() bool) {
	if !Inside() {
		return func() bool { return true }
	}
	end, err := mpi.Retain()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return func() bool {
		err := end()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return err == nil
	}
}

// Run runs a test of the test binary on n ranks, with further arguments, and returns what it has
// written. The test fails if the job does.
func Run(t testing.TB, kind string, n int, test string, arguments ...string) string {
	t.Helper()
	c := Command(t, kind, n, os.Args[0], append([]string{"-test.run=^" + test + "$", "-test.count=1"}, arguments...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s on %d ranks of %s: %v\n%s", test, n, kind, err, out)
	}
	return string(out)
}

// Command returns a command that starts a program on n ranks. A job that hangs is ended, with all ranks,
// and fails the test.
func Command(t testing.TB, kind string, n int, program string, arguments ...string) *exec.Cmd {
	t.Helper()
	launcher := find(t, kind)
	options := []string{"-n", fmt.Sprint(n)}
	if kind == OpenMPI {
		// Ranks that wait let others run, whose messages they wait for.
		options = append(options, "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, launcher, append(append(options, program), arguments...)...)
	c.Env = append(environment(), "TMPDIR="+folder(t))
	c.WaitDelay = limit
	endGroup(c)
	end := c.Cancel
	c.Cancel = func() error {
		t.Errorf("%s hangs: it is ended after %v", c, limit)
		return end()
	}
	return c
}

// folder returns a new folder for temporary files: launchers that start at the same time collide in
// a common one, and the names of their sockets must be short.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mpi")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// environment returns the environment of a process that no launcher has started, and the
// permissions that Open MPI wants of root.
func environment() []string {
	without := append(launch.Variables(), mpi.Variable)
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(without, name) || strings.HasPrefix(name, "OMPI_MCA_orte") || strings.HasPrefix(name, "PMIX_")
	})
	return append(env, inside+"=1", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
}

// find returns the launcher of a kind of MPI, or skips the test.
func find(t testing.TB, kind string) string {
	t.Helper()
	names, says := []string{"mpirun.openmpi", "mpirun"}, "Open MPI"
	if kind == MPICH {
		names, says = []string{"mpirun.mpich", "mpiexec.hydra", "mpirun"}, "HYDRA"
	}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		version := exec.Command(path, "--version")
		version.Env = environment()
		if out, err := version.CombinedOutput(); err == nil && strings.Contains(string(out), says) {
			return path
		}
	}
	missing := fmt.Sprintf("mpi: no launcher of %s: %s", kind, strings.Join(names, ", "))
	if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "mpi") {
		t.Fatalf("mpi is required by OP2_REQUIRE, and missing: %s", missing)
	}
	t.Skip(missing)
	return ""
}
