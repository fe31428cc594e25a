package op2_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

// devices are the backends that run loops on devices.
var devices = []string{"opencl", "cuda", gputest.Standin}

// onDevice reports whether the runtime's loops run on a device.
func onDevice(rt *op2.Runtime) bool { return slices.Contains(devices, rt.Backend()) }

// heavy skips tests that take minutes, unless they are requested.
func heavy(t testing.TB) {
	t.Helper()
	if os.Getenv("OP2_HEAVY") == "" {
		t.Skip("set OP2_HEAVY=1, or run make heavy")
	}
}

// deviceConfigurations returns the ways in which devices run loops: each strategy and layout.
func deviceConfigurations(t testing.TB) []configuration {
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	var all []configuration
	for _, b := range infos {
		if !slices.Contains(devices, b.Name) {
			continue
		}
		add := func(form string, options ...op2.Option) { all = append(all, configurationOf(b, "/"+form, options...)) }
		add("auto")
		quick := op2.WithCFlags("-O0") // which OpenCL compiles in half the time
		for _, strategy := range []string{"staged", "atomic", "global-color", "gather", "blocks"} {
			add(strategy+"-aos", op2.WithStrategy(strategy), op2.WithLayout("aos"))
			add(strategy+"-soa", op2.WithStrategy(strategy), op2.WithLayout("soa"), quick)
		}
		add("staged-small", op2.WithStrategy("staged"), op2.WithBlockSize(40), quick)
		add("blocks-small", op2.WithStrategy("blocks"), op2.WithBlockSize(7))
		add("deterministic", op2.WithDeterministic(true))
		add("measure", op2.WithStrategy("measure"))
		if b.Name == "opencl" {
			add("packs", op2.WithSIMD("on"))
			add("scalar", op2.WithSIMD("off"))
		}
	}
	return all
}

// quickParts are the parts of the suite that OpenCL's slow compilers run each time. They leave out
// those with many sources.
var quickParts = []string{
	"types", "dims", "arities", "most arguments", "sizes", "repeats", "index", "subsets", "halos", "mass", "several mats", "mat poison", "mat threads",
	"globals", "floats", "consts", "c consts", "names", "chain", "renumber", "cache", "faults", "poison", "two runtimes", "static",
	"closed", "concurrent use", "solvers",
}

// shortParts are those that each strategy runs each time.
var shortParts = []string{"sizes", "halos", "several mats"}

// TestDevices runs a part of the suite in every strategy.
func TestDevices(t *testing.T) {
	forms := []string{"staged-soa", "atomic-soa", "global-color-soa", "gather-soa", "packs"}
	if testing.Short() {
		forms = forms[:1]
	}
	for _, c := range deviceConfigurations(t) {
		if _, form, _ := strings.Cut(c.name, "/"); slices.Contains(forms, form) {
			t.Run(c.name, func(t *testing.T) {
				require(t, c.needs, c.missing)
				conformance(t, c.open, shortParts)
			})
		}
	}
}

// TestHeavyDevices runs the whole suite in every configuration of devices, each in its own process,
// as many at a time as there are processors.
func TestHeavyDevices(t *testing.T) {
	heavy(t)
	for _, c := range deviceConfigurations(t) {
		t.Run(c.name, func(t *testing.T) {
			require(t, c.needs, c.missing)
			t.Parallel()
			suite := exec.Command(os.Args[0], "-test.run=^TestConfiguration$", "-test.timeout=0")
			suite.Env = append(os.Environ(), "OP2_TEST_CONFIGURATION="+c.name, "OP2_TEST_CACHE_DIR="+os.Getenv("OP2_CACHE_DIR"))
			if out, err := suite.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\nOP2_TEST_CONFIGURATION=%s go test -run TestConfiguration . runs it alone", err, out, c.name)
			}
		})
	}
}

// TestConfiguration runs the suite in the configuration that OP2_TEST_CONFIGURATION names.
func TestConfiguration(t *testing.T) {
	name := os.Getenv("OP2_TEST_CONFIGURATION")
	if name == "" {
		t.Skip("OP2_TEST_CONFIGURATION names no configuration, as opencl/staged-soa")
	}
	for _, c := range slices.Concat(deviceConfigurations(t), configurations(t)) {
		if c.name == name {
			require(t, c.needs, c.missing)
			t.Run(name, func(t *testing.T) {
				conformance(t, c.open, nil)
				conformLibrary(t, c.open)
			})
			return
		}
	}
	t.Fatalf("there is no configuration %q", name)
}
