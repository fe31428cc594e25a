package registry_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/registry"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
)

// listed returns the drivers' names, each with the summary if it is that of a test.
func listed(drivers []backend.Driver) string {
	var names []string
	for _, d := range drivers {
		if strings.HasPrefix(d.Summary, "of a test") {
			d.Name += " " + d.Summary
		}
		names = append(names, d.Name)
	}
	return strings.Join(names, ", ")
}

func TestAdd(t *testing.T) {
	expect := func(want string) {
		t.Helper()
		if got := listed(registry.Drivers()); got != want {
			t.Errorf("the registry holds %s, want %s", got, want)
		}
	}
	expect("go, sequential, openmp, translated, opencl, cuda")
	registrytest.Add(backend.Driver{Name: "opencl", Summary: "of a test"})
	registrytest.Add(backend.Driver{Name: "another", Summary: "of a test"})
	expect("go, sequential, openmp, translated, opencl of a test, cuda, another of a test")
	registrytest.Add(backend.Driver{Name: "another", Summary: "of a test, again"})
	expect("go, sequential, openmp, translated, opencl of a test, cuda, another of a test, again")
	registrytest.Remove("opencl")
	expect("go, sequential, openmp, translated, opencl, cuda, another of a test, again")
	registrytest.Remove("another")
	expect("go, sequential, openmp, translated, opencl, cuda")
}

// Programs contain no package for tests, so that nobody can open the backends of tests.
func TestProgramsWithoutTests(t *testing.T) {
	const module = "github.com/go-op2/op2/"
	out, err := exec.Command("go", "list", "-deps", module+"cmd/op2", module+"examples/airfoil").Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := strings.Fields(string(out))
	if !slices.Contains(imports, module+"internal/backend/registry") {
		t.Fatalf("no registry in %s", imports)
	}
	for _, p := range imports {
		if p == "testing" || strings.HasPrefix(p, module) && (strings.HasSuffix(p, "test") || strings.HasSuffix(p, "/standin")) {
			t.Errorf("programs contain %s", p)
		}
	}
}
