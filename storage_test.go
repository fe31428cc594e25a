package op2_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/core"
)

// Loops see that two views show one storage, whatever their sets are.
func TestViewsConflict(t *testing.T) {
	rt := op2.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells, values := newSet(t, rt, 2, "cells"), newSet(t, rt, 4, "values")
	q := newDat(t, cells, 2, []float64{1, 2, 3, 4}, "q")
	flat := op2.View(q, values, 1)
	m := newMap(t, values, cells, 1, []int32{0, 0, 1, 1}, "m")
	a := op2.Must(op2.NewMat[float64](op2.Must(op2.NewSquareSparsity(m, 1, "s")), "a"))
	const pair = "void pair(const double *x, const double *y) {}"
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"read and read":   {loopOf(pair, "pair", values, flat.Read(), q.Read(m.At(0))), "which the backend go cannot run"}, // and nothing else is wrong
		"write and read":  {loopOf(pair, "pair", values, flat.Write(), q.Read(m.At(0))), "q is also argument 1 (q, written): what one changes the other would see or not"},
		"write and write": {loopOf(pair, "pair", values, flat.RW(), q.RW(m.At(0))), "q is also argument 1 (q, read and written), by other sets: the kernel would change the same values twice"},
		"inc and inc":     {loopOf(pair, "pair", values, flat.Inc(), q.Inc(m.At(0))), "by other sets"},
	} {
		got := fmt.Sprint(test.err)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
	before := op2.Version(q)
	must(t, op2.ParLoop(kernels.Func(busy), values, flat.RW()))
	if got := op2.Version(q); got != before+1 {
		t.Errorf("a loop that changes a view counts as %d writes of the dat", got-before)
	}
	must(t, op2.ParLoop(kernels.Func(local1x1), values, a.Inc(m, m), flat.Read()))
	if got := op2.Version(q); got != before+1 {
		t.Errorf("a loop that reads a view counts as a write")
	}
}

func loopOf(source, name string, over op2.IterationSet, args ...op2.Arg) error {
	return last(op2.NewLoop(op2.C(name, source), over, args...))
}

// Loops run over the elements that are owned, reach those of the halo, and leave the rest.
func conformHalos(t *testing.T, open opener) {
	for _, own := range []int{0, 3, 40} {
		rt := open(t)
		halo := core.Extents{Core: own / 2, Owned: own, Layers: []core.Layer{{Executed: 2, ReadOnly: 1}, {ReadOnly: 3}}}
		cells, edges := op2.Must(op2.NewParts(rt, halo, "cells")), op2.Must(op2.NewParts(rt, halo, "edges"))
		total := halo.Total()
		targets, v := make([]int32, total), make([]float64, total)
		want, ones := make([]float64, 2*total), make([]float64, total)
		for e := range total {
			targets[e], v[e], ones[e] = int32((e+total-2)%total), float64(e), 1
			if e < own {
				want[2*targets[e]], want[2*targets[e]+1] = v[e], 1-2*v[e]
			}
		}
		m := newMap(t, edges, cells, 1, targets, "m")
		r, x := newDat[float64](t, cells, 2, nil, "r"), newDat(t, cells, 1, ones, "x")
		for range 2 { // once prepared, once kept
			must(t, r.Zero())
			run(t, kernels.Func(incAdds), edges, newDat(t, edges, 1, v, "v").Read(), r.Inc(m.At(0)))
			expect(t, r, want)
		}
		must(t, x.AXPY(2, newDat(t, cells, 1, ones, "y")))
		for e := range own {
			ones[e] = 3
		}
		expect(t, x, ones)
		if got := op2.Must(x.Inner(x)); got != float64(9*own) || cells.Size() != own {
			t.Errorf("of %d cells: the inner product is %v, want %d", cells.Size(), got, 9*own)
		}
	}
}
