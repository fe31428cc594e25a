package conformance

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

func TestMain(m *testing.M) { optest.Main(m) }

// With -short, as the race detector runs, only configurations with threads are tested.
func TestConformance(t *testing.T) {
	for _, c := range Configs(t) {
		if testing.Short() && !slices.Contains([]string{"go/2", "go/8", "openmp"}, c.Name) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			c.Require(t)
			t.Parallel()
			Run(t, c)
		})
	}
}

// TestLibrary runs the library's own loops on each host backend.
func TestLibrary(t *testing.T) {
	for _, c := range Configs(t) {
		switch c.Name {
		case "go/2", "sequential", "openmp":
			t.Run(c.Needs, func(t *testing.T) {
				c.Require(t)
				t.Parallel()
				RunLibrary(t, c)
			})
		}
	}
}

// shortParts are those that each strategy runs each time on the stand-in for CUDA. Of them OpenCL, whose text is much the
// same, runs all in one strategy, and in the others those in which strategies differ most.
var (
	shortParts    = []string{"sizes", "values", "reduce", "halos", "mixed", "mixed records", "several mats"}
	strategyParts = []string{"sizes", "inc", "halos", "several mats"}
)

// TestDevices runs a part of the suite in every strategy.
func TestDevices(t *testing.T) {
	forms := []string{"staged-soa", "in-place-soa", "atomic-soa", "global-color-soa", "gather-soa", "scratchpad-aos", "packs"}
	if testing.Short() {
		forms = forms[:1]
	}
	for _, c := range DeviceConfigs(t) {
		if _, form, _ := strings.Cut(c.Name, "/"); slices.Contains(forms, form) {
			c.Parts = shortParts
			if c.Needs == "opencl" && form != forms[0] {
				c.Parts = strategyParts
			}
			t.Run(c.Name, func(t *testing.T) { Run(t, c) })
		}
	}
}

// TestHeavyDevices runs the whole suite in every configuration of devices, each in its own process,
// as many at a time as there are processors.
func TestHeavyDevices(t *testing.T) {
	heavy.Tests(t)
	for _, c := range DeviceConfigs(t) {
		t.Run(c.Name, func(t *testing.T) {
			c.Require(t)
			t.Parallel()
			if out, err := suite(os.Args[0], c.Name, "OP2_TEST_CACHE_DIR="+os.Getenv("OP2_CACHE_DIR")).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\nOP2_TEST_CONFIGURATION=%s go test -run TestConfiguration ./internal/conformance runs it alone", err, out, c.Name)
			}
		})
	}
}

// suite returns the command that runs the suite of a binary in a configuration.
func suite(binary, configuration string, env ...string) *exec.Cmd {
	cmd := exec.Command(binary, "-test.run=^TestConfiguration$", "-test.timeout=0")
	cmd.Env = append(append(os.Environ(), "OP2_TEST_CONFIGURATION="+configuration), env...)
	return cmd
}

// TestConfiguration runs the suite in the configuration that OP2_TEST_CONFIGURATION names.
func TestConfiguration(t *testing.T) {
	name := os.Getenv("OP2_TEST_CONFIGURATION")
	if name == "" {
		t.Skip("OP2_TEST_CONFIGURATION names no configuration, as opencl/staged-soa")
	}
	for _, c := range slices.Concat(DeviceConfigs(t), Configs(t)) {
		if c.Name == name {
			c.Parts = nil
			t.Run(name, func(t *testing.T) {
				Run(t, c)
				RunLibrary(t, c)
			})
			return
		}
	}
	t.Fatalf("there is no configuration %q", name)
}
