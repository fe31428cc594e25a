package conformance

import (
	_ "embed"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed packs.go
var packsSource string

// conformPacks runs loops on packs where the backend has them.
func conformPacks(t *testing.T, open optest.Opener) {
	t.Run("consts", func(t *testing.T) { packsWithConsts(t, open) })
	t.Run("faults", func(t *testing.T) { packsFault(t, open) })
	t.Run("extremes", func(t *testing.T) { packsExtremes(t, open) })
}

var packScale = 2.25

// scaled computes with a const alone, which is one value for a whole pack, and with values that
// differ from element to element.
func scaled(x, y *float64) {
	s := math.Sqrt(packScale) + math.Max(packScale, 3)
	*y = s*math.Sqrt(*x) + math.Max(*x, packScale)
}

func packsWithConsts(t *testing.T, open optest.Opener) {
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
func packsFault(t *testing.T, open optest.Opener) {
	rt := open(t, op2.WithSIMD("on"))
	if rt.Ranks() > 1 { // all of which end
		return
	}
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
}

// extremes reduces values that include NaN and zeros of both signs.
func extremes(x, low, high *float64) {
	*low = min(*low, *x)
	if *x > *high {
		*high = *x
	}
}

func packsExtremes(t *testing.T, open optest.Opener) {
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
}
