package conformance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

// Sources as people have them: with a byte order mark, headers, macros of any name, and output.
func TestTextsOfC(t *testing.T) {
	if name := os.Getenv("OP2_TEST_PRINTS"); name != "" {
		rt := optest.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil)))
		cells := rt.NewSet(2, "cells")
		y := op2.NewDat[float64](cells, 2, nil, "y")
		source := "\ufeff#include <string.h>\n#include <stdio.h>\n#define n 5\n#define args 6\n#define last y\nstatic const double gamma = n, y1 = 0;\n" +
			"void k(double *last) {\n\tmemset(y, 0, 2 * sizeof *y); y[1] = gamma + y1 + args; printf(\"y is %g\\n\", y[1]);\n}"
		if err := op2.ParLoop(ckernel.New("k", source), cells, y.Write()); err != nil {
			t.Fatal(err)
		}
		if values := optest.Must(y.Data()); !slices.Equal(values, []float64{0, 11, 0, 11}) {
			t.Error(values)
		}
		os.Exit(0)
	}
	optest.RequireCompiler(t)
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
	optest.RequireCompiler(t)
	for _, name := range []string{"sequential", "openmp", "opencl"} {
		rt := optest.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil)))
		defer rt.Close()
		cells := rt.NewSet(3, "cells")
		for _, c := range []struct{ text, want string }{
			{"y[0] = 6 / y[1];", "k.c:1:25: integer divide by zero: element 2 of cells"},
			{"y[0] = 6; y[0] %= y[1] * 2;", "k.c:1:28: integer divide by zero: element 2 of cells"},
			{"y[0] = y[1] == 0 ? 7 : 6 / y[1];", ""},
			{"long long m = INT64_MIN; y[0] = m / (y[1] - 1 - (y[1] == 1)) < 0;", ""},
		} {
			y := op2.NewDat(cells, 2, []int32{0, 2, 0, 3, 0, 0}, "y")
			source := "void k(int *y) { " + c.text + " }"
			switch err := op2.ParLoop(ckernel.New("k", source), cells, y.RW()); {
			case c.want != "":
				optest.ExpectError(t, err, optest.Pointed("op2: loop k over cells: "+c.want, source))
			case err != nil:
				t.Errorf("%s, %s: %v", name, c.text, err)
			}
		}
	}
}

// With diagnostics, undecided subscripts are checked at run time.
func TestSubscriptsOfC(t *testing.T) {
	optest.RequireCompiler(t)
	source := "static double at(const double *v, int i) { return v[i]; }\nvoid k(double *x[2], double *y)\n{\n\tint i = y[0];\n\ty[1] = x[i][0];\n\ty[i] = at(y, 2 * i);\n}"
	for _, name := range []string{"sequential", "openmp", "opencl"} {
		rt := optest.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil), op2.WithDiags(true)))
		defer rt.Close()
		cells, nodes := rt.NewSet(2, "cells"), rt.NewSet(2, "nodes")
		m := op2.NewMap(cells, nodes, 2, []int32{0, 1, 1, 0}, "m")
		x := op2.NewDat(nodes, 2, []float64{1, 2, 3, 4}, "x")
		for _, c := range []struct {
			i    float64
			want string
		}{
			{0, ""},
			{1, "op2: loop k over cells: k.c:1:51: index out of range [2] with length 2: argument 2 (y, read and written), element 1 of cells"},
			{2, "op2: loop k over cells: k.c:5:9: index out of range [2] with length 2: argument 1 (x, read through m), element 1 of cells"},
			{-1, "op2: loop k over cells: k.c:5:9: index out of range [-1]: argument 1 (x, read through m), element 1 of cells"},
		} {
			y := op2.NewDat(cells, 2, []float64{0, 0, c.i, 0}, "y")
			switch err := op2.ParLoop(ckernel.New("k", source), cells, x.Read(m), y.RW()); {
			case c.want != "":
				optest.ExpectError(t, err, optest.Pointed(c.want, source))
			case err != nil:
				t.Errorf("%s, %v: %v", name, c.i, err)
			}
		}
	}
}

// Pointers that move within fields of structs work the same on every backend, in packs too.
func TestMovingInFieldsOfC(t *testing.T) {
	optest.RequireCompiler(t)
	type gas struct {
		A float64
		U [4]float64
		M [2][2]float64
	}
	source := `static double sum(const double *v, int n) { double s = 0; while (n--) s += *v++; return s; }
void k(const gas *in, gas *out)
{
	gas local = *in;
	double *q = out->U, *end, *m = local.M[1];
	const double *from = &in->U[1];
	end = out->U + 4;
	while (q != end)
		*q++ = 2 * *(from++ - 1);
	q = out->U;
	q[1] += end - q;
	m[0] = sum(in->U, 4) + sum(in->M[0], 4);
	q = out->U + 2;
	*q-- += m[0];
	q[0] *= local.M[1][0];
	out->A = q - out->U;
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			out->M[i][j] = local.M[j][i];
}`
	for _, name := range []string{"go", "sequential", "openmp", "opencl"} {
		rt := optest.OpenBackend(t, name, op2.WithSIMD(op2.On))
		cells := optest.NewSet(t, rt, 9, "cells")
		values, want := make([]gas, 9), make([]gas, 9)
		for i := range values {
			a := float64(i)
			values[i] = gas{a, [4]float64{a, 1, 2, 3}, [2][2]float64{{4, a}, {6, 7}}}
			s := a + 6 + 17 + a
			want[i] = gas{1, [4]float64{2 * a, (2 + 4) * s, 4 + s, 6}, [2][2]float64{{4, s}, {a, 7}}}
		}
		in, out := optest.NewDat(t, cells, 1, values, "in"), optest.NewDat[gas](t, cells, 1, nil, "out")
		optest.Run(t, ckernel.New("k", source), cells, in.Read(), out.RW())
		optest.Expect(t, out, want)
	}
}

// A pointer to a field of a struct leads to the values of this field, wherever it is followed.
func TestFieldsOfC(t *testing.T) {
	optest.RequireCompiler(t)
	type gas struct {
		U    [4]float64
		A, B float64
		M    [2][2]float64
	}
	texts := []struct {
		text     string
		col, sum int // where the subscript is, and what is added to it
	}{
		{"p->U[i] = 1;", 2, 0},
		{"set(p->U, i);", 0, 0},
		{"set(p->M[0], i);", 0, 0},
		{"p->M[0][i] = 1;", 2, 0},
		{"p->M[1][i] = 1;", 2, 2},
		{"set(&p->U[1], i);", 0, 1},
		{"double *q = p->U; q += 1; q[i] = 1;", 28, 1},
		{"double *q; q = p->U; q[i] = 1;", 23, 0},
		{"double *q = &p->U[1]; q++; q[i] = 1;", 29, 2},
		{"gas s; set(s.U, i); p->A = s.U[0];", 0, 0},
	}
	for _, name := range []string{"go", "sequential", "opencl"} {
		rt := optest.OpenBackend(t, name, op2.WithDiags(true))
		cells := optest.NewSet(t, rt, 1, "cells")
		number := optest.NewDat(t, cells, 1, []int32{0}, "number")
		p := optest.NewDat(t, cells, 1, make([]gas, 1), "p")
		for _, c := range texts {
			source := "static void set(double *v, int at) { v[at] = 1; }\nvoid k(const int *number, gas *p) {\n\tint i = *number;\n\t" + c.text + "\n}"
			k := ckernel.New("k", source)
			for i := range 6 {
				optest.OK(t, number.Fill(int32(i)))
				err := op2.ParLoop(k, cells, number.Read(), p.RW())
				if at := i + c.sum; (err != nil) != (at > 3) || err != nil && !strings.Contains(err.Error(), fmt.Sprintf("index out of range [%d] with length 4", at)) {
					t.Errorf("%s, %s, %d: %v", name, c.text, i, err)
				}
				if place := fmt.Sprintf("k.c:4:%d: ", c.col); err != nil && c.col > 0 && !strings.Contains(err.Error(), place) {
					t.Errorf("%s, %s: %v", name, c.text, err)
				}
			}
		}
	}
}

// A subscript is not compared with a length that it has in another call only.
func TestLengthsOfC(t *testing.T) {
	optest.RequireCompiler(t)
	source := "static double at(const double *v, int i) { return v[i]; }\nvoid k(const double *x, const double *z, double *y) { int i = x[0]; *y = at(x, i) + at(z, 4); }"
	for _, name := range []string{"go", "sequential"} {
		rt := optest.OpenBackend(t, name, op2.WithDiags(true))
		cells := optest.NewSet(t, rt, 1, "cells")
		x, z := optest.NewDat(t, cells, 2, []float64{1, 2}, "x"), optest.NewDat(t, cells, 5, []float64{0, 0, 0, 0, 5}, "z")
		y := optest.NewDat[float64](t, cells, 1, nil, "y")
		optest.Run(t, ckernel.New("k", source), cells, x.Read(), z.Read(), y.Write())
		optest.Expect(t, y, []float64{7})
	}
}

// Diagnostics fill what kernels write, which compilers do not mix with what these store.
func TestFilledByDiagnostics(t *testing.T) {
	source := `void k(const float *x, float *out)
{
	float least = x[0] < x[1] ? x[0] : x[1];
	out[0] = out[1] = out[2] = out[3] = 1;
	out[0] = least;
	out[3] += least;
}`
	for _, cc := range []string{"gcc", "clang"} {
		t.Run(cc, func(t *testing.T) {
			if _, err := exec.LookPath(cc); err != nil {
				optest.Require(t, cc, err.Error())
			}
			rt := optest.OpenBackend(t, "sequential", op2.WithCompiler(cc), op2.WithDiags(true))
			cells := optest.NewSet(t, rt, 20, "cells")
			x, out := optest.NewDat(t, cells, 4, make([]float32, 80), "x"), optest.NewDat[float32](t, cells, 4, nil, "out")
			optest.Run(t, ckernel.New("k", source), cells, x.Read(), out.Write())
			optest.Expect(t, out, slices.Repeat([]float32{0, 1, 1, 1}, 20))
		})
	}
}

// Moving pointers and blocks of memory work the same on every backend, in packs too.
func TestMovingPointersOfC(t *testing.T) {
	optest.RequireCompiler(t)
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
		rt := optest.Must(op2.Open(op2.WithBackend(name), op2.WithLog(nil), op2.WithSIMD(op2.On)))
		defer rt.Close()
		cells := rt.NewSet(9, "cells")
		values, want := make([]float64, 27), make([]float64, 36)
		for i := range 9 {
			a, b, c := float64(i), float64(i+1), float64(2*i)
			copy(values[3*i:], []float64{a, b, c})
			copy(want[4*i:], []float64{b, 2 * a, 2 * b, a + b + c})
		}
		x, y := op2.NewDat(cells, 3, values, "x"), op2.NewDat[float64](cells, 4, nil, "y")
		if err := op2.ParLoop(ckernel.New("k", source), cells, x.Read(), y.Write()); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := optest.Must(y.Data()); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// Subscripts of consts are checked like those of arguments: in advance where they are certain, with diagnostics where
// they are not, through pointers and in structs, too.
func TestConstsOfC(t *testing.T) {
	optest.RequireCompiler(t)
	type gas struct {
		A float64
		U [3]float64
	}
	table, grid, air := [3]float64{1, 2, 3}, [2][2]float64{{1, 2}, {3, 4}}, gas{1, [3]float64{2, 3, 4}}
	source := "static double at(const double *v, int i) { return v[i]; }\nvoid k(int *n, double *y) {\n\tint i = *n;\n\t*y = %s;\n}"
	for _, name := range []string{"go", "sequential", "openmp", "opencl"} {
		rt := optest.OpenBackend(t, name, op2.WithDiags(true))
		op2.NewConst(rt, "table", &table)
		op2.NewConst(rt, "grid", &grid)
		op2.NewConst(rt, "air", &air)
		cells := optest.NewSet(t, rt, 2, "cells")
		n, y := optest.NewDat[int32](t, cells, 1, nil, "n"), optest.NewDat[float64](t, cells, 1, nil, "y")
		for _, c := range []struct {
			text     string
			i, want  float64
			fault    string
			position string
		}{
			{"table[i]", 2, 3, "", ""},
			{"table[i]", 3, 0, "index out of range [3] with length 3: table", "4:7"},
			{"table[i]", -1, 0, "index out of range [-1]: table", "4:7"},
			{"grid[i][1]", 1, 4, "", ""},
			{"grid[i][1]", 2, 0, "index out of range [2] with length 2: grid", "4:7"},
			{"air.U[i]", 2, 4, "", ""},
			{"air.U[i]", 3, 0, "index out of range [3] with length 3: air", "4:7"},
			{"at(table, i)", 1, 2, "", ""},
			{"at(table, i)", 5, 0, "index out of range [5] with length 3: v", "1:51"},
		} {
			optest.OK(t, n.Fill(int32(c.i)))
			text := fmt.Sprintf(source, c.text)
			err := op2.ParLoop(ckernel.New("k", text), cells, n.RW(), y.Write())
			switch {
			case c.fault != "":
				var fault *op2.FaultError
				if !errors.As(err, &fault) || !strings.Contains(err.Error(), "k.c:"+c.position+": "+c.fault) {
					t.Errorf("%s, %s of %v: got %v, want %s", name, c.text, c.i, err, c.fault)
				}
			case err != nil:
				t.Errorf("%s, %s of %v: %v", name, c.text, c.i, err)
			default:
				optest.Expect(t, y, []float64{c.want, c.want})
			}
		}
		err := op2.NewLoop(ckernel.New("k", fmt.Sprintf(source, "table[3]")), cells, n.RW(), y.Write()).Err()
		if want := "k.c:4:7: subscript 3 of table is out of range: there is 0 to 2"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}
