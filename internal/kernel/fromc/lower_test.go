package fromc

import "testing"

// lowerCases are kernels k, with the part of C that they test, and their IR.
var lowerCases = []struct{ about, source, want string }{
	{"side effects", `
void k(double *a, double *b, const int *n) {
  int i, j = 0;
  a[0] = b[0] = b[1];
  a[1] = b[2] = 0;
  b[j++] = 1;
  b[++j] = 2;
  i = j--, j -= 2;
  a[2] = (i = n[0], i + 1);
  a[3] = (b[3] += 4);
}`, `
func k(a *float64, b *float64, n *int32) {
	var i int32
	var j int32 = 0
	var _t1 float64 = b[1]
	b[0] = _t1
	a[0] = _t1
	b[2] = 0
	a[1] = 0
	var _t2 int32 = j
	j += 1
	b[_t2] = 1
	j += 1
	b[j] = 2
	var _t3 int32 = j
	j -= 1
	i = _t3
	j -= 2
	i = n[0]
	a[2] = float64((i + 1))
	b[3] += 4
	a[3] = b[3]
}
`},
	{"add and subtract", `
void k(double *a, float *f, int *n, int8_t *c) {
  a[0] = a[0] + f[0];
  a[1] = f[0] + a[1];
  a[2] = a[2] - f[0] - f[1] + f[2];
  a[3] = f[0] - a[3];
  f[0] = f[0] + 2 * a[0];
  f[1] += a[1];
  n[0] += 1.5;
  n[1] = n[1] + 1;
  c[0] += n[0];
  c[1] /= n[0];
  c[2] <<= 1;
  n[0]++;
  --f[2];
}`, `
func k(a *float64, f *float32, n *int32, c *int8) {
	a[0] += float64(f[0])
	a[1] += float64(f[0])
	a[2] -= float64(f[0])
	a[2] -= float64(f[1])
	a[2] += float64(f[2])
	a[3] = (float64(f[0]) - a[3])
	f[0] += (2 * a[0])
	f[1] += a[1]
	n[0] = int32((float64(n[0]) + 1.5))
	n[1] += 1
	c[0] += int8(n[0])
	c[1] = int8((int32(c[1]) / n[0]))
	c[2] = int8((int32(c[2]) << 1))
	n[0] += 1
	f[2] -= 1
}
`},
	{"signs of zeros", `
void k(double *a, float *f) {
  a[0] = -0.0;
  f[0] = -0.0f;
  f[1] = (float)-0.0;
  a[1] = 0.0 * -1;
  a[2] = a[3] + -0.0;
  a[4] = -0;
}`, `
func k(a *float64, f *float32) {
	a[0] = -0
	f[0] = -0
	f[1] = -0
	a[1] = -0
	a[2] = (a[3] + -0)
	a[4] = 0
}
`},
	{"conditions", `
void k(double *a, const int *n) {
  int i = 0;
  if (n[0] && !n[1] || a[0] < 1) a[1] = 1;
  else if (n[2]) a[1] = 2;
  else a[1] = 3;
  if (n[0] && (i = n[1]) > 2) a[2] = i;
  if (n[0] || n[i++]) a[3] = i;
  a[4] = n[0] > 0 ? a[5] : n[0];
  a[6] = a[0] > a[1];
  n[0] ? (a[7] = 1) : (a[8] = 1);
}`, `
func k(a *float64, n *int32) {
	var i int32 = 0
	if (((n[0] != 0) && !(n[1] != 0)) || (a[0] < 1)) {
		a[1] = 1
	} else if (n[2] != 0) {
		a[1] = 2
	} else {
		a[1] = 3
	}
	var _t2 bool = (n[0] != 0)
	if _t2 {
		var _t1 int32 = n[1]
		i = _t1
		_t2 = (_t1 > 2)
	}
	if _t2 {
		a[2] = float64(i)
	}
	var _t4 bool = (n[0] != 0)
	if !_t4 {
		var _t3 int32 = i
		i += 1
		_t4 = (n[_t3] != 0)
	}
	if _t4 {
		a[3] = float64(i)
	}
	var _t5 float64
	if (n[0] > 0) {
		_t5 = a[5]
	} else {
		_t5 = float64(n[0])
	}
	a[4] = _t5
	a[6] = float64(int32((a[0] > a[1])))
	if (n[0] != 0) {
		a[7] = 1
	} else {
		a[8] = 1
	}
}
`},
	{"loops", `
void k(double *a, int *n) {
  int i, j;
  for (i = 0; i < 3; i++) a[i] = 0;
  for (int i = 0, j = 9; i < j; i++, j--) { if (a[i] < 0) continue; if (a[i] > 9) break; a[j] = i; }
  while (n[0]-- > 0) { if (a[0] > 1) continue; a[0] += 1; }
  do { if (a[1] > 1) continue; a[1] += 1; } while (n[1] < 3);
  do { if (a[2] > 1) break; a[2] = 1; } while (0);
  do a[3] = 1; while (0);
  while (1) { for (;;) { if (n[2]) break; return; } }
}`, `
func k(a *float64, n *int32) {
	var j int32
	L1: for var i int32 = 0; (i < 3); i += 1 {
		a[i] = 0
	}
	{
		var i'2 int32 = 0
		var j'2 int32 = 9
		L2: for ; (i'2 < j'2);  {
			L3: switch  {
			default:
				if (a[i'2] < 0) {
					break L3
				}
				if (a[i'2] > 9) {
					break L2
				}
				a[j'2] = float64(i'2)
			}
			i'2 += 1
			j'2 -= 1
		}
	}
	L4: for ; ;  {
		var _t1 int32 = n[0]
		n[0] -= 1
		if !(_t1 > 0) {
			break L4
		}
		if (a[0] > 1) {
			continue L4
		}
		a[0] += 1
	}
	L5: for ; ;  {
		L6: switch  {
		default:
			if (a[1] > 1) {
				break L6
			}
			a[1] += 1
		}
		if !(n[1] < 3) {
			break L5
		}
	}
	L7: switch  {
	default:
		if (a[2] > 1) {
			break L7
		}
		a[2] = 1
	}
	{
		a[3] = 1
	}
	L8: for ; ;  {
		L9: for ; ;  {
			if (n[2] != 0) {
				break L9
			}
			return
		}
	}
}
`},
	{"switch", `
void k(double *a, const int *n, const uint8_t *c) {
  switch (n[0]) {
    double t;
  case 0: t = 1; a[0] = t;
  case 1: case 2: a[1] = 1; break;
  case 4 ... 6: { a[2] = 1; break; }
  default: for (;;) { break; } return;
  case -1: a[3] = 1;
  }
  switch (c[0]) { case 'a': a[4] = 1; }
}`, `
func k(a *float64, n *int32, c *uint8) {
	var t float64
	L1: switch n[0] {
	case 0:
		t = 1
		a[0] = t
		fallthrough
	case 1, 2:
		a[1] = 1
	case 4, 5, 6:
		{
			a[2] = 1
			break L1
		}
	default:
		L2: for ; ;  {
			break L2
		}
		return
	case -1:
		a[3] = 1
	}
	L3: switch int32(c[0]) {
	case 97:
		a[4] = 1
	}
}
`},
	{"constants", `
#include <float.h>
#define N 3
#define IDX(i, j) ((i) * N + (j))
enum { FIRST = 1, SECOND };
typedef double real;
static const int perm[N] = {1, 2, 0};
static const real weight[2][2] = {{1, 2}, {[1] = 3}};
static const double unused = 1;
void k(real *a) {
  a[IDX(1, SECOND)] = sizeof(real) + M_PI + 1.0f / 3;
  a[perm[0]] = weight[1][1] + (unsigned char)300 + ~0u + 7 / 2 + 'a';
  a[0] = INT8_MAX + (a[1] < DBL_MAX);
}`, `
func k(a *float64) {
	var perm [3]int32 = [3]int32{1, 2, 0}
	var weight [2][2]float64 = [2][2]float64{[2]float64{1, 2}, [2]float64{, 3}}
	a[5] = 11.4749
	a[perm[0]] = ((((weight[1][1] + 44) + 4.29497e+09) + 3) + 97)
	a[0] = float64((127 + int32((a[1] < 1.79769e+308))))
}
`},
	{"conversions", `
void k(double *a, const int *n, const unsigned *u, const short *s, const int64_t *l) {
  a[0] = n[0] / 2;
  a[1] = n[0] + u[0];
  a[2] = s[0] << 1;
  a[3] = s[0] + l[0] * 2.5f;
  a[4] = n[0] < u[0];
  a[5] = (int)a[0] % 3;
  bool b = a[0];
  a[6] = b + -s[0];
  a[u[0]] = 1;
}`, `
func k(a *float64, n *int32, u *uint32, s *int16, l *int64) {
	a[0] = float64((n[0] / 2))
	a[1] = float64((uint32(n[0]) + u[0]))
	a[2] = float64((int32(s[0]) << 1))
	a[3] = float64((float32(s[0]) + (float32(l[0]) * 2.5)))
	a[4] = float64(int32((uint32(n[0]) < u[0])))
	a[5] = float64((int32(a[0]) % 3))
	var b bool = (a[0] != 0)
	a[6] = float64((int32(b) + -int32(s[0])))
	a[u[0]] = 1
}
`},
	{"structs", `
typedef struct { double x, y; } vec;
struct cell { vec c; int id[2]; };
static vec make(double x, double y) { vec v = {x, y}; return v; }
static void flip(vec *v) { double t = v->x; v->x = v->y; (*v).y = t; }
void k(double *a, int *n) {
  vec v = {.y = a[0]}, w;
  struct cell c = {{1, 2}, {n[0]}}, cs[2] = {{v}};
  w = make(a[1], 2);
  v.x += c.c.y;
  c.id[1] = n[0];
  flip(&v);
  cs[1].c.x = v.x;
  vec *p = &cs[0].c;
  p->y = make(1, 2).x + ((vec){3, 4}).y;
}`, `
struct vec {x float64; y float64}
struct cell {c vec; id [2]int32}
func make(x float64, y float64) vec {
	var v vec = vec{x, y}
	return v
}
func flip(v *vec) {
	var t float64 = v.x
	v.x = v.y
	v.y = t
}
func k(a *float64, n *int32) {
	var v vec = vec{, a[0]}
	var w vec
	var c cell = cell{vec{1, 2}, [2]int32{n[0], }}
	var cs [2]cell = [2]cell{cell{v, }, }
	w = make(a[1], 2)
	v.x += c.c.y
	c.id[1] = n[0]
	flip(&v)
	cs[1].c.x = v.x
	var _t1 vec = make(1, 2)
	var _t2 vec = vec{3, 4}
	cs[0].c.y = (_t1.x + _t2.y)
}
`},
	{"calls", `
static inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }
static void set(double *p, double v) { p[0] = p[1] = v; }
static double take(double *p) { return *p++; }
static int sign(double x) { return (x > 0) - (x < 0); }
static void nothing(void) {}
static double rows(double x[3][2]) { return x[1][1]; }
void k(double *a, double b[3][2], double *c[3]) {
  double t[2] = {1}, s;
  a[0] = dot(b[1], c[2]) * sign(a[1]) + rows(b);
  set(t, 1); set(b[0], 2); set(c[1] + 1, 3); set(&b[2][0], 4); set(&s, 5);
  a[1] = take(a) + 1;
  nothing();
  dot(a, a);
}`, `
func dot(a *float64, b *float64) float64 {
	return ((a[0] * b[0]) + (a[1] * b[1]))
}
func sign(x float64) int32 {
	return (int32((x > 0)) - int32((x < 0)))
}
func rows(x *[3][2]float64) float64 {
	return x[1][1]
}
func set(p *float64, v float64) {
	var _t1 float64 = v
	p[1] = _t1
	p[0] = _t1
}
func take(p *float64) float64 {
	var p_at int64 = 0
	var _t1 int64 = p_at
	p_at += 1
	return p[_t1]
}
func nothing() {
}
func k(a *float64, b *[3][2]float64, c *[3]*float64) {
	var t [2]float64 = [2]float64{1, }
	var s float64
	a[0] = ((dot(&b[1], c[2]) * float64(sign(a[1]))) + rows(b))
	set(&t, 1)
	set(&b[0], 2)
	set(&c[1][1], 3)
	set(&b[2], 4)
	set(&s, 5)
	a[1] = (take(a) + 1)
	nothing()
	dot(a, a)
}
`},
	{"math", `
#include <stdlib.h>
void k(double *a, float *f, const int *n) {
  a[0] = sqrt(a[1]) + fmin(a[2], n[0]) + pow(n[0], 2);
  f[0] = fabsf(f[0]) + expf(a[0]);
  a[3] = isnan(a[0]) + abs(n[0]) + lround(a[1]) + ldexp(a[1], 2);
  if (isnan(a[1]) || !isinf(a[1])) a[4] = INFINITY;
  int e; double m = frexp(a[0], &e);
  a[5] = m * e;
}`, `
func k(a *float64, f *float32, n *int32) {
	a[0] = ((math.Sqrt(a[1]) + math.Min(a[2], float64(n[0]))) + math.Pow(float64(n[0]), 2))
	f[0] = (math.Abs(f[0]) + math.Exp(float32(a[0])))
	var _t1 int32 = n[0]
	a[3] = (float64((int64((int32(math.IsNaN(a[0])) + math.max(_t1, -_t1))) + int64(math.Round(a[1])))) + math.Ldexp(a[1], 2))
	if (math.IsNaN(a[1]) || !(math.Abs(a[1]) == math.Inf(1))) {
		a[4] = float64(float32(math.Inf(1)))
	}
	var e int32
	var m float64 = ?float64(a[0], &e)
	a[5] = (m * float64(e))
}
`},
	{"pointers that never change", `
void k(double *x[3], double y[3][2], double *z) {
  int i = 1, t;
  const double *p = x[1], *q = y[i] + 1;
  double (*rows)[2] = y + 1;
  int *to = &t;
  i = 2;
  z[0] = p[1] + q[0] + *q;
  rows[1][0] = 1;
  *to = 3;
  z[t] = 1;
}`, `
func k(x *[3]*float64, y *[3][2]float64, z *float64) {
	var i int32 = 1
	var t int32
	var _t1 int32 = i
	i = 2
	z[0] = ((x[1][1] + y[_t1][1]) + y[_t1][1])
	y[2][0] = 1
	t = 3
	z[t] = 1
}
`},
	{"pointers that do", `
void k(double *x[3], double y[3][2], double *z, double *w) {
  double *p = x[0], *q, *r[2] = {w, 0}, t[2];
  p++;
  *p = 1;
  q = y[1];
  q[1] = 2;
  *z++ = 3;
  q = t;
  t[0] = 1;
  r[0][1] = 2;
}`, `
func k(x *[3]*float64, y *[3][2]float64, z *float64, w *float64) {
	var z_at int64 = 0
	?(x[0])
	?(w)
	var t [2]float64
	?(&y[1])
	var _t1 int64 = z_at
	z_at += 1
	z[_t1] = 3
	?(&t)
	t[0] = 1
}
`},
	{"pointers in other ways", `
#include <string.h>
#include <stdio.h>
void k(double *a, double *b, double *c, double *d, int *n) {
  memset(a, 0, sizeof(double));
  memcpy(&b[1], c, 8);
  (n[0] ? a : b)[1] = 1;
  if (d) printf("%g\n", a[0]);
  *(long long *)c = 3;
  n[0] = &a[2] - a;
}`, `
func k(a *float64, b *float64, c *float64, d *float64, n *int32) {
	a[0] = 0
	b[1] = c[0]
	if (n[0] != 0) {
	} else {
	}
	?(a, b)
	if true {
		?(a[0])
	}
	?()
	?(c)
	n[0] = 2
}
`},
	{"what the IR has no type for", `
void k(double *a, const int *n) {
  union { int i; float f; } u = {n[0]};
  struct { int b : 3; } bits;
  int (*fn)(int) = 0;
  u.f = a[0];
  a[1] = u.i;
  bits.b = n[1];
  a[3] = a[2] + bits.b;
  a[4] = fn(n[3]);
}`, `
func k(a *float64, n *int32) {
	?(n[0])
	?(a[0])
	a[1] = float64(?int32())
	?(n[1])
	a[3] = (a[2] + float64(?int32()))
	a[4] = float64(?int32(n[3]))
}
`},
	{"side effects of arguments", `
static void f(int n, double *x) { x[n] = 1; }
void k(double *a, double *b, int *n) {
  int i = 0;
  bool flag = n[0];
  f(i++, n[1] ? a : b);
  f(++i, a + 1);
  int self = a[1] = self;
  f(a[flag] = 3, a);
}`, `
func f(n int32, x *float64) {
	x[n] = 1
}
func k(a *float64, b *float64, n *int32) {
	var i int32 = 0
	var flag bool = (n[0] != 0)
	var _t2 int32 = i
	i += 1
	if (n[1] != 0) {
	} else {
	}
	?(_t2, a, b)
	i += 1
	f(i, &a[1])
	var self int32
	var _t3 float64 = float64(self)
	a[1] = _t3
	self = int32(_t3)
	a[int32(flag)] = 3
	f(3, a)
}
`},
	{"goto in a callee", `
static double f(double *x, double y) { if (y > 0) goto out; x[0] = gam; out: return y; }
void k(double *a, double *b) { a[0] = f(b, a[1]); }`, `
const gam float64
func k(a *float64, b *float64) {
	a[0] = ?float64(b, a[1])
}
`},
	{"goto", `
void k(double *a, const int *n) { again: a[0] += gam; if (n[0]) goto again; }`, `
const gam float64
func k(a *float64, n *int32) {
	?(a, n)
}
`},
	{"consts", `
static double speed(double p) { return sqrt(gam * p); }
static double other(double p) { return p; }
void k(double *a) { for (int i = 0; i < steps; i++) a[i] = qinf[i] + speed(gm1); const double *p = qinf; a[0] = p[1]; }`, `
const gam float64
const gm1 float64
const qinf [4]float64
const steps int32
func speed(p float64) float64 {
	return math.Sqrt((gam * p))
}
func k(a *float64) {
	L1: for var i int32 = 0; (i < steps); i += 1 {
		a[i] = (qinf[i] + speed(gm1))
	}
	a[0] = qinf[1]
}
`},
	{"own names for consts", `
enum { steps = 2 };
typedef float eps;
static const float gam = 1.5f;
static int gm1(int cfl) { return cfl; }
void k(double *qinf) { qinf[steps] = gam + gm1(1) + (eps)2.0; }`, `
func gm1(cfl int32) int32 {
	return cfl
}
func k(qinf *float64) {
	var gam float32 = 1.5
	qinf[2] = float64(((gam + float32(gm1(1))) + 2))
}
`},
}

func TestLower(t *testing.T) {
	for _, c := range lowerCases {
		t.Run(c.about, func(t *testing.T) { check(t, kernelCase{"k", c.source, c.want}) })
	}
}
