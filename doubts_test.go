package op2_test

import (
	"bytes"
	"testing"

	"github.com/go-op2/op2"
)

// What cannot be decided of a kernel in C is warned of, once.
func TestDoubtsOfC(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"void k(const double *x, double *y) {\n\ty[0] = x[1]; y[1] = 0;\n}", ""},
		{"void k(const double *x, double *y) {\n\tfor (int i = 0; i < 2; i++) y[i] = *x++;\n}", ""},
		{"void k(const double *x, double *y) {\n\tif (x[0] > 0) y[2] = 1;\n}",
			"k.c:2:16: subscript 2 of y is out of range: there is 0 to 1"},
		{"void k(const double *x, double *y) {\n\tint n = x[0];\n\ty[n] = 1;\n}",
			"k.c:3:2: a subscript of y may be another than 0 to 1"},
		{"static void f(double *x) { x++; }\nvoid k(double *x, double *y) {\n\tf(x); y[0] = 1;\n}",
			"k.c:3:4: x is passed with Read, and may be changed through a pointer; declare it const"},
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
