package op2_test

import (
	_ "embed"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed chain_fuse_test.go
var fuseSource string

var springiness = 0.3

func stress(x, f *[2]float64) {
	f[0] = springiness * x[0]
	f[1] = springiness*x[1] + x[0]
}

func accelerate(f, v *[2]float64, most *float64) {
	for d := range v {
		v[d] += 0.1*f[d] - 0.01*v[d]
	}
	*most = max(*most, v[0])
}

func move(v, x *[2]float64, length *float64) {
	x[0] += 0.1 * v[0]
	x[1] += 0.1 * v[1]
	*length = math.Sqrt(x[0]*x[0] + x[1]*x[1])
}

func pickOf(at *int32, x *[2]float64) {
	x[*at] *= 2
}

// fuseInC are the same kernels in C, but that the last one divides.
var fuseInC = map[string]string{
	"stress":     "void stress(const double x[2], double *f)\n{\n\tf[0] = springiness * x[0];\n\tf[1] = springiness * x[1] + x[0];\n}",
	"accelerate": "void accelerate(const double *f, double v[], double *most)\n{\n\tfor (int d = 0; d < 2; d++)\n\t\tv[d] += 0.1 * f[d] - 0.01 * v[d];\n\t*most = fmax(*most, v[0]);\n}",
	"move":       "void move(double *v, double x[2], double *length)\n{\n\tx[0] += 0.1 * v[0], x[1] += 0.1 * v[1];\n\t*length = sqrt(x[0] * x[0] + x[1] * x[1]);\n}",
	"pickOf":     "void pickOf(const int *at, double *x)\n{\n\tx[0] *= 14 / (7 - *at);\n}",
}

// body is points that a chain of fusible loops moves.
type body struct {
	x, v, f *op2.Dat[float64]
	length  *op2.Dat[float64]
	at      *op2.Dat[int32]
	most    *op2.Global[float64]
	loops   []*op2.Loop
}

// newBody returns n points. The kernels with the given names are in C.
func newBody(t testing.TB, rt *op2.Runtime, n int, inC ...string) *body {
	t.Helper()
	optest.OK(t, op2.NewConst(rt, "springiness", &springiness))
	points := optest.NewSet(t, rt, n, "points")
	start := make([]float64, 2*n)
	for i := range start {
		start[i] = 1 / float64(i+3)
	}
	b := &body{x: optest.NewDat(t, points, 2, start, "x"), v: optest.NewDat[float64](t, points, 2, nil, "v"), f: optest.NewDat[float64](t, points, 2, nil, "f"),
		length: optest.NewDat[float64](t, points, 1, nil, "length"), at: optest.NewDat[int32](t, points, 1, nil, "at"), most: optest.NewGlobal(t, rt, "most", 0.0)}
	k := op2.Kernels(fuseSource)
	for _, l := range []struct {
		name string
		f    any
		args []op2.Arg
	}{
		{"stress", stress, []op2.Arg{b.x.Read(), b.f.Write()}},
		{"accelerate", accelerate, []op2.Arg{b.f.Read(), b.v.RW(), b.most.Max()}},
		{"move", move, []op2.Arg{b.v.Read(), b.x.RW(), b.length.Write()}},
		{"pickOf", pickOf, []op2.Arg{b.at.Read(), b.x.RW()}},
	} {
		of := k.Func(l.f)
		if slices.Contains(inC, l.name) {
			of = op2.C(l.name, fuseInC[l.name])
		}
		b.loops = append(b.loops, op2.Must(op2.NewLoop(of, points, l.args...)))
	}
	return b
}

// Fused loops leave what they leave loop by loop, on all backends, in Go, in C and in both; a temporary
// dat may be left out.
func TestChainFuses(t *testing.T) {
	check := func(t *testing.T, open optest.Opener) {
		var want []float64
		for _, inC := range [][]string{nil, {}, {"stress", "accelerate", "move"}, {"stress", "move"}} {
			mode := "fuse"
			if inC == nil {
				mode = "off"
			}
			rt := open(t)
			if len(inC) > 0 && rt.Backend() == "go" {
				break
			}
			b := newBody(t, rt, 100, inC...)
			c := op2.Must(op2.Must(op2.NewChain(b.loops...)).With(op2.WithChains(mode)))
			c = op2.Must(c.Temporary(b.f))
			if plan := op2.Must(c.Plan()).String(); mode == "fuse" && rt.Backend() != "go" && !strings.Contains(plan, "  stress+accelerate+move") {
				t.Errorf("with %v in C:\n%s", inC, plan)
			}
			for range 4 {
				optest.OK(t, c.Compute())
			}
			got := slices.Concat(op2.Must(b.x.DataRO()), op2.Must(b.v.DataRO()), op2.Must(b.length.DataRO()), []float64{op2.Must(b.most.Value())})
			if mode == "off" {
				want = got
				continue
			}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-14 {
					t.Fatalf("with %v in C: value %d is %v, loop by loop %v", inC, i, got[i], want[i])
				}
			}
		}
	}
	conformance.Each(t, check)
	conformance.EachDevice(t, check)
}

// What becomes of a chain of fusible loops: its plan, its figures, its source, and the error of a part
// that fails.
func TestChainOfFusedLoops(t *testing.T) {
	b := newBody(t, optest.Open(t, op2.WithBackend("sequential"), op2.WithSIMD("on")), 20)
	c := op2.Must(op2.Must(op2.NewChain(b.loops...)).Temporary(b.f))
	const want = `loop by loop (its 1 KiB stay in a cache):
  stress+accelerate+move over points
  pickOf over points
not fused: stress+accelerate+move, pickOf: stress runs in packs of elements, together they would not: a subscript that differs from element to element
`
	if got := op2.Must(c.Plan()).String(); got != want {
		t.Errorf("got:\n%s", got)
	}
	if text := op2.Must(c.Generate()); strings.Contains(text, "f        write dat") || !strings.Contains(text, "op2_apart(") {
		t.Errorf("got:\n%s", text)
	}
	optest.OK(t, c.Compute())
	if s := c.Stats(); s.Loops[0].Kernel != "stress+accelerate+move" || s.Loops[0].Calls != 1 || s.Loops[0].Bytes != 20*8*(2*2+2*2+1) {
		t.Errorf("got %+v", s.Loops[0])
	}

	b = newBody(t, optest.Open(t, op2.WithBackend("sequential"), op2.WithSIMD("off")), 20)
	optest.Set(t, b.at, 13, 7)
	c = op2.Must(op2.NewChain(b.loops...))
	if got := op2.Must(c.Plan()).Segments; len(got) != 1 || len(got[0].Loops) != 1 {
		t.Fatalf("got %v", got)
	}
	var fault *op2.FaultError
	if err := c.Compute(); !errors.As(err, &fault) {
		t.Fatal(err)
	}
	const failed = "op2: loop pickOf over points: chain_fuse_test.go:40:2: index out of range [7] with length 2: argument 2 (x, read and written), element 13 of points"
	if got := fault.Error(); got != failed {
		t.Errorf("got  %s\nwant %s", got, failed)
	}
}

// Of a chain of kernels in C and in Go: the source, the error of a part that fails, and why one is left
// out.
func TestChainInTwoLanguages(t *testing.T) {
	optest.RequireCompiler(t)
	dir := t.TempDir()
	rt := optest.Open(t, op2.WithBackend("sequential"), op2.WithSIMD("off"), op2.WithKeepSource(dir), op2.WithLog(nil))
	b := newBody(t, rt, 20, "stress", "move", "pickOf")
	optest.Set(t, b.at, 13, 7)
	const source = "void bits(double *x)\n{\n\tunion { double d; } u;\n\tu.d = x[1];\n\tx[0] = u.d;\n}"
	b.loops = append(b.loops, op2.Must(op2.NewLoop(op2.C("bits", source), b.x.Set(), b.x.RW())))
	c := op2.Must(op2.NewChain(b.loops...))
	const want = `loop by loop (its 2 KiB stay in a cache):
  stress+accelerate+move+pickOf over points
  bits over points
not fused: stress+accelerate+move+pickOf, bits: bits is C beyond numbers and arrays, in bits.c:4:2
`
	if got := op2.Must(c.Plan()).String(); got != want {
		t.Errorf("got:\n%s", got)
	}
	for _, line := range []string{`#line 1 "stress.c"`, `"chain_fuse_test.go"`, `#line 1 "pickOf.c"`} {
		if text := op2.Must(c.Generate()); !strings.Contains(text, line) {
			t.Errorf("no %s in:\n%s", line, text)
		}
	}
	kept := filepath.Join(dir, "op2_wrap_stress_accelerate_move_pickOf")
	whole, err := os.ReadFile(kept + ".c")
	optest.OK(t, err)
	own, err := os.ReadFile(kept + "_move_kernel.c")
	optest.OK(t, err)
	if string(own) != fuseInC["move"] || !strings.Contains(string(whole), `#line 1 "`+kept+`_move_kernel.c"`) {
		t.Errorf("kept %q and\n%s", own, whole)
	}
	optest.ExpectError(t, c.Compute(), "op2: loop pickOf over points: pickOf.c:3:10: integer divide by zero: element 13 of points")
}

func TestTemporaryErrors(t *testing.T) {
	b := newBody(t, optest.Open(t, op2.WithBackend("go")), 3)
	c := op2.Must(op2.NewChain(b.loops...))
	for _, dats := range [][]op2.AnyDat{{b.f, nil}, {b.f, new(op2.Dat[int])}} {
		if _, err := c.Temporary(dats...); err == nil || err.Error() != "op2: Chain.Temporary: dat 2 of 2 is nil, or was not made by NewDat" {
			t.Errorf("got %v", err)
		}
	}
}
