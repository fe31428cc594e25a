package main

import (
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/command"
	"github.com/go-op2/op2/internal/optest"
)

func TestMain(m *testing.M) { command.Main(m, main) }

func TestCommand(t *testing.T) {
	command.Test(t, "-n", "4", "-layers", "3", "-steps", "10")
}

func TestCommandOnRanks(t *testing.T) {
	command.TestRanks(t, "-n", "4", "-layers", "3", "-steps", "10")
}

// The mode decays as it should, the more exactly the finer the mesh, and the heat remains.
func TestModeDecays(t *testing.T) {
	optest.NotShort(t)
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		o := optest.Must(newOcean(rt, 8, 12))
		r := optest.Must(o.run(40))
		if !(r.wrong < 0.05) || !(math.Abs(r.heat-r.before) < 1e-11) || !(math.Abs(r.bottom-1) < 1e-2) || !(math.Abs(r.top-1) < 1e-2) {
			t.Errorf("%+v", r)
		}
	})
}

func TestErrorFalls(t *testing.T) {
	var wrong []float64
	for _, n := range []int{4, 8} {
		rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
		defer rt.Close()
		r := optest.Must(optest.Must(newOcean(rt, n, n)).run(n * n)) // to one time
		wrong = append(wrong, r.wrong)
	}
	if !(wrong[1] < wrong[0]/3) {
		t.Errorf("errors %v: the second should be a quarter of the first", wrong)
	}
}
