package op2_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
)

// The arithmetic of dats waits among loops, and leaves what it leaves without lazy evaluation, bit for
// bit: all numbers are exact.
func TestLazyArithmetic(t *testing.T) {
	test := func(t *testing.T, open optest.Opener) {
		steps := func(rt *op2.Runtime, n int) (results [][]float64) {
			set := optest.NewSet(t, rt, n, "elements")
			part := op2.NewSubset(set, []int{n / 2, n / 3}[:min(n, 1)], "part")
			var dats []*op2.Dat[float64]
			for i := range 6 {
				values := make([]float64, n)
				for e := range values {
					values[e] = float64((e*7+i*5)%11 - 5)
				}
				dats = append(dats, optest.NewDat(t, set, 1, values, fmt.Sprint("d", i)))
			}
			x, y, z, old, w, two := dats[0], dats[1], dats[2], dats[3], dats[4], dats[5]
			sum := optest.NewGlobal(t, rt, "sum", 0.0)
			k := op2.Kernels(lazySource)
			for range 5 {
				optest.OK(t, old.Copy(x))
				optest.Run(t, k.Func(lazyAdd), set, x.RW())
				optest.OK(t, x.AXPY(2, y))
				optest.OK(t, x.AXPY(-1, z))
				optest.OK(t, y.Fill(3))
				optest.OK(t, y.Mul(z))
				optest.Run(t, k.Func(lazySum), set, sum.Inc(), x.Read())
				optest.OK(t, z.Scale(0.5))
				optest.OK(t, z.Add(y))
				optest.OK(t, w.MAXPY([]float64{1, 2, 3, 4}, x, y, z, old))
				optest.OK(t, w.Copy(z, part))
				optest.OK(t, two.Zero())
				optest.OK(t, two.Fill(2))
				optest.OK(t, w.Sub(x))
				optest.OK(t, w.Div(two))
				if waiting := op2.Queued(rt); op2.IsLazy(rt) && waiting < 14 { // or 15, if what is in vain is still there
					t.Errorf("%d calls wait", waiting)
				}
				rt.Stats() // runs all
			}
			for _, d := range dats {
				results = append(results, slices.Clone(optest.Must(d.DataRO())))
			}
			return append(results, []float64{optest.Must(sum.Value())})
		}
		plain := open(t)
		for _, mode := range []string{"fuse", "tile"} {
			rt := openLazy(t, open, op2.WithChains(op2.Chaining(mode)))
			for _, n := range []int{0, 1, 200} {
				got, want := steps(rt, n), steps(plain, n)
				for i := range want {
					if !slices.Equal(got[i], want[i]) {
						t.Errorf("%s, %d elements, d%d: got %v, want %v", mode, n, i, got[i], want[i])
					}
				}
			}
			_, tiles := op2.BackendOf(rt).(backend.Tiler)
			if joins := mode == "tile" && tiles || mode == "fuse" && rt.Backend() != "test"; joins && op2.FoundChains(rt) == 0 {
				t.Error("repeated calls have become no chain")
			}
		}
	}
	conformance.Each(t, test)
}

// record is a value with padding.
type record struct {
	On bool
	X  [2]float32
	N  int64
}

// Values of all types are copied, filled and zeroed by loops that wait.
func TestLazyArithmeticTypes(t *testing.T) {
	for _, name := range []string{"go", "auto"} {
		rt := openLazy(t, optest.Open, op2.WithBackend(name))
		lazyValues(t, rt, 1, true)
		lazyValues(t, rt, 3, int8(-7), 8, 9)
		lazyValues(t, rt, 2, record{true, [2]float32{1, 2}, 3}, record{N: -4})
		lazyValues(t, rt, 1, 3+4i)
		lazyValues(t, rt, 70, [2]float32{5, 6})
	}
}

// lazyValues copies, fills and zeroes dats of a type.
func lazyValues[T comparable](t *testing.T, rt *op2.Runtime, dim int, element ...T) {
	t.Helper()
	set := optest.NewSet(t, rt, 5, "elements")
	d, e := optest.NewDat[T](t, set, dim, nil, "d"), optest.NewDat[T](t, set, dim, nil, "e")
	want := make([]T, 5*dim)
	for i := range want {
		want[i] = element[i%len(element)]
	}
	optest.OK(t, d.Fill(element...))
	optest.OK(t, e.Copy(d))
	optest.OK(t, e.Copy(e))
	optest.OK(t, d.Zero())
	optest.Expect(t, e, want)
	optest.Expect(t, d, make([]T, 5*dim))
	optest.Expect(t, e.Duplicate("f"), want)
}

// Arithmetic runs when it is needed, with the factors of the call, and not at all if it is in vain.
func TestLazyArithmeticRunsWhatIsRead(t *testing.T) {
	rt := openLazy(t, optest.Open, op2.WithBackend("go"))
	set := optest.NewSet(t, rt, 4, "elements")
	x, y, z := optest.NewDat(t, set, 1, []float64{1, 2, 3, 4}, "x"), optest.NewDat[float64](t, set, 1, nil, "y"), optest.NewDat[float64](t, set, 1, nil, "z")
	waiting := func(want int) {
		t.Helper()
		if n := op2.Queued(rt); n != want {
			t.Errorf("%d calls wait, want %d", n, want)
		}
	}
	optest.OK(t, y.AXPY(2, x))
	optest.OK(t, z.AXPY(3, x))
	optest.OK(t, y.Scale(5))
	waiting(3)
	optest.Expect(t, z, []float64{3, 6, 9, 12})
	waiting(2)
	optest.OK(t, y.Copy(z)) // replaces all
	optest.Expect(t, y, []float64{3, 6, 9, 12})
	waiting(0)
	if n := calls(rt, "datScale"); n != 0 {
		t.Errorf("%d calls in vain", n)
	}
	optest.OK(t, x.Scale(2))
	if v := optest.Must(x.Norm()); v*v < 119.9 || v*v > 120.1 {
		t.Errorf("the norm is %v", v)
	}
}

// Arithmetic that waits costs little more than arithmetic that does not.
func BenchmarkLazyAXPY(b *testing.B) {
	for _, lazy := range []bool{false, true} {
		b.Run(fmt.Sprint("lazy=", lazy), func(b *testing.B) {
			rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil), op2.WithLazy(lazy), op2.WithChains(op2.Off)))
			defer rt.Close()
			set := optest.NewSet(b, rt, 0, "elements")
			x, y := optest.NewDat[float64](b, set, 1, nil, "x"), optest.NewDat[float64](b, set, 1, nil, "y")
			b.ReportAllocs()
			for b.Loop() {
				_ = y.AXPY(2, x)
			}
		})
	}
}
