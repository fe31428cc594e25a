package main

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/command"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// The error in L2 of the velocity decreases with the third power of the size of the triangles, that of the pressure with
// the second.
func TestOrders(t *testing.T) {
	var velocity, pressure []float64
	for _, n := range []int{4, 8, 16} {
		rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
		u, p, err := knownErrors(rt, optest.Must(cavity(n)), "")
		if err := errors.Join(err, rt.Close()); err != nil {
			t.Fatal(err)
		}
		velocity, pressure = append(velocity, u), append(pressure, p)
	}
	for i := range len(velocity) - 1 {
		third, second := math.Log2(velocity[i]/velocity[i+1]), math.Log2(pressure[i]/pressure[i+1])
		t.Logf("refinement %d: order %.3f of the velocity, %.3f of the pressure", i+1, third, second)
		if !(math.Abs(third-3) < 0.1) || !(math.Abs(second-2) < 0.15) {
			t.Errorf("refinement %d: order %.3f of the velocity, %.3f of the pressure, want 3 and 2", i+1, third, second)
		}
	}
}

// Every backend, and several ranks, compute the same.
func TestBackends(t *testing.T) {
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		u, p, err := knownErrors(rt, optest.Must(cavity(4)), "")
		if err != nil {
			t.Error(err)
			return
		}
		const wantU, wantP = 0.01199281755, 0.3633960633
		if !(math.Abs(u/wantU-1) < 1e-6) || !(math.Abs(p/wantP-1) < 1e-6) {
			t.Errorf("the errors of velocity and pressure are %.10g and %.10g, want %v and %v", u, p, wantU, wantP)
		}
	})
}

// flowOf computes the flow of a problem, and returns its velocity and what is reported on it.
func flowOf(t *testing.T, name string, n int, mu float64, engine string) (m *mesh.Mesh, u, p []float64, report string) {
	t.Helper()
	viscosity = mu
	defer func() { viscosity = 1 }()
	rt := optest.Must(op2.Open(op2.WithLog(nil)))
	defer rt.Close()
	m = optest.Must(problems[name].mesh(n))
	f := optest.Must(newFlow(rt, m))
	_, err := problems[name].solve(f, engine)
	if errors.Is(err, op2.ErrUnavailable) && !slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), engine) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	u, p = optest.Must(f.u.InDeclaredOrder()), optest.Must(f.p.InDeclaredOrder())
	var out strings.Builder
	optest.OK(t, problems[name].report(io.Writer(&out), f))
	return m, u, p, strings.TrimSpace(out.String())
}

// The eddy in the cavity has its known strength.
// Source: M. Sahin, R. G. Owens, "A novel fully implicit finite volume method applied to the lid-driven cavity problem" (2003).
func TestCavity(t *testing.T) {
	const want = "the eddy around (0.5, 0.766) moves 0.10007"
	_, _, _, report := flowOf(t, "cavity", 32, 1, "")
	if report != want {
		t.Errorf("%q, want %q", report, want)
	}
}

// As slow flows do, that around the cylinder looks the same upstream and downstream. The viscosity multiplies the pressure alone.
func TestChannel(t *testing.T) {
	m, u, p, _ := flowOf(t, "channel", 8, 1, "")
	_, other, thick, _ := flowOf(t, "channel", 8, 2, "")
	places := map[[2]int]int{}
	at := func(x, y float64) [2]int { return [2]int{int(math.Round(x * 1e6)), int(math.Round(y * 1e6))} }
	for n := range m.Nodes() {
		places[at(m.Points[2*n], m.Points[2*n+1])] = n
	}
	mirrored := 0
	for n := range m.Nodes() {
		x, y := m.Points[2*n], m.Points[2*n+1]
		if turned, ok := places[at(-x, -y)]; ok {
			mirrored++
			if off := math.Hypot(u[2*n]-u[2*turned], u[2*n+1]-u[2*turned+1]); !(off < 1e-6) {
				t.Errorf("in (%.3f, %.3f) the velocity is %.6f, turned around %.6f", x, y, u[2*n:2*n+2], u[2*turned:2*turned+2])
			}
		}
		if off := math.Hypot(u[2*n]-other[2*n], u[2*n+1]-other[2*n+1]); !(off < 1e-6) {
			t.Errorf("in (%.3f, %.3f) the velocity of the thicker fluid is %.6f, not %.6f", x, y, other[2*n:2*n+2], u[2*n:2*n+2])
		}
	}
	if mirrored != m.Nodes() {
		t.Errorf("%d of %d nodes have one on the other side", mirrored, m.Nodes())
	}
	drop, thicker := slices.Max(p)-slices.Min(p), slices.Max(thick)-slices.Min(thick)
	if !(math.Abs(thicker/drop-2) < 1e-6) {
		t.Errorf("the pressure drops by %v, that of the thicker fluid by %v", drop, thicker)
	}
}

// The results for ParaView can be read.
func TestVTU(t *testing.T) {
	folder := t.TempDir()
	if err := run(settings{problem: "channel", n: 4, viscosity: 1, folder: folder}); err != nil {
		t.Fatal(err)
	}
	m, err := mesh.ReadFile(filepath.Join(folder, "channel.vtu"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Cells() != 128 || m.Blocks[0].Kind != mesh.Triangle6 {
		t.Errorf("%d cells of kind %s", m.Cells(), m.Blocks[0].Kind)
	}
}

func TestWrong(t *testing.T) {
	for _, test := range []struct {
		s    settings
		want string
	}{
		{settings{problem: "bay", n: 1, viscosity: 1}, "stokes: -problem bay: expected cavity or channel"},
		{settings{problem: "cavity", n: 0, viscosity: 1}, "stokes: -n 0: at least 1 is needed"},
		{settings{problem: "cavity", n: 1}, "stokes: -viscosity 0: a number above 0 is needed"},
	} {
		if err := run(test.s); err == nil || err.Error() != test.want {
			t.Errorf("%v, not %q", err, test.want)
		}
	}
}

// PETSc solves with the same field split, and so in as many iterations.
func TestEngines(t *testing.T) {
	var iterations []int
	for _, engine := range []string{"native", "petsc"} {
		rt := optest.Must(op2.Open(op2.WithBackend("go")))
		defer rt.Close()
		f := optest.Must(newFlow(rt, optest.Must(problems["cavity"].mesh(8))))
		c, err := problems["cavity"].solve(f, engine)
		if errors.Is(err, op2.ErrUnavailable) && !slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), engine) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		iterations = append(iterations, c.Iterations)
	}
	if difference := iterations[0] - iterations[1]; difference < -2 || difference > 2 {
		t.Errorf("native takes %d iterations, PETSc %d", iterations[0], iterations[1])
	}
}
