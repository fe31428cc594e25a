package conformance

import (
	_ "embed"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed packs_test.go
var packsSource string

var packScale = 2.25

// scaled computes with a const alone, which is one value for a whole pack, and with values that
// differ from element to element.
func scaled(x, y *float64) {
	s := math.Sqrt(packScale) + math.Max(packScale, 3)
	*y = s*math.Sqrt(*x) + math.Max(*x, packScale)
}

func TestPacksWithConsts(t *testing.T) {
	Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t, op2.WithSIMD("on"))
		if err := op2.NewConst(rt, "packScale", &packScale); err != nil {
			t.Fatal(err)
		}
		const n = 37 // packs, and a remainder
		set := optest.NewSet(t, rt, n, "elements")
		values, want := make([]float64, n), make([]float64, n)
		for i := range values {
			values[i] = float64(i * i)
			want[i] = 4.5*float64(i) + max(values[i], 2.25)
		}
		x, y := optest.NewDat(t, set, 1, values, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
		if err := op2.ParLoop(op2.Kernels(packsSource).Func(scaled), set, x.Read(), y.Write()); err != nil {
			t.Fatal(err)
		}
		optest.Expect(t, y, want)
	})
}

// guarded reads a table at an index that may be out of range, only if x is positive.
func guarded(x *float64, at *int64, y *float64) {
	table := [4]float64{1, 2, 3, 4}
	*y = 0
	if *x > 0 {
		*y = table[*at]
	}
}

// What no element of a pack executes does not fault; what one does execute faults.
func TestPacksFault(t *testing.T) {
	Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t, op2.WithSIMD("on"))
		const n = 50
		set := optest.NewSet(t, rt, n, "elements")
		values, want := make([]float64, n), make([]float64, n)
		x, y := optest.NewDat(t, set, 1, values, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
		at := optest.NewGlobal(t, rt, "at", int64(9))
		l, err := op2.NewLoop(op2.Kernels(packsSource).Func(guarded), set, x.Read(), at.Read(), y.Write())
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Compute(); err != nil {
			t.Fatal(err)
		}
		optest.Expect(t, y, want)

		values = op2.Must(x.Data())
		values[20] = 1
		var fault *op2.FaultError
		if err := l.Compute(); !errors.As(err, &fault) || !strings.Contains(err.Error(), "index out of range [9] with length 4: table, ") ||
			fault.Element > 20 || 20 >= fault.Element+fault.Elements {
			t.Fatalf("got %v, want a fault", err)
		}
		op2.Must(at.Data())[0] = 2
		want[20] = 3
		if err := l.Compute(); err != nil {
			t.Fatal(err)
		}
		optest.Expect(t, y, want)
	})
}

// extremes reduces values that include NaN and zeros of both signs.
func extremes(x, low, high *float64) {
	*low = min(*low, *x)
	if *x > *high {
		*high = *x
	}
}

func TestPacksExtremes(t *testing.T) {
	Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t, op2.WithSIMD("on"))
		const n = 100
		set := optest.NewSet(t, rt, n, "elements")
		for _, c := range []struct{ special, low, high float64 }{
			{5, 5, 104}, {-3, -3, 104}, {200, 6, 200}, {math.NaN(), math.NaN(), 104}, {math.Inf(1), 6, math.Inf(1)},
			{math.Copysign(0, -1), math.Copysign(0, -1), 104},
		} {
			values := make([]float64, n)
			for i := range values {
				values[i] = float64(i) + 5
			}
			values[0] = c.special
			x := optest.NewDat(t, set, 1, values, "x")
			low, high := optest.NewGlobal(t, rt, "low", 1e9), optest.NewGlobal(t, rt, "high", -1e9)
			optest.Run(t, op2.Kernels(packsSource).Func(extremes), set, x.Read(), low.Min(), high.Max())
			for i, g := range []*op2.Global[float64]{low, high} {
				got, want := op2.Must(g.Data())[0], []float64{c.low, c.high}[i]
				if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
					t.Errorf("with %v: %s is %v, want %v", c.special, g.Name(), got, want)
				}
			}
		}
	})
}

// Stats say how a loop ran: on packs or why not, on how many threads, and whether it had to be
// compiled.
func TestHow(t *testing.T) {
	for _, c := range []struct {
		backend, how, code string
		options            []op2.Option
	}{
		{"sequential", "packs of [248]", "compiled|found", []op2.Option{op2.WithSIMD("on")}},
		{"sequential", `scalar \(SIMD is off\)`, "compiled|found", []op2.Option{op2.WithSIMD("off")}},
		{"openmp", "packs of [248], 2 threads, 5 blocks", "compiled|found", []op2.Option{op2.WithSIMD("on"), op2.WithThreads(2), op2.WithBlockSize(8)}},
		{"go", "Go functions, 2 goroutines, 5 blocks", "", []op2.Option{op2.WithThreads(2), op2.WithBlockSize(8)}},
	} {
		t.Run(c.backend+" "+c.how, func(t *testing.T) {
			rt, err := op2.Open(append(c.options, op2.WithBackend(c.backend), op2.WithCFlags("-O1"))...)
			if errors.Is(err, op2.ErrUnavailable) {
				optest.Require(t, c.backend, err.Error())
			}
			optest.OK(t, err)
			defer rt.Close()
			optest.OK(t, op2.NewConst(rt, "packScale", &packScale))
			set := optest.NewSet(t, rt, 37, "elements")
			x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
			optest.Run(t, op2.Kernels(packsSource).Func(scaled), set, x.Read(), y.Write())
			stats := rt.Stats()[0]
			if !regexp.MustCompile("^("+c.how+")$").MatchString(stats.How) || !regexp.MustCompile("^("+c.code+")$").MatchString(stats.Code) {
				t.Errorf("the loop ran %q, its code was %q; want %s, %s", stats.How, stats.Code, c.how, c.code)
			}
		})
	}
}
