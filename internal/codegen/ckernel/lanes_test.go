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

// On packs, what depends on the element is a vector, and the rest a scalar.
func TestLanes(t *testing.T) {
	k := codegentest.FromGo(t, `
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
	in := codegen.Input{
		Loop: &loop.Loop{
			Kernel: "k",
			Args:   []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.RW, 1, loop.Direct, 0)},
			Data:   []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 3}, {Kind: loop.Dat, Type: loop.Float64, Dim: 3}},
		},
		Kernel:  k,
		Options: codegen.Options{SIMD: tune.SIMDOn},
	}
	_, text, found := strings.Cut(host.Sequential(in).Text, "op2_half_lanes")
	if !found {
		t.Fatal("the kernel does not run on packs")
	}
	text, _, _ = strings.Cut(text, "#endif")
	codegentest.Expect(t, "op2_half_lanes"+text, `op2_half_lanes(op2_vec v)
{
	return v / 2.0;
}

#line 8 "k.go"
static inline void op2_scaled_lanes(op2_vec v[3], op2_vec by, op2_vec result0[3])
{
	op2_vec v_2[3];
	__builtin_memcpy(v_2, v, sizeof v_2);
	for (int64_t i = 0; i < 3; i++) {
		v_2[i] *= by;
	}
	__builtin_memcpy(result0, v_2, sizeof(op2_vec[3]));
	return;
}

#line 15 "k.go"
static inline void op2_k_lanes(const op2_context op2, const op2_vec x[3], op2_vec y[3])
{
	op2_vec v[3];
	for (int c = 0; c < 3; c++) ((op2_vec *)v)[c] = op2_vec_all(((const double *)op2.consts->table)[c]);
	y[0] = op2_min_double(op2.consts->unit, op2.consts->table[1]) + sqrt(op2.consts->unit) * x[0];
	y[1] = op2_vec_min(op2_vec_min(x[0], op2_vec_all(op2.consts->unit)), op2_vec_all(2.0)) + op2_lanes_Max(op2_vec_all(1.0), x[1]) - op2_half_lanes(op2_vec_all(op2.consts->unit));
	for (int64_t i = 0; i < 2; i++) {
		y[i + 1] += (double)i * v[i];
		if (i > 0) {
			for (int c_2 = 0; c_2 < 3; c_2++) ((op2_vec *)v)[c_2] = op2_vec_all(((const double *)op2.consts->table)[c_2]);
		}
	}
	op2_vec r[3] = {0};
	op2_scaled_lanes(v, x[2], r);
	__builtin_memcpy(v, r, sizeof(op2_vec[3]));
	y[2] = v[1] + op2.consts->unit / 3.0;
}
`)
}

// Structs are split into their fields; fields that are the same for all elements remain scalars.
func TestLanesOfStructs(t *testing.T) {
	k := codegentest.FromGo(t, `
type count struct{ n int64 }

type side struct {
	flux  [2]float64
	speed float64
	count
}

func sideOf(q *[3]float64) side { return side{flux: [2]float64{q[0], q[1]}, speed: q[2]} }

func scale(s *side, by float64) {
	s.flux[1] *= by
	s.n++
}

func k(x *[3]float64, y *[3]float64) {
	sides := [2]side{1: sideOf(x)}
	scale(&sides[1], 2)
	s := sides[1]
	if s.speed > 0 {
		s = sideOf(y)
	}
	y[0] = s.flux[sides[0].n]
}`)
	in := codegen.Input{
		Loop: &loop.Loop{
			Kernel: "k",
			Args:   []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.RW, 1, loop.Direct, 0)},
			Data:   []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 3}, {Kind: loop.Dat, Type: loop.Float64, Dim: 3}},
		},
		Kernel:  k,
		Options: codegen.Options{SIMD: tune.SIMDOn},
	}
	_, text, found := strings.Cut(host.Sequential(in).Text, "op2_sideOf_lanes")
	if !found {
		t.Fatal("the kernel does not run on packs")
	}
	text, _, _ = strings.Cut(text, "#endif")
	codegentest.Expect(t, text, `(
	const op2_vec q[3], op2_vec result0[2], op2_vec *result1, int64_t *result2)
{
	op2_vec t_flux[2] = {q[0], q[1]};
	op2_vec t_speed = q[2];
	int64_t t_count_n = 0;
	__builtin_memcpy(result0, t_flux, sizeof(op2_vec[2]));
	*result1 = t_speed;
	*result2 = t_count_n;
	return;
}

#line 13 "k.go"
static inline void op2_scale_lanes(
	op2_vec s_flux[2], const op2_vec *s_speed, int64_t *s_count_n, op2_vec by)
{
	s_flux[1] *= by;
	(*s_count_n)++;
}

#line 18 "k.go"
static inline void op2_k_lanes(const op2_context op2, const op2_vec x[3], op2_vec y[3])
{
	op2_vec r_flux[2] = {0};
	op2_vec r_speed = {0};
	int64_t r_count_n = 0;
	op2_sideOf_lanes(x, r_flux, &r_speed, &r_count_n);
	op2_vec sides_flux[2][2] = {0};
	__builtin_memcpy(sides_flux[1], r_flux, sizeof(op2_vec[2]));
	op2_vec sides_speed[2] = {{0}, r_speed};
	int64_t sides_count_n[2] = {0, r_count_n};
	op2_scale_lanes(sides_flux[1], &sides_speed[1], &sides_count_n[1], op2_vec_all(2.0));
	op2_vec s_flux[2];
	__builtin_memcpy(s_flux, sides_flux[1], sizeof s_flux);
	op2_vec s_speed = sides_speed[1];
	op2_vec_int64 s_count_n = op2_vec_int64_all(sides_count_n[1]);
	op2_mask on = s_speed > 0.0;
	{
		op2_vec t_flux[2] = {0};
		op2_vec t_speed = {0};
		int64_t t_count_n = 0;
		op2_sideOf_lanes(y, t_flux, &t_speed, &t_count_n);
		for (int c = 0; c < 2; c++) ((op2_vec *)s_flux)[c] = op2_vec_select(on, ((const op2_vec *)t_flux)[c], ((op2_vec *)s_flux)[c]);
		s_speed = op2_vec_select(on, t_speed, s_speed);
		s_count_n = op2_vec_int64_select(on, op2_vec_int64_all(t_count_n), s_count_n);
	}
	y[0] = s_flux[op2_index(op2, sides_count_n[0], 2, 25, 9)];
}
`)
}

// What a parameter leads to is flattened: its structs lie in memory one after the other.
func TestLanesOfStructParameters(t *testing.T) {
	k := fromBody(t, `
func speed(q *conserved) float64 { return q.U[0] / q.Rho }

func norm(u *[2]float64) float64 { return u[0]*u[0] + u[1]*u[1] }

func plus(q, r conserved) conserved {
	q.Rho += r.Rho
	q.U[1] += r.U[1]
	return q
}

func step(g, q *conserved, all *[2][2]conserved, sum *conserved) {
	s := *q
	for i := range all {
		for j := range all[i] {
			all[i][j].Rho += float64(j) * g.Rho
			all[i][j].U[i] += q.U[j]
		}
	}
	if speed(q) > norm(&q.U) {
		*sum = plus(s, *g)
		sum.U = q.U
	}
}
func k(x *float64) { var s conserved; var a [2][2]conserved; step(&s, &s, &a, &s) }
`)
	in := codegen.Input{
		Loop: &loop.Loop{
			Args: []loop.Arg{codegentest.Global(loop.Read, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0), codegentest.Dat(loop.Inc, 2, 0, loop.All), codegentest.Dat(loop.RW, 3, loop.Direct, 0)},
			Data: []loop.Data{valuesOf[conserved](loop.Global, 1), valuesOf[conserved](loop.Dat, 1), valuesOf[conserved](loop.Dat, 2), valuesOf[conserved](loop.Dat, 1)},
			Maps: []loop.Map{{Arity: 2}},
		},
		Kernel:  k,
		Options: codegen.Options{SIMD: tune.SIMDOn},
	}
	_, text, found := strings.Cut(host.Sequential(in).Text, "op2_step_lanes")
	if !found {
		t.Fatal("the kernel does not run on packs")
	}
	text, _, _ = strings.Cut(text, "#endif")
	codegentest.Expect(t, text, `(
	const op2_vec g[3], const op2_vec q[3], op2_vec all[12], op2_vec sum[3])
{
	op2_vec s_Rho = q[0];
	op2_vec s_U[2] = {q[1], q[2]};
	for (int64_t i = 0; i < 2; i++) {
		for (int64_t j = 0; j < 2; j++) {
			all[i * 6 + j * 3] += (double)j * g[0];
			all[i * 6 + j * 3 + 1 + i] += q[1 + j];
		}
	}
	op2_mask on = op2_speed_lanes(&q[0], &q[1]) > op2_norm_lanes(&q[1]);
	{
		op2_vec r_Rho = {0};
		op2_vec r_U[2] = {0};
		op2_plus_lanes(s_Rho, s_U, g[0], (op2_vec[2]){g[1], g[2]}, &r_Rho, r_U);
		sum[0] = op2_vec_select(on, r_Rho, sum[0]);
		sum[1] = op2_vec_select(on, r_U[0], sum[1]);
		sum[2] = op2_vec_select(on, r_U[1], sum[2]);
		sum[1] = op2_vec_select(on, q[1], sum[1]);
		sum[2] = op2_vec_select(on, q[2], sum[2]);
	}
}
`)
}

// A kernel works on copies of structs if their fields have to be next to each other.
func TestLanesOfStructCopies(t *testing.T) {
	k := fromBody(t, `
func reset(all *[2]conserved) { all[1] = all[0] }

func step(n *int32, x *float64, q *[2]conserved) {
	if *x > 1 {
		q[*n].U[1] = *x
		return
	}
	q[0].Rho += *x
	reset(q)
}
func k(x *float64) { var a [2]conserved; var n int32; step(&n, x, &a) }
`)
	in := codegen.Input{
		Loop: &loop.Loop{
			Args: []loop.Arg{codegentest.Global(loop.Read, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0), codegentest.Dat(loop.RW, 2, loop.Direct, 0)},
			Data: []loop.Data{{Kind: loop.Global, Type: loop.Int32, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}, valuesOf[conserved](loop.Dat, 2)},
		},
		Kernel:  k,
		Options: codegen.Options{SIMD: tune.SIMDOn},
	}
	_, text, found := strings.Cut(host.Sequential(in).Text, "op2_reset_lanes")
	if !found {
		t.Fatal("the kernel does not run on packs")
	}
	text, _, _ = strings.Cut(text, "#endif")
	codegentest.Expect(t, text, `(op2_vec all_Rho[2], op2_vec all_U[2][2], op2_mask on)
{
	all_Rho[1] = op2_vec_select(on, all_Rho[0], all_Rho[1]);
	for (int c = 0; c < 2; c++) ((op2_vec *)all_U[1])[c] = op2_vec_select(on, ((const op2_vec *)all_U[0])[c], ((op2_vec *)all_U[1])[c]);
}

#line 7 "k.go"
static inline void op2_step_lanes(
	const op2_context op2, const int32_t *n, const op2_vec *x, op2_vec q[6])
{
	op2_mask on = op2_mask_all(true);
	op2_vec q_Rho[2] = {q[0], q[3]};
	op2_vec q_U[2][2] = {{q[1], q[2]}, {q[4], q[5]}};
	op2_mask on_2 = on & (*x > 1.0);
	if (op2_mask_any(on_2)) {
		q_U[op2_index(op2, *n, 2, 9, 3)][1] = op2_vec_select(on_2, *x, q_U[op2_index(op2, *n, 2, 9, 3)][1]);
		q[0] = op2_vec_select(on_2, q_Rho[0], q[0]);
		q[1] = op2_vec_select(on_2, q_U[0][0], q[1]);
		q[2] = op2_vec_select(on_2, q_U[0][1], q[2]);
		q[3] = op2_vec_select(on_2, q_Rho[1], q[3]);
		q[4] = op2_vec_select(on_2, q_U[1][0], q[4]);
		q[5] = op2_vec_select(on_2, q_U[1][1], q[5]);
		on &= ~on_2;
	}
	q_Rho[0] += *x;
	op2_reset_lanes(q_Rho, q_U, on);
	q[0] = op2_vec_select(on, q_Rho[0], q[0]);
	q[1] = op2_vec_select(on, q_U[0][0], q[1]);
	q[2] = op2_vec_select(on, q_U[0][1], q[2]);
	q[3] = op2_vec_select(on, q_Rho[1], q[3]);
	q[4] = op2_vec_select(on, q_U[1][0], q[4]);
	q[5] = op2_vec_select(on, q_U[1][1], q[5]);
}
`)
}
