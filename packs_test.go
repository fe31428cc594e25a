package op2_test

import (
	_ "embed"
	"math"
	"testing"

	"github.com/go-op2/op2"
)

//go:embed packs_test.go
var packsSource string

var packScale = 2.25

// scaled computes with a const alone, which is one value for a whole pack, and with
// what differs from element to element.
func scaled(x, y *float64) {
	s := math.Sqrt(packScale) + math.Max(packScale, 3)
	*y = s*math.Sqrt(*x) + math.Max(*x, packScale)
}

func TestPacksWithConsts(t *testing.T) {
	eachConfiguration(t, func(t *testing.T, open opener) {
		rt := open(t, op2.WithSIMD("on"))
		if err := op2.NewConst(rt, "packScale", &packScale); err != nil {
			t.Fatal(err)
		}
		const n = 37 // packs, and a rest
		set := newSet(t, rt, n, "elements")
		values, want := make([]float64, n), make([]float64, n)
		for i := range values {
			values[i] = float64(i * i)
			want[i] = 4.5*float64(i) + max(values[i], 2.25)
		}
		x, y := newDat(t, set, 1, values, "x"), newDat[float64](t, set, 1, nil, "y")
		if err := op2.ParLoop(op2.Kernels(packsSource).Func(scaled), set, x.Read(), y.Write()); err != nil {
			t.Fatal(err)
		}
		expect(t, y, want)
	})
}
