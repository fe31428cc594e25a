package main

import (
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/command"
)

func TestMain(m *testing.M) { command.Main(m, main) }

// A cycle divides the residual by four or more, whatever the number of levels, and the solution is (1 - r²)/4.
func TestMultigrid(t *testing.T) {
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		meshes, err := refined(3, 4)
		if err != nil {
			t.Fatal(err)
		}
		fine, err := newLevels(rt, meshes)
		if err != nil {
			t.Fatal(err)
		}
		defer fine.close()
		before, err := fine.norm()
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			if err := fine.cycle(); err != nil {
				t.Fatal(err)
			}
			norm, err := fine.norm()
			if err != nil {
				t.Fatal(err)
			}
			if norm > before/4 {
				t.Errorf("the residual falls from %g to %g", before, norm)
			}
			before = norm
		}
		u, err := fine.u.InDeclaredOrder()
		if err != nil {
			t.Fatal(err)
		}
		largest := 0.0
		for i, v := range u {
			x := meshes[3].Point(int32(i))
			largest = max(largest, math.Abs(v-(1-x[0]*x[0]-x[1]*x[1])/4))
		}
		if largest > 1e-3 {
			t.Errorf("the error is %g", largest)
		}
	})
}

func TestLevels(t *testing.T) {
	if err := run(3, 0, "go"); err == nil || err.Error() != "0 levels: expected at least 1" {
		t.Error(err)
	}
}
