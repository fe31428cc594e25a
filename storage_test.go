package op2_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/core"
)

// Loops notice that two views share one storage, whatever their sets are.
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
		"write and read":  {loopOf(pair, "pair", values, flat.Write(), q.Read(m.At(0))), "q is also argument 1 (q, written): whether one sees what the other changes would depend on the order of elements"},
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

// Loops run over the owned elements, reach those of the halo, and leave the rest alone.
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
		for range 2 { // first prepared, then cached
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

// Values of some elements move to and from a device, whatever the layout is there.
func TestPartsOnDevice(t *testing.T) {
	const n = 1000
	eachWatched(t, func(t *testing.T, open opener, _ *gputest.Watched) {
		for _, layout := range []op2.Layout{op2.AoS, op2.SoA} {
			rt := open(t)
			cells := newSet(t, rt, n, "cells")
			want := make([]float64, 2*n)
			for i := range want {
				want[i] = float64(i)
			}
			x, y := newDat(t, cells, 2, want, "x"), newDat[float64](t, cells, 2, nil, "y")
			x.SetLayout(layout)
			must(t, x.Scale(2))
			before := rt.Transfers()
			must(t, op2.HostPart(x, 700, 710))
			host := op2.OnHost(x)
			for i := 1400; i < 1420; i++ {
				if host[i] != float64(2*i) {
					t.Errorf("layout %v: value %d is %v on the host", layout, i, host[i])
				}
				host[i] = -1
			}
			must(t, op2.DevicePart(x, 700, 710))
			if moved := rt.Transfers(); moved.BytesToHost-before.BytesToHost != 160 || moved.BytesToDevice-before.BytesToDevice != 160 {
				t.Errorf("layout %v: the part took %+v after %+v", layout, moved, before)
			}
			must(t, y.Add(x))
			for i := range want {
				if want[i] *= 2; i >= 1400 && i < 1420 {
					want[i] = -1
				}
			}
			expect(t, y, want)
		}
	})
}

// With diagnostics, a slice that is written after a loop has used the dat is detected.
func TestStaleSlices(t *testing.T) {
	eachWatched(t, func(t *testing.T, open opener, _ *gputest.Watched) {
		rt := open(t, op2.WithDiags(true))
		x := newDat(t, newSet(t, rt, 4, "cells"), 1, []float64{1, 2, 3, 4}, "x")
		held := op2.Must(x.Data())
		held[0] = 2
		must(t, x.Scale(2))
		expect(t, x, []float64{4, 4, 6, 8})
		held[1] = 100
		if err := x.Scale(2); err == nil || !strings.Contains(err.Error(), "dat x on cells: a slice of its values was written after a loop had used them") {
			t.Errorf("got %v", err)
		}
		op2.Must(x.Data())[1] = 5
		must(t, x.Scale(2))
		expect(t, x, []float64{8, 10, 12, 16})
	})
}
