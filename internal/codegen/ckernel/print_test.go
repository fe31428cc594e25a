package ckernel_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
)

// body translates the statements of a kernel
//
//	func k(a *[8]int64, x *[8]float64)
//
// and returns their C form. Above are declarations that they need.
func body(t *testing.T, above, statements string) string {
	t.Helper()
	return functionBody(t, above+"\n\nfunc k(a *[8]int64, x *[8]float64) {\n"+statements+"\n}\n", "k")
}

func functionBody(t *testing.T, source, function string) string {
	t.Helper()
	k := codegentest.FromGo(t, source)
	args := []loop.Arg{codegentest.Dat(loop.RW, 0, loop.Direct, 0), codegentest.Dat(loop.RW, 1, loop.Direct, 0)}
	data := []loop.Data{{Kind: loop.Dat, Type: loop.Int64, Dim: 8}, {Kind: loop.Dat, Type: loop.Float64, Dim: 8}}
	text := host.Sequential(codegen.Input{Loop: &loop.Loop{Kernel: "k", Args: args, Data: data}, Kernel: k}).Text
	_, text, found := strings.Cut(text, " "+function+"_(")
	if !found {
		t.Fatalf("no function %s", function)
	}
	_, text, _ = strings.Cut(text, "{\n")
	text, _, _ = strings.Cut(text, "\n}\n")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strings.TrimPrefix(line, "\t"))
	}
	return strings.Join(lines, "\n")
}

// Expressions, each the value of an int64, a float64 or a bool.
func TestExpressions(t *testing.T) {
	const declarations = `
type pair struct{ a, b int64 }
type nest struct{ p [2]pair; v [3]float64 }
var unit float64
var table [3][2]int32
func half(v float64) float64 { return v / 2 }
func pure(p pair, v [3]float64) int64 { return p.a + int64(v[0]) }
`
	const variables = `
	i8, i16, i32, i, j := int8(a[0]), int16(a[1]), int32(a[2]), a[3], a[4]
	u8, u16, u32, u, w := uint8(a[0]), uint16(a[1]), uint32(a[2]), uint64(a[3]), uint64(a[4])
	f, g, d, e := float32(x[0]), float32(x[1]), x[2], x[3]
	p, q := d > 0, e > 0
	n := nest{}
	m := [2][3]float64{}
	_, _, _, _, _, _, _, _, _, _ = i8, i16, i32, i, j, u8, u16, u32, u, w
	_, _, _, _, _, _, _, _ = f, g, d, e, p, q, n, m
`
	for _, test := range []struct{ source, want string }{
		// Precedence: no more parentheses than needed, except where readers stumble.
		{"i + j*i", "i + j * i"},
		{"(i + j) * i", "(i + j) * i"},
		{"i - (j - i)", "i - (j - i)"},
		{"i - j - i", "i - j - i"},
		{"i - (j + i)", "i - (j + i)"},
		{"i * (j / (i | 1))", "i * op2_div_int64(op2, j, i | 1, 21, 17)"},
		{"i * j / 3", "i * j / 3"},
		{"-i * -j", "-i * -j"},
		{"-(-i)", "-(-i)"},
		{"-(i + j)", "-(i + j)"},
		{"^i + ^(i ^ j)", "~i + ~(i ^ j)"},
		{"!(d < e)", "!(d < e)"},
		{"!p && q || p && !q", "(!p && q) || (p && !q)"},
		{"(p || q) && p", "(p || q) && p"},
		{"p == (d < e)", "p == (d < e)"},
		{"(d < e) == q", "(d < e) == q"},
		{"i&j == 0", "(i & j) == 0"},
		{"i&1<<2 | j", "((i & 1) << 2) | j"},
		{"i + j<<3", "i + (j << 3)"},
		{"i<<3 + j", "(i << 3) + j"},
		{"(i << 3) + j", "(i << 3) + j"},
		{"i | j ^ i&j", "(i | j) ^ (i & j)"},
		{"i &^ j", "i & ~j"},
		{"i &^ (j | 1)", "i & ~(j | 1)"},
		{"d*e + d/e - 1", "d * e + d / e - 1.0"},
		{"d - (e - d)", "d - (e - d)"},
		{"d / e / d", "d / e / d"},
		{"d / (e * d)", "d / (e * d)"},
		{"-d + -(-e)", "-d + -(-e)"},
		// Narrow integers are computed as int, and converted back.
		{"i8 + i8", "(int8_t)(i8 + i8)"},
		{"u8 - 200", "(uint8_t)(u8 - 200)"},
		{"u16 * u16", "(uint16_t)(u16 * u16)"},
		{"-i8", "(int8_t)(-i8)"},
		{"^u8", "(uint8_t)(~u8)"},
		{"i8<<3 + 1", "(int8_t)((int8_t)(i8 << 3) + 1)"},
		{"i8 + i8*i8", "(int8_t)(i8 + (int8_t)(i8 * i8))"},
		{"u8&15 == 3", "(uint8_t)(u8 & 15) == 3"},
		{"i8 + i8 < i8", "(int8_t)(i8 + i8) < i8"},
		{"u8 &^ 15", "(uint8_t)(u8 & ~15)"},
		{"u32 * u32", "u32 * u32"},
		{"i32 + 1", "i32 + 1"},
		// Division.
		{"i / j", "op2_div_int64(op2, i, j, 21, 12)"},
		{"i % j", "op2_rem_int64(op2, i, j, 21, 12)"},
		{"i / 10", "i / 10"},
		{"i / -10", "i / -10"},
		{"i % 1", "i % 1"},
		{"i8 / 3", "(int8_t)(i8 / 3)"},
		{"i8 / i8", "op2_div_int8(op2, i8, i8, 21, 12)"},
		{"u8 / u8", "op2_div_uint8(op2, u8, u8, 21, 12)"},
		{"u / w", "op2_div_uint64(op2, u, w, 21, 12)"},
		{"u32 % 7", "u32 % 7"},
		{"u / 18446744073709551615", "u / UINT64_C(18446744073709551615)"},
		{"7 / i", "op2_div_int64(op2, 7, i, 21, 12)"},
		// Shifts.
		{"i << 3", "i << 3"},
		{"i << 63", "i << 63"},
		{"i << 64", "op2_shl_int64(i, 64)"},
		{"i >> 70", "op2_shr_int64(i, 70)"},
		{"i << u8", "op2_shl_int64(i, u8)"},
		{"i << j", "op2_sshl_int64(op2, i, j, 21, 12)"},
		{"i >> (j & 7)", "op2_sshr_int64(op2, i, j & 7, 21, 12)"},
		{"u >> w", "op2_shr_uint64(u, w)"},
		{"i8 << 7", "(int8_t)(i8 << 7)"},
		{"i8 << 8", "op2_shl_int8(i8, 8)"},
		{"u8 >> u8", "op2_shr_uint8(u8, u8)"},
		{"1 << u8", "op2_shl_int64(1, u8)"},
		{"int32(1) << u8", "op2_shl_int32(1, u8)"},
		{"uint8(1) << 3 << u8", "op2_shl_uint8(8, u8)"},
		{"i << (u8 & 63)", "op2_shl_int64(i, (uint8_t)(u8 & 63))"},
		// Conversions.
		{"int64(i8)", "(int64_t)i8"},
		{"uint8(i)", "(uint8_t)i"},
		{"int64(d)", "(int64_t)d"},
		{"int32(d)", "(int32_t)d"},
		{"int8(d)", "(int8_t)(int64_t)d"},
		{"uint64(d)", "op2_to_uint64(d)"},
		{"uint32(f)", "(uint32_t)(int64_t)f"},
		{"float64(i)", "(double)i"},
		{"float32(i)", "(float)i"},
		{"float64(f)", "(double)f"},
		{"float32(d*e) * f", "(float)(d * e) * f"},
		{"float64(d * e)", "d * e"},
		{"int64(u8 + 1)", "(int64_t)(uint8_t)(u8 + 1)"},
		{"float64(i + j)", "(double)(i + j)"},
		{"uint64(i8) + u", "(uint64_t)i8 + u"},
		{"int64(-i32)", "(int64_t)-i32"},
		// Constants.
		{"i + 9223372036854775807", "i + INT64_C(9223372036854775807)"},
		{"i - 9223372036854775807 - 1", "i - INT64_C(9223372036854775807) - 1"},
		{"i + math.MinInt64", "i + INT64_MIN"},
		{"i & 0xffffffff", "i & INT64_C(4294967295)"},
		{"i32 + math.MinInt32", "i32 + INT32_MIN"},
		{"i32 - 2147483647", "i32 - 2147483647"},
		{"u + 18446744073709551615", "u + UINT64_C(18446744073709551615)"},
		{"u + 1<<63", "u + UINT64_C(9223372036854775808)"},
		{"u + 4294967295", "u + 4294967295u"},
		{"u + 4294967296", "u + UINT64_C(4294967296)"},
		{"u32 + 4000000000", "u32 + 4000000000u"},
		{"u32 + 2147483648", "u32 + 2147483648u"},
		{"u8 + 255", "(uint8_t)(u8 + 255)"},
		{"i - -5", "i - -5"},
		{"i8 + -128", "(int8_t)(i8 + -128)"},
		{"d + 1", "d + 1.0"},
		{"d * 0.1", "d * 0.1"},
		{"d + 1e300", "d + 1e+300"},
		{"d + 1e-7", "d + 1e-07"},
		{"d * -2.5", "d * -2.5"},
		{"d + 1.0/3", "d + 0.3333333333333333"},
		{"d + math.Pi", "d + 3.141592653589793"},
		{"d + 0x1p-1074", "d + 5e-324"},
		{"d + math.MaxFloat64", "d + 1.7976931348623157e+308"},
		{"d + 123456789012345678", "d + 1.2345678901234568e+17"},
		{"f * 0.1", "f * 0.1f"},
		{"f + 1", "f + 1.0f"},
		{"f + 1e10", "f + 1e+10f"},
		{"f * math.MaxFloat32", "f * 3.4028235e+38f"},
		{"d * math.Inf(1)", "d * op2_inf(1)"},
		{"p && true", "p && true"},
		{"p != false", "p != false"},
		// Variables, subscripts, fields.
		{"a[3] + a[i&7]", "a[3] + a[i & 7]"},
		{"a[i]", "a[op2_index(op2, i, 8, 21, 12)]"},
		{"a[u8]", "a[op2_index(op2, u8, 8, 21, 12)]"},
		{"a[u]", "a[op2_uindex(op2, u, 8, 21, 12)]"},
		{"a[i8&3+1]", "a[(int8_t)((int8_t)(i8 & 3) + 1)]"},
		{"x[0] * unit", "x[0] * op2.consts->unit"},
		{"table[1][i&1]", "op2.consts->table[1][i & 1]"},
		{"m[1][2] + m[i&1][u8%3]", "m[1][2] + m[i & 1][(uint8_t)(u8 % 3)]"},
		{"n.p[1].a", "n.p[1].a"},
		{"n.p[i].b + n.p[0].a", "n.p[op2_index(op2, i, 2, 21, 12)].b + n.p[0].a"},
		{"n.v[2] * d", "n.v[2] * d"},
		// Calls.
		{"half(d + 1)", "half_(d + 1.0)"},
		{"half(half(d)) * 2", "half_(half_(d)) * 2.0"},
		{"-half(-d)", "-half_(-d)"},
		{"pure(pair{1, i}, n.v)", "pure_(t, n.v)"},
		{"math.Sqrt(d*d + e*e)", "sqrt(d * d + e * e)"},
		{"math.Abs(-d)", "fabs(-d)"},
		{"math.Max(d, e)", "op2_max(d, e)"},
		{"math.Pow(d, 2) / math.Exp(-d)", "op2_square(d) / op2_exp(-d)"},
		{"math.FMA(d, e, 1)", "fma(d, e, 1.0)"},
		{"math.Float64bits(d) & 1", "op2_double_bits(d) & 1"},
		{"math.IsNaN(d) || math.IsInf(d, 1)", "(isnan(d) != 0) || op2_isinf(d, 1)"},
		{"math.Signbit(d) == p", "op2_signbit(d) == p"},
		{"math.NaN()", "NAN"},
		{"math.Round(d) + math.RoundToEven(d) + math.Mod(d, e)", "round(d) + rint(d) + fmod(d, e)"},
		{"min(d, e)", "op2_min_double(d, e)"},
		{"max(i, j, 3)", "op2_max_int64(op2_max_int64(i, j), 3)"},
		{"min(u8, 7)", "op2_min_uint8(u8, 7)"},
		{"max(f, 0.5, g)", "op2_max_float(op2_max_float(f, 0.5f), g)"},
	} {
		text := body(t, declarations, variables+"\tresult := "+test.source+"\n\t_ = result")
		_, got, _ := strings.Cut(text, " result = ")
		got, _, _ = strings.Cut(got, ";\n")
		got = strings.TrimSuffix(got, ";")
		if got != test.want {
			t.Errorf("%s is %s, want %s", test.source, got, test.want)
		}
	}
}

// Statements.
func TestStatements(t *testing.T) {
	for _, test := range []struct{ name, above, source, want string }{
		{"declarations", ``, `
	var i int64
	var v [2][3]float64
	var b bool
	j := i
	w := v
	u := w[1]
	x[0] = u[0] + w[0][0] + float64(j)
	if b {
		i = j
	}
`, `int64_t i = 0;
double v[2][3] = {0};
bool b = false;
int64_t j = i;
double w[2][3];
__builtin_memcpy(w, v, sizeof w);
double u[3];
__builtin_memcpy(u, w[1], sizeof u);
x[0] = u[0] + w[0][0] + (double)j;
if (b) {
	i = j;
}`},
		{"composites", `type pair struct{ a int64; v [2]float64 }`, `
	v := [3]float64{1, 2: x[0]}
	p := pair{1, [2]float64{x[1], 0}}
	q := [2]pair{{a: 5}, {2, [2]float64{1}}}
	z := pair{}
	r := pair{3, q[0].v}
	p = pair{p.a + 1, p.v}
	p.v = q[1].v
	v = [3]float64{v[2], v[1], v[0]}
	v = [3]float64{}
	x[0] = v[0] + p.v[0] + q[0].v[0] + z.v[0] + r.v[1]
`, `double v[3] = {1.0, 0, x[0]};
pair_ p = {1, {x[1], 0.0}};
pair_ q[2] = {{5}, {2, {1.0}}};
pair_ z = {0};
pair_ r = {0};
r.a = 3;
__builtin_memcpy(r.v, q[0].v, sizeof(double[2]));
pair_ t = {0};
t.a = p.a + 1;
__builtin_memcpy(t.v, p.v, sizeof(double[2]));
p = t;
__builtin_memcpy(p.v, q[1].v, sizeof(double[2]));
double t_2[3] = {v[2], v[1], v[0]};
__builtin_memcpy(v, t_2, sizeof(double[3]));
__builtin_memcpy(v, (double[3]){0}, sizeof(double[3]));
x[0] = v[0] + p.v[0] + q[0].v[0] + z.v[0] + r.v[1];`},
		{"updates", ``, `
	i, u8, f := a[0], uint8(a[1]), x[0]
	i++
	i--
	u8++
	i += 2
	i -= a[1]
	i *= i + 1
	i /= a[2]
	i %= 10
	i <<= 3
	i >>= u8
	i &= 15
	i |= a[1] << 1
	i ^= -1
	i &^= a[1] | 1
	u8 += 200
	u8 <<= 1
	u8 &^= 3
	f += 1
	f -= x[1] * f
	f /= 2
	a[3]++
	a[i&7] += i
	a[0], x[0] = i+int64(u8), f
`, `int64_t i = a[0];
uint8_t u8 = (uint8_t)a[1];
double f = x[0];
i++;
i--;
u8 = (uint8_t)(u8 + 1);
i += 2;
i -= a[1];
i *= i + 1;
i = op2_div_int64(op2, i, a[2], 13, 2);
i %= 10;
i <<= 3;
i = op2_shr_int64(i, u8);
i &= 15;
i |= a[1] << 1;
i ^= -1;
i &= ~(a[1] | 1);
u8 = (uint8_t)(u8 + 200);
u8 = (uint8_t)(u8 << 1);
u8 = (uint8_t)(u8 & ~3);
f += 1.0;
f -= x[1] * f;
f /= 2.0;
a[3]++;
a[i & 7] += i;
int64_t t = i + (int64_t)u8;
double t_2 = f;
a[0] = t;
x[0] = t_2;`},
		{"swaps", `type pair struct{ a, b int64 }`, `
	m := [2][2]int64{}
	m[0], m[1] = m[1], m[0]
	a[0], a[1] = a[1], a[0]
	i, j := a[0], a[1]
	i, j = j, i+j
	a[i&7], i = i, 3
	p := pair{i, j}
	p.a, p.b = p.b, p.a
	a[2] = p.a + m[0][0]
`, `int64_t m[2][2] = {0};
int64_t t[2];
__builtin_memcpy(t, m[1], sizeof t);
int64_t t_2[2];
__builtin_memcpy(t_2, m[0], sizeof t_2);
__builtin_memcpy(m[0], t, sizeof(int64_t[2]));
__builtin_memcpy(m[1], t_2, sizeof(int64_t[2]));
int64_t t_3 = a[1];
int64_t t_4 = a[0];
a[0] = t_3;
a[1] = t_4;
int64_t i = a[0];
int64_t j = a[1];
int64_t t_5 = j;
int64_t t_6 = i + j;
i = t_5;
j = t_6;
int64_t i_2 = i & 7;
int64_t t_7 = i;
a[i_2] = t_7;
i = 3;
pair_ p = {i, j};
int64_t t_8 = p.b;
int64_t t_9 = p.a;
p.a = t_8;
p.b = t_9;
a[2] = p.a + m[0][0];`},
		{"if", ``, `
	if a[0] > 0 {
		a[1] = 1
	} else if b := a[2]; b == 0 && x[0] < 1 {
		a[1] = b
	} else {
		a[1] = 3
	}
	if !(a[0] == 1) {
	}
`, `if (a[0] > 0) {
	a[1] = 1;
} else {
	int64_t b = a[2];
	if (b == 0 && x[0] < 1.0) {
		a[1] = b;
	} else {
		a[1] = 3;
	}
}
if (!(a[0] == 1)) {
}`},
		{"for", ``, `
	for i := 0; i < 8; i++ {
		a[i] = 1
	}
	for i := range a {
		a[i]++
	}
	for i, v := range x {
		x[i] = v + 1
	}
	for i := range 3 {
		i *= 2
		a[i]++
	}
	for a[0] > 0 {
		a[0]--
	}
	for {
		if a[0] > 3 {
			break
		}
		a[0]++
	}
	for i, j := 0, 7; i < j; i, j = i+1, j-1 {
		if a[i] == 0 {
			continue
		}
		a[j]++
	}
	for range a[1] {
		a[2]++
	}
	for i := uint8(3); i != 0; i-- {
		a[i]++
	}
`, `for (int64_t i = 0; i < 8; i++) {
	a[i] = 1;
}
for (int64_t i = 0; i < 8; i++) {
	a[i]++;
}
for (int64_t i = 0; i < 8; i++) {
	double v = x[i];
	x[i] = v + 1.0;
}
for (int64_t i = 0; i < 3; i++) {
	int64_t i_2 = i;
	i_2 *= 2;
	a[i_2]++;
}
while (a[0] > 0) {
	a[0]--;
}
for (;;) {
	if (a[0] > 3) {
		break;
	}
	a[0]++;
}
{
	int64_t i = 0;
	int64_t j = 7;
	while (i < j) {
		if (a[i] == 0) {
			int64_t t = i + 1;
			int64_t t_2 = j - 1;
			i = t;
			j = t_2;
			continue;
		}
		a[j]++;
		int64_t t = i + 1;
		int64_t t_2 = j - 1;
		i = t;
		j = t_2;
	}
}
{
	int64_t n = a[1];
	for (int64_t i = 0; i < n; i++) {
		a[2]++;
	}
}
for (uint8_t i = 3; i != 0; i = (uint8_t)(i - 1)) {
	a[i]++;
}`},
		{"range over a copy", ``, `
	v := [3]int64{1, 2, 3}
	for i, e := range v {
		v[2] = e
		a[i] = e
	}
	for _, e := range &v {
		v[2] = e
	}
`, `int64_t v[3] = {1, 2, 3};
{
	int64_t copy[3];
	__builtin_memcpy(copy, v, sizeof copy);
	for (int64_t i = 0; i < 3; i++) {
		int64_t e = copy[i];
		v[2] = e;
		a[i] = e;
	}
}
for (int64_t i = 0; i < 3; i++) {
	int64_t e = v[i];
	v[2] = e;
}`},
		{"labels", ``, `
outer:
	for i := range 4 {
		for j := range 4 {
			if j == i {
				continue outer
			}
			if a[i] > a[j] {
				break outer
			}
			switch a[j] {
			case 1:
				continue
			case 2:
				break
			case 3:
				break outer
			}
			a[i]++
		}
	}
`, `for (int64_t i = 0; i < 4; i++) {
	for (int64_t j = 0; j < 4; j++) {
		if (j == i) {
			goto next;
		}
		if (a[i] > a[j]) {
			goto done;
		}
		switch (a[j]) {
		case 1:
			{
				continue;
			}
			break;
		case 2:
			{
				break;
			}
			break;
		case 3:
			{
				goto done;
			}
			break;
		}
		a[i]++;
	}
	next:;
}
done:;`},
		{"switch of integers", ``, `
	switch a[0] {
	case 1, 2:
		a[1] = 1
	case -9223372036854775808:
		a[1] = 2
		fallthrough
	default:
		a[1]++
	}
	switch uint64(a[0]) {
	case 18446744073709551615:
		a[2] = 1
	}
`, `switch (a[0]) {
case 1:
case 2:
	{
		a[1] = 1;
	}
	break;
case INT64_MIN:
	{
		a[1] = 2;
	}
default:
	{
		a[1]++;
	}
	break;
}
switch ((uint64_t)a[0]) {
case UINT64_C(18446744073709551615):
	{
		a[2] = 1;
	}
	break;
}`},
		{"switch without a tag", ``, `
	switch {
	case a[0] > 1, a[0] < -1 && a[1] > 0:
		a[1] = 1
	default:
		a[1] = 3
	case x[0] > 0:
		a[1] = 2
	}
`, `if (a[0] > 1 || (a[0] < -1 && a[1] > 0)) {
	a[1] = 1;
} else if (x[0] > 0.0) {
	a[1] = 2;
} else {
	a[1] = 3;
}`},
		{"switch of floats", ``, `
	switch x[0] * 2 {
	case 1, x[1]:
		a[0] = 1
	case 0:
		break
	}
`, `double tag = x[0] * 2.0;
if (tag == 1.0 || tag == x[1]) {
	a[0] = 1;
} else if (tag == 0.0) {
	goto done;
}
done:;`},
		{"fallthrough in a chain", ``, `
	switch {
	case a[0] > 1:
		a[1] = 1
		fallthrough
	case a[0] > 0:
		a[1]++
	default:
		a[1] = 3
	}
`, `if (a[0] > 1) goto body_2;
if (a[0] > 0) goto body;
goto body_3;
body_2:;
{
	a[1] = 1;
}
body:;
{
	a[1]++;
}
goto done;
body_3:;
{
	a[1] = 3;
}
goto done;
done:;`},
		{"calls", `func count(at *int64) int64 { *at++; return *at }
func two(v int64) (int64, float64) { return v, 1 }
func row(v float64) [2]float64 { return [2]float64{v, v} }
func first(r [2]float64) float64 { return r[0] }
func set(p *[2]float64) { p[1] = 1 }`, `
	s := a[0]
	a[1] = count(&s) + count(&s)
	a[count(&s)&7] = s
	i, f := two(s)
	_, f = two(i)
	r := row(f)
	x[0] = first(row(f)) + first(r)
	set(&r)
	if count(&a[2]) > 1 && count(&s) > 2 {
		x[1] = r[1]
	}
	count(&s)
	for count(&s) < 9 {
	}
	whole, part := math.Modf(x[0])
	x[2] = whole + part
	sin, cos := math.Sincos(x[1])
	x[3] = sin * cos
	x[4], _ = math.Frexp(x[3])
`, `int64_t s = a[0];
int64_t r = count_(&s);
int64_t r_2 = count_(&s);
a[1] = r + r_2;
int64_t r_3 = count_(&s);
a[r_3 & 7] = s;
int64_t i = 0;
double f = 0;
two_(s, &i, &f);
double r_4 = 0;
int64_t unused;
two_(i, &unused, &r_4);
f = r_4;
double r_5[2] = {0};
row_(f, r_5);
double r_6[2] = {0};
row_(f, r_6);
x[0] = first_(r_6) + first_(r_5);
set_(r_5);
int64_t r_7 = count_(&a[2]);
bool cond = r_7 > 1;
if (cond) {
	int64_t r_8 = count_(&s);
	cond = r_8 > 2;
}
if (cond) {
	x[1] = r_5[1];
}
count_(&s);
for (;;) {
	int64_t r_8 = count_(&s);
	if (!(r_8 < 9)) {
		break;
	}
}
double whole = 0;
double part = 0;
op2_modf(x[0], &whole, &part);
x[2] = whole + part;
double sin_ = 0;
double cos_ = 0;
const double angle = x[1];
sin_ = sin(angle), cos_ = cos(angle);
x[3] = sin_ * cos_;
double r_8 = 0;
int64_t unused_2;
op2_frexp(x[3], &r_8, &unused_2);
x[4] = r_8;`},
		{"names", ``, `
	double, register, I, NULL, linux := x[0], x[1], x[2], x[3], x[4]
	sqrt, index, y0, größe, INT64_MAX := x[0], x[1], x[2], x[3], x[4]
	int64_t, op2_x, _Bool, double_, n := x[0], x[1], x[2], x[3], x[4]
	x[5] = math.Sqrt(double + register + I + NULL + linux)
	x[6] = sqrt + index + y0 + größe + INT64_MAX + int64_t + op2_x + _Bool + double_ + n
`, `double double_ = x[0];
double register_ = x[1];
double I_ = x[2];
double NULL_ = x[3];
double linux_ = x[4];
double sqrt_ = x[0];
double index = x[1];
double y0 = x[2];
double gru00f6u00dfe = x[3];
double INT64_MAX_ = x[4];
double int64_t_ = x[0];
double op2_x_ = x[1];
double u_Bool_ = x[2];
double double_2_ = x[3];
double n = x[4];
x[5] = sqrt(double_ + register_ + I_ + NULL_ + linux_);
x[6] = sqrt_ + index + y0 + gru00f6u00dfe + INT64_MAX_ + int64_t_ + op2_x_ + u_Bool_ + double_2_ + n;`},
		{"scopes", ``, `
	v := a[0]
	{
		v := v + 1
		a[1] = v
	}
	if v := v * 2; v > 0 {
		v, w := v+1, v
		a[2] = v + w
	}
	for v := range 3 {
		v := v + 1
		a[v] = 1
	}
	v, w := v+1, v
	a[3] = v + w
`, `int64_t v = a[0];
{
	int64_t v_2 = v + 1;
	a[1] = v_2;
}
{
	int64_t v_2 = v * 2;
	if (v_2 > 0) {
		int64_t v_3 = v_2 + 1;
		int64_t w = v_2;
		a[2] = v_3 + w;
	}
}
for (int64_t v_2 = 0; v_2 < 3; v_2++) {
	int64_t v_3 = v_2 + 1;
	a[v_3] = 1;
}
int64_t w = v;
v++;
a[3] = v + w;`},
	} {
		t.Run(test.name, func(t *testing.T) { codegentest.Expect(t, body(t, test.above, test.source), test.want) })
	}
}

// A function stores the arrays that it returns as literals value by value.
func TestArrayResults(t *testing.T) {
	const source = `
type pair struct{ a, b int64 }

func values(x float64) (u [3]float64, m [2][2]float64, p [2]pair, all int64) {
	return [3]float64{x, 2}, [2][2]float64{1: {x, -x}}, [2]pair{{1, 2}}, 3
}

func k(a *[8]int64, x *[8]float64) {
	u, m, p, all := values(x[0])
	x[1], a[0] = u[0]+m[1][1], p[0].b+all
}
`
	codegentest.Expect(t, functionBody(t, source, "values"), `result0[0] = x;
result0[1] = 2.0;
result0[2] = 0.0;
result1[0][0] = 0.0;
result1[0][1] = 0.0;
result1[1][0] = x;
result1[1][1] = -x;
result2[0] = (pair_){1, 2};
result2[1] = (pair_){0};
*result3 = 3;
return;`)
}
