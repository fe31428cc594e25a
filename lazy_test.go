package op2_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed lazy_test.go
var lazySource string

func lazyAdd(x *float64)             { *x += 1 }
func lazyCopy(y, x *float64)         { *y = *x }
func lazySum(a, x *float64)          { *a += *x }
func lazyScale(x, factor *float64)   { *x *= *factor }
func lazyTimes(x *float64)           { *x *= lazyFactor }
func lazyPlace(x *[2]float64)        { x[0], x[1] = x[0]+1, x[1]-1 }
func lazyPick(at *int32, x *float64) { values := [3]float64{1, 2, 3}; *x = values[*at] }

var lazyFactor = 3.0

// calls returns how often the loops of each kernel have run.
func calls(rt *op2.Runtime, kernel string) int64 {
	n := int64(0)
	for _, s := range op2.CountedCalls(rt) {
		if s.Kernel == kernel {
			n += s.Calls
		}
	}
	return n
}

// openLazy opens a runtime with lazy evaluation, or skips the test.
func openLazy(t *testing.T, open optest.Opener, options ...op2.Option) *op2.Runtime {
	rt := open(t, append(options, op2.WithLazy(true))...)
	if !op2.IsLazy(rt) {
		t.Skip("loops run at each call")
	}
	return rt
}

// Time steps whose calls wait come out as loop by loop, whatever is read in between, and become chains.
func TestLazyTimeSteps(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		for _, mode := range []string{"auto", "tile"} {
			rt := openLazy(t, open, op2.WithChains(op2.Chaining(mode)))
			for _, n := range []int{0, 200} {
				w := newRow(t, rt, n)
				for step := range 7 {
					w.step(func(k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) { optest.Run(t, k, over, args...) })
					switch step {
					case 1:
						optest.Must(w.sum.Value())
					case 2:
						optest.Must(w.old.DataRO())
					}
				}
				w.check(t, mode, 7)
			}
			if _, tiles := op2.BackendOf(rt).(backend.Tiler); tiles && mode == "tile" && op2.FoundChains(rt) == 0 {
				t.Error("repeated calls have become no chain")
			}
		}
	})
}

// Loops use the consts and the globals of the moment of the call.
func TestLazyUsesValuesOfTheCall(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		rt := openLazy(t, open)
		lazyFactor = 3
		op2.NewConst(rt, "lazyFactor", &lazyFactor)
		set := optest.NewSet(t, rt, 10, "elements")
		x, g := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewGlobal(t, rt, "g", 2.0)
		k := op2.Kernels(lazySource)
		optest.Run(t, k.Func(lazyTimes), set, x.RW())
		rt.Stats() // runs it: from now on Fill is a loop
		for range 5 {
			optest.OK(t, x.Fill(1))
			lazyFactor = 3
			optest.OK(t, g.Set(2))
			optest.Run(t, k.Func(lazyTimes), set, x.RW())
			optest.Run(t, k.Func(lazyScale), set, x.RW(), g.Read())
			lazyFactor = 5
			optest.OK(t, g.Set(7))
			optest.Run(t, k.Func(lazyTimes), set, x.RW())
			optest.Run(t, k.Func(lazyScale), set, x.RW(), g.Read())
			lazyFactor = 11
			optest.OK(t, g.Set(13))
			if op2.Queued(rt) != 7 {
				t.Errorf("%d calls wait, want 7", op2.Queued(rt))
			}
			if v := optest.Must(x.DataRO()); v[4] != 3*2*5*7 {
				t.Errorf("x is %v", v[4])
			}
			if v := optest.Must(g.Value()); v != 13 || lazyFactor != 11 {
				t.Errorf("g is %v, lazyFactor %v", v, lazyFactor)
			}
		}
	})
}

// An error comes from the call that needs the loop, and names the one that queued it. What depends on
// the loop is not computed, and says so until it is computed anew; the rest is.
func TestLazyErrors(t *testing.T) {
	for _, mode := range []string{"off", "tile"} {
		rt := openLazy(t, optest.Open, op2.WithBackend("go"), op2.WithChains(op2.Chaining(mode)))
		set := optest.NewSet(t, rt, 100, "elements")
		x, y, z := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y"), optest.NewDat[float64](t, set, 1, nil, "z")
		at := optest.NewDat(t, set, 1, make([]int32, 100), "at")
		k := op2.Kernels(lazySource)
		step := func() {
			optest.Run(t, k.Func(lazyPick), set, at.Read(), x.RW())
			optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
		}
		for range 4 { // which may become a chain
			step()
			optest.Must(y.DataRO())
		}
		optest.Set(t, at, 70, 9)
		step()
		optest.Run(t, k.Func(lazyAdd), set, z.RW())
		_, err := y.DataRO()
		var fault *op2.FaultError
		if !errors.As(err, &fault) || fault.Element != 70 || !strings.Contains(err.Error(), "\n  called at lazy_test.go:") {
			t.Errorf("%s: got %v", mode, err)
		}
		for what, f := range map[string]func() error{
			"read":    func() error { return optest.Last(y.DataRO()) },
			"write":   func() error { return optest.Last(x.Data()) },
			"loop":    func() error { return op2.ParLoop(k.Func(lazyCopy), set, z.Write(), y.Read()) },
			"norm":    func() error { return optest.Last(y.Norm()) },
			"add":     func() error { return z.Add(y) },
			"checked": x.CheckFinite,
		} {
			if err := f(); !errors.As(err, &fault) || !strings.Contains(err.Error(), " was not computed, because of an earlier error: ") {
				t.Errorf("%s: %s: got %v", mode, what, err)
			}
		}
		if v := optest.Must(z.DataRO()); v[5] != 1 {
			t.Errorf("%s: z is %v", mode, v[5])
		}
		optest.OK(t, x.Fill(4))
		optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
		if v := optest.Must(y.DataRO()); v[5] != 4 {
			t.Errorf("%s: y is %v", mode, v[5])
		}
		optest.Run(t, k.Func(lazyPick), set, at.Read(), x.RW())
		rt.Stats() // which returns no error
		if err := z.Zero(); !errors.As(err, &fault) {
			t.Errorf("%s: the error of a call that returns none is %v", mode, err)
		}
	}
}

// Wrong arguments are refused at the call, and Close runs what waits.
func TestLazyChecksAtOnce(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil), op2.WithLazy(true)))
	set, other := optest.NewSet(t, rt, 10, "elements"), optest.NewSet(t, rt, 3, "others")
	x, at := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat(t, set, 1, []int32{9, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "at")
	k := op2.Kernels(lazySource)
	var wrong *op2.ArgError
	if err := op2.ParLoop(k.Func(lazyAdd), other, x.RW()); !errors.As(err, &wrong) {
		t.Errorf("got %v", err)
	}
	optest.Run(t, k.Func(lazyPick), set, at.Read(), x.RW())
	var fault *op2.FaultError
	if err := rt.Close(); !errors.As(err, &fault) {
		t.Errorf("Close returns %v", err)
	}
	if err := op2.ParLoop(k.Func(lazyAdd), set, x.RW()); !errors.Is(err, op2.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// When the context ends, queued calls do not run, and data can be read.
func TestLazyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	rt := openLazy(t, optest.Open, op2.WithBackend("go"), op2.WithContext(ctx))
	set := optest.NewSet(t, rt, 10, "elements")
	x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	k := op2.Kernels(lazySource)
	optest.Run(t, k.Func(lazyAdd), set, x.RW())
	optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
	cancel()
	for op2.ParLoop(k.Func(lazyAdd), set, x.RW()) == nil {
	}
	if _, err := y.DataRO(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if v, err := y.DataRO(); err != nil || v[0] != 0 {
		t.Errorf("got %v, %v", v, err)
	}
}

// Loops that wait see what is written to a slice that was obtained before they were queued: it counts
// as written before all of them. Data runs what uses the values, so that what is written then counts
// from there.
func TestLazySlices(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		rt := openLazy(t, open)
		set := optest.NewSet(t, rt, 10, "elements")
		x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
		k := op2.Kernels(lazySource)
		kept := optest.Must(x.Data())
		optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
		kept[3] = 5
		if v := optest.Must(y.DataRO()); v[3] != 5 {
			t.Errorf("y is %v, want what was written before the loop ran", v[3])
		}
		optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
		optest.Must(x.Data())[3] = 6
		if v := optest.Must(y.DataRO()); v[3] != 5 {
			t.Errorf("y is %v, want what x held at the call", v[3])
		}
	})
}

// What the program no longer has is not computed.
func TestLazyForgetsWhatIsUnreachable(t *testing.T) {
	rt := openLazy(t, optest.Open, op2.WithBackend("go"), op2.WithChains(op2.Tile))
	set := optest.NewSet(t, rt, 100, "elements")
	k := op2.Kernels(lazySource)
	x := optest.NewDat[float64](t, set, 1, nil, "x")
	gone := make(chan string, 1)
	work := func() {
		y := optest.NewDat[float64](t, set, 1, nil, "y")
		runtime.AddCleanup(y, func(s string) { gone <- s }, "y")
		for range 4 {
			optest.Run(t, k.Func(lazyAdd), set, x.RW())
			optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
			optest.Must(y.DataRO())
		}
		if op2.FoundChains(rt) != 1 {
			t.Errorf("%d chains, want 1", op2.FoundChains(rt))
		}
		optest.Run(t, k.Func(lazyAdd), set, x.RW())
		optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
	}
	work()
	collected(t, "a dat", func() bool { return len(gone) == 1 })
	optest.Must(x.DataRO())
	rt.Stats()
	if n := calls(rt, "lazyCopy"); n != 4 {
		t.Errorf("%d copies, want 4", n)
	}
	collected(t, "a chain", func() bool {
		optest.NewSet(t, rt, 1, "another")
		return op2.FoundChains(rt) == 0
	})
}

// A loop counts its calls, though chains run them.
func TestLazyLoopStats(t *testing.T) {
	rt := openLazy(t, optest.Open, op2.WithBackend("go"), op2.WithChains(op2.Tile))
	w := newRow(t, rt, 100)
	w.step(func(k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) {
		w.loops = append(w.loops, op2.NewLoop(k, over, args...))
	})
	for range 5 {
		for _, l := range w.loops {
			optest.OK(t, l.Compute())
		}
		optest.Must(w.x.DataRO())
	}
	w.check(t, "kept loops", 5)
	if n := w.loops[1].Stats().Calls; n != 5 || op2.FoundChains(rt) == 0 {
		t.Errorf("%d calls, %d chains", n, op2.FoundChains(rt))
	}
}

// A call that waits costs little more than one that does not.
func BenchmarkLazyCall(b *testing.B) {
	for _, lazy := range []bool{false, true} {
		b.Run(fmt.Sprint("lazy=", lazy), func(b *testing.B) {
			rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil), op2.WithLazy(lazy), op2.WithChains(op2.Off)))
			defer rt.Close()
			set := optest.NewSet(b, rt, 0, "elements")
			x, y, z := optest.NewDat[float64](b, set, 1, nil, "x"), optest.NewDat[float64](b, set, 1, nil, "y"), optest.NewGlobal(b, rt, "z", 0.0)
			add, copied, sum := op2.Kernels(lazySource).Func(lazyAdd), op2.Kernels(lazySource).Func(lazyCopy), op2.Kernels(lazySource).Func(lazySum)
			b.ReportAllocs()
			for b.Loop() {
				_ = op2.ParLoop(add, set, x.RW())
				_ = op2.ParLoop(copied, set, y.Write(), x.Read())
				_ = op2.ParLoop(sum, set, z.Inc(), y.Read())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(3*b.N), "ns/call")
		})
	}
}
