package op2_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// solving is a program that solves a system in each step.
type solving struct {
	assembles int            // the matrix is assembled in each step that is a multiple of it
	reuses    func(int) bool // says whether the preconditioner is kept in a step
	places    int            // Checkpoint is called in the steps that are multiples of it
	folder    string
	stop      int // the step that it ends before; -1: none
}

func (s solving) on(ranks int, options ...op2.Option) (u []float64, err error) {
	return valuesOnRanks(ranks, s.run, options...)
}

func (s solving) run(rt *op2.Runtime) (_ []float64, err error) {
	const n = 200
	r := rand.New(rand.NewPCG(1, 7))
	ends, weights := make([]int32, 2*n), make([]float64, n)
	for i, at := range r.Perm(n) {
		ends[2*at], ends[2*at+1] = int32(i), int32((i+1)%n)
		weights[i] = r.Float64() / 10
	}
	nodes, edges := rt.NewSet(n, "nodes"), rt.NewSet(n, "edges")
	edge2node := op2.NewMap(edges, nodes, 2, ends, "edge2node")
	w := op2.NewDat(edges, 1, weights, "w")
	x, b := op2.NewDat[float64](nodes, 1, nil, "x"), op2.NewDat[float64](nodes, 1, nil, "b")
	k := op2.NewMat[float64](op2.NewSquareSparsity(edge2node, 1, "pattern"), "k")
	fixed := op2.NewDirichlet(op2.Fix(op2.NewSubset(nodes, []int{0, n / 2}, "two"), 1.0))
	assembly := op2.NewLoop(op2.Kernels(checkpointSource).Func(scaledCouples), edges, k.Inc(edge2node, edge2node), w.Read())
	system := solver.New(k, solver.CG, solver.BJacobi, solver.WithInitialGuess(true), solver.WithRTol(1e-8))
	step := 0
	if err := errors.Join(rt.Err(), rt.Keep("step", &step)); err != nil {
		return nil, err
	}
	for ; step < 12; step++ {
		if step%s.places == 0 {
			if err := rt.Checkpoint(s.folder); err != nil {
				return nil, err
			}
		}
		if step == s.stop {
			return nil, errStopped
		}
		if step%s.assembles == 0 {
			err = errors.Join(k.Zero(), w.Scale(1.5), assembly.Compute(), fixed.Apply(k, nil))
		}
		system.ReusePreconditioner(s.reuses(step))
		err = errors.Join(err, b.Fill(float64(1+step)), fixed.ApplyRHS(k, b))
		if err != nil {
			return nil, err
		}
		if _, err := system.Solve(x, b); err != nil {
			return nil, err
		}
	}
	return x.InDeclaredOrder()
}

// Solvers make anew what they hold, with the same bits, but for preconditioners of matrices that there are no longer.
func TestRestartWithSolvers(t *testing.T) {
	never, always := func(int) bool { return false }, func(int) bool { return true }
	for _, test := range []struct {
		name string
		s    solving
		stop int
		same bool
	}{
		{"a matrix of each step", solving{assembles: 1, reuses: never, places: 1}, 7, true},
		{"a matrix of some steps", solving{assembles: 5, reuses: never, places: 1}, 7, true},
		{"the preconditioner of the same matrix", solving{assembles: 5, reuses: func(step int) bool { return step%5 != 0 }, places: 1}, 7, true},
		{"the preconditioner of another matrix", solving{assembles: 1, reuses: always, places: 1}, 7, false},
		{"places where it is made anew", solving{assembles: 1, reuses: func(step int) bool { return step%4 != 0 }, places: 4}, 8, true},
	} {
		for _, ranks := range []int{1, 3} {
			s := test.s
			s.stop = -1
			want, err := s.on(ranks)
			optest.OK(t, err)
			s.folder, s.stop = filepath.Join(t.TempDir(), "run.chk"), test.stop
			if _, err := s.on(ranks); err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
				t.Fatalf("%s: %v", test.name, err)
			}
			s.stop = -1
			got, err := s.on(ranks, op2.WithRestart(s.folder))
			optest.OK(t, err)
			if slices.Equal(got, want) != test.same {
				t.Errorf("%s, %d ranks: the same bits: %v", test.name, ranks, !test.same)
			}
			for i := range want {
				optest.Near(t, got[i], want[i], 1e-6)
			}
		}
	}
}
