package kernel_test

import (
	"os"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
)

const (
	read  = loop.Read
	write = loop.Write
	rw    = loop.RW
	inc   = loop.Inc
)

// lower returns the kernel k of a Go source.
func lower(t *testing.T, source, name string) *kernel.Kernel {
	t.Helper()
	k, err := fromgo.Parse(source).Kernel(name, "k.go", 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, nil)
	return k
}

// The lines of the sources are counted from the first line of package k.
func TestGoSources(t *testing.T) {
	tests := []struct {
		name   string
		source string
		access []loop.Access
		uses   string
		refuse string
	}{
		{"copy", `
func k(q, qold *[4]float64) {
	*qold = *q
}`, []loop.Access{read, write}, `
			q: read 3 not-add 3 early(0) 3 unset(0) 4
			qold: write 3 not-add 3`, ``},
		{"range", `
func k(q, qold *[4]float64) {
	for n, v := range q {
		qold[n] = v
	}
}`, []loop.Access{read, write}, `
			q: read 3 not-add 3 early(0) 3 unset(0) 6
			qold: write 4 not-add 4`, ``},
		{"packed", `
func k(x *[3][2]float64, area *float64) {
	*area = 0
	for i := range x {
		j := (i + 1) % len(x)
		*area += x[i][0]*x[j][1] - x[j][0]*x[i][1]
	}
}`, []loop.Access{read, write}, `
			x: read 6 not-add 6 early(0) 6 unset(0) 8
			area: read 6 write 3 not-add 3`, ``},
		{"local copy of a row", `
func k(x *[3][2]float64, out *[2]float64) {
	row := x[1]
	row[0] *= 2
	*out = row
}`, []loop.Access{read, write}, `
			x: read 3 not-add 3 early(2) 3 unset(0) 6
			out: write 5 not-add 5`, ``},
		{"composite", `
func k(x *[3][2]float64, out *[2]float64) {
	out[0], out[1] = x[0][0], x[0][1]
	x[1] = [2]float64{out[1], out[0]}
}`, []loop.Access{rw, write}, `
			x: read 3 write 4 not-add 3 early(0) 3 unset(0) 5
			out: read 4 write 3 not-add 3`, ``},
		{"helper", `
func scale(v *[2]float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}
func k(x *[3][2]float64) {
	scale(&x[2], 0.5)
}`, []loop.Access{read}, `
			x: read 8 write 8 not-add 8 early(4) 8 unset(0) 9`, `
			k.go:8:8: x is written, but passed with Read
			  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
		{"subtracted in full", `
func k(x *[3]float64) {
	x[0] = x[0] - 1
	x[1] = 2 + x[1]
	x[2] = x[2] * 2
}`, []loop.Access{inc}, `
			x: read 3 write 3 not-add 5 early(0) 3`, ``},
		{"partly written", `
func k(q *[2]float64, x *[3]float64) {
	for i := range 3 {
		if q[0] > q[1] {
			continue
		}
		x[i] = q[0]
	}
}`, []loop.Access{read, write}, `
			q: read 4 not-add 4 early(0) 4 unset(0) 9
			x: write 7 not-add 7 unset(0) 9`, `
			k.go:9:1: x[0] is not written on the path that ends here, but x is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"switch", `
func k(kind *int32, f *float64) {
	switch *kind {
	case 1, 2:
		*f = 1
	case 3:
		*f = 2
		fallthrough
	default:
		*f += 3
	}
}`, []loop.Access{read, write}, `
			kind: read 3 not-add 3 early(0) 3 unset(0) 12
			f: read 10 write 5 not-add 5 early(0) 10`, `
			k.go:10:3: *f is read before it is written, but f is passed with Write
			  hint: write it first, or pass it with RW`},
		{"labels", `
func k(m *[3][3]float64) {
rows:
	for i := range 3 {
		for j := range 3 {
			if j > i {
				continue rows
			}
			m[i][j] = 0
			m[j][i] = 0
		}
	}
}`, []loop.Access{write}, `
			m: write 9 not-add 9`, ``},
		{"newton", `
func k(a, x *float64) {
	y := *a
	for {
		next := (y + *a/y) / 2
		if d := next - y; d < 1e-9 && d > -1e-9 {
			break
		}
		y = next
	}
	*x = y
}`, []loop.Access{read, write}, `
			a: read 3 not-add 3 early(0) 3 unset(0) 12
			x: write 11 not-add 11`, ``},
		{"subscript from data", `
func k(of *[3]int32, q, x *[4]float64) {
	for _, c := range of {
		if c >= 0 && int(c) < len(q) {
			x[c] += q[c]
		}
		x[c&3]++
		x[c%4]++
	}
}`, []loop.Access{read, read, inc}, `
			of: read 3 not-add 3 early(0) 3 unset(0) 10
			q: read 5 not-add 5 early(-1) 5 unset(0) 10
			x: read 5 write 5 early(-1) 5
			unproven: 8`, ``},
		{"shadowed", `
func k(x *[3]float64) {
	i := 2
	for i := 0; i < 2; i++ {
		x[i] = 0
	}
	{
		i := i
		x[i] = 0
	}
}`, []loop.Access{write}, `
			x: write 5 not-add 5`, ``},
		{"early return", `
func k(q, x *float64) {
	if *q < 0 {
		return
	}
	*x = *q
}`, []loop.Access{read, write}, `
			q: read 3 not-add 3 early(0) 3 unset(0) 4
			x: write 6 not-add 6 unset(0) 4`, `
			k.go:4:3: *x is not written on the path that ends here, but x is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"struct", `
type state struct {
	v [2]float64
	p float64
}
func of(q *[3]float64) state { return state{v: [2]float64{q[0], q[1]}, p: q[2]} }
func k(q, x *[3]float64) {
	s := of(q)
	s.p *= 2
	x[0], x[1], x[2] = s.v[0], s.v[1], s.p
}`, []loop.Access{read, write}, `
			q: read 8 not-add 8 early(0) 8 unset(0) 11
			x: write 10 not-add 10`, ``},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := lower(t, "package k"+test.source, "k")
			if got, want := kernel.DescribeUses(k), kernel.Unindent(test.uses); got != want {
				t.Errorf("uses:\n%s\nwant:\n%s", got, want)
			}
			got := kernel.DescribeProblems(kernel.Check(k, test.access, nil))
			if want := kernel.Unindent(test.refuse); got != want {
				t.Errorf("problems:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestCSources(t *testing.T) {
	square := []kernel.Shape{{Rows: 3, Cols: 2}, {Rows: 1, Cols: 2}}
	tests := []struct {
		name   string
		source string
		access []loop.Access
		refuse string
	}{
		{"rows", `void k(double *x[3], double *s) {
	s[0] = s[1] = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 2; ++j)
			s[j] += x[i][j];
}`, []loop.Access{read, write}, ``},
		{"rows are written", `void k(double *x[3], double *s) {
	x[2][1] = *s;
}`, []loop.Access{write, read}, `
			k.c:3:1: x[0][0] is not written on the path that ends here, but x is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"flat", `void k(double *x, const double *s) {
	for (int i = 0; i < 6; i++)
		x[i] = s[i % 2];
}`, []loop.Access{write, read}, ``},
		{"flat, one missing", `void k(double *x, double s[2]) {
	int i = 5;
	while (i > 0) { x[i] = s[i & 1]; i--; }
}`, []loop.Access{write, read}, `
			k.c:4:1: x[0] is not written on the path that ends here, but x is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"outermost bounds, which mean nothing", `void row(double d[1], double v[2]) { v[0] = d[5]; v[1] = d[4]; }
void k(double x[1][2], double s[7]) {
	for (int i = 0; i < 3; i++)
		x[i][0] = x[i][1] = i;
	row(x[0], s);
}`, []loop.Access{write, write}, ``},
		{"outside, in spite of the bound", `void k(double *x[4], double s[3]) {
	s[0] = x[3][0] + s[2];
}`, []loop.Access{read, rw}, `
			k.c:2:9: subscript 3 of x is out of range: there is 0 to 2
			  hint: the argument has no such value: what lies there is another one's
			k.c:2:19: subscript 2 of s is out of range: there is 0 to 1
			  hint: the argument has no such value: what lies there is another one's`},
		{"local pointer", `void k(double x[3][2], double *s) {
	double *row = x[1];
	s[0] = row[0];
	row[1] = 0;
}`, []loop.Access{read, rw}, `
			k.c:4:2: x is written, but passed with Read
			  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
		{"helper", `static void clear(double *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; }
void k(double x[][2], double *s) {
	for (int i = 0; i < 3; i++)
		clear(x[i], 2);
	clear(s + 1, 1);
}`, []loop.Access{write, write}, `
			k.c:6:1: s[0] is not written on the path that ends here, but s is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"moving pointer", `void k(double *x, double *s) {
	for (int i = 0; i < 6; i++)
		*x++ = s[0];
}`, []loop.Access{write, read}, ``},
		{"switch", `void k(double *x, double *s) {
	switch ((int)x[0]) {
	case 0: s[0] = 1; s[1] = 1; break;
	case 1: s[0] = 1;
	case 2: default: s[1] = 2;
	}
}`, []loop.Access{read, write}, `
			k.c:7:1: s[0] is not written on the path that ends here, but s is passed with Write
			  hint: write every component on every path, or pass it with RW`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, err := fromc.Kernel("k", test.source, nil)
			if err != nil {
				t.Fatal(err)
			}
			kernel.Analyze(k, square)
			got := kernel.DescribeProblems(kernel.Check(k, test.access, square))
			if want := kernel.Unindent(test.refuse); got != want {
				t.Errorf("problems:\n%s\nwant:\n%s\nuses:\n%s", got, want, kernel.DescribeUses(k))
			}
		})
	}
}

// The airfoil's kernels satisfy the contract; increments are only added to, and no subscript needs
// a check.
func TestAirfoil(t *testing.T) {
	source, err := os.ReadFile("../../examples/airfoil/flow/kernels.go")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		access []loop.Access
	}{
		{"saveSoln", []loop.Access{read, write}},
		{"adtCalc", []loop.Access{read, read, read, read, read, write}},
		{"resCalc", []loop.Access{read, read, read, read, read, read, inc, inc}},
		{"bresCalc", []loop.Access{read, read, read, read, inc, read}},
		{"update", []loop.Access{read, write, rw, read, inc}},
	}
	for _, test := range tests {
		k := lower(t, string(source), test.name)
		if found := kernel.Check(k, test.access, nil); len(found) > 0 {
			t.Errorf("%s: %v", test.name, found)
		}
		for i, access := range test.access {
			if access == inc && !k.Uses[i].OnlyAdds() {
				t.Errorf("%s: argument %d is not only added to: %+v", test.name, i, k.Uses[i])
			}
		}
		for _, f := range k.Funcs {
			kernel.Walk(f.Body, nil, func(e kernel.Expr) {
				if x, ok := e.(*kernel.Index); ok && !x.InRange {
					t.Errorf("%s: a subscript is not proven in range", x.Pos())
				}
			})
		}
	}
}

func BenchmarkAirfoil(b *testing.B) {
	source, err := os.ReadFile("../../examples/airfoil/flow/kernels.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"adtCalc", "resCalc", "update"} {
		k, err := fromgo.Parse(string(source)).Kernel(name, "kernels.go", 0)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				kernel.Analyze(k, nil)
			}
		})
	}
}
