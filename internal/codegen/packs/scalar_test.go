package packs_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// A loop without packs says why, in its source and to the library; package lanes has other reasons.
func TestScalar(t *testing.T) {
	direct := func(access loop.Access, d int) loop.Arg { return codegentest.Dat(access, d, loop.Direct, 0) }
	three := []loop.Arg{direct(loop.Read, 0), direct(loop.Read, 1), direct(loop.RW, 2)}
	const floats = "func k(x, y, z *[3]float64) "
	for _, c := range []struct {
		name, source string
		c            bool
		args         []loop.Arg
		options      codegen.Options
		want         string
	}{
		{"off", floats + "{ z[0] = x[0] }", false, three, codegen.Options{SIMD: tune.SIMDOff}, "SIMD is off"},
		{"diagnostics", floats + "{ z[0] = x[0] }", false, three, codegen.Options{SIMD: tune.SIMDOn, Poison: true}, "diagnostics are on"},
		{"struct", "type p struct{ a float64 }\n" + floats + "{ q := p{x[0]}; z[0] = q.a }", false, three, codegen.Options{SIMD: tune.SIMDOn}, ""},
		{"struct of C", "struct p { double a; }; void k(double *x, double *y, double *z) { struct p q; q.a = x[0]; z[0] = q.a; }", true, three,
			codegen.Options{SIMD: tune.SIMDOn}, ""},
		{"rows of structs of C", "struct p { double a, b, c; }; static void add(struct p *z, double v) { z->c += v; } void k(double *x, double *y, struct p *z[1]) { z[0]->a += x[0]; add(z[0], *y); }", true,
			[]loop.Arg{direct(loop.Read, 0), direct(loop.Read, 1), codegentest.Dat(loop.Inc, 2, 0, loop.All)}, codegen.Options{SIMD: tune.SIMDOn}, ""},
		{"all rows passed on", "struct p { double a, b, c; }; static void add(struct p **z, double v) { z[0]->c += v; } void k(double *x, double *y, struct p *z[1]) { add(z, *y); }", true,
			[]loop.Arg{direct(loop.Read, 0), direct(loop.Read, 1), codegentest.Dat(loop.Inc, 2, 0, loop.All)}, codegen.Options{SIMD: tune.SIMDOn}, "an array of pointers to structs that is passed on"},
		{"counters declared before a branch", `void k(const double *x, const double *y, double *z) {
	int i, j;
	double e[3];
	if (x[0] > 0) {
		for (j = 0; j < 3; j++) {
			for (i = 0; i < 3; i++)
				e[i] = x[j] > y[i] ? y[j] : 1;
			z[j] = e[0] + e[1] * e[2];
		}
	} else {
		for (i = 0; i < 3; ++i)
			z[i] = 0;
	}
}`, true, three, codegen.Options{SIMD: tune.SIMDOn}, ""},
		{"a counter that is used after the loop", "void k(const double *x, const double *y, double *z) { int i; if (x[0] > 0) { for (i = 0; i < 2; i++) z[i] = 0; z[i] = 1; } }",
			true, three, codegen.Options{SIMD: tune.SIMDOn}, "a subscript that differs from element to element"},
		{"names of C", "void k(double *x, double *y, double *z) { double vec = x[0]; z[0] = vec; }", true, three, codegen.Options{SIMD: tune.SIMDOn}, ""},
		{"packs", floats + "{ z[0] = x[0] }", false, three, codegen.Options{SIMD: tune.SIMDOn}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var data []loop.Data
			for range 3 {
				data = append(data, loop.Data{Kind: loop.Dat, Type: loop.Float64, Dim: 3})
			}
			k := func() *kernel.Kernel {
				if c.c {
					shape := kernel.Shape{Rows: 1, Cols: 3}
					return codegentest.FromC(t, c.source, nil, shape, shape, shape)
				}
				return codegentest.FromGo(t, c.source)
			}()
			p := host.Sequential(codegen.Input{Loop: &loop.Loop{Kernel: "k", Args: c.args, Data: data, Maps: []loop.Map{{Arity: 1}}}, Kernel: k, Options: c.options})
			if p.Scalar != c.want || (p.Lanes == "") != (c.want != "") {
				t.Errorf("got %q and %q, want %q", p.Scalar, p.Lanes, c.want)
			}
			line := "// It runs one element at a time: " + c.want + ".\n"
			if c.want == "" {
				line = "// It runs packs of 8 elements with AVX-512, 4 with AVX2, 2 with SSE4.1 or NEON.\n"
			}
			if !strings.Contains(p.Text, line) {
				t.Errorf("the text does not say %q:\n%s", line, p.Text)
			}
		})
	}
}
