package op2_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed tuned_test.go
var tunedSource string

// sumSquares does enough work for packs.
func sumSquares(y *float64, x *[3]float64) {
	for i := range 3 {
		*y += x[i]*x[i]/(1+x[i]) + x[i]/(2+x[i])
	}
}

// A kernel's own options take precedence over those of the runtime.
func TestKernelWith(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("openmp"), op2.WithSIMD(op2.Off), op2.Static(), op2.WithLog(nil)))
	defer rt.Close()
	set := optest.NewSet(t, rt, 1000, "cells")
	x, y := optest.NewDat[float64](t, set, 3, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	k := op2.Kernels(tunedSource).Func(sumSquares)
	for _, c := range []struct {
		options []op2.KernelOption
		want    string
	}{
		{nil, "one element at a time: SIMD is off"},
		{[]op2.KernelOption{op2.WithSIMD(op2.On)}, "It runs packs of 8"},
		{[]op2.KernelOption{op2.WithSIMD(op2.On), op2.WithBlockSize(64), nil}, "It runs packs of 8"},
	} {
		l := op2.NewLoop(k.With(c.options...), set, y.Inc(), x.Read())
		if text := optest.Must(l.Generate()); !strings.Contains(text, c.want) {
			t.Errorf("%s is not in\n%s", c.want, text)
		}
	}
	on := k.With(op2.WithSIMD(op2.On))
	if on == k || on != k.With(op2.WithSIMD(op2.On)) || on.With(op2.WithBlockSize(8)) != k.With(op2.WithBlockSize(8), op2.WithSIMD(op2.On)) {
		t.Error("the same choices give another kernel, or others the same")
	}
	if on.Name() != "sumSquares" || (*op2.Kernel)(nil).With() != nil {
		t.Error("the name, or nil")
	}
	for _, c := range []struct {
		option op2.KernelOption
		want   string
	}{
		{op2.WithSIMD("yes"), `SIMD "yes": expected auto, on or off`},
		{op2.WithBlockSize(-1), "blocks of -1 elements: at least one is needed"},
	} {
		err := op2.NewLoop(k.With(c.option), set, y.Inc(), x.Read()).Err()
		optest.ExpectError(t, err, "op2: loop sumSquares over cells: kernel sumSquares: With: "+c.want)
	}
}

// A kernel's own block size changes neither results nor the loops of others.
func TestKernelWithBlockSize(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithBlockSize(128), op2.WithLog(nil)))
	defer rt.Close()
	set := optest.NewSet(t, rt, 1000, "cells")
	values := make([]float64, 3000)
	for i := range values {
		values[i] = float64(i % 7)
	}
	x := optest.NewDat(t, set, 3, values, "x")
	k := op2.Kernels(tunedSource).Func(sumSquares)
	var first []float64
	for _, c := range []struct {
		kernel *op2.Kernel
		blocks int
	}{{k, 8}, {k.With(op2.WithBlockSize(100)), 10}, {k.With(), 8}} {
		y := optest.NewDat[float64](t, set, 1, nil, "y")
		optest.OK(t, op2.ParLoop(c.kernel, set, y.Inc(), x.Read()))
		l := op2.NewLoop(c.kernel, set, y.Inc(), x.Read())
		if n := l.Plan().Blocks; n != c.blocks {
			t.Errorf("%d blocks, not %d", n, c.blocks)
		}
		if got := optest.Must(y.Data()); first == nil {
			first = got
		} else if !slices.Equal(got, first) {
			t.Error("results differ")
		}
	}
}

// copyFirst copies the first of three values.
func copyFirst(y *float64, x *[3]float64) { *y = x[0] }
