package ckernel_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

type conserved struct {
	Rho float64
	U   [2]float64
}

const valueTypes = `
type conserved struct { Rho float64; U [2]float64 }
`

// fromBody returns the function body of a Go source as a kernel.
func fromBody(t *testing.T, source string) *kernel.Kernel {
	t.Helper()
	k := codegentest.FromGo(t, valueTypes+source)
	k.Funcs = k.Funcs[:len(k.Funcs)-1]
	k.Name = k.Entry().Name
	kernel.Analyze(k, nil)
	return k
}

// valuesOf returns data of n values of type T for each element.
func valuesOf[T any](kind loop.Kind, n int) loop.Data {
	l, err := loop.LayoutOf(reflect.TypeFor[T]())
	if err != nil {
		panic(err)
	}
	scalar, words := l.Carrier()
	return loop.Data{Kind: kind, Type: scalar, Dim: n * words, Value: l}
}

// statementWith returns the statement of a source, which may have several lines, that contains text.
func statementWith(source, text string) string {
	before, after, _ := strings.Cut(source, text)
	end := strings.Index(after, ";")
	return strings.Join(strings.Fields(before[strings.LastIndexAny(before, ";{}\n")+1:]+text+after[:end+1]), " ")
}

// What kernels get has the program's types; what is moved are scalars.
func TestTypedValues(t *testing.T) {
	k := fromBody(t, `
func step(g, q *conserved, all *[2][1]conserved, sum *conserved) {
	sum.Rho += g.Rho
	all[1][0].U[1] += q.U[0]
}
func k(x *float64) { var s conserved; var a [2][1]conserved; step(&s, &s, &a, &s) }
`)
	l := &loop.Loop{
		Args: []loop.Arg{codegentest.Global(loop.Read, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0), codegentest.Dat(loop.Inc, 2, 0, loop.All), codegentest.Global(loop.Inc, 3)},
		Data: []loop.Data{valuesOf[conserved](loop.Global, 1), valuesOf[conserved](loop.Dat, 1), valuesOf[conserved](loop.Dat, 1), valuesOf[conserved](loop.Global, 1)},
		Maps: []loop.Map{{Arity: 2}},
	}
	onDevice := func(d codegen.Dialect) string {
		return device.Print(codegen.DeviceInput{Loop: l, Kernel: k, Options: codegen.DeviceOptions{Dialect: d, Strategy: tune.Staged, GroupSize: 64}}).Text
	}
	const layout = "sizeof(conserved_) == 24 && __builtin_offsetof(conserved_, Rho) == 0 && __builtin_offsetof(conserved_, U) == 8"
	for _, test := range []struct{ source, text, want string }{
		{host.Sequential(codegen.Input{Loop: l, Kernel: k, Options: codegen.Options{SIMD: tune.SIMDOff}}).Text, "\tstep_(",
			"step_( (conserved_ *)g, (conserved_ *)(q + 3 * n), (conserved_ (*)[1])all_packed, (conserved_ *)sum_partial);"},
		{host.Sequential(codegen.Input{Loop: l, Kernel: k}).Text, "sizeof", `_Static_assert(` + layout + `, "layout 1");`},
		{onDevice(codegen.OpenCLC), "\tstep_(", "step_( (__global const conserved_ *)g, (conserved_ *)q_own, (conserved_ (*)[1])all_own, (conserved_ *)sum_partial);"},
		{onDevice(codegen.OpenCLC), "sizeof", "typedef char op2_layout1[(" + layout + ") ? 1 : -1];"},
		{onDevice(codegen.CUDA), "\tstep_(", "step_( (const conserved_ *)g, (conserved_ *)q_own, (conserved_ (*)[1])all_own, (conserved_ *)sum_partial);"},
		{onDevice(codegen.CUDA), "static_assert(", "static_assert(" + strings.ReplaceAll(layout, "__builtin", "op2") + `, "layout 1");`},
	} {
		if got := statementWith(test.source, test.text); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// A parameter of parts may be a struct with a field for each; it is as large as they are together.
func TestStructOfParts(t *testing.T) {
	k := codegentest.FromGo(t, `
func k(x *struct { U [3][2]float64; P float64 }, sum *float64) {
	*sum += x.U[2][1] * x.P
}`)
	part := func(d, m, offset int) loop.Arg {
		a := codegentest.Dat(loop.Read, d, m, loop.All)
		a.Next, a.Offset, a.Rows, a.Cols = offset > 0, offset, 1, 7
		return a
	}
	l := &loop.Loop{
		Args: []loop.Arg{part(0, 0, 0), part(1, 1, 6), codegentest.Global(loop.Inc, 2)},
		Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 2}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Global, Type: loop.Float64, Dim: 1}},
		Maps: []loop.Map{{Arity: 3}, {Arity: 1}},
	}
	text := host.Sequential(codegen.Input{Loop: l, Kernel: k}).Text
	for _, want := range []string{
		"double x_packed[7];", "for (int d = 0; d < 2; d++) x_packed[4 + d] = (x + 2 * (int64_t)row0[2])[d];", "x_packed[6] = (x_2 + (int64_t)row1[0])[0];",
		" *)x_packed, &sum_partial);", ") == 56",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
