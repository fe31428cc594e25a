package kernel

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

func TestCheck(t *testing.T) {
	q := newVar("q", ptr(arr(4, f64)))
	x := newVar("x", ptr(arr(3, f64)))
	m := newVar("m", ptr(arr(3, arr(2, f64))))
	n := newVar("n", ptr(i64))
	r := newVar("r", ptr(f64))
	i := newVar("i", i64)
	unknown := bin(Lt, at(q, 0), 1.0)
	clearOne := function("clearOne", []*Var{r}, nil, set(deref(r), 0.0))

	tests := []struct {
		name   string
		kernel *Kernel
		access []loop.Access
		want   string
	}{
		{"kept",
			program(nil, []*Var{q, x, n},
				upTo(i, 0, 3, set(at(x, i), at(q, i))),
				incr(deref(n), 1)),
			[]loop.Access{loop.Read, loop.Write, loop.Inc}, ``},
		{"read is written",
			program(nil, []*Var{q, x},
				set(at(x, 0), at(q, 1)),
				set(at(q, 1), 0.0)),
			[]loop.Access{loop.Read, loop.RW}, `
			2:1: q is written, but passed with Read
			  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
		{"read is written on a path only",
			program(nil, []*Var{q}, when(unknown, incr(at(q, 0), 1.0))),
			[]loop.Access{loop.Read}, `
			2:1: q is written, but passed with Read
			  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
		{"read is written by a callee",
			program([]*Func{clearOne}, []*Var{q}, do(call(clearOne, addr(at(q, 2))))),
			[]loop.Access{loop.Read}, `
			1:2: q is written, but passed with Read
			  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
		{"never written",
			program(nil, []*Var{q, x}, set(at(q, 0), 1.0)),
			[]loop.Access{loop.RW, loop.Write}, `
			2:1: x is not written, but passed with Write
			  hint: write every component, or pass it with Read`},
		{"not written at the end",
			program(nil, []*Var{x}, set(at(x, 0), 1.0), set(at(x, 1), 1.0)),
			[]loop.Access{loop.Write}, `
			3:1: x[2] is not written on the path that ends here, but x is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"not written on a path",
			program(nil, []*Var{q, m},
				upTo(i, 0, 3,
					set(at(m, i, 0), 1.0),
					when(bin(LAnd, unknown, bin(Eq, i, 1)), ret()),
					set(at(m, i, 1), 1.0))),
			[]loop.Access{loop.Read, loop.Write}, `
			4:1: m[1][1] is not written on the path that ends here, but m is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"a scalar not written",
			program(nil, []*Var{q, n}, when(unknown, set(deref(n), 1))),
			[]loop.Access{loop.Read, loop.Write}, `
			3:1: *n is not written on the path that ends here, but n is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"read before written",
			program(nil, []*Var{x},
				set(at(x, 2), at(x, 0)), set(at(x, 0), 1.0), set(at(x, 1), 1.0)),
			[]loop.Access{loop.Write}, `
			1:4: x[0] is read before it is written, but x is passed with Write
			  hint: write it first, or pass it with RW`},
		{"added to before written",
			program(nil, []*Var{n}, incr(deref(n), 1)),
			[]loop.Access{loop.Write}, `
			1:1: *n is read before it is written, but n is passed with Write
			  hint: write it first, or pass it with RW`},
		{"some component read before written",
			program(nil, []*Var{n, x},
				set(deref(n), bin(And, deref(n), 1)),
				set(at(x, 1), at(x, deref(n)))),
			[]loop.Access{loop.RW, loop.Write}, `
			2:4: x is read before it is written, but x is passed with Write
			  hint: write it first, or pass it with RW
			3:1: x[0] is not written on the path that ends here, but x is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"several",
			program(nil, []*Var{x, q}, set(at(q, 0), 1.0), set(at(x, 0), at(x, 1))),
			[]loop.Access{loop.Write, loop.Read}, `
			1:1: q is written, but passed with Read
			  hint: pass it with Write, RW or Inc, or copy it to a local variable first
			2:4: x[1] is read before it is written, but x is passed with Write
			  hint: write it first, or pass it with RW
			3:1: x[1] is not written on the path that ends here, but x is passed with Write
			  hint: write every component on every path, or pass it with RW`},
		{"not refused",
			program(nil, []*Var{q, x, m, n, newVar("unused", ptr(f64))},
				set(at(q, 0), at(q, 1)),
				set(at(x, deref(n)), 0.0),
				set(at(m, 0, 0), at(m, 1, 1)),
				when(unknown, set(deref(n), 0))),
			[]loop.Access{loop.RW, loop.Write, loop.Inc, loop.Min, loop.Max}, ``},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			Analyze(test.kernel, nil)
			got := problems(Check(test.kernel, test.access, nil))
			if want := unindent(test.want); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestCheckC(t *testing.T) {
	shape := []Shape{{Rows: 3, Cols: 2}}
	tests := []struct {
		t     Type
		first func(x *Var) Expr
		shape []Shape
		want  string
	}{
		{ptr(f64), func(x *Var) Expr { return at(x, 0) }, shape, "x[1]"},
		{ptr(arr(0, f64)), func(x *Var) Expr { return at(x, 0) }, shape, "x[1]"},
		{ptr(arr(3, ptr(f64))), func(x *Var) Expr { return at(x, 0, 0) }, shape, "x[0][1]"},
		{ptr(arr(0, ptr(f64))), func(x *Var) Expr { return at(x, 0, 0) }, shape, "x[0][1]"},
		{ptr(arr(0, arr(2, f64))), func(x *Var) Expr { return at(x, 2, 1) }, shape, "x[0][0]"},
		{ptr(arr(3, arr(2, f64))), func(x *Var) Expr { return at(x, 0, 0) }, shape, "x[0][1]"},
	}
	for _, test := range tests {
		t.Run(test.t.String(), func(t *testing.T) {
			x := newVar("x", test.t)
			k := inC(program(nil, []*Var{x}, set(test.first(x), 1.0)))
			Analyze(k, test.shape)
			got := problems(Check(k, []loop.Access{loop.Write}, test.shape))
			want := "2:1: " + test.want +
				" is not written on the path that ends here, but x is passed with Write\n" +
				"  hint: write every component on every path, or pass it with RW"
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestCheckStruct(t *testing.T) {
	pair := &Struct{"pair", []Var{{Name: "a", Type: f64}, {Name: "_1", Type: f64}, {Name: "b", Type: arr(2, f64)}}} // with a blank field
	p := newVar("p", ptr(pair))
	k := program(nil, []*Var{p}, set(field(p, "a"), 1.0), set(at(field(p, "b"), 0), 1.0))
	Analyze(k, nil)
	got := problems(Check(k, []loop.Access{loop.Write}, nil))
	want := "3:1: p.b[1] is not written on the path that ends here, but p is passed with Write\n" +
		"  hint: write every component on every path, or pass it with RW"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// problems returns the problems as they are reported, without the file.
func problems(ps []Problem) string {
	var lines []string
	for _, p := range ps {
		lines = append(lines, strings.TrimPrefix(p.String(), ":"))
	}
	return strings.Join(lines, "\n")
}
