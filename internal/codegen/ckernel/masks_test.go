package ckernel_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// Where elements of a pack take different paths, the pack takes all of them, under masks.
func TestMasks(t *testing.T) {
	k := codegentest.FromGo(t, `
func limit(a, b float64) float64 {
	if a*b <= 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

func k(x *[3]float64, kind *int32, y *[3]float64) {
	y[0] = limit(x[0], x[1])
	if x[2] < 0 {
		y[1] = -x[2]
	} else {
		y[1] = x[2]
	}
	if *kind == 1 {
		s := x[0] + x[1]
		y[1] += s
		y[2] = s
	}
	n := 0
	for v := x[0]; v > 1; v *= 0.5 {
		n++
	}
	y[2] += float64(n)
}`)
	in := codegen.Input{
		Loop: &loop.Loop{
			Kernel: "k",
			Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0),
				codegentest.Dat(loop.RW, 2, loop.Direct, 0)},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 3}, {Kind: loop.Dat, Type: loop.Int32, Dim: 1},
				{Kind: loop.Dat, Type: loop.Float64, Dim: 3}},
		},
		Kernel:  k,
		Options: codegen.Options{SIMD: tune.SIMDOn},
	}
	_, text, found := strings.Cut(host.Sequential(in).Text, "op2_limit_lanes")
	if !found {
		t.Fatal("the kernel does not run on packs")
	}
	text, _, _ = strings.Cut(text, "#endif")
	codegentest.Expect(t, "op2_limit_lanes"+text, `op2_limit_lanes(op2_vec a, op2_vec b)
{
	op2_mask on = op2_mask_all(true);
	op2_vec result = {0};
	op2_mask on_2 = on & (a * b <= 0.0);
	result = op2_vec_select(on_2, op2_vec_all(0.0), result);
	on &= ~on_2;
	return op2_vec_select(on, 2.0 * a * b / (a + b), result);
}

#line 10 "k.go"
static inline void op2_k_lanes(const op2_vec x[3], const op2_vec_int32 *kind, op2_vec y[3])
{
	y[0] = op2_limit_lanes(x[0], x[1]);
	y[1] = op2_vec_select(x[2] < 0.0, -x[2], x[2]);
	op2_mask on = OP2_CONVERT(*kind == 1, op2_mask);
	{
		op2_vec s = x[0] + x[1];
		y[1] = op2_vec_select(on, y[1] + s, y[1]);
		y[2] = op2_vec_select(on, s, y[2]);
	}
	op2_vec_int64 n = op2_vec_int64_all(0);
	op2_mask in = op2_mask_all(true);
	for (op2_vec v = x[0];; v *= 0.5) {
		in &= v > 1.0;
		if (!op2_mask_any(in)) break;
		n = op2_vec_int64_select(in, n + 1, n);
	}
	y[2] += OP2_CONVERT(n, op2_vec);
}
`)
}
