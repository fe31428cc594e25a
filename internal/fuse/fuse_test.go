package fuse_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/fuse/fusetest"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/interp"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

const (
	r   = loop.Read
	wr  = loop.Write
	rw  = loop.RW
	inc = loop.Inc
)

// world has two dats on elements, d0 and d1, one on nodes, d2, and a global, d3.
var world = fusetest.World{Elements: 9, Nodes: 9, Dims: []int{2, 2, 2, 2}, OnNodes: 2, Global: 3}

// plain is a kernel that does with x and y what their accesses allow.
func plain(t *testing.T, name string, access ...loop.Access) *kernel.Kernel {
	body := ""
	for i, v := range []string{"x", "y"}[:len(access)] {
		switch access[i] {
		case wr:
			body += v + "[0], " + v + "[1] = 1, 2\n"
		case rw, inc:
			body += v + "[0] += 3\n"
		case loop.Min, loop.Max:
			body += v + "[0] = 4\n"
		}
	}
	return fusetest.Kernel(t, "func "+name+"("+strings.Join([]string{"x", "y"}[:len(access)], ", ")+" *[2]float64) {\n"+body+"}", name)
}

// What is legal, how accesses are joined, and why others are not.
func TestLegal(t *testing.T) {
	for _, test := range []struct {
		data int
		a, b loop.Access
		want string // the accesses of the fused loop's arguments, or why there is none
	}{
		{0, r, r, "read"},
		{0, r, wr, "rw"},
		{0, r, rw, "rw"},
		{0, wr, r, "write"},
		{0, wr, wr, "write"},
		{0, wr, rw, "write"},
		{0, rw, r, "rw"},
		{0, rw, wr, "rw"},
		{0, rw, rw, "rw"},
		{0, inc, inc, "inc inc"},
		{0, r, inc, "first reads d0, second adds to d0"},
		{0, inc, r, "first adds to d0, second reads d0"},
		{0, wr, inc, "first writes d0, second adds to d0"},
		{0, rw, loop.Min, "first changes d0, second takes minima into d0"},
		{0, loop.Min, loop.Min, "first takes minima into d0, second takes minima into d0"},
		{2, r, r, "read"},
		{2, inc, inc, "inc inc"},
		{2, r, inc, "first reads d2, second adds to d2, which second reaches through a map"},
		{2, wr, r, "first writes d2, second reads d2, which second reaches through a map"},
		{2, rw, rw, "first changes d2, second changes d2, which second reaches through a map"},
		{3, r, r, "read"},
		{3, r, inc, "first reads d3, second adds to d3"},
		{3, inc, r, "first adds to d3, second reads d3"},
		{3, inc, inc, "first adds to d3, second adds to d3"},
		{3, loop.Max, loop.Max, "first takes maxima into d3, second takes maxima into d3"},
	} {
		parts := []fuse.Part{
			world.Part(plain(t, "first", test.a), fusetest.Arg{Data: test.data, Access: test.a}),
			world.Part(plain(t, "second", test.b), fusetest.Arg{Data: test.data, Access: test.b}),
		}
		f, err := fuse.Fuse(parts, nil)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var list []string
			for _, a := range f.Loop.Args {
				list = append(list, a.Access.String())
			}
			got = strings.Join(list, " ")
			if want := test.data == 2 && test.a == inc; f.Reordered != want {
				t.Errorf("%d %s %s: reordered: %v", test.data, test.a, test.b, f.Reordered)
			}
		}
		if got != test.want {
			t.Errorf("d%d %s, %s: got %q, want %q", test.data, test.a, test.b, got, test.want)
		}
	}
}

// Other reasons against fusing.
func TestRefuses(t *testing.T) {
	x := func(access loop.Access) fusetest.Arg { return fusetest.Arg{Data: 0, Access: access} }
	first := world.Part(plain(t, "first", wr), x(wr))
	edit := func(p fuse.Part, f func(*fuse.Part)) fuse.Part {
		l := *p.Loop
		l.Data = slices.Clone(l.Data)
		p.Loop, p.Data, p.Storages = &l, slices.Clone(p.Data), slices.Clone(p.Storages)
		f(&p)
		return p
	}
	second := world.Part(plain(t, "second", r), x(r))
	many := world
	many.Dims = make([]int, 36)
	many.OnNodes, many.Global = 36, 36
	var params, args = []string{}, []fusetest.Arg{}
	for d := range many.Dims {
		many.Dims[d] = 1
		params, args = append(params, "a"+string(rune('a'+d/6))+string(rune('a'+d%6))), append(args, fusetest.Arg{Data: d, Access: inc})
	}
	long := many.Part(fusetest.Kernel(t, "func long("+strings.Join(params, ", ")+" *float64) { *aaa++ }", "long"), args...)
	for _, test := range []struct {
		want  string
		parts []fuse.Part
	}{
		{"second prints", []fuse.Part{first, world.Part(fusetest.Kernel(t, "func second(x *[2]float64) { println(x[0]) }", "second"), x(r))}},
		{"second is C beyond numbers and arrays, in second.c:1:57", []fuse.Part{first, world.Part(fusetest.Kernel(t, "void second(double *x) { union { double d; long l; } u; u.d = x[0]; x[0] = u.d; }", "second"), x(rw))}},
		{"second is C beyond numbers and arrays, in second.c:1:42", []fuse.Part{first, world.Part(fusetest.Kernel(t, "void second(double *x) { if (x[0] > 0) { goto end; } x[0] = 1; end:; }", "second"), x(rw))}},
		{"second is C beyond numbers and arrays: long double, or a char that is neither signed nor unsigned", []fuse.Part{first, world.Part(fusetest.Kernel(t, "void second(double *x) { x[0] = (long double)x[0] * 3; }", "second"), x(rw))}},
		{"only second rounds products and sums separately", []fuse.Part{first, world.Part(fusetest.Kernel(t, "func second(x *[2]float64) { x[0] = float64(x[0]*x[1]) + 1 }", "second"), x(rw))}},
		{"first writes d0, second reads d0, under another name", []fuse.Part{first, edit(second, func(p *fuse.Part) { p.Data[0] = 7 })}},
		{"first writes d0, second reads d0, which is fresh", []fuse.Part{first, edit(second, func(p *fuse.Part) { p.Loop.Data[0].Fresh = true })}},
		{"first takes d0 as *[2]float64, second as *[1][2]float32", []fuse.Part{first, world.Part(fusetest.Kernel(t, "func second(x *[1][2]float32) {}", "second"), x(r))}},
		{"together they have 72 arguments, a loop has at most 64", []fuse.Part{long, long}},
	} {
		if _, err := fuse.Fuse(test.parts, nil); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// A fused kernel does with random values what the kernels do one after the other.
func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	fused := 0
	for seed := range uint64(120) {
		parts, source := fusetest.Random(t, seed)
		f, err := fuse.Fuse(parts, nil)
		if err != nil {
			continue
		}
		fused++
		// The values of each data by each path; what arguments add has values of its own for each.
		type place struct{ data, component, of int }
		apart := map[place][]uint64{}
		at := func(part, n int) []uint64 {
			a := parts[part].Loop.Args[n]
			p := place{parts[part].Data[a.Data], a.Component, 0}
			if a.Access == inc {
				p.of = 1 + 10*part + n
			}
			if apart[p] == nil {
				apart[p] = make([]uint64, fusetest.RandomWorld.Dims[p.data])
				for i := range apart[p] {
					apart[p][i] = math.Float64bits(random.Float64())
				}
			}
			return apart[p]
		}
		var together [][]uint64
		for _, o := range f.Args {
			together = append(together, slices.Clone(at(o.Part, o.Index)))
		}
		run := func(k *kernel.Kernel, values [][]uint64) {
			var consts [][]uint64
			for range k.Consts {
				consts = append(consts, []uint64{math.Float64bits(fusetest.Gam)})
			}
			if err := interp.Run(k, values, consts, 1e6); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		for i := range parts {
			var values [][]uint64
			for n := range parts[i].Loop.Args {
				values = append(values, at(i, n))
			}
			run(parts[i].Kernel, values)
		}
		run(f.Kernel, together)
		for n, o := range f.Args {
			if want := at(o.Part, o.Index); !slices.Equal(together[n], want) {
				t.Errorf("seed %d: argument %d: got %x, want %x\n%s", seed, n, together[n], want, source)
			}
		}
	}
	if fused < 15 {
		t.Errorf("only %d of the random loops were fused", fused)
	}
}

// The source of a fused loop, with a dat that is nowhere in memory.
func TestGolden(t *testing.T) {
	source := `var gam float64
func flux(x *[2]float64, f *[2]float64) {
	f[0] = gam*x[0]
	f[1] = x[0]*x[1]
}
func helper(v float64) float64 { return v / gam }
func step(f *[2]float64, x *[2]float64) {
	if f[0] < 0 {
		return
	}
	x[0] += helper(f[0])
	x[1] -= f[1]
}`
	parts := []fuse.Part{
		world.Part(fusetest.Kernel(t, source, "flux"), fusetest.Arg{Data: 0, Access: r}, fusetest.Arg{Data: 1, Access: wr}),
		world.Part(fusetest.Kernel(t, source, "step"), fusetest.Arg{Data: 1, Access: r}, fusetest.Arg{Data: 0, Access: rw}),
	}
	f, err := fuse.Fuse(parts, func(data int) bool { return data == 1 })
	if err != nil {
		t.Fatal(err)
	}
	if f.Loop.Kernel != "flux+step" || !slices.Equal(f.Local, []int{1}) {
		t.Errorf("%s without %v", f.Loop.Kernel, f.Local)
	}
	text := host.Sequential(codegen.Input{Loop: f.Loop, Kernel: f.Kernel}).Text
	_, text, _ = strings.Cut(text, "struct op2_consts {\n\tdouble gam;\n};\n\n")
	text, _, _ = strings.Cut(text, "// Packs of elements")
	text, _, _ = strings.Cut(text, ` "wrap_flux_step.c"`)
	text = strings.TrimRight(text, "#line 0123456789")
	const want = `#line 3 "k.go"
static inline void flux_(const op2_context op2, const double x[2], double f[2])
{
	f[0] = op2.consts->gam * x[0];
	f[1] = x[0] * x[1];
}

#line 7 "k.go"
static inline double helper_(const op2_context op2, double v)
{
	return v / op2.consts->gam;
}

#line 8 "k.go"
static inline void step_(const op2_context op2, const double f[2], double x[2])
{
	if (f[0] < 0.0) {
		return;
	}
	x[0] += helper_(op2, f[0]);
	x[1] -= f[1];
}

#line 3 "k.go"
static inline void flux_step_(const op2_context op2, double x[2])
{
	double x_2[2] = {0};
	for (int64_t i = 0; i < 2; i++) {
		x_2[i] = x[i];
	}
	double f[2] = {0};
	flux_(op2, x_2, f);
	op2_apart(x_2[0]);
	op2_apart(x_2[1]);
	op2_apart(f[0]);
	op2_apart(f[1]);
	step_(op2, f, x_2);
	for (int64_t i = 0; i < 2; i++) {
		x[i] = x_2[i];
	}
}

`
	if text != want {
		t.Errorf("got:\n%s", text)
	}
}

// The functions of a fused kernel keep the meaning of their languages, also in packs.
func TestLanguages(t *testing.T) {
	w := world
	w.Dims = []int{4, 4, 2, 2}
	parts := []fuse.Part{
		w.Part(fusetest.Kernel(t, "func first(x, y *[4]float64) { i := int(x[3]); y[i] = math.Max(x[0], x[1]); n := 1 << uint(i); y[0] = float64(n) }", "first"),
			fusetest.Arg{Data: 0, Access: r}, fusetest.Arg{Data: 1, Access: rw}),
		w.Part(fusetest.Kernel(t, "void second(double *x, double *y) { int i = x[3]; y[i] = fmax(x[0], x[1]); y[0] = 1 << i; }", "second"),
			fusetest.Arg{Data: 0, Access: r}, fusetest.Arg{Data: 1, Access: rw}),
	}
	f, err := fuse.Fuse(parts, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := host.Sequential(codegen.Input{Loop: f.Loop, Kernel: f.Kernel}).Text
	for _, want := range []string{"y[op2_index(op2, i, 4, 2, 48)] = op2_max(x[0], x[1]);", "op2_shl_int64(1, (uint64_t)i)", "y[i] = fmax(x[0], x[1]);", "(double)((int32_t)1 << i)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if meaning := f.Kernel.Meaning(); !strings.HasPrefix(meaning, "kernel c\nfunc (") || strings.Count(meaning, "\ngo func (") != 1 {
		t.Errorf("means\n%s", meaning)
	}

	parts = []fuse.Part{
		w.Part(fusetest.Kernel(t, "func first(x, y *[4]float64) { for i := range x { y[i] = math.Max(math.Sqrt(x[i]), math.Exp(x[0])) } }", "first"),
			fusetest.Arg{Data: 0, Access: r}, fusetest.Arg{Data: 1, Access: wr}),
		w.Part(fusetest.Kernel(t, "void second(double *x, double *y) { for (int i = 0; i < 4; i++) y[i] = fmax(y[i], fdim(x[i], x[0])); }", "second"),
			fusetest.Arg{Data: 0, Access: r}, fusetest.Arg{Data: 1, Access: rw}),
	}
	if f, err = fuse.Fuse(parts, nil); err != nil {
		t.Fatal(err)
	}
	text = host.Sequential(codegen.Input{Loop: f.Loop, Kernel: f.Kernel, Options: codegen.Options{SIMD: tune.SIMDOn}}).Text
	for _, want := range []string{"op2_lanes_Max(", "op2_lanes_fmax(", "op2_lanes_fdim("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// subscripts returns a loop whose kernel k has floats x and integers y.
func subscripts(t *testing.T, source string, x, y loop.Access) fuse.Part {
	k := fusetest.Kernel(t, source, "k")
	p := fuse.Part{Loop: &loop.Loop{Kernel: "k", Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 2}, {Kind: loop.Dat, Type: loop.Int32, Dim: 2}}},
		Kernel: k, Data: []int{0, 1}, Storages: []int{0, 1}, Names: []string{"x", "y"}}
	var shapes []kernel.Shape
	for i, access := range []loop.Access{x, y} {
		p.Loop.Args = append(p.Loop.Args, loop.Arg{Kind: loop.Dat, Access: access, Data: i, Map: loop.Direct, ColMap: loop.Direct})
		shapes = append(shapes, kernel.ShapeOf(p.Loop, p.Loop.Args[i]))
	}
	kernel.Analyze(k, shapes)
	return p
}

// What C stores anywhere in an array is not known afterwards.
func TestStoresAnywhere(t *testing.T) {
	f, err := fuse.Fuse([]fuse.Part{
		subscripts(t, "void k(double *x, int y[2]) { y[0] = y[1] = 0; y[(int)x[0]] = 9; }", r, wr),
		subscripts(t, "func k(x *[2]float64, y *[2]int32) { x[y[0]] = 1 }", rw, r),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !ckernel.MayFail(f.Kernel) {
		t.Error("y[0] is believed to be in range")
	}
}

// Positions say which part they are in.
func TestLocate(t *testing.T) {
	p := subscripts(t, "func k(x *[2]float64, y *[2]int32) {\n\tx[y[0]] = 1\n}", rw, r)
	f, err := fuse.Fuse([]fuse.Part{p, p}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]kernel.Pos{}
	for _, fn := range f.Kernel.Funcs {
		kernel.Walk(fn.Body, nil, func(e kernel.Expr) {
			if i, ok := e.(*kernel.Index); ok && !i.InRange {
				part, pos := fuse.Locate(i.Pos())
				found[part] = pos
			}
		})
	}
	want := kernel.Pos{File: "k.go", Line: 3, Col: 2}
	if len(found) != 2 || found[0] != want || found[1] != want {
		t.Errorf("got %v, want %v in both", found, want)
	}
}
