package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// conformC runs C kernels: each element type, and each form of parameter for the values of a whole
// map.
func conformC(t *testing.T, open optest.Opener) {
	compiled := true
	if rt := open(t); !compiles(rt) {
		onlyCompiled(t, rt)
		compiled = false // the interpreter knows the forms only
	}
	t.Run("types", func(t *testing.T) {
		t.Run("double", func(t *testing.T) { cType[float64](t, open, "double") })
		t.Run("float", func(t *testing.T) { cType[float32](t, open, "float") })
		t.Run("int64_t", func(t *testing.T) { cType[int64](t, open, "int64_t") })
		t.Run("long long", func(t *testing.T) { cType[int64](t, open, "long long") })
		t.Run("int", func(t *testing.T) { cType[int32](t, open, "int") })
		t.Run("short", func(t *testing.T) { cType[int16](t, open, "short") })
		t.Run("signed char", func(t *testing.T) { cType[int8](t, open, "signed char") })
		t.Run("uint64_t", func(t *testing.T) { cType[uint64](t, open, "uint64_t") })
		t.Run("unsigned", func(t *testing.T) { cType[uint32](t, open, "unsigned") })
		t.Run("uint16_t", func(t *testing.T) { cType[uint16](t, open, "uint16_t") })
		t.Run("unsigned char", func(t *testing.T) { cType[uint8](t, open, "unsigned char") })
	})
	t.Run("index", func(t *testing.T) { cIndex(t, open) })
	t.Run("helpers", func(t *testing.T) { cHelpers(t, open) })
	t.Run("bounds", func(t *testing.T) { cBounds(t, open) })
	const most = 5
	for arity := 1; arity <= most && compiled; arity++ {
		for dim := 1; dim <= most; dim++ {
			if dim != 1+2*arity%most && !heavy.On() { // of each arity and of each dim one
				continue
			}
			form := cForms[(arity+dim)%len(cForms)]
			t.Run(fmt.Sprintf("%dx%d %s", arity, dim, form.name), func(t *testing.T) {
				optest.Parallel(t)
				cPacked(t, open, arity, dim, form)
			})
		}
	}
	for _, form := range cForms {
		t.Run("3x2 "+form.name, func(t *testing.T) { cPacked(t, open, 3, 2, form) })
	}
}

// onlyCompiled checks the error of a backend that interprets C for what only a compiler understands.
func onlyCompiled(t *testing.T, rt *op2.Runtime) {
	cells := optest.NewSet(t, rt, 3, "cells")
	x := optest.NewDat[float64](t, cells, 1, nil, "x")
	err := op2.ParLoop(ckernel.New("one", "void one(double *x) { union { double d; long l; } u; u.d = 1; *x = u.d; }"), cells, x.Write())
	if !errors.Is(err, op2.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	optest.ExpectError(t, err, `op2: loop one over cells: backend go: not available: only a compiler understands the kernel, which is C beyond numbers and arrays, in one.c:1:68
  hint: write that as arithmetic, assignments and loops, or open the runtime with a backend that compiles, as sequential`)
}

// cType runs a kernel over values that C calls ctype, with each access.
func cType[T op2.Scalar](t *testing.T, open optest.Opener, ctype string) {
	optest.Parallel(t)
	const n, m = 1100, 60
	source := strings.ReplaceAll(`
void all(const TYPE *in, const TYPE x[2], TYPE *w, TYPE *rw, TYPE *inc, TYPE low[1], TYPE *high, const TYPE *p, TYPE *sum, TYPE *least)
{
	w[0] = in[0] + x[1];
	w[1] = -in[1];
	*rw = (TYPE)(*rw * p[1] + x[0]);
	for (int d = 0; d < 2; d++)
		inc[d] += in[d];
	low[0] = in[0];
	if (in[1] > *high)
		*high = in[1];
	sum[0] += in[0];
	*least = in[1] < p[0] ? in[1] : p[0];
}`, "TYPE", ctype)
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	to := mesh.Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, to, "edge2node")
	in, x, rw, inc := optest.Some[T](mesh.Random, 2*n), optest.Some[T](mesh.Random, 2*m), optest.Some[T](mesh.Random, n), optest.Some[T](mesh.Random, 2*m)
	low, high := optest.Some[T](mesh.Random, m), optest.Some[T](mesh.Random, m)
	dIn, dX, dW, dRW := optest.NewDat(t, edges, 2, in, "in"), optest.NewDat(t, nodes, 2, x, "x"), optest.NewDat[T](t, edges, 2, nil, "w"), optest.NewDat(t, edges, 1, rw, "rw")
	dInc, dLow, dHigh := optest.NewDat(t, nodes, 2, inc, "inc"), optest.NewDat(t, nodes, 1, low, "low"), optest.NewDat(t, nodes, 1, high, "high")
	p, sum, least := optest.NewGlobal[T](t, rt, "p", 5, 2), optest.NewGlobal[T](t, rt, "sum", 3), optest.NewGlobal[T](t, rt, "least", 100)
	optest.Run(t, ckernel.New("all", source), edges, dIn.Read(), dX.Read(edge2node.At(0)), dW.Write(), dRW.RW(), dInc.Inc(edge2node.At(1)),
		dLow.Min(edge2node.At(0)), dHigh.Max(edge2node.At(1)), p.Read(), sum.Inc(), least.Min())

	w, total, smallest := make([]T, 2*n), T(3), T(100)
	for e := range n {
		a, b := to[2*e], to[2*e+1]
		w[2*e], w[2*e+1] = in[2*e]+x[2*a+1], -in[2*e+1]
		rw[e] = rw[e]*2 + x[2*a]
		inc[2*b] += in[2*e]
		inc[2*b+1] += in[2*e+1]
		low[a], high[b] = min(low[a], in[2*e]), max(high[b], in[2*e+1])
		total += in[2*e]
		smallest = min(smallest, in[2*e+1], 5)
	}
	optest.Expect(t, dW, w)
	optest.Expect(t, dRW, rw)
	optest.Expect(t, dInc, inc)
	optest.Expect(t, dLow, low)
	optest.Expect(t, dHigh, high)
	optest.Expect(t, sum, []T{total})
	optest.Expect(t, least, []T{smallest})
}

func cIndex(t *testing.T, open optest.Opener) {
	rt := open(t)
	cells := optest.NewSet(t, rt, 1500, "cells")
	for _, number := range []string{"int *", "const int64_t *"} {
		out := optest.NewDat[int64](t, cells, 1, nil, "out")
		optest.Run(t, ckernel.New("number", "void number("+number+"n, int64_t *out) { *out = 7 * (int64_t)*n; }"), cells, op2.Index(), out.Write())
		want := make([]int64, 1500)
		for i := range want {
			want[i] = 7 * int64(i)
		}
		optest.Expect(t, out, want)
	}
}

// cHelpers runs a kernel whose source contains more than the kernel.
func cHelpers(t *testing.T, open optest.Opener) {
	rt := open(t)
	cells := optest.NewSet(t, rt, 100, "cells")
	x, y := optest.NewDat[float64](t, cells, 2, nil, "x"), optest.NewDat[float64](t, cells, 1, nil, "y")
	if err := x.Fill(3, 4); err != nil {
		t.Fatal(err)
	}
	optest.Run(t, ckernel.New("length", `
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define SQUARE(v) ((v) * (v))

typedef struct { double x, y; } point;
static const double scale = 2.0;

static double norm(const point *p)
{
	return sqrt(SQUARE(p->x) + SQUARE(p->y));
}

void length(const double x[2], double *y)
{
	point p = {x[0], x[1]}, q[2];
	double v[2][2];
	memset(q, 0, sizeof q);
	memcpy(q + 1, &p, sizeof p);
	memcpy(v[0], x, sizeof v[0]);
	memcpy(v[1], v[0], sizeof v[0]);
	*y = scale * norm(&q[1]) + abs(-3) * (q[0].x + v[1][1] - 4) + (x[0] < -INFINITY) + (1 / -0.0 > 0) + isinf(x[1]) + isfinite(NAN);
}
`), cells, x.Read(), y.Write())
	want := make([]float64, 100)
	for i := range want {
		want[i] = 10
	}
	optest.Expect(t, y, want)
}

// cBounds runs PyOP2's example, whose parameter is declared with fewer rows than the map has and
// than the kernel reads: in C the outermost bound of a parameter means nothing. So it is with a
// direct argument.
func cBounds(t *testing.T, open optest.Opener) {
	rt := open(t)
	cells, vertices := optest.NewSet(t, rt, 2, "cells"), optest.NewSet(t, rt, 4, "vertices")
	cell2vertex := optest.NewMap(t, cells, vertices, 3, []int32{0, 1, 2, 0, 2, 3}, "cell2vertex")
	coordinates := optest.NewDat(t, vertices, 2, []float64{0, 0, 3, 0, 3, 3, 0, 3}, "coordinates")
	midpoints, sums := optest.NewDat[float64](t, cells, 2, nil, "midpoints"), optest.NewDat[float64](t, cells, 1, nil, "sums")
	optest.Run(t, ckernel.New("midpoint", `
  inline void midpoint(double p[2], double *coords[2]) {
    p[0] = (coords[0][0] + coords[1][0] + coords[2][0]) / 3.0;
    p[1] = (coords[0][1] + coords[1][1] + coords[2][1]) / 3.0;
  }`), cells, midpoints.Write(), coordinates.Read(cell2vertex))
	optest.Run(t, ckernel.New("sum", "void sum(const double p[1], double s[5]) { s[0] = p[0] + p[1]; }"), cells, midpoints.Read(), sums.Write())
	optest.Expect(t, midpoints, []float64{2, 1, 1, 2})
	optest.Expect(t, sums, []float64{3, 3})
}

// cForm is a form of a parameter for the values of a whole map. Its outermost bounds are wrong on
// purpose.
type cForm struct {
	name    string
	declare func(name string, arity, dim int) string
	value   string // of row i, value d
}

var cForms = []cForm{
	{"pointers", func(name string, arity, _ int) string { return fmt.Sprintf("double *%s[%d]", name, max(1, arity-1)) }, "[i][d]"},
	{"array", func(name string, arity, dim int) string {
		return fmt.Sprintf("double %s[%d][%d]", name, max(1, arity-1), dim)
	}, "[i][d]"},
	{"rows", func(name string, _, dim int) string { return fmt.Sprintf("double (*%s)[%d]", name, dim) }, "[i][d]"},
	{"flat", func(name string, _, _ int) string { return "double *" + name }, "[i * DIM + d]"},
}

// cPacked passes all components of a map to a kernel, with each access.
func cPacked(t *testing.T, open optest.Opener, arity, dim int, form cForm) {
	const n, m = 250, 60
	var params []string
	for _, name := range []string{"in", "w", "rw", "add", "set", "low", "high"} {
		params = append(params, form.declare(name, arity, dim))
	}
	source := strings.NewReplacer("ARITY", fmt.Sprint(arity), "DIM", fmt.Sprint(dim)).Replace(
		strings.ReplaceAll(`void packed(`+strings.Join(params, ", ")+`)
{
	for (int i = 0; i < ARITY; i++)
		for (int d = 0; d < DIM; d++) {
			const double v = in@;
			w@ = v + i;
			rw@ = 2 * rw@ - v;
			add@ += v;
			add@ -= d;
			set@ = v * d;
			low@ = v;
			if (v > high@)
				high@ = v;
		}
}`, "@", form.value))

	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes, slots := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes"), optest.NewSet(t, rt, n*arity, "slots")
	to, slot := mesh.Anywhere(arity), mesh.Once(arity)
	for i := 0; i+1 < arity; i++ { // a row that contains one target twice
		to[i+1] = to[i]
	}
	edge2node, edge2slot := optest.NewMap(t, edges, nodes, arity, to, "edge2node"), optest.NewMap(t, edges, slots, arity, slot, "edge2slot")
	values := func(size int) []float64 { return optest.Some[float64](mesh.Random, size*dim) }
	in, w, rw, add, set, low, high := values(m), values(n*arity), values(n*arity), values(m), values(m), values(m), values(m)
	dIn, dW, dRW := optest.NewDat(t, nodes, dim, in, "in"), optest.NewDat(t, slots, dim, w, "w"), optest.NewDat(t, slots, dim, rw, "rw")
	dAdd, dSet := optest.NewDat(t, nodes, dim, add, "add"), optest.NewDat(t, nodes, dim, set, "set")
	dLow, dHigh := optest.NewDat(t, nodes, dim, low, "low"), optest.NewDat(t, nodes, dim, high, "high")
	optest.Run(t, ckernel.New("packed", source), edges, dIn.Read(edge2node), dW.Write(edge2slot), dRW.RW(edge2slot),
		dAdd.Inc(edge2node), dSet.Inc(edge2node), dLow.Min(edge2node), dHigh.Max(edge2node))

	for r := range n * arity {
		for d := range dim {
			at, own := int(to[r])*dim+d, int(slot[r])*dim+d
			v := in[at]
			w[own] = v + float64(r%arity)
			rw[own] = 2*rw[own] - v
			add[at] += v - float64(d)
			set[at] += v * float64(d)
			low[at] = min(low[at], v)
			high[at] = max(high[at], v)
		}
	}
	optest.Expect(t, dW, w)
	optest.Expect(t, dRW, rw)
	optest.Expect(t, dAdd, add)
	optest.Expect(t, dSet, set)
	optest.Expect(t, dLow, low)
	optest.Expect(t, dHigh, high)
}

// conformCConsts reads consts, whose values change, in C.
func conformCConsts(t *testing.T, open optest.Opener) {
	rt := open(t, op2.WithCacheDir(t.TempDir()))
	type law struct {
		K, D  float64
		Parts [2]int32
		On    bool
	}
	one, laws := law{1, 2, [2]int32{3, 4}, true}, [2]law{{5, 6, [2]int32{7, 8}, false}, {9, 10, [2]int32{11, 12}, true}}
	a, b, on, gamma := 2.0, [2][3]float32{{1, 2, 3}, {4, 5, 6}}, uint8(1), int32(0)
	op2.NewConst(rt, "a", &a)
	op2.NewConst(rt, "b", &b)
	op2.NewConst(rt, "on", &on)
	op2.NewConst(rt, "gamma", &gamma) // which <math.h> has, too
	op2.NewConst(rt, "one", &one)
	op2.NewConst(rt, "laws", &laws)
	optest.OK(t, rt.Err())
	cells := optest.NewSet(t, rt, 10, "cells")
	out := optest.NewDat[float64](t, cells, 1, nil, "out")
	k := ckernel.New("read", "void read(double *out) { *out = a + b[1][2]; if (on) *out += b[0][0] + gamma; }")
	want := make([]float64, 10)
	check := func(value float64) {
		t.Helper()
		optest.Run(t, k, cells, out.Write())
		for i := range want {
			want[i] = value
		}
		optest.Expect(t, out, want)
	}
	check(9)
	a, b[1][2], gamma = 10, 0.5, 100
	check(111.5)
	on = 0
	check(10.5)

	k = ckernel.New("apply", `
static double rate(const law *l) { return l->On ? l->D * l->Parts[1] : -l->K; }
void apply(double *out) { law l = laws[1]; *out = one.D + rate(&one) + rate(&laws[0]) + rate(&l); }`)
	check(2 + 8 - 5 + 120)
	one.Parts[1], laws[0].K = 5, 6
	check(2 + 10 - 6 + 120)
}
