package op2_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
)

// A global that is set between two loops that use it does not keep them apart.
func TestLazyGlobalsSetBetweenLoops(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		for _, mode := range []string{"auto", "tile"} {
			rt := openLazy(t, open, op2.WithChains(op2.Chaining(mode)))
			set := optest.NewSet(t, rt, 100, "elements")
			x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
			factor, sum := optest.NewGlobal(t, rt, "factor", 1.0), optest.NewGlobal(t, rt, "sum", 7.0)
			k := op2.Kernels(lazySource)
			for step := range 7 { // the first one without Fill, which is a loop once there are others
				before := optest.Must(sum.Value())
				optest.OK(t, x.Fill(1))
				optest.Run(t, k.Func(lazySum), set, sum.Inc(), x.Read()) // into what it was
				optest.OK(t, factor.Set(2))
				optest.Run(t, k.Func(lazyScale), set, x.RW(), factor.Read()) // 2
				optest.OK(t, factor.Set(3))
				optest.OK(t, factor.Set(5))
				optest.Run(t, k.Func(lazyScale), set, x.RW(), factor.Read()) // 10
				if step%2 == 0 {                                             // another sequence
					optest.OK(t, sum.Set(float64(step)))
					before = float64(step) - 100
				}
				optest.Run(t, k.Func(lazySum), set, sum.Inc(), x.Read())
				optest.OK(t, factor.Set(7))
				optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
				optest.Run(t, k.Func(lazyScale), set, y.RW(), factor.Read())
				optest.OK(t, factor.Set(11)) // after all of them
				if op2.Queued(rt) < 10 {
					t.Errorf("%d calls wait", op2.Queued(rt))
				}
				rt.Stats() // runs all
				if v, want := optest.Must(sum.Value()), before+100+1000; v != want {
					t.Errorf("%s, step %d: the sum is %v, want %v", mode, step, v, want)
				}
				if v := optest.Must(factor.Value()); v != 11 {
					t.Errorf("%s, step %d: the factor is %v", mode, step, v)
				}
				if u, v := optest.Must(x.DataRO()), optest.Must(y.DataRO()); u[99] != 10 || v[0] != 70 {
					t.Errorf("%s, step %d: x is %v, y %v", mode, step, u[99], v[0])
				}
			}
			if _, tiles := op2.BackendOf(rt).(backend.Tiler); tiles && mode == "tile" && op2.FoundChains(rt) != 2 {
				t.Errorf("%d chains, want 2: one for each of the two sequences", op2.FoundChains(rt))
			}
		}
	})
}

// When a chain fails that has been found, only what the loops that have run in part should have computed is
// lost, and what depends on it: the same as where loops run one by one.
func TestLazyErrorsOfChains(t *testing.T) {
	for _, mode := range []string{"off", "tile"} {
		rt := openLazy(t, optest.Open, op2.WithBackend("go"), op2.WithChains(op2.Chaining(mode)))
		set := optest.NewSet(t, rt, 100, "elements")
		dat := func(name string) *op2.Dat[float64] { return optest.NewDat[float64](t, set, 1, nil, name) }
		a, b, c, x := dat("a"), dat("b"), dat("c"), dat("x")
		at := optest.NewDat(t, set, 1, make([]int32, 100), "at")
		g, h := optest.NewGlobal(t, rt, "g", 0.0), optest.NewGlobal(t, rt, "h", 0.0)
		k := op2.Kernels(lazySource)
		step := func() {
			optest.Run(t, k.Func(lazyAdd), set, a.RW())
			optest.Run(t, k.Func(lazyCopy), set, b.Write(), a.Read())
			optest.OK(t, g.Set(3))
			optest.Run(t, k.Func(lazySum), set, g.Inc(), b.Read())
			// A second segment, since g is read:
			optest.Run(t, k.Func(lazyScale), set, x.RW(), g.Read())
			optest.Run(t, k.Func(lazyPick), set, at.Read(), x.RW())
			optest.Run(t, k.Func(lazySum), set, h.Inc(), x.Read())
			optest.OK(t, g.Set(10))
			// A third one, since h is read:
			optest.Run(t, k.Func(lazyScale), set, c.RW(), h.Read())
			optest.Run(t, k.Func(lazySum), set, g.Inc(), a.Read())
			optest.OK(t, h.Set(1))
		}
		run := func() error { // which runs all
			err := op2.NewLoop(k.Func(lazyAdd), set, a.RW()).Err()
			return err
		}
		value := func(what string, got, want float64) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %s is %v, want %v", mode, what, got, want)
			}
		}
		for i := range 4 {
			optest.OK(t, x.Fill(1))
			optest.OK(t, c.Fill(1))
			optest.OK(t, run())
			step()
			optest.OK(t, run())
			value("g", optest.Must(g.Value()), 10+100*float64(i+1))
		}
		if n := op2.FoundChains(rt); mode == "tile" && n != 2 {
			t.Errorf("%d chains, want 2", n)
		}
		optest.Set(t, at, 70, 9)
		step()
		var fault *op2.FaultError
		if err := run(); !errors.As(err, &fault) || fault.Kernel != "lazyPick" {
			t.Errorf("%s: got %v", mode, err)
		}
		if n := op2.Queued(rt); n != 3 {
			t.Errorf("%s: %d calls wait, want 3: what sets g and h, and a sum", mode, n)
		}
		value("a", optest.Must(a.DataRO())[3], 5)
		value("b", optest.Must(b.DataRO())[3], 5)
		begins(t, optest.Last(x.DataRO()), "op2: x was not computed, because of an earlier error: loop lazyPick over elements: ")
		begins(t, optest.Last(c.DataRO()), "op2: c was not computed, because of an earlier error: loop lazyPick over elements: ")
		begins(t, op2.ParLoop(k.Func(lazyCopy), set, b.Write(), c.Read()),
			"op2: loop lazyCopy over elements: argument 2 (c, read): c was not computed, because of an earlier error: loop lazyPick over elements: ")
		value("b", optest.Must(b.DataRO())[3], 5) // which that loop did not replace
		value("g", optest.Must(g.Value()), 10+500)
		value("h", optest.Must(h.Value()), 1)
		optest.Set(t, at, 70, 0)
		optest.OK(t, x.Fill(1))
		optest.OK(t, c.Fill(1))
		step()
		optest.OK(t, run())
		value("g", optest.Must(g.Value()), 10+600)
		value("c", optest.Must(c.DataRO())[99], 100+1) // h was 1
	}
}

// A global that is set after the loop that fails has the values from before for what waits until then.
func TestLazyErrorsRestoreGlobals(t *testing.T) {
	for _, mode := range []string{"off", "tile"} {
		rt := openLazy(t, optest.Open, op2.WithBackend("go"), op2.WithChains(op2.Chaining(mode)))
		set := optest.NewSet(t, rt, 100, "elements")
		x, y, z := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y"), optest.NewDat[float64](t, set, 1, nil, "z")
		at := optest.NewDat(t, set, 1, make([]int32, 100), "at")
		factor, sum := optest.NewGlobal(t, rt, "factor", 1.0), optest.NewGlobal(t, rt, "sum", 0.0)
		k := op2.Kernels(lazySource)
		var fault *op2.FaultError
		for i := range 5 {
			optest.OK(t, x.Fill(1))
			optest.OK(t, y.Fill(1))
			optest.OK(t, z.Fill(1))
			optest.OK(t, sum.Set(2))
			if i == 4 {
				optest.Set(t, at, 5, 3)
			}
			op2.NewSubset(set, []int{1}, "any") // runs all
			optest.Run(t, k.Func(lazyPick), set, at.Read(), x.RW())
			optest.OK(t, factor.Set(3))
			optest.Run(t, k.Func(lazySum), set, sum.Inc(), z.Read())
			optest.Run(t, k.Func(lazyScale), set, y.RW(), sum.Read()) // another segment
			optest.Run(t, k.Func(lazyScale), set, y.RW(), factor.Read())
			optest.OK(t, factor.Set(5))
			optest.Run(t, k.Func(lazyScale), set, z.RW(), factor.Read())
			err := op2.NewSubset(set, []int{2}, "other").Err()
			if i < 4 {
				optest.OK(t, err)
				optest.Expect(t, y, repeated(3*102, 100))
			} else if !errors.As(err, &fault) {
				t.Errorf("%s: got %v", mode, err)
			}
		}
		if n := op2.FoundChains(rt); mode == "tile" && n == 0 {
			t.Error("no chains")
		}
		begins(t, optest.Last(x.DataRO()), "op2: x was not computed, because of an earlier error: loop lazyPick over elements: ")
		if mode == "off" { // by tiles, the sum has been computed in part
			optest.Expect(t, y, repeated(3*102, 100))
		}
		optest.Expect(t, z, repeated(5, 100))
	}
}

// Setting a global that was not computed makes it usable again, also while other calls on it wait.
func TestLazyGlobalsRecover(t *testing.T) {
	rt := openLazy(t, optest.Open, op2.WithBackend("go"))
	set := optest.NewSet(t, rt, 10, "elements")
	x, at, sum := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat(t, set, 1, make([]int32, 10), "at"), optest.NewGlobal(t, rt, "sum", 0.0)
	k := op2.Kernels(lazySource)
	step := func(start float64) {
		optest.OK(t, x.Fill(1))
		optest.OK(t, sum.Set(start))
		optest.Run(t, k.Func(lazyPick), set, at.Read(), x.RW())
		optest.Run(t, k.Func(lazySum), set, sum.Inc(), x.Read())
	}
	optest.Set(t, at, 5, 3)
	step(10)
	step(20)
	for {
		if _, err := at.Data(); err == nil {
			break
		}
	}
	optest.Set(t, at, 5, 0)
	step(30)
	step(40)
	want := 40.0
	for _, v := range optest.Must(x.DataRO()) {
		want += v
	}
	if got := optest.Must(sum.Value()); got != want {
		t.Errorf("the sum is %v, want %v", got, want)
	}
}

// begins fails the test unless an error's text begins like that.
func begins(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got:\n%v\nwant:\n%s...", err, want)
	}
}

func repeated(v float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = v
	}
	return values
}

// Computing a chain that the program has named runs at once, after all calls that wait.
func TestLazyNamedChain(t *testing.T) {
	rt := openLazy(t, optest.Open, op2.WithBackend("go"), op2.WithChains(op2.Tile))
	set := optest.NewSet(t, rt, 100, "elements")
	x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	at := optest.NewDat(t, set, 1, make([]int32, 100), "at")
	k := op2.Kernels(lazySource)
	chain := op2.NewChain(op2.NewLoop(k.Func(lazyAdd), set, x.RW()), op2.NewLoop(k.Func(lazyAdd), set, x.RW()))
	optest.OK(t, x.Fill(5))
	optest.Run(t, k.Func(lazyCopy), set, y.Write(), x.Read())
	optest.OK(t, chain.Compute())
	if n := op2.Queued(rt); n != 0 {
		t.Errorf("%d calls wait", n)
	}
	optest.Run(t, k.Func(lazyAdd), set, x.RW())
	optest.Expect(t, y, repeated(5, 100))
	optest.Expect(t, x, repeated(8, 100))

	optest.Set(t, at, 70, 9)
	optest.Run(t, k.Func(lazyPick), set, at.Read(), x.RW())
	var fault *op2.FaultError
	if err := chain.Compute(); !errors.As(err, &fault) {
		t.Errorf("got %v", err)
	}
	begins(t, chain.Compute(), "op2: loop lazyAdd over elements: argument 1 (x, read and written): x was not computed, because of an earlier error: loop lazyPick over elements: ")
	optest.OK(t, x.Zero())
	optest.OK(t, chain.Compute())
	optest.Expect(t, x, repeated(2, 100))
}
