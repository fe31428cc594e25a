package optest

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/solver"
)

// Opener opens a runtime of the configuration under test, with further options, and closes it when
// the test ends.
type Opener func(t testing.TB, options ...op2.Option) *op2.Runtime

// Open opens a runtime without a log that checks every plan, and fuses in the first call what may be. It closes it when
// the test ends.
func Open(t testing.TB, options ...op2.Option) *op2.Runtime {
	t.Helper()
	rt, err := op2.Open(append([]op2.Option{op2.WithLog(nil)}, options...)...)
	OK(t, err)
	CheckPlans(rt)
	FuseAfter(rt, 0)
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}

// Unoptimized makes compilers quicker, OpenCL's by a quarter, for loops whose code is not the subject: an option before
// those of the test. With OP2_HEAVY it changes nothing.
func Unoptimized() op2.Option {
	if heavy.On() {
		return op2.WithCFlags()
	}
	return op2.WithCFlags("-O0")
}

// OpenBackend opens a runtime with options on a backend, which may be missing here.
func OpenBackend(t testing.TB, name string, options ...op2.Option) *op2.Runtime {
	t.Helper()
	rt, err := op2.Open(append(options, op2.WithBackend(name), op2.WithLog(nil))...)
	if errors.Is(err, op2.ErrUnavailable) {
		Require(t, name, err.Error())
	}
	OK(t, err)
	t.Cleanup(func() { rt.Close() })
	return rt
}

// OpenPETSc opens a runtime for tests that need PETSc; without it they are skipped.
func OpenPETSc(t testing.TB) *op2.Runtime {
	t.Helper()
	rt := Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	t.Cleanup(func() { rt.Close() })
	nodes := NewSet(t, rt, 1, "nodes")
	identity := solver.NewOperator(nodes, 1, func(y, x *op2.Dat[float64]) error { return y.Copy(x) }, nil, "identity")
	system := solver.New(identity, solver.PETSc, solver.None)
	err := system.Err()
	missing := ""
	if errors.Is(err, op2.ErrUnavailable) {
		missing = err.Error()
	} else if err != nil {
		t.Fatalf("%+v", err)
	}
	Require(t, "petsc", missing)
	system.Close()
	return rt
}

// CheckPlans makes a runtime verify every plan and every schedule of a chain, as OP2_DIAGS does, but
// without filling anything with NaN.
func CheckPlans(rt *op2.Runtime) { (*entity.Runtime)(rt).CheckPlans() }

// FuseAfter makes OP2_CHAINS=auto fuse neighbors, and consider tiles, after that many calls of a chain.
func FuseAfter(rt *op2.Runtime, calls int64) { chains.FuseAfter((*entity.Runtime)(rt), calls) }

// SpoilTiles makes f change every schedule of a chain.
func SpoilTiles(rt *op2.Runtime, f func(*tiling.Schedule)) {
	chains.SpoilTiles((*entity.Runtime)(rt), f)
}

// Require skips the test if something is missing, or fails it if OP2_REQUIRE, a comma-separated
// list of names, requires it.
func Require(t testing.TB, name, missing string) {
	t.Helper()
	if missing == "" {
		return
	}
	if Required(name) {
		t.Fatalf("%s is required by OP2_REQUIRE, and missing: %s", name, missing)
	}
	t.Skipf("no %s: %s", name, missing)
}

// NotShort skips a test with -short, which the race detector runs with: of what one goroutine computes, or other
// processes do.
func NotShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short")
	}
}

// Required reports whether OP2_REQUIRE has the name.
func Required(name string) bool {
	return slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), name)
}

// RequireCompiler skips the test if there is no C compiler, or fails it.
func RequireCompiler(t testing.TB) {
	t.Helper()
	for _, b := range Must(op2.Backends()) {
		if b.Name == "sequential" && !b.Available {
			missing := fmt.Sprint(b.Missing)
			Require(t, "cc", missing)
			Require(t, b.Name, missing)
		}
	}
}
