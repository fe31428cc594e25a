package codegen

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// Where elements of a pack take different ways, the pack takes all of them, under masks.
func TestMasks(t *testing.T) {
	k := fromGo(t, `
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
	in := Input{
		Loop: &loop.Loop{
			Kernel: "k",
			Args: []loop.Arg{datArg(loop.Read, 0, loop.Direct, 0), datArg(loop.Read, 1, loop.Direct, 0),
				datArg(loop.RW, 2, loop.Direct, 0)},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 3}, {Kind: loop.Dat, Type: loop.Int32, Dim: 1},
				{Kind: loop.Dat, Type: loop.Float64, Dim: 3}},
		},
		Kernel:  k,
		Options: Options{SIMD: SIMDOn},
	}
	_, text, found := strings.Cut(Sequential(in).Text, "limit_lanes")
	if !found {
		t.Fatal("the kernel does not run on packs")
	}
	text, _, _ = strings.Cut(text, "#endif")
	expect(t, "limit_lanes"+text, `limit_lanes(vec a, vec b)
{
	mask on = mask_all(true);
	vec result = {0};
	mask on_2 = on & (a * b <= 0.0);
	result = vec_select(on_2, vec_all(0.0), result);
	on &= ~on_2;
	return vec_select(on, 2.0 * a * b / (a + b), result);
}

#line 10 "k.go"
static inline void k_lanes(const vec x[3], const vec_int32 *kind, vec y[3])
{
	y[0] = limit_lanes(x[0], x[1]);
	y[1] = vec_select(x[2] < 0.0, -x[2], x[2]);
	mask on = CONVERT(*kind == 1, mask);
	{
		vec s = x[0] + x[1];
		y[1] = vec_select(on, y[1] + s, y[1]);
		y[2] = vec_select(on, s, y[2]);
	}
	vec_int64 n = vec_int64_all(0);
	mask in = mask_all(true);
	for (vec v = x[0];; v *= 0.5) {
		in &= v > 1.0;
		if (!mask_any(in)) break;
		n = vec_int64_select(in, n + 1, n);
	}
	y[2] += CONVERT(n, vec);
}
`)
}
