package op2_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

// onDevice reports whether the runtime's loops run on a device.
func onDevice(rt *op2.Runtime) bool {
	return slices.Contains([]string{"opencl", "cuda", gputest.Standin}, rt.Backend())
}

// heavy skips what takes minutes, unless it is asked for.
func heavy(t testing.TB) {
	t.Helper()
	if os.Getenv("OP2_HEAVY") == "" {
		t.Skip("set OP2_HEAVY=1, or run make heavy")
	}
}

// deviceConfigurations are the ways in which the devices run loops that a machine without
// a GPU has: in every strategy and layout.
func deviceConfigurations(t testing.TB) []configuration {
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	var all []configuration
	for _, b := range infos {
		if b.Name != "opencl" && b.Name != gputest.Standin {
			continue
		}
		missing := ""
		if !b.Available {
			missing = fmt.Sprint(b.Missing)
		}
		add := func(form string, options ...op2.Option) {
			all = append(all, configuration{
				name: b.Name + "/" + form, needs: b.Name, missing: missing,
				options: append([]op2.Option{op2.WithBackend(b.Name)}, options...),
			})
		}
		add("auto")
		for _, strategy := range []string{"staged", "atomic", "global-colour", "gather", "blocks"} {
			for _, layout := range []string{"aos", "soa"} {
				add(strategy+"-"+layout, op2.WithStrategy(strategy), op2.WithLayout(layout))
			}
		}
		add("staged-small", op2.WithStrategy("staged"), op2.WithBlockSize(40))
		add("blocks-small", op2.WithStrategy("blocks"), op2.WithBlockSize(7))
		add("deterministic", op2.WithDeterministic(true))
		add("measure", op2.WithStrategy("measure"))
	}
	return all
}

// TestDevices runs a part of the suite in every strategy, in the layout that is not the
// device's own choice.
func TestDevices(t *testing.T) {
	parts := []string{"sizes", "several mats", "globals"}
	if testing.Short() {
		parts = parts[1:2]
	}
	for _, c := range deviceConfigurations(t) {
		switch layout := map[string]string{"opencl": "soa", gputest.Standin: "aos"}[c.needs]; {
		case c.name == gputest.Standin+"/auto":
		case !regexp.MustCompile("-" + layout + "$").MatchString(c.name):
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			require(t, c.needs, c.missing)
			conformanceOf(t, c.open, parts)
		})
	}
}

// TestHeavyDevices runs the whole suite in every configuration of devices, each in a process
// of its own, as many at once as there are processors.
func TestHeavyDevices(t *testing.T) {
	heavy(t)
	for _, c := range deviceConfigurations(t) {
		t.Run(c.name, func(t *testing.T) {
			require(t, c.needs, c.missing)
			t.Parallel()
			suite := exec.Command(os.Args[0], "-test.run=^TestConfiguration$", "-test.timeout=0")
			suite.Env = append(os.Environ(), "OP2_TEST_CONFIGURATION="+c.name)
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
	for _, c := range slices.Concat(configurations(t), deviceConfigurations(t)) {
		if c.name == name {
			require(t, c.needs, c.missing)
			conformance(t, c.open)
			return
		}
	}
	t.Fatalf("there is no configuration %q", name)
}
