package op2_test

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
)

//go:embed device_values_kernels_test.go
var deviceValuesSource string

// eachDevice runs f on the devices that the machine has, in some ways.
func eachDevice(t *testing.T, f func(t *testing.T, open opener), forms ...string) {
	for _, c := range deviceConfigurations(t) {
		if _, form, _ := strings.Cut(c.name, "/"); slices.Contains(forms, form) {
			t.Run(c.name, func(t *testing.T) {
				require(t, c.needs, c.missing)
				f(t, c.open)
			})
		}
	}
}

// TestDeviceWrap has integers wrap on devices, whose compilers may think that they do not.
func TestDeviceWrap(t *testing.T) {
	const n = 61
	v, w := make([]int32, n), make([]int64, n)
	var want []int32
	for i := range n {
		v[i] = []int32{5, math.MaxInt32, math.MinInt32, -7}[i%4]
		w[i] = []int64{math.MaxInt64, 1, math.MaxInt64 - 1}[i%3]
		var r [8]int32
		wrapCompared(&v[i], &w[i], &r)
		want = append(want, r[:]...)
	}
	eachDevice(t, func(t *testing.T, open opener) {
		rt := open(t)
		cells := newSet(t, rt, n, "cells")
		x, y, r := newDat(t, cells, 1, v, "x"), newDat(t, cells, 1, w, "y"), newDat[int32](t, cells, 8, nil, "r")
		run(t, op2.Kernels(deviceValuesSource).Func(wrapCompared), cells, x.Read(), y.Read(), r.Write())
		expect(t, r, want)
	}, "auto", "global-colour-aos")
}

// TestDeviceC runs C that the IR has no words for.
func TestDeviceC(t *testing.T) {
	eachDevice(t, func(t *testing.T, open opener) {
		rt := open(t)
		cells := newSet(t, rt, 3, "cells")
		x := newDat[float64](t, cells, 2, nil, "x")
		for _, source := range []string{
			"void words(double *x) { union { double d; int64_t i; } u; u.d = 2; x[0] = u.d; x[1] = 3; }",
			"void words(double *x) { double v[2], *p = v; *p++ = 2; *p = 3; x[0] = v[0]; x[1] = v[1]; }",
		} {
			run(t, op2.C("words", source), cells, x.Write())
			expect(t, x, []float64{2, 3, 2, 3, 2, 3})
		}
	}, "auto")
}

// TestDeviceConsts changes a const before the first call of a loop whose text has its value, and
// to values that are no numbers.
func TestDeviceConsts(t *testing.T) {
	eachDevice(t, func(t *testing.T, open opener) {
		rt := open(t)
		a, b := 1.0, float32(0)
		for _, err := range []error{op2.NewConst(rt, "a", &a), op2.NewConst(rt, "b", &b)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		cells := newSet(t, rt, 2, "cells")
		x := newDat[float64](t, cells, 1, nil, "x")
		l, err := op2.NewLoop(op2.C("reads", "void reads(double *x) { union { double d; } u; u.d = a + b; *x = u.d; }"), cells, x.Write())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []float64{2, math.NaN(), math.Inf(1), math.Inf(-1), -math.MaxFloat64} {
			a = v
			if err := l.Compute(); err != nil {
				t.Fatalf("%v: %+v", v, err)
			}
			got, err := x.DataRO()
			if err != nil {
				t.Fatal(err)
			}
			if got[1] != v && !(math.IsNaN(v) && math.IsNaN(got[1])) {
				t.Errorf("the kernel reads %v, want %v", got[1], v)
			}
		}
		a, b = 0, float32(math.Inf(-1))
		if err := l.Compute(); err != nil {
			t.Fatal(err)
		}
		expect(t, x, []float64{math.Inf(-1), math.Inf(-1)})
	}, "auto", "measure")
}
