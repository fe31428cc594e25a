package conformance

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed device_values_kernels_test.go
var deviceValuesSource string

// inForms runs f on the devices that the machine has, in some ways.
func inForms(t *testing.T, f func(t *testing.T, open optest.Opener), forms ...string) {
	for _, c := range DeviceConfigs(t) {
		if _, form, _ := strings.Cut(c.Name, "/"); slices.Contains(forms, form) {
			c.run(t, c.Name, f)
		}
	}
}

// TestDeviceWrap checks that integers wrap on devices, whose compilers may assume that they do not.
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
	inForms(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		cells := optest.NewSet(t, rt, n, "cells")
		x, y, r := optest.NewDat(t, cells, 1, v, "x"), optest.NewDat(t, cells, 1, w, "y"), optest.NewDat[int32](t, cells, 8, nil, "r")
		optest.Run(t, op2.Kernels(deviceValuesSource).Func(wrapCompared), cells, x.Read(), y.Read(), r.Write())
		optest.Expect(t, r, want)
	}, "auto", "global-color-aos")
}

// TestBranches computes functions of constants for which drivers have no value, and signs of zeros, as Go does, on the
// host and on devices.
func TestBranches(t *testing.T) {
	const n = 61
	x := make([]float64, n)
	var wantO []int64
	var wantY []uint64
	for i := range x {
		x[i] = float64(i%7)/2 - 1.5
		var o [2]int64
		var y [7]float64
		branchesTaken(&i, &x[i], &o, &y)
		wantO = append(wantO, o[:]...)
		for _, v := range y {
			wantY = append(wantY, bitsOf(v))
		}
	}
	run := func(t *testing.T, open optest.Opener) {
		rt := open(t)
		cells := optest.NewSet(t, rt, n, "cells")
		from, o, y := optest.NewDat(t, cells, 1, x, "x"), optest.NewDat[int64](t, cells, 2, nil, "o"), optest.NewDat[float64](t, cells, 7, nil, "y")
		optest.Run(t, op2.Kernels(deviceValuesSource).Func(branchesTaken), cells, op2.Index(), from.Read(), o.Write(), y.Write())
		optest.Expect(t, o, wantO)
		for i, v := range optest.Values(t, y) {
			if bitsOf(v) != wantY[i] {
				t.Errorf("y[%d] of %v is %v, want %v", i%7, x[i/7], v, math.Float64frombits(wantY[i]))
			}
		}
	}
	t.Run("sequential", func(t *testing.T) {
		optest.RequireCompiler(t)
		run(t, Config{Options: []op2.Option{op2.WithBackend("sequential")}}.Open)
	})
	inForms(t, run, "auto")
}

// bitsOf returns the bits of a number, the same for all NaN.
func bitsOf(v float64) uint64 {
	if v != v {
		v = math.NaN()
	}
	return math.Float64bits(v)
}

// TestSharedBytes finds the memory that blocks need for copies of the data they reach.
func TestSharedBytes(t *testing.T) {
	rt := optest.OpenBackend(t, "opencl", op2.WithStrategy(op2.Staged))
	edges, nodes := optest.NewSet(t, rt, 4, "edges"), optest.NewSet(t, rt, 5, "nodes")
	m := optest.NewMap(t, edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3, 3, 4}, "m")
	x := optest.NewDat[float64](t, nodes, 1, nil, "x")
	l := op2.NewLoop(ckernel.New("k", "void k(double *x) { *x += 1; }"), edges, x.Inc(m.At(0)))
	optest.OK(t, l.Compute())
	if got := l.Plan().SharedBytes; got != 32 {
		t.Errorf("%d bytes are shared, want 32", got)
	}
}

// ofConstants is true if functions of constants, for which PoCL has no value, have those of C.
const ofConstants = `static float f(float v) { return v; }
static double d(double v) { return v; }
static int right(void) {
	return rintf(f(1e30f)) == 1e30f && rintf(f(2.5f)) == 2 && signbit(rintf(f(-0.25f))) && rint(d(-1e300)) == -1e300
		&& remainderf(f(7), f(4)) == -1 && remainderf(f(1e38f), f(3e38f)) == 1e38f && isnan(remainderf(f(3), f(0))) && isnan(remainder(d(3), d(-0.0)))
		&& isnan(exp(d(NAN))) && isnan(exp2(d(NAN))) && isnan(expm1(d(NAN))) && isnan(floor(d(NAN))) && isnan(ceil(d(NAN)))
		&& isnan(expf(f(NAN))) && isnan(sinhf(f(NAN))) && isnan(tanhf(f(NAN))) && isnan(roundf(f(NAN))) && isnan(truncf(f(NAN)))
		&& isnan(powf(f(NAN), f(NAN))) && isnan(powf(f(NAN), f(1))) && powf(f(NAN), f(0)) == 1 && powf(f(1), f(NAN)) == 1 && tanhf(f(INFINITY)) == 1 && isnan(tgammaf(f(NAN))) && atan2f(f(0), f(-0.0f)) > 3 && exp(d(0)) == 1;
}
`

// ofLibrary is true if functions of C's library have the types that C gives them, and the right values.
const ofLibrary = `#include <stdlib.h>
#include <float.h>
static int right(void) {
	int e;
	float w, two = 2;
	unsigned long long h = 1469598103934665603ULL;
	h *= 1099511628211ull;
	return abs(-3) - 4 < 0 && labs(-3) - 4 < 0 && ldexpf(3, 3) == 24 && scalbn(1, 2) == 4 && frexpf(12, &e) == 0.75f && e == 4 && modff(2.25f, &w) == 0.25f && w == 2
		&& lroundf(2.5f) == 3 && llrint(2.5) == 2 && nearbyint(2.5) == 2 && ilogb(8) == 3 && hypot(3, 4) == 5 && sqrt(two) > sqrtf(two) + 1e-9f && sqrtf(2.0) == sqrtf(two)
		&& sizeof(long long) == 8 && sizeof(1LL) == 8 && h >> 56 == 68 && DBL_MAX > FLT_MAX;
}
`

// TestDeviceC runs C that the IR cannot express, and functions of constants with and without it.
func TestDeviceC(t *testing.T) {
	inForms(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 3, "cells")
		x := optest.NewDat[float64](t, cells, 2, nil, "x")
		for _, source := range []string{
			ofConstants + "void words(double *x) { union { double d; int64_t i; } u; u.d = 2 * right(); x[0] = u.d; x[1] = 3; }",
			ofConstants + "void words(double *x) { x[0] = 2 * right(); x[1] = 3; }",
			ofLibrary + "void words(double *x) { _Static_assert(sizeof(int) == 4, \"int\"); union { double d; int64_t i; } u; u.d = 2 * right(); x[0] = u.d; x[1] = 3; }",
			"static void row(double (*v)[2]) { (*v)[0] = 2; (*v)[1] = 3; }\nvoid words(double *x) { double v[2], w[2][2]; row(&v); row(&w[1]); x[0] = v[0]; x[1] = w[1][1]; }",
			"static double d(double v) { return v; }\nvoid words(double *x) { x[0] = signbit(d(-0.0)) ? 2 : 1; x[1] = copysignf(2, -0.0f) + 5; }",
			"#define abs(x) ((x) < 0 ? -(x) : (x))\n#define INT_MAX 1\nvoid words(double *x) { union { double d; } u; u.d = abs(-1) + INT_MAX; x[0] = u.d; x[1] = 3; }",
			"void words(double *x) { double v[2], *p = v; *p++ = 2; *p = 3; x[0] = v[0]; x[1] = v[1]; }",
			"\ufeff#include <stdio.h>\n#include <string.h>\n#define n 2\nvoid words(double *x) { double v[n] = {n, 3}; memset(x, 0, 16); memcpy(x, v, sizeof v); memmove(x, x, 8); if (x[0] != n) printf(\"%g\", x[0]); }",
			"typedef struct { double local, new, z; } double3;\nstatic inline double dot(double v) { union { double d; } u; if (v > 5) goto end; u.d = v; return u.d + 1; end: return 0; }\n" +
				"void words(double *x) { double3 kernel = {1, 2}; double half = dot(kernel.new); x[0] = dot(kernel.local); x[1] = half; }",
		} {
			optest.Run(t, ckernel.New("words", source), cells, x.Write())
			optest.Expect(t, x, []float64{2, 3, 2, 3, 2, 3})
		}
	}, "auto")
}

// TestDeviceConsts changes a const before the first call of a loop whose source contains its value,
// and to values that are not finite.
func TestDeviceConsts(t *testing.T) {
	inForms(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		a, b := 1.0, float32(0)
		for _, err := range []error{optest.NewConst(rt, "a", &a), optest.NewConst(rt, "b", &b)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		cells := optest.NewSet(t, rt, 2, "cells")
		x := optest.NewDat[float64](t, cells, 1, nil, "x")
		l := op2.NewLoop(ckernel.New("reads", "void reads(double *x) { union { double d; } u; u.d = a + b; *x = u.d; }"), cells, x.Write())
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
		optest.Expect(t, x, []float64{math.Inf(-1), math.Inf(-1)})
	}, "auto", "measure")
}

// TestDeviceNames runs functions that have names used by the surrounding loop.
func TestDeviceNames(t *testing.T) {
	k := op2.Kernels(deviceValuesSource)
	inForms(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		cells, nodes := optest.NewSet(t, rt, 4, "cells"), optest.NewSet(t, rt, 2, "nodes")
		m := optest.NewMap(t, cells, nodes, 1, []int32{0, 1, 0, 1}, "m")
		x, y := optest.NewDat(t, cells, 1, []float64{1, 2, 3, 4}, "x"), optest.NewDat[float64](t, nodes, 2, nil, "y")
		optest.Run(t, k.Func(y_shared), cells, x.Read(), y.Inc(m))
		optest.Run(t, k.Func(y_targets_), cells, x.Read(), y.Inc(m))
		optest.Run(t, ckernel.New("y_local", "void y_local(double *x, double *y) { union { double d; } u; u.d = *x; y[0] += u.d; y[1] += 2 * u.d; }"), cells, x.Read(), y.Inc(m))
		optest.Expect(t, y, []float64{12, 24, 18, 36})
		sum := optest.NewGlobal(t, rt, "sum", 0.0)
		optest.Run(t, k.Func(sum_partials_tree), cells, x.Read(), sum.Inc())
		optest.Expect(t, sum, []float64{10})
	}, "staged-soa")
}

// TestDeviceGlobals reads a global through pointers.
func TestDeviceGlobals(t *testing.T) {
	inForms(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 3, "cells")
		g, x := optest.NewGlobal(t, rt, "g", 1.0, 2), optest.NewDat[float64](t, cells, 1, nil, "x")
		for _, source := range []string{
			"void reads(const double *g, double *x) { const double *p = g; *x = p[0] + p[1]; }",
			"void reads(const double *g, double *x) { const double *p; p = g + 1; *x = g[0] + *p; }",
			"void reads(const double g[2], double *x) { const double *p = &g[1]; *x = g[0] + *p; }",
			"static double both(const double *v) { return v[0] + v[1]; }\nvoid reads(const double *g, double *x) { *x = both(g); }",
			"static double one(const double *v) { return *v; }\nvoid reads(const double *g, double *x) { *x = one(g) + one(&g[1]); }",
			"void reads(const double *g, double *x) { const double *p = g[0] > 5 ? x : g; *x = p[0] + 2; }",
			"#include <math.h>\n#include <stdint.h> // of int32_t\nvoid reads(const double *g, double *x) { union { double d; } u; u.d = fabs(-g[1]); int32_t one = g[0]; *x = u.d + one; }",
		} {
			optest.Run(t, ckernel.New("reads", source), cells, g.Read(), x.Write())
			optest.Expect(t, x, []float64{3, 3, 3})
		}
	}, "auto", "global-color-aos")
}

// TestDeterministic requests reproducible results, and strategies that contradict that.
func TestDeterministic(t *testing.T) {
	for _, strategy := range []string{"atomic", "measure"} {
		inForms(t, func(t *testing.T, open optest.Opener) {
			rt := open(t, op2.WithStrategy(op2.Strategy(strategy)))
			cells, nodes := optest.NewSet(t, rt, 4, "cells"), optest.NewSet(t, rt, 2, "nodes")
			m := optest.NewMap(t, cells, nodes, 1, []int32{0, 1, 0, 1}, "m")
			x, y := optest.NewDat[float64](t, cells, 1, nil, "x"), optest.NewDat[float64](t, nodes, 2, nil, "y")
			for range 20 {
				optest.Run(t, op2.Kernels(deviceValuesSource).Func(y_shared), cells, x.Read(), y.Inc(m))
			}
			for _, s := range rt.Stats() {
				if strings.HasPrefix(s.How, "atomic") || strings.Contains(s.How, "measure") {
					t.Errorf("the loop runs %s", s.How)
				}
			}
		}, "deterministic")
	}
}

// TestHugeBlocks requests blocks that reach more targets than can be numbered.
func TestHugeBlocks(t *testing.T) {
	inForms(t, func(t *testing.T, open optest.Opener) {
		const n = 70000
		rt := open(t, op2.WithBlockSize(1<<20))
		cells, nodes := optest.NewSet(t, rt, n, "cells"), optest.NewSet(t, rt, n, "nodes")
		to, want := make([]int32, n), make([]float64, 2*n)
		for i := range to {
			to[i], want[2*i], want[2*i+1] = int32(i), 1, 2
		}
		ones := make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
		m := optest.NewMap(t, cells, nodes, 1, to, "m")
		x, y := optest.NewDat(t, cells, 1, ones, "x"), optest.NewDat[float64](t, nodes, 2, nil, "y")
		optest.Run(t, op2.Kernels(deviceValuesSource).Func(y_shared), cells, x.Read(), y.Inc(m))
		optest.Expect(t, y, want)
	}, "staged-soa")
}
