package fromc_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
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
		{"struct s { double a[2], b; };\nvoid k(const double *x, double *y) {\n\tstruct s t = {{1, 2}, 3}; int n = x[0];\n\ty[0] = t.a[n];\n}",
			"k.c:4:9: a subscript of t may be another than 0 to 1"},
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
		rt := optest.Must(op2.Open(op2.Static(), op2.WithBackend("sequential"), op2.WithLog(&log)))
		cells := rt.NewSet(4, "cells")
		x, y := op2.NewDat[float64](cells, 2, nil, "x"), op2.NewDat[float64](cells, 2, nil, "y")
		for range 2 {
			if err := op2.NewLoop(ckernel.New("k", c.source), cells, x.Read(), y.RW()).Err(); err != nil {
				t.Fatal(err)
			}
		}
		want := ""
		if c.want != "" {
			want = "op2: warning: loop k over cells: kernel k: this cannot be checked beforehand\n  " + c.want +
				"\n  hint: run it once with OP2_DIAGS=on, which checks subscripts while it runs\n"
		}
		if got := log.String(); got != want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.source, got, want)
		}
	}
}

// What certainly leaves an argument is refused, in whatever form.
func TestStraysOfC(t *testing.T) {
	rt := optest.Must(op2.Open(op2.Static(), op2.WithBackend("sequential"), op2.WithLog(nil)))
	cells := rt.NewSet(4, "cells")
	x, y := op2.NewDat[float64](cells, 2, nil, "x"), op2.NewDat[float64](cells, 2, nil, "y")
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
		err := op2.NewLoop(ckernel.New("k", source), cells, x.Read(), y.RW()).Err()
		if want := "op2: loop k over cells: kernel k: k.c:2:" + c.want + " is out of range: there is 0 to 1\n"; c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s\ngot:  %v\nwant: %s", c.text, err, want)
		}
	}
}

// A pointer may walk from a field through the whole struct: that is no certain mistake, and all is
// known to be written.
func TestWalksOfC(t *testing.T) {
	type gas struct {
		U    [2]float64
		A, B float64
	}
	for _, text := range []string{
		"double *q = g->U; for (int i = 0; i < 4; i++) *q++ = i;",
		"for (int i = 0; i < 4; i++) set(g->U, i);",
		"for (int i = 0; i < 4; i++) set(&g->A, i - 2);",
	} {
		var log bytes.Buffer
		rt := optest.Must(op2.Open(op2.Static(), op2.WithBackend("sequential"), op2.WithLog(&log)))
		cells := rt.NewSet(4, "cells")
		g := op2.NewDat[gas](cells, 1, nil, "g")
		source := "static void set(double *v, int i) { v[i] = i; }\nvoid k(gas *g) { " + text + " }"
		if err := op2.NewLoop(ckernel.New("k", source), cells, g.Write()).Err(); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
		if warned := strings.Contains(log.String(), "subscript 2 of g is out of range: there is 0 to 1"); warned != strings.Contains(text, "U") {
			t.Errorf("%s\n%s", text, &log)
		}
	}
}

// Local variables are counted, whatever else the IR contains.
func TestStackOfC(t *testing.T) {
	rt := optest.Must(op2.Open(op2.Static(), op2.WithBackend("sequential"), op2.WithLog(nil)))
	cells := rt.NewSet(4, "cells")
	x := op2.NewDat[float64](cells, 1, nil, "x")
	for _, c := range []struct{ text, want string }{
		{"double a[32768]; a[0] = x[0]; x[0] = a[0];", ""},
		{"double a[32769]; a[0] = x[0]; x[0] = a[0];", "kernel k has local variables of 262152 bytes, 262144 are possible"},
		{"union { char c[300000]; double d; } u; u.d = x[0]; x[0] = u.d;", "kernel k has local variables of 300000 bytes, 262144 are possible"},
		{"float a[70000]; goto end; end: x[0] = a[0];", "kernel k has local variables of 280000 bytes, 262144 are possible"},
	} {
		err := op2.NewLoop(ckernel.New("k", "void k(double *x) { "+c.text+" }"), cells, x.RW()).Err()
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot:  %v\nwant: %s", c.text, err, c.want)
		}
	}
}
