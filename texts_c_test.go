package op2_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
)

// What cannot be decided about a C kernel causes one warning.
func TestDoubtsOfC(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"void k(const double *x, double *y) {\n\ty[0] = x[1]; y[1] = 0;\n}", ""},
		{"void k(const double *x, double *y) {\n\tfor (int i = 0; i < 2; i++) y[i] = *x++;\n}", ""},
		{"void k(const double *x, double *y) {\n\tif (x[0] > 0) y[2] = 1;\n}",
			"k.c:2:16: subscript 2 of y is out of range: there is 0 to 1"},
		{"void k(const double *x, double *y) {\n\tint n = x[0];\n\ty[n] = 1;\n}",
			"k.c:3:2: a subscript of y may be another than 0 to 1"},
		{"void k(double *x, double *y) {\n\tint n = x[0];\n\tdouble *p = n ? x : y;\n\ty[1 / n] = *p;\n}",
			"k.c:4:2: a subscript of y may be another than 0 to 1\n  k.c:3:9: where p points is not seen: it may leave x\n  k.c:4:4: an integer is divided by what may be zero: that ends the program\n  k.c:3:18: x is passed with Read, and may be changed through a pointer; declare it const"},
		{"static void f(double *x) { x++; }\nvoid k(double *x, double *y) {\n\tf(x); y[0] = 1;\n}", ""},
		{"#include <string.h>\nvoid k(double *x, double *y) {\n\tmemcpy(y, x, 16);\n\tmemmove(y, (char *)x, 8);\n}", ""},
		{"#include <string.h>\nvoid k(double *x, double *y) {\n\tmemcpy(y, x, (int)x[0] * sizeof *x);\n}",
			"k.c:3:2: how much memcpy stores is not seen: it may leave y\n  k.c:3:2: how much memcpy reads is not seen: it may leave x"},
		{"void k(const double *x, double *y) {\n\tfloat *f = (float *)y;\n\tf[5] = 1;\n}",
			"k.c:2:13: what is reached as float* is not seen: it may leave y"},
		{"void k(const double *x, double *y) {\n\tint i = 0;\na:\ty[i] = x[0];\n\tif (++i < 40) goto a;\n}",
			"k.c:4:16: goto: what k reads and changes is not seen"},
	} {
		var log bytes.Buffer
		rt := op2.Must(op2.Open(op2.Static(), op2.WithBackend("sequential"), op2.WithLog(&log)))
		cells := op2.Must(rt.NewSet(4, "cells"))
		x, y := op2.Must(op2.NewDat[float64](cells, 2, nil, "x")), op2.Must(op2.NewDat[float64](cells, 2, nil, "y"))
		for range 2 {
			if _, err := op2.NewLoop(op2.C("k", c.source), cells, x.Read(), y.RW()); err != nil {
				t.Fatal(err)
			}
		}
		want := ""
		if c.want != "" {
			want = "op2: warning: loop k over cells: kernel k: this cannot be checked beforehand\n  " + c.want +
				"\n  hint: run it once with OP2_DIAGS=1, which checks subscripts while it runs\n"
		}
		if got := log.String(); got != want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.source, got, want)
		}
	}
}

// What certainly leaves an argument is refused, in whatever form.
func TestStraysOfC(t *testing.T) {
	rt := op2.Must(op2.Open(op2.Static(), op2.WithBackend("sequential"), op2.WithLog(nil)))
	cells := op2.Must(rt.NewSet(4, "cells"))
	x, y := op2.Must(op2.NewDat[float64](cells, 2, nil, "x")), op2.Must(op2.NewDat[float64](cells, 2, nil, "y"))
	for _, c := range []struct{ text, want string }{
		{"memcpy(y, x, 3 * sizeof *y);", "55: subscript 2 of y"},
		{"memcpy(y, x + 1, 16);", "55: subscript 2 of x"},
		{"memcpy(y, x, 16);", ""},
		{"memmove(y + 1, y, 8);", ""},
		{"double *p = y; p += 1; p += 1; *p = 1;", "86: subscript 2 of y"},
		{"double *p = y; *++p = 1;", ""},
		{"double *p = y; p++; *++p = 1;", "75: subscript 2 of y"},
		{"double *p; p = y; *p++ = 1; *p++ = 2; y[0] = p[0];", "100: subscript 2 of y"},
		{"for (double *p = y; p < y + 2; p++) *p = 1;", ""},
		{"for (double *p = y; p <= y + 2; p++) *p = 1;", "92: subscript 2 of y"},
		{"((struct { double a, b, c; } *)y)->a = 1;", "56: subscript 2 of y"},
		{"((struct { double a, b; } *)y)->a = 1;", ""},
		{"y += 2; *y = 1;", "63: subscript 2 of y"},
		{"float *f = (float *)y; f[0] = 1;", ""},
		{"memset(y, 0, 24);", "55: subscript 2 of y"},
	} {
		source := "#include <string.h>\nvoid k(const double *x, double *y) { y[0] = y[1] = 0; " + c.text + " }"
		_, err := op2.NewLoop(op2.C("k", source), cells, x.Read(), y.RW())
		if want := "op2: loop k over cells: kernel k: k.c:2:" + c.want + " is out of range: there is 0 to 1\n"; c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s\ngot:  %v\nwant: %s", c.text, err, want)
		}
	}
}

// Sources as people have them: with a byte order mark, headers, macros of any name, and output.
func TestTextsOfC(t *testing.T) {
	if name := os.Getenv("OP2_TEST_PRINTS"); name != "" {
		rt := op2.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil)))
		cells := op2.Must(rt.NewSet(2, "cells"))
		y := op2.Must(op2.NewDat[float64](cells, 2, nil, "y"))
		source := "\ufeff#include <string.h>\n#include <stdio.h>\n#define n 5\n#define args 6\n#define last y\n" +
			"void k(double *last) {\n\tmemset(y, 0, 2 * sizeof *y); y[1] = n + args; printf(\"y is %g\\n\", y[1]);\n}"
		if err := op2.ParLoop(op2.C("k", source), cells, y.Write()); err != nil {
			t.Fatal(err)
		}
		if values := op2.Must(y.Data()); !slices.Equal(values, []float64{0, 11, 0, 11}) {
			t.Error(values)
		}
		os.Exit(0)
	}
	compilerHere(t)
	for _, name := range []string{"sequential", "openmp"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTextsOfC$")
		cmd.Env = append(os.Environ(), "OP2_TEST_PRINTS="+name)
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != "y is 11\ny is 11\n" {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// Integer divisions by zero end the loop, not the program.
func TestDivisionsOfC(t *testing.T) {
	compilerHere(t)
	for _, name := range []string{"sequential", "openmp", "opencl"} {
		rt := op2.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil)))
		defer rt.Close()
		cells := op2.Must(rt.NewSet(3, "cells"))
		for _, c := range []struct{ text, want string }{
			{"y[0] = 6 / y[1];", "k.c:1:25: integer divide by zero: element 2 of cells"},
			{"y[0] = 6; y[0] %= y[1] * 2;", "k.c:1:28: integer divide by zero: element 2 of cells"},
			{"y[0] = y[1] == 0 ? 7 : 6 / y[1];", ""},
			{"long long m = INT64_MIN; y[0] = m / (y[1] - 1 - (y[1] == 1)) < 0;", ""},
		} {
			y := op2.Must(op2.NewDat(cells, 2, []int32{0, 2, 0, 3, 0, 0}, "y"))
			err := op2.ParLoop(op2.C("k", "void k(int *y) { "+c.text+" }"), cells, y.RW())
			if want := "op2: loop k over cells: " + c.want; c.want == "" && err != nil || c.want != "" && fmt.Sprint(err) != want {
				t.Errorf("%s, %s:\ngot:  %v\nwant: %s", name, c.text, err, want)
			}
		}
	}
}

// With diagnostics, undecided subscripts are checked at run time.
func TestSubscriptsOfC(t *testing.T) {
	compilerHere(t)
	source := "static double at(const double *v, int i) { return v[i]; }\nvoid k(double *x[2], double *y)\n{\n\tint i = y[0];\n\ty[1] = x[i][0];\n\ty[i] = at(y, 2 * i);\n}"
	for _, name := range []string{"sequential", "openmp", "opencl"} {
		rt := op2.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil), op2.WithDiags(true)))
		defer rt.Close()
		cells, nodes := op2.Must(rt.NewSet(2, "cells")), op2.Must(rt.NewSet(2, "nodes"))
		m := op2.Must(op2.NewMap(cells, nodes, 2, []int32{0, 1, 1, 0}, "m"))
		x := op2.Must(op2.NewDat(nodes, 2, []float64{1, 2, 3, 4}, "x"))
		for _, c := range []struct {
			i    float64
			want string
		}{
			{0, "<nil>"},
			{1, "op2: loop k over cells: k.c:1:51: index out of range [2] with length 2: argument 2 (y, read and written), element 1 of cells"},
			{2, "op2: loop k over cells: k.c:5:9: index out of range [2] with length 2: argument 1 (x, read through m), element 1 of cells"},
			{-1, "op2: loop k over cells: k.c:5:9: index out of range [-1]: argument 1 (x, read through m), element 1 of cells"},
		} {
			y := op2.Must(op2.NewDat(cells, 2, []float64{0, 0, c.i, 0}, "y"))
			if got := fmt.Sprint(op2.ParLoop(op2.C("k", source), cells, x.Read(m), y.RW())); got != c.want {
				t.Errorf("%s, %v:\ngot:  %s\nwant: %s", name, c.i, got, c.want)
			}
		}
	}
}

// Moving pointers and blocks of memory work the same on every backend, in packs too.
func TestMovingPointersOfC(t *testing.T) {
	compilerHere(t)
	source := `#include <string.h>
static double sum(const double *p, int n) { double s = 0; while (n--) s += *p++; return s; }
void k(const double *x, double *y)
{
	double t[4], *q = t, *end;
	memset(t, 0, sizeof t);
	memcpy(q + 1, x, 2 * sizeof *x);
	end = t;
	end += 4;
	while (q != end)
		*y++ = 2 * *q++;
	*--y += end - q + sum(x, 3);
	y[-3] = q[-2];
}`
	for _, name := range []string{"sequential", "openmp", "opencl"} {
		rt := op2.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil), op2.WithSIMD("on")))
		defer rt.Close()
		cells := op2.Must(rt.NewSet(9, "cells"))
		values, want := make([]float64, 27), make([]float64, 36)
		for i := range 9 {
			a, b, c := float64(i), float64(i+1), float64(2*i)
			copy(values[3*i:], []float64{a, b, c})
			copy(want[4*i:], []float64{b, 2 * a, 2 * b, a + b + c})
		}
		x, y := op2.Must(op2.NewDat(cells, 3, values, "x")), op2.Must(op2.NewDat[float64](cells, 4, nil, "y"))
		if err := op2.ParLoop(op2.C("k", source), cells, x.Read(), y.Write()); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := op2.Must(y.Data()); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// Local variables are counted, whatever else the IR contains.
func TestStackOfC(t *testing.T) {
	rt := op2.Must(op2.Open(op2.Static(), op2.WithBackend("sequential"), op2.WithLog(nil)))
	cells := op2.Must(rt.NewSet(4, "cells"))
	x := op2.Must(op2.NewDat[float64](cells, 1, nil, "x"))
	for _, c := range []struct{ text, want string }{
		{"double a[32768]; a[0] = x[0]; x[0] = a[0];", ""},
		{"double a[32769]; a[0] = x[0]; x[0] = a[0];", "kernel k has local variables of 262152 bytes, 262144 are possible"},
		{"union { char c[300000]; double d; } u; u.d = x[0]; x[0] = u.d;", "kernel k has local variables of 300000 bytes, 262144 are possible"},
		{"float a[70000]; goto end; end: x[0] = a[0];", "kernel k has local variables of 280000 bytes, 262144 are possible"},
	} {
		_, err := op2.NewLoop(op2.C("k", "void k(double *x) { "+c.text+" }"), cells, x.RW())
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot:  %v\nwant: %s", c.text, err, c.want)
		}
	}
}
