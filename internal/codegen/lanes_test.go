package codegen

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// On packs, what depends on the element is a vector, and the rest a value.
func TestLanes(t *testing.T) {
	k := fromGo(t, `
var unit float64
var table [3]float64

func half(v float64) float64 { return v / 2 }

func scaled(v [3]float64, by float64) [3]float64 {
	for i := range v {
		v[i] *= by
	}
	return v
}

func k(x *[3]float64, y *[3]float64) {
	const n = 2
	v := table
	y[0] = min(unit, table[1]) + math.Sqrt(unit)*x[0]
	y[1] = min(x[0], unit, 2) + math.Max(1, x[1]) - half(unit)
	for i := range n {
		y[i+1] += float64(i) * v[i]
		if i > 0 {
			v = table
		}
	}
	v = scaled(v, x[2])
	y[2] = v[1] + unit/3
}`)
	in := Input{
		Loop: &loop.Loop{
			Kernel: "k",
			Args:   []loop.Arg{datArg(loop.Read, 0, loop.Direct, 0), datArg(loop.RW, 1, loop.Direct, 0)},
			Data:   []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 3}, {Kind: loop.Dat, Type: loop.Float64, Dim: 3}},
		},
		Kernel:  k,
		Options: Options{SIMD: SIMDOn},
	}
	_, text, found := strings.Cut(Sequential(in).Text, "half_lanes")
	if !found {
		t.Fatal("the kernel does not run on packs")
	}
	text, _, _ = strings.Cut(text, "#endif")
	expect(t, "half_lanes"+text, `half_lanes(vec v)
{
	return v / 2.0;
}

#line 8 "k.go"
static inline void scaled_lanes(vec v[3], vec by, vec result0[3])
{
	vec v_2[3];
	memcpy(v_2, v, sizeof v_2);
	for (int64_t i = 0; i < 3; i++) {
		v_2[i] *= by;
	}
	memcpy(result0, v_2, sizeof(vec[3]));
	return;
}

#line 15 "k.go"
static inline void k_lanes(const vec x[3], vec y[3])
{
	vec v[3];
	for (int c = 0; c < 3; c++) ((vec *)v)[c] = vec_all(((const double *)table)[c]);
	y[0] = op2_min_double(unit, table[1]) + sqrt(unit) * x[0];
	y[1] = vec_min(vec_min(x[0], vec_all(unit)), vec_all(2.0)) + lanes_Max(vec_all(1.0), x[1]) - half_lanes(vec_all(unit));
	for (int64_t i = 0; i < 2; i++) {
		y[i + 1] += (double)i * v[i];
		if (i > 0) {
			for (int c_2 = 0; c_2 < 3; c_2++) ((vec *)v)[c_2] = vec_all(((const double *)table)[c_2]);
		}
	}
	vec r[3] = {0};
	scaled_lanes(v, x[2], r);
	memcpy(v, r, sizeof(vec[3]));
	y[2] = v[1] + unit / 3.0;
}
`)
}
