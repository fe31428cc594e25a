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

// An operation of the program combines what a pack leaves element by element, in globals and in dats.
func TestReduce(t *testing.T) {
	global, dat := codegentest.Global(loop.Reduce, 1), codegentest.Dat(loop.Reduce, 2, 0, 1)
	in := codegen.Input{
		Kernel:  codegentest.FromGo(t, "func k(x *[2]float64, most *float64, both *[2]float64) { *most = x[0] * x[1]; both[1] = x[0] / x[1] }"),
		Ops:     []*kernel.Kernel{codegentest.FromGo(t, "func k(into, from *float64) { if *from > *into { *into = *from } }")},
		Options: codegen.Options{SIMD: tune.SIMDOn},
		Loop: &loop.Loop{
			Args: []loop.Arg{codegentest.Direct(loop.Read, 0), global, dat},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 2}, {Kind: loop.Global, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 2}},
			Maps: []loop.Map{{Arity: 2}},
			Ops:  []*loop.Op{{Identity: make([]byte, 8)}},
		},
	}
	p := host.Sequential(in)
	_, loop, _ := strings.Cut(p.Text, "\t\tfor (; n + OP2_LANES")
	_, loop, _ = strings.Cut(loop, "at1[l] = row0[2 * l + 1];\n")
	loop, _, _ = strings.Cut(loop, "#endif")
	codegentest.Expect(t, loop, `			op2_vec x_pack[2];
			op2_vec_load(x_pack, x, at0, 2);
			op2_vec most_own_2[1];
			for (int d = 0; d < 1; d++) (most_own_2)[d] = op2_vec_all(op2_identity0(0));
			op2_vec both_pack[2];
			for (int d = 0; d < 2; d++) (both_pack)[d] = op2_vec_all(op2_identity0(0));
			op2_k_lanes(x_pack, most_own_2, both_pack);
			for (int l = 0; l < OP2_LANES; l++) { double own[1]; for (int d = 0; d < 1; d++) own[d] = (most_own_2)[d][l]; k_2_((&most_partial), own); }
			for (int l = 0; l < OP2_LANES; l++) { double own_2[2]; for (int d = 0; d < 2; d++) own_2[d] = (both_pack)[d][l]; for (int op2_v = 0; op2_v < 2; op2_v++) k_2_((both + 2 * at1[l] + op2_v), (own_2 + op2_v)); }
		}
`)
	if in.Options.SameBits = true; host.Sequential(in).Scalar != "reduces by a function" {
		t.Errorf("with the same bits: %q", host.Sequential(in).Scalar)
	}
}
