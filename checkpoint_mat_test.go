package op2_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
)

// assembler is a program that assembles matrices in some steps and multiplies by them in all: a square one of blocks of 2
// by 2, which is assembled anew now and then, and another of blocks of 2 by 1, which is added to in each step.
type assembler struct {
	cells  int
	folder string
	stop   int // the step that it ends before; -1: none
	from   int // the step that it must go on from, or the one before
}

func (a assembler) run(rt *op2.Runtime, renumber bool) (q []float64, err error) {
	r := rand.New(rand.NewPCG(uint64(a.cells), 3))
	n := a.cells/2 + 1
	corners, sides, weights := make([]int32, 3*a.cells), make([]int32, 2*a.cells), make([]float64, a.cells)
	for i := range corners {
		corners[i] = int32(r.IntN(n))
	}
	for i := range sides {
		sides[i] = int32(r.IntN(n))
	}
	for i := range weights {
		weights[i] = r.Float64() / 1000
	}
	cells, nodes, edges := rt.NewSet(a.cells, "cells"), rt.NewSet(n, "nodes"), rt.NewSet(n, "edges")
	cell2node, cell2edge := op2.NewMap(cells, nodes, 3, corners, "cell2node"), op2.NewMap(cells, edges, 2, sides, "cell2edge")
	w := op2.NewDat(cells, 1, weights, "w")
	x, y, e := op2.NewDat[float64](nodes, 2, nil, "x"), op2.NewDat[float64](nodes, 2, nil, "y"), op2.NewDat[float64](edges, 1, nil, "e")
	if renumber {
		if err := rt.Renumber(); err != nil {
			return nil, err
		}
	}
	k := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: cell2node, Cols: cell2node}}, 2, 2, "square"), "k")
	l := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: cell2node, Cols: cell2edge}}, 2, 1, "other"), "l")
	kernels := op2.Kernels(checkpointSource)
	assembleK := op2.NewLoop(kernels.Func(weighs), cells, k.Inc(cell2node, cell2node), w.Read())
	assembleL := op2.NewLoop(kernels.Func(weighsOther), cells, l.Inc(cell2node, cell2edge), w.Read())
	step := 0
	if err := errors.Join(rt.Err(), x.Fill(1), e.Fill(1), rt.Keep("step", &step), assembleK.Compute()); err != nil {
		return nil, err
	}
	for first := true; step < 9; step, first = step+1, false {
		if err := rt.Checkpoint(a.folder); err != nil {
			return nil, err
		}
		if first && (step > a.from || step < a.from-1) { // the last checkpoint may not have been complete
			return nil, errors.New("goes on from another step")
		}
		if step == a.stop {
			return nil, errStopped
		}
		if step%3 == 2 {
			if err := errors.Join(k.Zero(), assembleK.Compute()); err != nil {
				return nil, err
			}
		}
		if err := errors.Join(assembleL.Compute(), w.Scale(1.25), k.Mul(y, x), x.AXPY(0.1, y), l.Mul(y, e), x.AXPY(-0.1, y), e.Scale(1.125)); err != nil {
			return nil, err
		}
	}
	return x.InDeclaredOrder()
}

func (a assembler) on(ranks int, renumber bool, options ...op2.Option) (q []float64, err error) {
	return valuesOnRanks(ranks, func(rt *op2.Runtime) ([]float64, error) { return a.run(rt, renumber) }, options...)
}

// valuesOnRanks returns the values that a run has in declared order, which are the same on all ranks.
func valuesOnRanks(ranks int, run func(rt *op2.Runtime) ([]float64, error), options ...op2.Option) (values []float64, err error) {
	var mu sync.Mutex
	err = optest.OnRanks(ranks, func(rt *op2.Runtime) error {
		own, err := run(rt)
		mu.Lock()
		defer mu.Unlock()
		values = own
		return err
	}, append([]op2.Option{op2.WithLog(nil)}, options...)...)
	return values, err
}

// Runs go on with the matrices that others have assembled, on another number of ranks, with another order and backend, to
// the same bits.
func TestRestartOfMatrices(t *testing.T) {
	for _, cells := range []int{0, 1, 40} {
		want, err := assembler{cells: cells, stop: -1}.on(1, false, op2.WithBackend("go"), op2.WithSameBits(true))
		optest.OK(t, err)
		a := assembler{cells: cells, folder: filepath.Join(t.TempDir(), "run.chk")}
		for _, run := range []struct {
			ranks, stop int
			renumber    bool
			options     []op2.Option
		}{
			{1, 2, false, []op2.Option{op2.WithBackend("go")}},
			{3, 4, false, []op2.Option{op2.WithBackend("go")}}, // k has been assembled anew
			{2, 5, true, []op2.Option{op2.WithBackend("sequential")}},
			{1, 7, true, []op2.Option{op2.WithBackend("openmp"), op2.WithLazy(true)}},
			{4, -1, false, []op2.Option{op2.WithBackend("go"), op2.WithHaloDepth(2)}},
		} {
			options := append(run.options, op2.WithSameBits(true))
			if a.from > 0 {
				options = append(options, op2.WithRestart(a.folder))
			}
			a.stop = run.stop
			got, err := a.on(run.ranks, run.renumber, options...)
			if a.stop >= 0 {
				if err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
					t.Fatalf("%d cells, up to step %d: %v", cells, a.stop, err)
				}
				a.from = a.stop
				continue
			}
			if optest.OK(t, err); !slices.Equal(got, want) {
				t.Errorf("%d cells: x is %v, want %v", cells, got, want)
			}
		}
	}
}

// Devices save matrices, and go on with those of others.
func TestRestartOfMatricesOnDevices(t *testing.T) {
	want, err := assembler{cells: 30, stop: -1}.on(1, false, op2.WithBackend("go"))
	optest.OK(t, err)
	for _, name := range deviceBackends {
		t.Run(name, func(t *testing.T) {
			watch(t, name, standin.Limits{})
			a := assembler{cells: 30, folder: filepath.Join(t.TempDir(), "run.chk"), stop: 4}
			if _, err := a.on(1, false, op2.WithBackend(name)); err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
				t.Fatal(err)
			}
			a.from, a.stop = 4, 7
			if _, err := a.on(2, false, op2.WithBackend("go"), op2.WithRestart(a.folder)); err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
				t.Fatal(err)
			}
			a.from, a.stop = 7, -1
			got, err := a.on(1, false, op2.WithBackend(name), op2.WithRestart(a.folder))
			optest.OK(t, err)
			for i := range want {
				optest.Near(t, got[i], want[i], 1e-12)
			}
		})
	}
}
