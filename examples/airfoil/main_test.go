package main

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// small returns the settings of a quick run that draws into a temporary folder.
func small(t *testing.T) settings {
	return settings{i: 10, j: 8, iterations: 20, field: "mach", output: filepath.Join(t.TempDir(), "a.png")}
}

func TestRunDraws(t *testing.T) {
	for _, field := range []string{"mach", "pressure"} {
		s := small(t)
		s.field, s.structs = field, field == "pressure"
		if err := run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(s.output)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if p, err := png.Decode(f); err != nil || p.Bounds().Dx() < 1000 {
			t.Errorf("the picture: %v", err)
		}
	}
}

// The residuals have a heading, and the last one is always among them.
func Example_iterate() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	f := optest.Must(flow.New(rt, optest.Must(mesh.NACA0012(10, 8)), flow.AsGiven))
	optest.Must(iterate(context.Background(), rt, f, 120))
	// Output:
	// iteration          rms
	//       100  1.59421e-05
	//       120  8.72263e-06
}

func TestMeshFile(t *testing.T) {
	s := small(t)
	s.mesh = filepath.Join(t.TempDir(), "grid.dat")
	if err := optest.Must(mesh.NACA0012(6, 5)).WriteFile(s.mesh); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// An interrupted run stops between iterations and still draws what there is.
func TestInterrupted(t *testing.T) {
	for _, backend := range []string{"go", "opencl"} {
		t.Run(backend, func(t *testing.T) {
			if backend == "opencl" {
				gputest.Require(t, backend)
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			s := small(t)
			s.backend = backend
			if err := run(ctx, s); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(s.output); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWrongSettings(t *testing.T) {
	for _, c := range []struct {
		change func(*settings)
		want   string
	}{
		{func(s *settings) { s.field = "color" }, "airfoil: -field color: expected mach or pressure"},
		{func(s *settings) { s.iterations = -1 }, "airfoil: -iterations must not be negative"},
		{func(s *settings) { s.backend = "metal" }, `op2: there is no backend "metal"`},
		{func(s *settings) { s.mesh = "/no/such/file.dat" }, "open /no/such/file.dat: no such file or directory"},
		{func(s *settings) { s.i = 0 }, "mesh: "},
		{func(s *settings) { s.output = "/dev/null/a.png" }, "plot: "},
	} {
		s := small(t)
		c.change(&s)
		if err := run(t.Context(), s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}
