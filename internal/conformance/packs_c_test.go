package conformance

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

// A C kernel is compiled verbatim for single elements, and printed from its IR for packs: both must
// compute the same.

// cPackKernels read x (dim 4, through map 0), i (dim 2) and add to y (dim 4), count
// (dim 2, int32) and f (dim 2, float).
var cPackKernels = []struct{ name, body string }{
	{"promotion", `
	y[0] = x[0] * 0.1f + 1 / 3 * x[1] + 1.0 / 3 * x[2] + (i[0] / 2 + i[1] % 7);
	y[1] = (float)x[0] * (float)x[1];
	y[2] = 0.1f + 0.2f + x[3] * (1.0f / 3);
	y[3] = i[0] * i[1];
	count[0] = i[0] * 1.5 + x[0];
	count[1] = (short)(i[0] * 1000) + (unsigned char)i[1] + (i[0] < i[1]) + !i[1];
	f[0] += x[0] * 0.1;
	f[1] = f[1] + x[1] + 1e-9;`},
	{"branches", `
	double s = 0;
	if (x[0] < 0) s = -x[0];
	else if (x[0] > 0.5 && i[0] > 0) s = sqrt(x[0]);
	else s = 1 / x[1];
	y[0] = s;
	y[1] = x[1] > x[2] ? x[1] : x[2];
	y[2] = i[0] > 2 ? (i[1] > 2 ? 1 : 2.5) : s;
	y[3] = fmax(x[0], fmin(x[1], x[2])) + fabs(x[3]) + copysign(1, x[0]);
	count[0] = x[0] < 0 ? -1 : x[0] > 0;
	count[1] = (x[0] < 0) == (x[1] < 0);
	f[0] = x[2] < 0 ? sqrtf(-f[0] * f[0]) : f[0];
	f[1] -= i[0];`},
	{"loops", `
	y[0] = 0;
	for (int k = 0; k < 4; k++) {
		if (x[k] < 0) continue;
		if (x[k] > 1) break;
		y[0] += x[k];
	}
	double v = fabs(x[0]) + 1, r = v;
	int steps = 0, a, b;
	if (x[3] > 0) {
		for (a = 0; a < 2; a++)
			for (b = 0; b < 2; ++b)
				if (x[b] < x[2 * a + 1])
					f[a] += x[2 * a + b];
	} else {
		for (a = 1; a >= 0; a--)
			f[a] -= a;
	}
	while (fabs(r * r - v) > 1e-12 * v && steps < 50) {
		r = 0.5 * (r + v / r);
		steps++;
	}
	y[1] = r;
	y[2] = y[3] = 0;
	int n = i[0] & 3, k = 0;
	do { y[2] += x[k & 0] * n; y[3]++; } while (n-- > 0);
	count[0] = steps;
	count[1] = n;`},
	{"helpers", `
	point p = {0};
	double t[3] = {x[0], x[1]};
	turn(t, 0.5);
	turn(&y[1], x[2]);
	y[0] = t[0] + t[1] + clamp(x[3], lo, hi);
	y[3] = table[1] * t[2] + (i[0] << 2 | i[1] & 1);
	count[0] = sign(x[0]) + 2 * sign(x[1]);
	(void)p;`},
	{"switches", `
	switch (i[0]) {
	case 0: y[0] = x[0]; break;
	case 1: case 2: y[0] = x[1] * 2; break;
	default: if (x[0] > 0) { y[0] = 3; break; } y[0] = -x[0];
	}
	y[1] = (i[0] == 1 || x[1] > 0) && !(x[2] > 0);
	y[2] = -(-x[3]) - -1.5;
	y[3] = x[0] / x[1] / x[2];
	count[0] ^= i[0] | 1 << 4;
	count[0] -= 7u;
	count[1] = ~i[1] + -i[0];`},
	{"structs", `
	state a = made(x[0], x[1], i[0]), b = {x[2]}, all[2] = {a};
	if (x[3] > 0) b = plus(a, made(x[3], 1, i[1]));
	all[1] = b;
	double_it(&all[1]);
	double_it(all);
	for (int k = 0; k < 2; k++) {
		y[k] = all[k].rho;
		y[2 + k] = speed(&all[k]) + plus(all[k], all[0]).flow.u[k];
	}
	count[0] = b.cells;
	count[1] = all[1].cells + (a.rho > b.rho ? a : b).cells;
	f[0] += a.flow.u[0] + b.flow.u[1];`},
}

const cPackHelpers = `
typedef struct { double a; } unused;
typedef double point[2];
typedef struct { double rho; struct { double u[2]; } flow; int cells; } state;
static state made(double rho, double u, int cells)
{
	state s = {.cells = cells, .flow.u[1] = u, .rho = rho};
	s.flow.u[0] = rho * u;
	return s;
}
static state plus(state a, const state b)
{
	a.rho += b.rho;
	for (int k = 0; k < 2; k++)
		a.flow.u[k] += b.flow.u[k];
	return a;
}
static void double_it(state *s)
{
	if (s->rho < 0)
		return;
	*s = plus(*s, *s);
	(*s).cells *= 2;
}
static double speed(const state *s) { return sqrt(s->flow.u[0] * s->flow.u[0] + s[0].flow.u[1]); }
static const double table[3] = {0.5, 1.0 / 3, 2};
static const float lo = -0.25f, hi = 0.25f;
static double clamp(double v, double low, double high)
{
	if (v < low)
		return low;
	return v > high ? high : v;
}
static int sign(double v) { return (v > 0) - (v < 0); }
static void turn(double *v, double by)
{
	double a = v[0];
	if (by < 0)
		return;
	v[0] = v[1] * by;
	v[1] = a;
}
`

func TestPacksOfC(t *testing.T) {
	const n, m = 203, 40
	EachCompiler(t, func(t *testing.T, open optest.Opener) {
		scalar := open(t, op2.WithSIMD(op2.Off), op2.WithCFlags("-ffp-contract=off"))
		packs := open(t, op2.WithSIMD(op2.On), op2.WithCFlags("-ffp-contract=off"))
		if !vectorizes(scalar) {
			t.Skip("no packs of C on this backend")
		}
		for _, k := range cPackKernels {
			t.Run(k.name, func(t *testing.T) {
				source := cPackHelpers + "void " + k.name + "(const double x[4], const int *i, double y[4], int32_t count[2], float *f)\n{" + k.body + "\n}\n"
				want, _ := runCPack(t, scalar, k.name, source, n, m)
				got, text := runCPack(t, packs, k.name, source, n, m)
				if !strings.Contains(text, "LANES") {
					t.Fatalf("%s does not run on packs:\n%s", k.name, text)
				}
				for i := range want {
					if got[i] != want[i] && (want[i] == want[i] || got[i] == got[i]) {
						t.Fatalf("value %d is %v on packs, %v alone", i, got[i], want[i])
					}
				}
			})
		}
	})
}

// runCPack returns all results of the kernel, and the generated source.
func runCPack(t *testing.T, rt *op2.Runtime, name, source string, n, m int) ([]float64, string) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	to, xs, is, fs := make([]int32, n), make([]float64, 4*m), make([]int32, 2*n), make([]float32, 2*n)
	for i := range to {
		to[i] = int32(random.IntN(m))
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.Inf(1), math.NaN(), 1e300}
	for i := range xs {
		xs[i] = random.NormFloat64()
		if random.IntN(10) == 0 {
			xs[i] = special[random.IntN(len(special))]
		}
		if name == "promotion" && !(math.Abs(xs[i]) < 100) { // in C the conversion of other values to int is undefined
			xs[i] = 2
		}
	}
	for i := range is {
		is[i], fs[i] = int32(random.IntN(12)-4), random.Float32()
	}
	x, i := optest.NewDat(t, nodes, 4, xs, "x"), optest.NewDat(t, edges, 2, is, "i")
	y, count, f := optest.NewDat[float64](t, edges, 4, nil, "y"), optest.NewDat[int32](t, edges, 2, nil, "count"), optest.NewDat(t, edges, 2, fs, "f")
	l := op2.NewLoop(ckernel.New(name, source), edges, x.Read(optest.NewMap(t, edges, nodes, 1, to, "map").At(0)), i.Read(), y.RW(), count.RW(), f.RW())
	if err := l.Compute(); err != nil {
		t.Fatalf("%+v", err)
	}
	text, err := l.Generate()
	if err != nil {
		t.Fatal(err)
	}
	all := append([]float64(nil), optest.Must(y.DataRO())...)
	for _, v := range optest.Must(count.DataRO()) {
		all = append(all, float64(v))
	}
	for _, v := range optest.Must(f.DataRO()) {
		all = append(all, float64(v))
	}
	return all, text
}

// airfoilC are the kernels of OP2's airfoil in C, and what they take: each argument's
// access and dim, n for one through a map, i for int32, g for a global.
var airfoilC = []struct{ args, source string }{
	{"r4 w4", `inline void save_soln(const double *q, double *qold) {
  for (int n = 0; n < 4; n++)
    qold[n] = q[n];
}
`},
	{"r2n r2n r2n r2n r4 w1", `inline void adt_calc(const double *x1, const double *x2, const double *x3, const double *x4,
                     const double *q, double *adt) {
  double dx, dy, ri, u, v, c;

  ri = 1.0f / q[0];
  u = ri * q[1];
  v = ri * q[2];
  c = sqrt(gam * gm1 * (ri * q[3] - 0.5f * (u * u + v * v)));

  dx = x2[0] - x1[0];
  dy = x2[1] - x1[1];
  *adt = fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);

  dx = x3[0] - x2[0];
  dy = x3[1] - x2[1];
  *adt += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);

  *adt = (*adt) / cfl;
}
`},
	{"r2n r2n r4n r4n r1n r1n i4n i4n", `inline void res_calc(const double *x1, const double *x2, const double *q1, const double *q2,
                     const double *adt1, const double *adt2, double *res1, double *res2) {
  double dx, dy, mu, ri, p1, vol1, p2, vol2, f;

  dx = x1[0] - x2[0];
  dy = x1[1] - x2[1];

  ri = 1.0f / q1[0];
  p1 = gm1 * (q1[3] - 0.5f * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
  vol1 = ri * (q1[1] * dy - q1[2] * dx);

  ri = 1.0f / q2[0];
  p2 = gm1 * (q2[3] - 0.5f * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
  vol2 = ri * (q2[1] * dy - q2[2] * dx);

  mu = 0.5f * ((*adt1) + (*adt2)) * eps;

  f = 0.5f * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  res1[0] += f;
  res2[0] -= f;
  f = 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
  res1[1] += f;
  res2[1] -= f;
  f = 0.5f * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
  res1[2] += f;
  res2[2] -= f;
  f = 0.5f * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
  res1[3] += f;
  res2[3] -= f;
}
`},
	{"r2n r2n r4n r1n i4n r1i", `inline void bres_calc(const double *x1, const double *x2, const double *q1, const double *adt1,
                      double *res1, const int *bound) {
  double dx, dy, mu, ri, p1, vol1, p2, vol2, f;

  dx = x1[0] - x2[0];
  dy = x1[1] - x2[1];

  ri = 1.0f / q1[0];
  p1 = gm1 * (q1[3] - 0.5f * ri * (q1[1] * q1[1] + q1[2] * q1[2]));

  if (*bound == 1) {
    res1[1] += +p1 * dy;
    res1[2] += -p1 * dx;
  } else {
    vol1 = ri * (q1[1] * dy - q1[2] * dx);

    ri = 1.0f / qinf[0];
    p2 = gm1 * (qinf[3] - 0.5f * ri * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
    vol2 = ri * (qinf[1] * dy - qinf[2] * dx);

    mu = (*adt1) * eps;

    f = 0.5f * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
    res1[0] += f;
    f = 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
    res1[1] += f;
  }
}
`},
	{"r4 w4 b4 r1 i1g", `inline void update(const double *qold, double *q, double *res, const double *adt, double *rms) {
  double del, adti, rmsl;

  rmsl = 0.0f;
  adti = 1.0f / (*adt);

  for (int n = 0; n < 4; n++) {
    del = adti * res[n];
    q[n] = qold[n] - del;
    res[n] = 0.0f;
    rmsl += del * del;
  }
  *rms += rmsl;
}
`},
}

func TestPacksOfAirfoilInC(t *testing.T) {
	gam, gm1, cfl, eps, qinf := 1.4, 0.4, 0.9, 0.05, [4]float64{1, 0.47, 0.01, 2.6}
	EachCompiler(t, func(t *testing.T, open optest.Opener) {
		var results [2][]float64
		for i, simd := range []string{"off", "on"} {
			rt := open(t, op2.WithSIMD(op2.Mode(simd)), op2.WithCFlags("-ffp-contract=off"))
			if !vectorizes(rt) {
				t.Skip("no packs of C on this backend")
			}
			for name, v := range map[string]*float64{"gam": &gam, "gm1": &gm1, "cfl": &cfl, "eps": &eps} {
				op2.NewConst(rt, name, v)
			}
			op2.NewConst(rt, "qinf", &qinf)
			for _, k := range airfoilC {
				results[i] = append(results[i], runAirfoilC(t, rt, k.args, k.source, simd == "on")...)
			}
		}
		for i, want := range results[0] {
			if got := results[1][i]; math.Abs(got-want) > 1e-13*math.Abs(want) { // sums of reductions
				t.Fatalf("value %d is %v on packs, %v alone", i, got, want)
			}
		}
	})
}

// runAirfoilC runs one kernel on random values, and returns everything that it may have changed.
func runAirfoilC(t *testing.T, rt *op2.Runtime, args, source string, packs bool) (results []float64) {
	t.Helper()
	const n, m = 1103, 150
	random := rand.New(rand.NewPCG(5, 5))
	cells, nodes := optest.NewSet(t, rt, n, "cells"), optest.NewSet(t, rt, m, "nodes")
	_, name, _ := strings.Cut(source, "void ")
	name, _, _ = strings.Cut(name, "(")
	var changed []func() ([]float64, error)
	var list []op2.Arg
	for _, a := range strings.Fields(args) {
		dim := int(a[1] - '0')
		if strings.HasSuffix(a, "g") {
			g := optest.NewGlobal(t, rt, "sum", 0.0)
			list, changed = append(list, g.Inc()), append(changed, g.DataRO)
			continue
		}
		if strings.HasSuffix(a, "i") {
			kinds := make([]int32, n)
			for i := range kinds {
				kinds[i] = int32(random.IntN(2))
			}
			list = append(list, optest.NewDat(t, cells, 1, kinds, "kind").Read())
			continue
		}
		set, through := cells, []op2.Via(nil)
		if strings.HasSuffix(a, "n") {
			to := make([]int32, n)
			for i := range to {
				to[i] = int32(random.IntN(m))
			}
			set, through = nodes, []op2.Via{optest.NewMap(t, cells, nodes, 1, to, "map").At(0)}
		}
		values := make([]float64, set.Size()*dim)
		for i := range values {
			values[i] = 1 + random.Float64()
			if i%4 == 3 {
				values[i] += 5 // energy
			}
		}
		d := optest.NewDat(t, set, dim, values, "d")
		switch a[0] {
		case 'r':
			list = append(list, d.Read(through...))
		case 'w':
			list = append(list, d.Write(through...))
		case 'b':
			list = append(list, d.RW(through...))
		case 'i':
			list = append(list, d.Inc(through...))
		}
		if a[0] != 'r' {
			changed = append(changed, d.DataRO)
		}
	}
	l := op2.NewLoop(ckernel.New(name, source), cells, list...)
	if err := l.Compute(); err != nil {
		t.Fatal(err)
	}
	if text, _ := l.Generate(); packs != strings.Contains(text, "LANES") {
		t.Errorf("%s runs on packs: %v, want %v", name, !packs, packs)
	}
	for _, data := range changed {
		values, err := data()
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, values...)
	}
	return results
}
