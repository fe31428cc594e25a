package ckernel_test

import (
	"embed"
	"testing"
	"testing/fstest"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed testdata
var cFiles embed.FS

func TestFiles(t *testing.T) {
	rt := optest.OpenBackend(t, "sequential")
	cells := optest.NewSet(t, rt, 2, "cells")
	speed := optest.NewDat(t, cells, 2, []float64{3, 4, 0, 1}, "speed")
	x := optest.NewDat(t, cells, 2, []float64{0, 0, 1, 1}, "x")
	longest := optest.NewGlobal(t, rt, "longest", 0.)
	n, parts, of := optest.NewDat(t, cells, 1, []int32{6, 7}, "n"), optest.NewDat(t, cells, 1, []int32{3, 0}, "parts"), optest.NewDat[int32](t, cells, 1, nil, "of")
	gam := 2.
	optest.NewConsts(t, rt, map[string]*float64{"gam": &gam})

	kernels := ckernel.Files(cFiles)
	if move := kernels.Func("move"); kernels != ckernel.Files(cFiles) || kernels.Func("move") != move {
		t.Error("the same files give other kernels")
	}
	optest.Run(t, kernels.Func("move"), cells, speed.Read(), x.RW(), longest.Max())
	optest.Expect(t, x, []float64{6, 8, 1, 3})
	optest.Expect(t, longest, []float64{10})
	optest.ExpectError(t, op2.ParLoop(kernels.Func("deal"), cells, n.Read(), parts.Read(), of.Write()),
		"op2: loop deal over cells: testdata/vectors.h:12:45: integer divide by zero: element 1 of cells\n"+
			"    inline int share(int n, int parts) { return n / parts; }\n                                                ^")
	optest.ExpectError(t, op2.ParLoop(kernels.Func("other"), cells, n.Write()),
		"op2: loop other over cells: kernel other: testdata/kernels.cpp:20:52: undefined: limit\n"+
			"    inline void other(double *x) { *x = unregistered * limit; }\n                                                       ^\n"+
			"  hint: a value of the program is registered with op2.NewConst(rt, \"limit\", &limit)")
}

func TestStructForValues(t *testing.T) {
	rt := optest.OpenBackend(t, "sequential")
	cells := optest.NewSet(t, rt, 2, "cells")
	x := optest.NewDat(t, cells, 3, []float64{1, 2, 3, 4, 5, 6}, "x")
	y := optest.NewDat[float64](t, cells, 3, nil, "y")
	source := "struct vec { double x, y, z; };\nvoid cross(const vec &a, vec &b) { b.x = a.y; b.y = a.z; b.z = 2 * a.x; }"
	optest.Run(t, ckernel.New("cross", source), cells, x.Read(), y.Write())
	optest.Expect(t, y, []float64{2, 3, 2, 5, 6, 8})
	optest.ExpectError(t, op2.ParLoop(ckernel.New("k", "struct two { double x, y; };\nvoid k(two &a) { a.x = a.y = 0; }"), cells, y.Write()),
		"op2: loop k over cells: argument 1 (y, written): the kernel takes two *a, y holds 3 float64 for each of cells\n"+
			"    void k(two &a) { a.x = a.y = 0; }\n               ^\n  hint: declare the parameter in k.c:2:12 as double a[3]")
}

// What other kernels of a file read is no part of a kernel, registered or not.
func TestConstsOfOtherKernels(t *testing.T) {
	rt := optest.OpenBackend(t, "sequential")
	cells := optest.NewSet(t, rt, 2, "cells")
	x := optest.NewDat(t, cells, 1, []float64{1, 2}, "x")
	half, third := 0.5, 1/3.
	optest.NewConsts(t, rt, map[string]*float64{"half": &half, "third": &third})
	source := "static double twice(double x) { return 2 * x; }\nvoid a(double *x) { *x = half * twice(*x); }\nvoid b(double *x) { *x = third * twice(*x); }\n"
	optest.Run(t, ckernel.New("a", source), cells, x.RW())
	optest.Expect(t, x, []float64{1, 2})
	optest.Run(t, ckernel.New("b", source), cells, x.RW())
	optest.Expect(t, x, []float64{2. / 3, 4. / 3})
}

func TestFilesErrors(t *testing.T) {
	rt := optest.Open(t)
	cells := optest.NewSet(t, rt, 2, "cells")
	x := optest.NewDat[float64](t, cells, 1, nil, "x")
	two := fstest.MapFS{
		"a.c": {Data: []byte("void f(double *x) { *x = 1; }\nvoid zero(double *x) { *x = 0; }\n")},
		"b.c": {Data: []byte("\nvoid f(double *x) { *x = 2; }\n")},
	}
	included := fstest.MapFS{
		"src/k.c":     {Data: []byte("#include \"area.h\"\nvoid k(double *x) { *x = area(2); }\n")},
		"flat/area.h": {Data: []byte("static double area(double r) { return 3 * r * r; }\n")},
		"ball/area.h": {Data: []byte("static double area(double r) { return 12 * r * r; }\n")},
	}
	for _, c := range []struct {
		kernel *op2.Kernel
		want   string
	}{
		{ckernel.Files(two).Func("f"), "op2: loop f over cells: kernel f: it is defined in a.c:1:6 and b.c:2:6\n  hint: name the files for one of them: ckernel.Files(files, \"a.c\")"},
		{ckernel.Files(two).Func("zeros"), "op2: loop zeros over cells: kernel zeros: no file defines it\n  hint: did you mean zero?"},
		{ckernel.Files(two).Func("flux"), "op2: loop flux over cells: kernel flux: no file defines it\n  hint: they define f, zero"},
		{ckernel.Files(two, "kernels/*.c").Func("f"), "op2: loop f over cells: kernel f: no file is called \"kernels/*.c\"\n  hint: name files as in //go:embed, from its folder on; there are a.c, b.c"},
		{ckernel.Files(two, "[").Func("f"), "op2: loop f over cells: kernel f: the pattern \"[\" is malformed\n  hint: patterns are those of path.Match: a [ begins a list of characters, and \\[ stands for itself"},
		{ckernel.Files(fstest.MapFS{}).Func("f"), "op2: loop f over cells: kernel f: no file ends in .c, .h, .cc, .cpp, .hpp, .cu, .cuh\n  hint: embed them: //go:embed kernels, and in the next line: var kernels embed.FS"},
		{ckernel.Files(nil).Func("f"), "op2: loop f over cells: kernel f: the files are nil\n  hint: embed them: //go:embed kernels, and in the next line: var kernels embed.FS"},
		{ckernel.Files(included, "src/*").Func("k"), "op2: loop k over cells: kernel k: src/k.c:1:10: area.h is several files: ball/area.h, flat/area.h\n    #include \"area.h\"\n             ^\n  hint: name its folder: #include \"ball/area.h\"\n" +
			"src/k.c:2:26: undefined function: area\n    void k(double *x) { *x = area(2); }\n                             ^\n  hint: define it in the source of the kernel"},
		{(*ckernel.Source)(nil).Func("f"), "op2: loop f over cells: kernel f: its *ckernel.Source is nil, or was not made by ckernel.Files"},
	} {
		optest.ExpectError(t, op2.ParLoop(c.kernel, cells, x.Write()), c.want)
	}
}
