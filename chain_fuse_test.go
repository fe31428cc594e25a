package op2_test

import (
	_ "embed"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
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
	op2.NewConst(rt, "springiness", &springiness)
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
			of = ckernel.New(l.name, fuseInC[l.name])
		}
		b.loops = append(b.loops, op2.NewLoop(of, points, l.args...))
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
			c := op2.NewChain(b.loops...).With(op2.WithChains(op2.Chaining(mode)))
			c = c.Temporary(b.f)
			if plan := optest.Must(c.Plan()).String(); mode == "fuse" && rt.Backend() != "go" && !strings.Contains(plan, "  stress+accelerate+move") {
				t.Errorf("with %v in C:\n%s", inC, plan)
			}
			for range 4 {
				optest.OK(t, c.Compute())
			}
			got := slices.Concat(optest.Must(b.x.DataRO()), optest.Must(b.v.DataRO()), optest.Must(b.length.DataRO()), []float64{optest.Must(b.most.Value())})
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
	b := newBody(t, optest.Open(t, op2.WithBackend("sequential"), op2.WithSIMD(op2.On)), 20)
	c := op2.NewChain(b.loops...).Temporary(b.f)
	const want = `fused, without tiles (its 1 KiB stay in a cache):
  stress+accelerate+move over points
  pickOf over points
not fused: stress+accelerate+move, pickOf: stress runs in packs of elements, together they would not: a subscript that differs from element to element
trial of stress+accelerate+move over points: apart at first, fused now and then
`
	if got := optest.Must(c.Plan()).String(); got != want {
		t.Errorf("got:\n%s", got)
	}
	if text := optest.Must(c.Generate()); strings.Contains(text, "f        write dat") || !strings.Contains(text, "op2_apart(") {
		t.Errorf("got:\n%s", text)
	}
	optest.OK(t, c.Compute())
	if loops, _ := c.Stats(); loops[0].Kernel != "stress+accelerate+move" || loops[0].Calls != 0 || loops[1].Kernel != "stress" || loops[1].Calls != 1 {
		t.Errorf("got %+v", loops[0])
	}

}

// On go, functions are called one after another in each block.
func TestChainOfFusedFunctions(t *testing.T) {
	b := newBody(t, optest.Open(t, op2.WithBackend("go")), 20)
	c := op2.NewChain(b.loops...).Temporary(b.f)
	const want = `fused, without tiles (it has no neighbor that could share tiles with it):
  stress+accelerate+move+pickOf over points
trial of stress+accelerate+move+pickOf over points: apart at first, fused now and then
`
	if got := optest.Must(c.Plan()).String(); got != want {
		t.Errorf("got:\n%s", got)
	}
	const source = "// the Go function stress (chain_fuse_test.go:25:6) itself, the Go function accelerate (chain_fuse_test.go:30:6) itself, the Go function move (chain_fuse_test.go:37:6) itself, the Go function pickOf (chain_fuse_test.go:43:6) itself, one after another in each block; the backend go compiles nothing\n"
	if text := optest.Must(c.Generate()); text != source {
		t.Errorf("got:\n%s", text)
	}
	optest.OK(t, c.Compute())
	if loops, _ := c.Stats(); loops[0].Kernel != "stress+accelerate+move+pickOf" || loops[0].Calls != 0 || !strings.HasPrefix(loops[0].How, "4 Go functions, block by block") {
		t.Errorf("got %+v", loops[0])
	}
}

// The error of a part names it.
func TestFusedLoopFails(t *testing.T) {
	for _, backend := range []string{"go", "sequential"} {
		for _, mode := range []string{"auto", "tile"} {
			b := newBody(t, optest.Open(t, op2.WithBackend(backend), op2.WithSIMD(op2.Off), op2.WithChains(op2.Chaining(mode))), 20)
			optest.Set(t, b.at, 13, 7)
			c := op2.NewChain(append(b.loops, b.loops...)...)
			if got := optest.Must(c.Plan()).Segments; len(got[0].Loops[0]) < len("stress+accelerate+move+pickOf over points") {
				t.Fatalf("got %v", got)
			}
			var fault *op2.FaultError
			if err := c.Compute(); !errors.As(err, &fault) {
				t.Fatal(err)
			}
			const failed = "op2: loop pickOf over points: chain_fuse_test.go:44:2: index out of range [7] with length 2: argument 2 (x, read and written), element 13 of points"
			if got := fault.Error(); got != failed {
				t.Errorf("%s, %s: got  %s\nwant %s", backend, mode, got, failed)
			}
		}
	}
}

func drawFrom(x *[2][2]float64, y *[2]float64) {
	y[0] += 0.5*x[0][0] - x[1][1]
	y[1] = 0.25*x[0][1] + x[1][0]
}

func pushBoth(y *[2]float64, z *[2][2]float64) {
	for i := range z {
		z[i][0] += y[0] / 3
		z[i][1] += y[1] / 7
	}
}

func totalOf(x *[2]float64, sum, least *float64) {
	*sum += x[0] * x[1]
	*least = min(*least, x[0])
}

func numbers(i *int, x, y []float64) {
	y[0] = 0.5*x[0] + springiness/float64(*i+1)
	y[1] = x[1]
}

func pushOne(y, z *[2]float64) { z[0] += y[0] / 5 }

// fusedWorld is what random loops compute, in one order or another.
type fusedWorld struct {
	dats   []*op2.Dat[float64] // on points; then on nodes
	sum    *op2.Global[float64]
	least  *op2.Global[float64]
	chain  *op2.Chain
	pushes int // to each dat on nodes
}

// newFusedWorld declares a chain of random loops over the same elements, always the same for a seed.
func newFusedWorld(t *testing.T, seed uint64, options ...op2.Option) *fusedWorld {
	r := rand.New(rand.NewPCG(seed, 15))
	n, nodes := []int{0, 1, 77, 700, 5000}[r.IntN(5)], 1+r.IntN(300)
	if r.IntN(2) == 0 {
		options = append(options, op2.WithBlockSize(1+r.IntN(100)))
	}
	rt := optest.Open(t, append(options, op2.WithBackend("go"))...)
	op2.NewConst(rt, "springiness", &springiness)
	w := &fusedWorld{}
	random := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = 0.5 + r.Float64()
		}
		return v
	}
	points, corners := optest.NewSet(t, rt, n, "points"), optest.NewSet(t, rt, nodes, "nodes")
	targets := make([]int32, 2*n)
	for i := range targets {
		targets[i] = int32(min(nodes-1, i/2*nodes/max(1, n)+r.IntN(4)))
	}
	m := optest.NewMap(t, points, corners, 2, targets, "m")
	for _, name := range []string{"a", "b", "c"} {
		w.dats = append(w.dats, optest.NewDat(t, points, 2, random(2*n), name))
	}
	for _, name := range []string{"read", "pushed"} {
		w.dats = append(w.dats, optest.NewDat(t, corners, 2, random(2*nodes), name))
	}
	w.sum, w.least = optest.NewGlobal(t, rt, "sum", 0.1), optest.NewGlobal(t, rt, "least", 1.0)
	over := op2.IterationSet(points)
	if r.IntN(3) == 0 {
		var some []int
		for e := range n {
			if r.IntN(3) > 0 {
				some = append(some, e)
			}
		}
		over = op2.NewSubset(points, some, "some")
	}
	k := op2.Kernels(fuseSource)
	var loops []*op2.Loop
	for range 2 + r.IntN(5) {
		at := r.Perm(3)
		x, y := w.dats[at[0]], w.dats[at[1]]
		add := func(f any, args ...op2.Arg) { loops = append(loops, op2.NewLoop(k.Func(f), over, args...)) }
		switch r.IntN(7) {
		case 0:
			add(stress, x.Read(), y.Write())
		case 1:
			add(drawFrom, w.dats[3].Read(m), x.RW())
		case 2:
			add(pushBoth, x.Read(), w.dats[4].Inc(m))
			w.pushes++
		case 3:
			add(totalOf, x.Read(), w.sum.Inc(), w.least.Min())
		case 4:
			add(numbers, op2.Index(), x.Read(), y.RW())
		case 5:
			add(pushOne, x.Read(), w.dats[4].Inc(m.At(r.IntN(2))))
			w.pushes++
		case 6:
			add(pushOne, x.Read(), y.Inc())
		}
	}
	w.chain = op2.NewChain(loops...)
	return w
}

// compute runs the chain, and returns all values and the number of loops that it was turned into.
func (w *fusedWorld) compute(t *testing.T) (values [][]float64, loops int) {
	for range 3 {
		optest.OK(t, w.chain.Compute())
	}
	for _, d := range w.dats {
		values = append(values, slices.Clone(optest.Must(d.DataRO())))
	}
	figures, _ := w.chain.Stats()
	return append(values, []float64{optest.Must(w.sum.Value()), optest.Must(w.least.Value())}), len(figures)
}

// Fused functions leave the bits that the loops leave one by one, but for what two of them add to the
// same values through a map, and those do not depend on the number of goroutines.
func TestFusedFunctions(t *testing.T) {
	fused := 0
	for seed := range uint64(40) {
		w := newFusedWorld(t, seed, op2.WithChains(op2.Off), op2.WithThreads(1))
		want, apart := w.compute(t)
		for threads := 1; threads <= 3; threads++ {
			got, together := newFusedWorld(t, seed, op2.WithChains(op2.Fuse), op2.WithThreads(threads)).compute(t)
			if together < apart {
				fused++
			}
			if threads == 1 && w.pushes > 1 { // whose order is that of the fused loop from now on
				for i, v := range got[4] {
					if math.Abs(v-want[4][i]) > 1e-13*math.Abs(v) {
						t.Errorf("seed %d: value %d of pushed is %v, loop by loop %v", seed, i, v, want[4][i])
					}
				}
				want[4] = got[4]
			}
			for d := range want {
				if !slices.Equal(got[d], want[d]) {
					t.Errorf("seed %d, %d goroutines: data %d differs", seed, threads, d)
				}
			}
		}
	}
	if fused < 60 {
		t.Errorf("%d chains are fused", fused)
	}
}

// Of a chain of kernels in C and in Go: the source, the error of a part that fails, and why one is left
// out.
func TestChainInTwoLanguages(t *testing.T) {
	optest.RequireCompiler(t)
	dir := t.TempDir()
	t.Setenv("OP2_KEEP_SOURCE", dir)
	rt := optest.Open(t, op2.WithBackend("sequential"), op2.WithSIMD(op2.Off), op2.WithChains(op2.Fuse), op2.WithLog(nil))
	b := newBody(t, rt, 20, "stress", "move", "pickOf")
	optest.Set(t, b.at, 13, 7)
	const source = "void bits(double *x)\n{\n\tunion { double d; } u;\n\tu.d = x[1];\n\tx[0] = u.d;\n}"
	b.loops = append(b.loops, op2.NewLoop(ckernel.New("bits", source), b.x.Set(), b.x.RW()))
	c := op2.NewChain(b.loops...)
	const want = `fused, without tiles (chains are fuse):
  stress+accelerate+move+pickOf over points
  bits over points
not fused: stress+accelerate+move+pickOf, bits: bits is C beyond numbers and arrays, in bits.c:4:2
`
	if got := optest.Must(c.Plan()).String(); got != want {
		t.Errorf("got:\n%s", got)
	}
	const doubtful = "stress, accelerate: the chain stays in a cache, and they cannot be tried"
	if apart := optest.Must(c.With(op2.WithChains(op2.Auto)).Plan()).Apart; !slices.Contains(apart, doubtful) {
		t.Errorf("auto: got %q", apart)
	}
	for _, line := range []string{`#line 1 "stress.c"`, `"chain_fuse_test.go"`, `#line 1 "pickOf.c"`} {
		if text := optest.Must(c.Generate()); !strings.Contains(text, line) {
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
	optest.ExpectError(t, c.Compute(), optest.Pointed("op2: loop pickOf over points: pickOf.c:3:10: integer divide by zero: element 13 of points", fuseInC["pickOf"]))
}

// A temporary dat that another loop of the chain reads is in memory for that: what it was before the
// chain, or what loops have left since.
func TestTemporaryForOtherLoops(t *testing.T) {
	for _, backend := range []string{"go", "sequential"} {
		for _, order := range []string{"later", "later, with another writer between", "earlier"} {
			var want []float64
			for _, mode := range []string{"off", "fuse", "tile"} {
				b := newBody(t, optest.OpenBackend(t, backend, op2.WithSIMD(op2.Off)), 100)
				optest.OK(t, b.f.Fill(3))
				targets := make([]int32, 200)
				for i := range targets {
					targets[i] = int32(7 * i % 100)
				}
				m := optest.NewMap(t, b.x.Set(), b.x.Set(), 2, targets, "m")
				drawn := op2.NewLoop(op2.Kernels(fuseSource).Func(drawFrom), b.x.Set(), b.f.Read(m), b.v.RW())
				var loops []*op2.Loop
				switch order {
				case "later":
					loops = []*op2.Loop{b.loops[0], b.loops[1], drawn}
				case "earlier":
					loops = []*op2.Loop{drawn, b.loops[0], b.loops[1]}
				default:
					loops = []*op2.Loop{b.loops[0], b.loops[1], b.loops[3], b.loops[0], drawn}
				}
				c := op2.NewChain(loops...).With(op2.WithChains(op2.Chaining(mode))).Temporary(b.f)
				optest.OK(t, c.Compute())
				got := optest.Must(b.v.DataRO())
				if mode == "off" {
					want = got
				} else if !slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-14 }) {
					t.Errorf("%s, %s, %s: v is\n%v, want\n%v", backend, order, mode, got[:4], want[:4])
				}
			}
		}
	}
}

func TestTemporaryErrors(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	b, other := newBody(t, rt, 3), newBody(t, optest.Open(t, op2.WithBackend("go")), 3)
	c := op2.NewChain(b.loops...)
	const missing = "op2: Chain.Temporary: dat 2 of 2 is nil, or was not made by NewDat"
	for _, test := range []struct {
		dat  op2.AnyDat
		want string
	}{
		{nil, missing},
		{new(op2.Dat[int]), missing},
		{other.f, ", go, the chain's loops to the runtime opened at "},
		{optest.NewDat[float64](t, b.x.Set(), 2, nil, "flux"), "op2: Chain.Temporary: dat flux: no loop of the chain uses it\n  hint: pass the dats that the chain's loops leave for each other"},
	} {
		if err := c.Temporary(b.f, test.dat).Err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
