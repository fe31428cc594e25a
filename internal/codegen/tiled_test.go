package codegen_test

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

// Code for tiles has consts and faults on the stack, and may fetch what
// the next tile uses in the loop over packs, or every few elements if there are none.
func TestTiles(t *testing.T) {
	checked := codegentest.FromGo(t, `
var scale float64
func k(x *[2]float64, i *int32, y *float64) {
	*y = scale * x[*i]
}`)
	plain := codegentest.FromGo(t, `
func k(x *[2]float64, i *int32, y *float64) {
	*y = x[0] * x[1]
}`)
	in := codegen.Input{Loop: &loop.Loop{
		Args: []loop.Arg{codegentest.Dat(loop.Read, 0, 0, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0), codegentest.Dat(loop.Write, 2, loop.Direct, 0)},
		Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 2}, {Kind: loop.Dat, Type: loop.Int32, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
		Maps: []loop.Map{{Arity: 1}},
	}}
	apart := []string{
		"\tstruct op2_consts consts;\n\tconsts.scale = *(const double *)args[6];\n",
		"\tstruct op2_exit exit = {.record = args[7]};\n\tif (op2_mark(exit.place))\n\t\treturn;\n",
	}
	fetches := []string{
		"\tstruct op2_ahead op2_now = *op2_ahead;\n\tfor (; run < end; run++) {",
		"\t*op2_ahead = op2_now;\n}",
	}
	for _, test := range []struct {
		name  string
		k     *kernel.Kernel
		simd  tune.SIMD
		ahead bool
		want  []string
		lacks string
	}{
		{"tiles", checked, tune.SIMDOn, false, apart, "op2_ahead"},
		{"packs", plain, tune.SIMDOn, true, append(fetches, "n += OP2_LANES) {\n\t\t\top2_fetch(&op2_now);\n"), "if (n % 8 == 0)"},
		{"elements", plain, tune.SIMDOff, true, append(fetches, "n < last; n++) {\n\t\t\tif (n % 8 == 0)\n\t\t\t\top2_fetch(&op2_now);\n"), "OP2_LANES"},
	} {
		in.Kernel, in.Options.SIMD = test.k, test.simd
		p := host.Sequential(in)
		if test.ahead {
			p = host.Ahead(in)
		}
		for _, want := range test.want {
			if !strings.Contains(p.Text, want) {
				t.Errorf("%s: lacks\n%s\nin\n%s", test.name, want, p.Text)
			}
		}
		if strings.Contains(p.Text, test.lacks) {
			t.Errorf("%s: has %s", test.name, test.lacks)
		}
		if at := p.Slots[len(p.Slots)-1]; (at.What == codegen.SlotAhead) != test.ahead {
			t.Errorf("%s: the last slot is %v", test.name, at)
		}
	}
}
