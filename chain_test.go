package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/wisdom"
)

//go:embed chain_test.go
var chainSource string

func keepOld(old, x *float64) { *old = *x }

func exchange(x *[2]float64, r *[2]float64) {
	d := x[0] - x[1]
	r[0] -= d
	r[1] += d
}

func advance(old, r, x, sum *float64) {
	*x = *old + 2**r
	*r = 0
	*sum += *x
}

func clampTo(x, most *float64) {
	if *x > *most {
		*x = *most
	}
}

func bounce(x, i *float64) { *x = *i - *x }

// row is a row of cells with an edge between neighbors, and what a chain on it computes.
type row struct {
	cells, edges *op2.Set
	edge2cell    *op2.Map
	ends         *op2.Subset
	x, old, r    *op2.Dat[float64]
	sum          *op2.Global[float64]
	loops        []*op2.Loop
}

func newRow(t testing.TB, rt *op2.Runtime, n int) *row {
	w := &row{cells: optest.NewSet(t, rt, n, "cells"), edges: optest.NewSet(t, rt, max(0, n-1), "edges")}
	var values []int32
	start := make([]float64, n)
	for i := range n {
		start[i] = float64(i * i % 7)
		if i > 0 {
			values = append(values, int32(i-1), int32(i))
		}
	}
	w.edge2cell = optest.NewMap(t, w.edges, w.cells, 2, values, "edge2cell")
	var ends []int
	if n > 0 {
		ends = []int{0, n - 1}
	}
	if n == 1 {
		ends = ends[:1]
	}
	w.ends = op2.NewSubset(w.cells, ends, "ends")
	w.x, w.old, w.r = optest.NewDat(t, w.cells, 1, start, "x"), optest.NewDat[float64](t, w.cells, 1, nil, "old"), optest.NewDat[float64](t, w.cells, 1, nil, "r")
	w.sum = optest.NewGlobal(t, rt, "sum", 1.0)
	return w
}

// step is the calls of one time step, for ParLoop or NewLoop: two stages, the second of which bounds
// the values by the sum, which cuts the chain.
func (w *row) step(call func(k *op2.Kernel, over op2.IterationSet, args ...op2.Arg)) {
	k := op2.Kernels(chainSource)
	call(k.Func(keepOld), w.cells, w.old.Write(), w.x.Read())
	for range 2 {
		call(k.Func(exchange), w.edges, w.x.Read(w.edge2cell), w.r.Inc(w.edge2cell))
		call(k.Func(bounce), w.ends, w.r.RW(), w.old.Read())
		call(k.Func(advance), w.cells, w.old.Read(), w.r.RW(), w.x.Write(), w.sum.Inc())
	}
	call(k.Func(clampTo), w.cells, w.x.RW(), w.sum.Read())
}

// expected returns what n cells hold after some steps, and the sum.
func expected(n, steps int) (x []float64, sum float64) {
	x, old, r := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = float64(i * i % 7)
	}
	sum = 1
	for range steps {
		copy(old, x)
		for range 2 {
			for e := range n - 1 {
				d := x[e] - x[e+1]
				r[e] -= d
				r[e+1] += d
			}
			if n > 0 {
				r[0] = old[0] - r[0]
			}
			if n > 1 {
				r[n-1] = old[n-1] - r[n-1]
			}
			for i := range x {
				x[i] = old[i] + 2*r[i]
				r[i] = 0
				sum += x[i]
			}
		}
		for i := range x {
			x[i] = min(x[i], sum)
		}
	}
	return x, sum
}

func (w *row) check(t testing.TB, what string, steps int) {
	t.Helper()
	x, sum := expected(w.cells.Size(), steps)
	if got := optest.Must(w.x.DataRO()); !slices.Equal(got, x) {
		t.Errorf("%s: x is %v, want %v", what, got, x)
	}
	if got := optest.Must(w.sum.Value()); got != sum {
		t.Errorf("%s: the sum is %v, want %v", what, got, sum)
	}
}

// A chain computes what its loops do one after another, whatever it is turned into, on all backends.
func TestChainComputesItsLoops(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, n := range []int{0, 1, 3, 400} {
			for _, mode := range []string{"off", "auto", "fuse", "tile"} {
				w := newRow(t, rt, n)
				w.step(func(k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) {
					w.loops = append(w.loops, op2.NewLoop(k, over, args...))
				})
				c := op2.NewChain(w.loops...).With(op2.WithChains(op2.Chaining(mode)))
				for range 3 {
					optest.OK(t, c.Compute())
				}
				w.check(t, mode, 3)
				if loops, whole := c.Stats(); whole.Calls != 3 || len(loops) == 0 || loops[0].Calls != 3 {
					t.Errorf("%s: the stats are %+v of %+v", mode, whole, loops)
				}
				if text, err := c.Generate(); err != nil || text == "" {
					t.Errorf("%s: Generate returns %q, %v", mode, text, err)
				}
			}
		}
	})
}

// What a chain may be turned into computes the same, while it is tried and as wisdom has it.
func TestChainWays(t *testing.T) {
	const calls = 100
	dir, n := t.TempDir(), tune.CoreCache()/16
	for _, mode := range []string{"use,patient,verify,chains", "use,patient,verify,chains", "use,patient"} {
		rt := optest.OpenBackend(t, "go", op2.WithTuning(mode), op2.WithCacheDir(dir))
		w := newRow(t, rt, n)
		z, k := optest.NewDat[float64](t, w.cells, 1, nil, "z"), op2.Kernels(chainSource)
		c := op2.NewChain(op2.NewLoop(k.Func(keepOld), w.cells, w.old.Write(), w.x.Read()), op2.NewLoop(k.Func(keepOld), w.cells, z.Write(), w.old.Read()),
			op2.NewLoop(k.Func(clampTo), w.cells, z.RW(), w.sum.Read()))
		for range calls {
			optest.OK(t, c.Compute())
		}
		for e, got := range optest.Must(z.DataRO()) {
			if want := min(float64(e*e%7), 1); got != want {
				t.Fatalf("%s: value %d is %v, want %v", mode, e, got, want)
			}
		}
		optest.OK(t, rt.Close())
	}
	all := wisdom.Open(dir, nil).All()
	if len(all) != 1 || len(all[0].Tried) != 4 || all[0].Of("chains=fuse").Refused != "" {
		t.Fatalf("found %+v", all)
	}
}

// A chain may run over nothing, though what it uses has elements.
func TestChainOfNoElements(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		cells, edges := optest.NewSet(t, rt, 50, "cells"), optest.NewSet(t, rt, 0, "edges")
		edge2cell, none := optest.NewMap(t, edges, cells, 2, nil, "edge2cell"), op2.NewSubset(cells, []int{}, "none")
		x, old, r := optest.NewDat(t, cells, 1, slices.Repeat([]float64{2}, 50), "x"), optest.NewDat[float64](t, cells, 1, nil, "old"), optest.NewDat[float64](t, cells, 1, nil, "r")
		k := op2.Kernels(chainSource)
		first := op2.NewLoop(k.Func(exchange), edges, x.Read(edge2cell), r.Inc(edge2cell))
		second := op2.NewLoop(k.Func(bounce), none, r.RW(), old.Read())
		chain := op2.NewChain(first, second).With(op2.WithChains(op2.Tile))
		for range 3 { // which measures times in some calls
			optest.OK(t, chain.Compute())
		}
		optest.Expect(t, r, make([]float64, 50))
	})
}

// The values of maps may change between two calls.
func TestChainFollowsMaps(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 100, "cells")
		ahead, back := make([]int32, 100), make([]int32, 100)
		for i := range ahead {
			ahead[i], back[i] = int32((i+1)%100), int32((i+99)%100)
		}
		m := optest.NewMap(t, cells, cells, 1, ahead, "m")
		x, y := optest.NewDat[float64](t, cells, 1, nil, "x"), optest.NewDat[float64](t, cells, 1, nil, "y")
		optest.Set(t, x, 50, 1)
		k := op2.Kernels(chainSource)
		c := op2.NewChain(op2.NewLoop(k.Func(keepOld), cells, y.Write(m.At(0)), x.Read()),
			op2.NewLoop(k.Func(keepOld), cells, x.Write(), y.Read()))
		c = c.With(op2.WithChains(op2.Tile))
		optest.OK(t, c.Compute())
		optest.OK(t, m.SetValues(back))
		optest.OK(t, c.Compute())
		optest.OK(t, c.Compute())
		if at := slices.Index(optest.Must(x.DataRO()), 1); at != 49 {
			t.Errorf("the value is at %d, want 49", at)
		}
		if loops, _ := c.Stats(); loops[0].Calls != 3 {
			t.Errorf("%d calls are counted, want 3", loops[0].Calls)
		}
	})
}

func TestChainErrors(t *testing.T) {
	rt, other := optest.Open(t, op2.WithBackend("go")), optest.Open(t, op2.WithBackend("go"))
	closed := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	static := optest.Open(t, op2.WithBackend("go"), op2.Static())
	loopOn := func(rt *op2.Runtime) *op2.Loop {
		set := optest.NewSet(t, rt, 3, "cells")
		return op2.NewLoop(op2.Kernels(chainSource).Func(keepOld), set, optest.NewDat[float64](t, set, 1, nil, "y").Write(), optest.NewDat[float64](t, set, 1, nil, "x").Read())
	}
	l, ended := loopOn(rt), op2.NewChain(loopOn(closed))
	c := op2.NewChain(l)
	optest.OK(t, closed.Close())
	for _, test := range []struct {
		what string
		f    func() error
		want string
	}{
		{"nothing", func() error { return op2.NewChain().Err() }, "op2: NewChain: it has no loops"},
		{"nil", func() error { return op2.NewChain(l, nil).Err() }, "op2: NewChain: loop 2 of 2 is nil, or was not made by NewLoop"},
		{"nil alone", func() error { return op2.NewChain(nil).Err() }, "op2: NewChain: loop 1 of 1 is nil, or was not made by NewLoop"},
		{"two runtimes", func() error { return op2.NewChain(l, loopOn(other)).Err() }, "op2: NewChain: its loops belong to two runtimes: loop keepOld over cells to runtime "},
		{"closed", ended.Compute, "op2: the runtime is closed"},
		{"static", op2.NewChain(loopOn(static)).Compute, "the runtime is static"},
		{"zero", new(op2.Chain).Compute, "op2: the chain is nil, or was not made by NewChain"},
		{"mode", func() error { return c.With(op2.WithChains("tiles")).Err() }, `op2: Chain.With: chains "tiles": expected auto, off, fuse or tile (did you mean "tile"?)`},
	} {
		if err := test.f(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.what, err, test.want)
		}
	}
	if err := op2.NewChain(loopOn(static)).Compute(); !errors.Is(err, op2.ErrStatic) {
		t.Errorf("got %v", err)
	}
}

// A loop that fails ends the chain, which names it.
func TestChainFails(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	w := newRow(t, rt, 100)
	k := op2.Kernels(chainSource)
	at := optest.NewDat(t, w.cells, 1, make([]int32, 100), "at")
	optest.Set(t, at, 70, 9)
	c := op2.NewChain(op2.NewLoop(k.Func(keepOld), w.cells, w.old.Write(), w.x.Read()),
		op2.NewLoop(k.Func(pickAt), w.cells, at.Read(), w.x.RW()),
		op2.NewLoop(k.Func(keepOld), w.cells, w.r.Write(), w.x.Read()))
	for _, mode := range []string{"off", "tile"} {
		var fault *op2.FaultError
		if err := c.With(op2.WithChains(op2.Chaining(mode))).Compute(); !errors.As(err, &fault) || fault.Element != 70 || fault.Loop != "loop pickAt over cells" {
			t.Errorf("%s: got %v", mode, err)
		}
	}
}

func pickAt(at *int32, x *float64) {
	values := [3]float64{1, 2, 3}
	*x = values[*at]
}

// Tiles are worked out when enough calls have run for an inspection to be cheap, by estimate, and tried.
func TestChainTilesLater(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	const n = 1 << 14
	cells := rt.NewSet(n, "cells")
	edges := rt.NewSet(n, "edges")
	targets := make([]int32, n)
	for i := range targets {
		targets[i] = int32(i)
	}
	m := optest.NewMap(t, edges, cells, 1, targets, "m")
	x, y := optest.NewDat[float64](t, cells, 256, nil, "x"), optest.NewDat[float64](t, edges, 1, nil, "y")
	k := op2.Kernels(chainSource)
	raise := op2.NewLoop(k.Func(raiseFirst), cells, x.RW())
	take := op2.NewLoop(k.Func(takeFirst), edges, x.Read(m.At(0)), y.Inc())
	c := op2.NewChain(raise, take, raise)
	due := 0 // depends on the number of processors
	fmt.Sscanf(optest.Must(c.Plan()).String(), "loop by loop (tiles are worked out in call %d):\n", &due)
	if due < 2 {
		t.Fatalf("got %d", due)
	}
	want, sum := "loop by loop (", 0
	for call := range due + 1 {
		if call == due {
			want = "by tiles ("
		}
		if plan := optest.Must(c.Plan()).String(); !strings.HasPrefix(plan, want) {
			t.Errorf("after %d calls:\n%s", call, plan)
		}
		optest.OK(t, c.Compute())
		sum += 2*call + 1
	}
	const tried = "trial of raiseFirst over cells, takeFirst over edges, raiseFirst over cells: loop by loop at first, by tiles now and then\n"
	if plan := optest.Must(c.Plan()).String(); !strings.HasSuffix(plan, tried) {
		t.Errorf("got:\n%s", plan)
	}
	if got := optest.Must(y.DataRO())[n-1]; got != float64(sum) {
		t.Errorf("got %v, want %d", got, sum)
	}
}

func raiseFirst(x *[256]float64) { x[0]++ }

func takeFirst(x *[256]float64, y *float64) { *y += x[0] }
