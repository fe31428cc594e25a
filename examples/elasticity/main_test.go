package main

import (
	"errors"
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

// The end of a cantilever moves as Timoshenko's theory says, within 1 %.
func TestCantilever(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithLog(nil)))
	defer rt.Close()
	_, _, deflection, theory, err := bend(rt, optest.Must(cantilever(3)), false)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(deflection/theory-1) < 0.01) {
		t.Errorf("deflection %v, Timoshenko %v", deflection, theory)
	}
}

// The stress is that of Kirsch's solution, within 3 % of the largest, in all nodes, and 1 % at the hole.
// The planes of symmetry keep their place.
func TestPlate(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithLog(nil)))
	defer rt.Close()
	m := optest.Must(plate(3))
	b, _, largest, err := pierce(rt, m, false)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(largest/3-1) < 0.01) {
		t.Errorf("the largest stress at the hole is %v, want 3", largest)
	}
	u, stress := optest.Must(b.u.DataRO()), optest.Must(b.stress.DataRO())
	for n := range m.Nodes() {
		p, s := m.Point(int32(n)), stress[6*n:]
		xx, yy, xy := kirsch(p[0], p[1])
		if off := max(math.Abs(s[0]-xx), math.Abs(s[1]-yy), math.Abs(s[3]-xy)); !(off < 0.09) {
			t.Errorf("in %.3v the stress is %.3v, want %.3v, %.3v, %.3v", p, s[:4], xx, yy, xy)
		}
	}
	for part, component := range map[string]int{"front": 1, "back": 0, "bottom": 2, "top": 2} {
		for _, n := range optest.Must(m.GroupNodes(part)) {
			if move := u[3*int(n)+component]; !(math.Abs(move) < 1e-12) {
				t.Errorf("%s: node %d moves by %v", part, n, move)
			}
		}
	}
}

// Every backend computes the same.
func TestBackends(t *testing.T) {
	const want = 2.955832684204
	command.OnEachBackend(t, func(t *testing.T, rt *op2.Runtime) {
		_, _, largest, err := pierce(rt, optest.Must(plate(1)), false)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(largest/want-1) < 1e-9) {
			t.Errorf("the largest stress at the hole is %.12f, want %.12f", largest, want)
		}
	})
}

// PETSc's multigrid finds the same displacement in few iterations.
func TestMultigrid(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithLog(nil)))
	defer rt.Close()
	_, c, deflection, theory, err := bend(rt, optest.Must(cantilever(3)), true)
	if errors.Is(err, op2.ErrUnavailable) && !slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "petsc") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(deflection/theory-1) < 0.01) || c.Iterations > 60 {
		t.Errorf("deflection %v, Timoshenko %v, %d iterations", deflection, theory, c.Iterations)
	}
}

// The results for ParaView can be read.
func TestVTU(t *testing.T) {
	folder := t.TempDir()
	if err := run(settings{n: 1, solver: "native", folder: folder}); err != nil {
		t.Fatal(err)
	}
	for name, cells := range map[string]int{"cantilever.vtu": 60, "plate.vtu": 96} {
		m, err := mesh.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if m.Cells() != cells {
			t.Errorf("%s has %d cells, want %d", name, m.Cells(), cells)
		}
	}
}

func TestWrong(t *testing.T) {
	for _, test := range []struct {
		s    settings
		want string
	}{
		{settings{n: 1, solver: "lu"}, "elasticity: -solver lu: expected native or gamg"},
		{settings{n: 0, solver: "native"}, "elasticity: -n 0: at least 1 is needed"},
	} {
		if err := run(test.s); err == nil || err.Error() != test.want {
			t.Errorf("%v, not %q", err, test.want)
		}
	}
}
