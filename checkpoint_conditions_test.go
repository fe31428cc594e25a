package op2_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
)

// fixed is a program that carries matrices with conditions from step to step, a square one and a mixed one, and right-hand
// sides that it assembles anew in some steps only. Values of conditions, and the diagonal, change once.
type fixed struct {
	cells  int
	folder string
	from   int     // the step that it must go on from
	stop   int     // the step that it ends before; -1: none
	other  bool    // conditions are on other elements
	names  string  // how the conditions of k differ: "fewer", "more", others "added", or others that are "temporary"
	scale  float64 // the first diagonal of k; 0: the usual one
}

const fixedSteps = 10

func (p fixed) run(rt *op2.Runtime, renumber bool) (x []float64, err error) {
	r := rand.New(rand.NewPCG(uint64(p.cells), 5))
	n := p.cells/2 + 4
	corners, sides, weights := make([]int32, 3*p.cells), make([]int32, 2*p.cells), make([]float64, p.cells)
	for i := range corners {
		corners[i] = int32(r.IntN(n))
	}
	for i := range sides {
		sides[i] = int32(r.IntN(n))
	}
	for i := range weights {
		weights[i] = r.Float64() / 1000
	}
	cells, nodes, edges := rt.NewSet(p.cells, "cells"), rt.NewSet(n, "nodes"), rt.NewSet(n, "edges")
	cell2node, cell2edge := op2.NewMap(cells, nodes, 3, corners, "cell2node"), op2.NewMap(cells, edges, 2, sides, "cell2edge")
	w := op2.NewDat(cells, 1, weights, "w")
	vector := func(name string) []*op2.Dat[float64] {
		list := []*op2.Dat[float64]{op2.NewDat[float64](nodes, 2, nil, name), op2.NewDat[float64](nodes, 2, nil, name+" on nodes"), op2.NewDat[float64](edges, 1, nil, name+" on edges")}
		for i, d := range list {
			err = errors.Join(err, d.Fill(1/float64(2+i)))
		}
		return list
	}
	xs, ys, bs, sources, profile := vector("x"), vector("y"), vector("b"), vector("source"), op2.NewDat[float64](nodes, 2, nil, "profile")
	rest := op2.NewDat[float64](nodes, 2, nil, "rest")
	lower, upper := op2.NewSubset(nodes, []int{0, n - 1}, "lower"), op2.NewSubset(nodes, []int{1, n / 2}, "upper")
	if p.other {
		lower = op2.NewSubset(nodes, []int{3, n - 1}, "lower")
	}
	some := op2.NewSubset(edges, []int{0, n / 2}, "some")
	if renumber {
		if err := rt.Renumber(); err != nil {
			return nil, err
		}
	}
	k := op2.NewMat[float64](op2.NewSquareSparsity(cell2node, 2, "square"), "k")
	both := op2.NewMixedMap([]*op2.Map{cell2node, cell2edge}, "both")
	m := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: both, Cols: both}}, []int{2, 1}, []int{2, 1}, "mixed"), "m")
	mixed := func(of []*op2.Dat[float64], name string) *op2.MixedDat[float64] { return op2.NewMixedDat(of[1:], name) }
	x2, y2, b2, source2 := mixed(xs, "x2"), mixed(ys, "y2"), mixed(bs, "b2"), mixed(sources, "source2")
	left := op2.Fix(lower, 0.5)
	more := op2.Fix(op2.NewSubset(nodes, []int{2}, "more"), 1.0)
	ofK := []*op2.Condition[float64]{left.Components(0), op2.FixTo(upper, profile)}
	switch p.names {
	case "fewer":
		ofK = ofK[:1]
	case "more":
		ofK = append(ofK, more)
	case "added":
		op2.NewDirichlet(more)
	}
	one, two := op2.NewDirichlet(ofK...), op2.NewDirichlet(op2.Fix(lower, 0.25), op2.Fix(some, 2.0))
	if p.scale != 0 {
		err = errors.Join(err, one.SetDiagonal(p.scale))
	}
	alone := op2.Fix(lower, 0.75).Components(1)
	third := op2.NewDirichlet(alone)
	kernels := op2.Kernels(checkpointSource)
	assembleK := op2.NewLoop(kernels.Func(weighs), cells, k.Inc(cell2node, cell2node), w.Read())
	assembleM := op2.NewLoop(kernels.Func(weighsAll), cells, m.Inc(both, both), w.Read())
	assemble := func() error {
		return errors.Join(k.Zero(), m.Zero(), assembleK.Compute(), assembleM.Compute(), one.Apply(k, nil), third.Apply(k, nil), two.Apply(m, nil))
	}
	step := 0
	if err := errors.Join(err, rt.Err(), rt.Keep("step", &step), assemble()); err != nil {
		return nil, err
	}
	if p.names == "temporary" {
		if err := op2.NewDirichlet(more).Apply(k, nil); err != nil {
			return nil, err
		}
		if p.from > 0 { // the first run has them still
			runtime.GC()
		}
	}
	for first := true; step < fixedSteps; step, first = step+1, false {
		if err := rt.Checkpoint(p.folder); err != nil {
			return nil, err
		}
		if first && step != p.from {
			return nil, fmt.Errorf("goes on from step %d", step)
		}
		if step%3 == 1 && rt.Ranks() > 1 { // with values beside matrices
			optest.Load(rt, func(rank int) float64 { return float64(1 + 9*((rank+step)%2)) })
			if _, err := rt.Rebalance(); err != nil {
				return nil, err
			}
		}
		if step == p.stop {
			return nil, errStopped
		}
		switch step {
		case 2:
			err = errors.Join(alone.Set(-1), one.SetDiagonal(3))
		case 3, 7:
			err = errors.Join(w.Scale(1.5), assemble())
		case 5:
			err = assembleK.Compute() // on top of what conditions have made of it
		}
		if err != nil {
			return nil, err
		}
		if step%3 == 0 {
			err = errors.Join(bs[0].Copy(sources[0]), b2.Copy(source2))
		}
		err = errors.Join(err, profile.Fill(float64(step)), one.ApplyRHS(k, bs[0]), two.ApplyRHS(m, b2),
			k.Mul(ys[0], xs[0]), xs[0].AXPY(0.01, bs[0]), xs[0].AXPY(-0.01, ys[0]), m.Mul(y2, x2), x2.AXPY(0.01, b2), x2.AXPY(-0.01, y2))
		if step%2 == 0 {
			err = errors.Join(err, third.ApplyRHS(k, rest))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, d := range []*op2.Dat[float64]{xs[0], xs[1], xs[2], bs[0], rest} {
		values, err := d.InDeclaredOrder()
		if err != nil {
			return nil, err
		}
		x = append(x, values...)
	}
	return x, nil
}

func (p fixed) on(ranks int, renumber bool, options ...op2.Option) (x []float64, err error) {
	return valuesOnRanks(ranks, func(rt *op2.Runtime) ([]float64, error) { return p.run(rt, renumber) }, options...)
}

// Runs go on with the conditions that others have applied, on other ranks, with another order and backend, to the same
// bits, wherever they were stopped.
func TestRestartWithConditions(t *testing.T) {
	for _, cells := range []int{0, 1, 30} {
		want, err := fixed{cells: cells, stop: -1}.on(1, false, op2.WithBackend("go"), op2.WithSameBits(true))
		optest.OK(t, err)
		p := fixed{cells: cells, folder: filepath.Join(t.TempDir(), "run.chk")}
		for stop := 1; stop <= fixedSteps; stop++ {
			options := []op2.Option{op2.WithBackend([]string{"go", "sequential", "openmp"}[stop%3]), op2.WithSameBits(true), op2.WithLazy(stop%4 == 1)}
			if p.from > 0 {
				options = append(options, op2.WithRestart(p.folder))
			}
			p.stop = stop
			got, err := p.on(1+stop%4, stop%2 == 0, options...)
			if stop < fixedSteps {
				if err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
					t.Fatalf("%d cells, up to step %d: %v", cells, stop, err)
				}
				p.from = stop
				continue
			}
			if optest.OK(t, err); !slices.Equal(got, want) {
				t.Errorf("%d cells: got %v, want %v", cells, got, want)
			}
		}
	}
}

// Devices save what conditions took out, and go on with that of others.
func TestRestartWithConditionsOnDevices(t *testing.T) {
	want, err := fixed{cells: 20, stop: -1}.on(1, false, op2.WithBackend("go"))
	optest.OK(t, err)
	for _, name := range deviceBackends {
		t.Run(name, func(t *testing.T) {
			watch(t, name, standin.Limits{})
			p := fixed{cells: 20, folder: filepath.Join(t.TempDir(), "run.chk")}
			for _, run := range []struct {
				stop    int
				backend string
			}{{2, name}, {4, "go"}, {5, name}, {6, name}, {-1, name}} {
				options := []op2.Option{op2.WithBackend(run.backend)}
				if p.from > 0 {
					options = append(options, op2.WithRestart(p.folder))
				}
				p.stop = run.stop
				got, err := p.on(1, false, options...)
				if p.from = run.stop; run.stop >= 0 {
					if err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
						t.Fatal(err)
					}
					continue
				}
				optest.OK(t, err)
				for i := range want {
					optest.Near(t, got[i], want[i], 1e-12)
				}
			}
		})
	}
}

// Conditions of the same names on other elements are an error of all ranks.
func TestRestartWithOtherConditions(t *testing.T) {
	p := fixed{cells: 30, folder: filepath.Join(t.TempDir(), "run.chk"), stop: 4}
	if _, err := p.on(2, false, op2.WithBackend("go")); err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
		t.Fatal(err)
	}
	p.from, p.stop, p.other = 4, -1, true
	for _, ranks := range []int{1, 3} {
		_, err := p.on(ranks, false, op2.WithBackend("go"), op2.WithRestart(p.folder))
		want := regexp.MustCompile(`restart from .*run\.chk: (rank 0: )?row \d+ of mat k has \d values of conditions on lower, upper in the checkpoint, and \d here`)
		if !want.MatchString(fmt.Sprint(err)) {
			t.Errorf("%d ranks: %v", ranks, err)
		}
	}
}

// Conditions that the program does not declare by the names of the checkpoint, or with another diagonal, are an error of all
// ranks. Those that it declares besides are not, nor those that it can no longer reach, nor a diagonal that the first run set later.
func TestRestartWithoutConditions(t *testing.T) {
	const other = "restart from DIR: it is of another program, or of another mesh: it has "
	for _, test := range []struct {
		name        string
		first, then fixed
		want        string
	}{
		{"fewer", fixed{}, fixed{names: "fewer"}, other + "mat k with conditions on lower (2) and conditions on lower, upper applied to it, the program declares conditions on lower and conditions on lower (2) and conditions on lower (3) and conditions on some before the first Checkpoint"},
		{"more", fixed{}, fixed{names: "more"}, other + "mat k with"},
		{"more at first", fixed{names: "more"}, fixed{}, other + "mat k with"},
		{"another diagonal", fixed{}, fixed{scale: 2}, other + "conditions on lower, upper with the diagonal 1 at the first Checkpoint, the program with 2"},
		{"another diagonal at first", fixed{scale: -2}, fixed{}, other + "conditions on lower, upper with the diagonal -2 at the first Checkpoint, the program with 1"},
		{"fewer, right-hand sides alone", fixed{stop: 1}, fixed{names: "fewer"}, other + "mat k with"},
		{"others besides", fixed{}, fixed{names: "added"}, ""},
		{"temporary", fixed{names: "temporary"}, fixed{names: "temporary"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := test.first
			p.cells, p.folder, p.stop = 30, filepath.Join(t.TempDir(), "run.chk"), cmp.Or(p.stop, 4)
			if _, err := p.on(2, false, op2.WithBackend("go")); err == nil || !strings.Contains(err.Error(), errStopped.Error()) {
				t.Fatal(err)
			}
			for _, ranks := range []int{1, 3} {
				again := test.then
				again.cells, again.from, again.stop = 30, p.stop, -1
				_, err := again.on(ranks, false, op2.WithBackend("go"), op2.WithRestart(p.folder))
				got := strings.ReplaceAll(fmt.Sprint(err), p.folder, "DIR")
				if test.want == "" && err != nil || !strings.Contains(got, test.want) {
					t.Errorf("%d ranks: got %s", ranks, got)
				}
			}
		})
	}
}
