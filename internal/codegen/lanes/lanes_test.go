package lanes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/lanes"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Of integers, those vary that depend on the element by their values or by the conditions of their assignments.
func TestVaries(t *testing.T) {
	for _, c := range []struct{ body, varies, splits string }{
		{"n := 2; for i := range n { y[i] = x[i] }", "", ""},
		{"n := int(x[0]); m := n + 1; y[0] = float64(m)", "n m", ""},
		{"n := 0; if x[0] > 0 { n = 1 }; m := n; y[0] = float64(m)", "n m", "if"},
		{"n := 0; if n < 1 { n = 2 }; y[0] = float64(n)", "", ""},
		{"n := 0; for v := x[0]; v > 1; v /= 2 { n++ }; y[0] = float64(n)", "n", "for"},
		{"m := 0; for i := range 3 { if x[i] > 0 { break }; m++ }; y[0] = float64(m)", "m", "for if"},
		{"m := 0; switch { case x[0] > 0: m = 1; default: m = 2 }; y[0] = float64(m)", "m", "switch"},
		{"m := 0; add(&m, int(x[0])); y[0] = float64(m)", "m", ""},
	} {
		in := codegentest.Floats(t, "func add(m *int, n int) { *m += n }\nfunc k(x, y *[3]float64) { "+c.body+" }", codegentest.Direct(loop.Read, 0), codegentest.Direct(loop.Write, 1))
		l, why := lanes.New(in, true)
		if l == nil {
			t.Errorf("%s: %s", c.body, why)
			continue
		}
		entry := in.Kernel.Entry().Body
		var varies, splits []string
		for _, d := range kernel.All[*kernel.Decl](entry) {
			if !kernel.Scalar(d.Var.Type).Float() && l.Varies(d.Var) {
				varies = append(varies, d.Var.Name)
			}
		}
		for _, s := range kernel.All[kernel.Stmt](entry) {
			if l.Splits(s) {
				splits = append(splits, strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", s), "*kernel.")))
			}
		}
		slices.Sort(splits)
		if got := strings.Join(varies, " "); got != c.varies {
			t.Errorf("%s: %q varies, want %q", c.body, got, c.varies)
		}
		if got := strings.Join(splits, " "); got != c.splits {
			t.Errorf("%s: elements split at %q, want %q", c.body, got, c.splits)
		}
	}
}

// What vectors cannot do is refused, and what they would not speed up.
func TestReasons(t *testing.T) {
	read, through := codegentest.Direct(loop.Read, 0), func(a loop.Access) loop.Arg { return codegentest.Dat(a, 1, 0, 0) }
	for _, c := range []struct {
		body    string
		args    []loop.Arg
		refused string // by New
		loses   string // of Pays
	}{
		{"y[int(x[0])] = 1", []loop.Arg{read, codegentest.Direct(loop.RW, 1)}, "a subscript that differs from element to element", ""},
		{"switch { case x[0] > 0: y[0] = 1; fallthrough; default: y[0] += 1 }", []loop.Arg{read, codegentest.Direct(loop.RW, 1)}, "fallthrough", ""},
		{"y[0] = float64(int(x[0]) / int(x[1]))", []loop.Arg{read, codegentest.Direct(loop.RW, 1)}, "an operation on integers that may fault", ""},
		{"y[0], y[1] = math.Modf(x[0])", []loop.Arg{read, codegentest.Direct(loop.RW, 1)}, "a function with two results", ""},
		{"y[0] = x[0]", []loop.Arg{read, through(loop.RW)}, "indirect rw", ""},
		{"y[0], y[1], y[2] = x[0], x[1], x[2]", []loop.Arg{through(loop.Read), through(loop.Write)}, "indirect write in several ways", ""},
		{"if x[0] > 0 { y[0] = math.Erf(x[0]) }", []loop.Arg{read, through(loop.Inc)}, "", "calls erf in a branch"},
		{"y[0] = x[0]", []loop.Arg{read, codegentest.Direct(loop.RW, 1)}, "", "compilers vectorize it"},
		{"y[0] += x[0]", []loop.Arg{read, through(loop.Inc)}, "", "moves more than it computes"},
		{"for i := range 3 { y[i] += math.Sqrt(x[i]) / (1 + x[0]) }", []loop.Arg{read, through(loop.Inc)}, "", ""},
	} {
		in := codegentest.Floats(t, "func k(x, y *[3]float64) { "+c.body+" }", c.args...)
		l, refused := lanes.New(in, true)
		if refused != c.refused {
			t.Errorf("%s: refused because of %q, want %q", c.body, refused, c.refused)
		}
		if l == nil {
			continue
		}
		if loses := l.Pays(lower.Lower(in.Loop, in.Kernel, lower.Target{AddsFrom: 1, Lanes: l.Varies}), 4); loses != c.loses {
			t.Errorf("%s: loses because of %q, want %q", c.body, loses, c.loses)
		}
	}
}
