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
	t.Run("structs", func(t *testing.T) { packsOfStructs(t, open) })
	t.Run("faults", func(t *testing.T) { packsFault(t, open) })
	t.Run("faults of scattered elements", func(t *testing.T) { scatteredFault(t, open) })
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
	rt := open(t, op2.WithSIMD(op2.On))
	op2.NewConst(rt, "packScale", &packScale)
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

type gas struct {
	rho float64
	u   [2]float64
	e   float64
}

var (
	farGas = gas{1, [2]float64{2, -3}, 4}
	walls  = [2]gas{{e: -7}, {u: [2]float64{5, 6}}}
)

func (g gas) plus(h gas) gas {
	g.rho += h.rho
	g.u[0] += h.u[0]
	g.u[1] += h.u[1]
	g.e += h.e
	return g
}

// addGas adds h to g[1], and what was there to g[0].
func addGas(g *[2]gas, h *gas) {
	g[0] = g[0].plus(g[1])
	g[1] = g[1].plus(*h)
}

func bothGases(g *[2]gas) gas { return g[0].plus(g[1]) }

// mixture computes with consts, arrays of structs and parts of structs, some under conditions.
func mixture(g *[2]gas, scale *gas, out *[2]gas, sum *gas) {
	m := bothGases(g)
	if m.rho > 0 {
		m = m.plus(farGas)
	} else if m.e < 0 {
		m.u = walls[1].u
		m.e = walls[0].e * scale.rho
	}
	if m.e > 1 {
		addGas(out, &m)
	}
	out[1].u = m.u
	sum.rho += scale.e * m.rho
	sum.u[1] -= m.u[0]
}

func packsOfStructs(t *testing.T, open optest.Opener) {
	rt := open(t, op2.WithSIMD(op2.On))
	op2.NewConst(rt, "farGas", &farGas)
	op2.NewConst(rt, "walls", &walls)
	const n, m = 203, 37
	mesh := optest.NewTopology(n, m)
	cells, nodes := optest.NewSet(t, rt, n, "cells"), optest.NewSet(t, rt, m, "nodes")
	to, gs, outs := make([]int32, 2*n), make([]gas, m), make([]gas, 2*n)
	for i := range to {
		to[i] = int32(mesh.Random.IntN(m))
	}
	number := func() float64 { return float64(mesh.Random.IntN(17) - 8) } // whose sums are exact
	for i := range gs {
		gs[i] = gas{number(), [2]float64{number(), number()}, number()}
	}
	for i := range outs {
		outs[i] = gas{number(), [2]float64{number(), number()}, number()}
	}
	want, scale, sum := append([]gas(nil), outs...), gas{rho: 2, e: 3}, gas{}
	for i := range n {
		mixture(&[2]gas{gs[to[2*i]], gs[to[2*i+1]]}, &scale, (*[2]gas)(want[2*i:]), &sum)
	}
	g, out := optest.NewDat(t, nodes, 1, gs, "g"), optest.NewDat(t, cells, 2, outs, "out")
	total := optest.NewGlobal(t, rt, "sum", gas{})
	err := op2.ParLoop(op2.Kernels(packsSource).Func(mixture), cells, g.Read(optest.NewMap(t, cells, nodes, 2, to, "map")),
		optest.NewGlobal(t, rt, "scale", scale).Read(), out.RW(), total.Inc())
	if err != nil {
		t.Fatalf("%+v", err)
	}
	optest.Expect(t, out, want)
	if got := optest.Must(total.Value()); got != sum {
		t.Errorf("sum is %v, want %v", got, sum)
	}
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
	rt := open(t, op2.WithSIMD(op2.On))
	if rt.Ranks() > 1 { // all of which end
		return
	}
	const n = 50
	set := optest.NewSet(t, rt, n, "elements")
	values, want := make([]float64, n), make([]float64, n)
	x, y := optest.NewDat(t, set, 1, values, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	at := optest.NewGlobal(t, rt, "at", int64(9))
	l := op2.NewLoop(op2.Kernels(packsSource).Func(guarded), set, x.Read(), at.Read(), y.Write())
	if err := l.Compute(); err != nil {
		t.Fatal(err)
	}
	optest.Expect(t, y, want)

	values = optest.Must(x.Data())
	values[20] = 1
	var fault *op2.FaultError
	if err := l.Compute(); !errors.As(err, &fault) || !strings.Contains(err.Error(), "index out of range [9] with length 4: table, ") ||
		fault.Element > 20 || 20 >= fault.Element+fault.Elements {
		t.Fatalf("got %v, want a fault", err)
	}
	optest.Must(at.Data())[0] = 2
	want[20] = 3
	if err := l.Compute(); err != nil {
		t.Fatal(err)
	}
	optest.Expect(t, y, want)
}

// scatteredFault runs over elements without neighbors, which generated code finds in a list: the fault is that of the
// element, or of one that is not known, in a pack, but of no other.
func scatteredFault(t *testing.T, open optest.Opener) {
	rt := open(t, op2.WithSIMD(op2.On))
	if rt.Ranks() > 1 {
		return
	}
	const n = 651
	set := optest.NewSet(t, rt, 2*n, "elements")
	var odd []int
	for i := range n {
		odd = append(odd, 2*i+1)
	}
	x, y := optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	l := op2.NewLoop(op2.Kernels(packsSource).Func(guarded), op2.NewSubset(set, odd, "odd"), x.Read(), optest.NewGlobal(t, rt, "at", int64(9)).Read(), y.Write())
	for _, at := range []int{1, 777, 2*n - 1} { // the last is no part of a pack, whatever their size
		values := optest.Must(x.Data())
		clear(values)
		values[at] = 1
		var fault *op2.FaultError
		if err := l.Compute(); !errors.As(err, &fault) || fault.Elements > 0 && (fault.Element > at || at >= fault.Element+fault.Elements) ||
			fault.Elements == 0 && at == 2*n-1 && rt.Backend() == "sequential" {
			t.Errorf("got %v, want a fault of element %d", err, at)
		}
	}
}

// extremes reduces values that include NaN and zeros of both signs.
func extremes(x, low, high *float64) {
	*low = min(*low, *x)
	if *x > *high {
		*high = *x
	}
}

func packsExtremes(t *testing.T, open optest.Opener) {
	rt := open(t, op2.WithSIMD(op2.On))
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
			got, want := optest.Must(g.Data())[0], []float64{c.low, c.high}[i]
			if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
				t.Errorf("with %v: %s is %v, want %v", c.special, g.Name(), got, want)
			}
		}
	}
}
