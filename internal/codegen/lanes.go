package codegen

import (
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Packs of elements: where it pays, the kernel is printed a second time on vectors
// that hold one value of each of LANES elements, and the loop over a range takes
// packs of so many elements before the rest. What a pack needs is gathered by rows
// and transposed in registers; what it leaves is transposed back and put away element
// by element, in order, so that elements of a pack may share targets.

// laneable reports whether the kernel can be printed on vectors: it works on float64
// alone, and which statements it executes does not depend on them.
func laneable(in Input) bool {
	if in.Kernel.IsC() || len(in.Kernel.Structs) > 0 {
		return false
	}
	for _, a := range in.Loop.Args {
		switch {
		case a.Kind != loop.Dat && a.Kind != loop.Global, in.Loop.Type(a) != loop.Float64:
			return false
		case a.Access == loop.Min || a.Access == loop.Max:
			return false
		case a.Indirect() && a.Access == loop.RW: // a pack would not see its own changes
			return false
		}
	}
	for i, a := range in.Loop.Args {
		if a.Reduces() && !in.Kernel.Uses[i].OnlyAdds() {
			return false
		}
	}
	for _, f := range in.Kernel.Funcs {
		if !straight(f) {
			return false
		}
	}
	return true
}

// straight reports whether nothing in f is decided by a float64, and all values that
// depend on one are float64 again.
func straight(f *kernel.Func) bool {
	ok := true
	for _, t := range f.Results {
		ok = ok && kernel.Leaf(t) == loop.Float64
	}
	for _, p := range f.Params {
		s := kernel.Leaf(p.Type)
		_, pointer := p.Type.(*kernel.Pointer)
		ok = ok && (s == loop.Float64 || !pointer && s.Integer())
	}
	kernel.Walk(f.Body, func(s kernel.Stmt) {
		if d, isDecl := s.(*kernel.Decl); isDecl {
			t := kernel.Leaf(d.Var.Type)
			ok = ok && (t == loop.Float64 || t.Integer() || t == loop.Bool)
		}
		if d, isDo := s.(*kernel.Do); isDo {
			ok = ok && d.Math == nil
		}
	}, func(e kernel.Expr) {
		switch e := e.(type) {
		case *kernel.Binary:
			if e.Op.Compares() {
				ok = ok && uniform(e)
			}
		case *kernel.Convert:
			ok = ok && (uniform(e) || kernel.Scalar(e.X.Type()) == loop.Float64 && kernel.Scalar(e.Type()) == loop.Float64)
		case *kernel.Math:
			ok = ok && (uniform(e) || laneMath(e))
		case *kernel.Composite:
			_, isArr := e.Type().(*kernel.Array)
			ok = ok && isArr
		case *kernel.Select, *kernel.Opaque:
			ok = false
		}
	})
	return ok
}

// laneMath reports whether every argument and the result of e are float64.
func laneMath(e *kernel.Math) bool {
	for _, a := range e.Args {
		if kernel.Scalar(a.Type()) != loop.Float64 {
			return false
		}
	}
	return kernel.Scalar(e.Type()) == loop.Float64
}

// uniform reports whether e has one value for all elements of a pack: it is made of
// constants, consts and integers.
func uniform(e kernel.Expr) bool {
	same := true
	visit(e, func(x kernel.Expr) {
		switch x := x.(type) {
		case *kernel.Ref:
			same = same && kernel.Leaf(x.Type()) != loop.Float64
		case *kernel.Call:
			same = same && kernel.Leaf(x.Type()) != loop.Float64
		}
	})
	return same
}

// visit calls f for e and what is below it.
func visit(e kernel.Expr, f func(kernel.Expr)) {
	kernel.Walk(&kernel.Do{X: e}, nil, f)
}

// pays estimates whether packs are faster: the arithmetic that they do at once against
// the values that are moved in and out of vectors.
func pays(in Input) bool {
	moved := 0
	for _, a := range in.Loop.Args {
		if a.Kind != loop.Dat {
			continue
		}
		n := in.Loop.Arity(a) * in.Loop.Dim(a)
		moved += n
		if a.Access == loop.RW || a.Access == loop.Inc {
			moved += n
		}
	}
	work := 0
	for _, a := range in.Loop.Args {
		if a.Reduces() {
			work += 10 * in.Loop.Dim(a) // sums wait for each other
		}
	}
	return work+workOf(in.Kernel.Entry().Body) > 3*moved/2
}

// workOf is the arithmetic in a block, in additions: what loops repeat as often as
// that is known.
func workOf(b *kernel.Block) int {
	work := 0
	var inLoops func(s kernel.Stmt, times int)
	inLoops = func(s kernel.Stmt, times int) {
		switch s := s.(type) {
		case *kernel.Block:
			for _, t := range s.Stmts {
				inLoops(t, times)
			}
		case *kernel.For:
			inLoops(s.Body, times*tripsOf(s))
		default:
			kernel.Walk(s, nil, func(e kernel.Expr) { work += times * costOf(e) })
			if a, ok := s.(*kernel.Assign); ok && a.Op != kernel.None {
				work += times
				if a.Op == kernel.Div {
					work += times * divisionCost
				}
			}
		}
	}
	inLoops(b, 1)
	return work
}

const divisionCost = 9 // additions

func costOf(e kernel.Expr) int {
	if kernel.Leaf(e.Type()) != loop.Float64 {
		return 0
	}
	switch e := e.(type) {
	case *kernel.Binary:
		if e.Op == kernel.Div {
			return 1 + divisionCost
		}
		return 1
	case *kernel.Math:
		if e.Name == "Abs" || e.Name == "Copysign" {
			return 1
		}
		return 1 + divisionCost
	case *kernel.Call:
		return workOf(e.Func.Body)
	}
	return 0
}

// tripsOf is how often a loop of the form for i := a; i < b; i++ runs; 1 if it is not
// known.
func tripsOf(s *kernel.For) int {
	d, ok := s.Init.(*kernel.Decl)
	if !ok || d.Init == nil {
		return 1
	}
	c, ok := s.Cond.(*kernel.Binary)
	if !ok || c.Op != kernel.Lt {
		return 1
	}
	from, fromOK := intLit(d.Init)
	to, toOK := intLit(c.Y)
	if !fromOK || !toOK {
		return 1
	}
	return max(1, int(to-from))
}

// The types and moves of packs. Rows are of 2 or 4 values, at any multiple of 8 bytes.
const lanesText = `// Packs of elements: vec holds one value of each.
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#if defined(__AVX512F__)
#define LANES 8
#elif defined(__AVX2__)
#define LANES 4
#endif
#endif
#endif
#ifdef LANES
typedef double vec __attribute__((vector_size(8 * LANES)));
typedef double vec_u __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef double row4 __attribute__((vector_size(32)));
typedef double row4_u __attribute__((vector_size(32), aligned(8), may_alias));
typedef double row2 __attribute__((vector_size(16)));
typedef double row2_u __attribute__((vector_size(16), aligned(8), may_alias));
#define SHUFFLE __builtin_shufflevector

static inline __attribute__((always_inline)) vec vec_all(double x)
{
	return (vec){0} + x;
}

#if LANES == 8
static inline __attribute__((always_inline)) void vec_load4(vec v[4], const double *restrict x, const int64_t i[LANES], int dim)
{
#define ROW(l) ((row4) * (const row4_u *)(x + dim * i[l]))
	const vec a = SHUFFLE(ROW(0), ROW(4), 0, 1, 2, 3, 4, 5, 6, 7), b = SHUFFLE(ROW(1), ROW(5), 0, 1, 2, 3, 4, 5, 6, 7);
	const vec c = SHUFFLE(ROW(2), ROW(6), 0, 1, 2, 3, 4, 5, 6, 7), d = SHUFFLE(ROW(3), ROW(7), 0, 1, 2, 3, 4, 5, 6, 7);
	const vec e = SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14), f = SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
	const vec g = SHUFFLE(c, d, 0, 8, 2, 10, 4, 12, 6, 14), h = SHUFFLE(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
#undef ROW
	v[0] = SHUFFLE(e, g, 0, 1, 8, 9, 4, 5, 12, 13);
	v[1] = SHUFFLE(f, h, 0, 1, 8, 9, 4, 5, 12, 13);
	v[2] = SHUFFLE(e, g, 2, 3, 10, 11, 6, 7, 14, 15);
	v[3] = SHUFFLE(f, h, 2, 3, 10, 11, 6, 7, 14, 15);
}
static inline __attribute__((always_inline)) void vec_load2(vec v[2], const double *restrict x, const int64_t i[LANES], int dim)
{
#define ROW(l) ((row2) * (const row2_u *)(x + dim * i[l]))
	const row4 a = SHUFFLE(ROW(0), ROW(2), 0, 1, 2, 3), b = SHUFFLE(ROW(1), ROW(3), 0, 1, 2, 3);
	const row4 c = SHUFFLE(ROW(4), ROW(6), 0, 1, 2, 3), d = SHUFFLE(ROW(5), ROW(7), 0, 1, 2, 3);
#undef ROW
	const vec e = SHUFFLE(a, c, 0, 1, 2, 3, 4, 5, 6, 7), f = SHUFFLE(b, d, 0, 1, 2, 3, 4, 5, 6, 7);
	v[0] = SHUFFLE(e, f, 0, 8, 2, 10, 4, 12, 6, 14);
	v[1] = SHUFFLE(e, f, 1, 9, 3, 11, 5, 13, 7, 15);
}
static inline __attribute__((always_inline)) vec vec_load1(const double *restrict x, const int64_t i[LANES], int dim)
{
	return (vec){x[dim * i[0]], x[dim * i[1]], x[dim * i[2]], x[dim * i[3]],
		x[dim * i[4]], x[dim * i[5]], x[dim * i[6]], x[dim * i[7]]};
}
static inline __attribute__((always_inline)) void vec_rows4(row4 r[LANES], const vec v[4])
{
	const vec e = SHUFFLE(v[0], v[1], 0, 8, 2, 10, 4, 12, 6, 14), f = SHUFFLE(v[0], v[1], 1, 9, 3, 11, 5, 13, 7, 15);
	const vec g = SHUFFLE(v[2], v[3], 0, 8, 2, 10, 4, 12, 6, 14), h = SHUFFLE(v[2], v[3], 1, 9, 3, 11, 5, 13, 7, 15);
	const vec a = SHUFFLE(e, g, 0, 1, 8, 9, 4, 5, 12, 13), b = SHUFFLE(f, h, 0, 1, 8, 9, 4, 5, 12, 13);
	const vec c = SHUFFLE(e, g, 2, 3, 10, 11, 6, 7, 14, 15), d = SHUFFLE(f, h, 2, 3, 10, 11, 6, 7, 14, 15);
	r[0] = SHUFFLE(a, a, 0, 1, 2, 3), r[1] = SHUFFLE(b, b, 0, 1, 2, 3);
	r[2] = SHUFFLE(c, c, 0, 1, 2, 3), r[3] = SHUFFLE(d, d, 0, 1, 2, 3);
	r[4] = SHUFFLE(a, a, 4, 5, 6, 7), r[5] = SHUFFLE(b, b, 4, 5, 6, 7);
	r[6] = SHUFFLE(c, c, 4, 5, 6, 7), r[7] = SHUFFLE(d, d, 4, 5, 6, 7);
}
#else
static inline __attribute__((always_inline)) void vec_load4(vec v[4], const double *restrict x, const int64_t i[LANES], int dim)
{
#define ROW(l) ((row4) * (const row4_u *)(x + dim * i[l]))
	const vec e = SHUFFLE(ROW(0), ROW(1), 0, 4, 2, 6), f = SHUFFLE(ROW(0), ROW(1), 1, 5, 3, 7);
	const vec g = SHUFFLE(ROW(2), ROW(3), 0, 4, 2, 6), h = SHUFFLE(ROW(2), ROW(3), 1, 5, 3, 7);
#undef ROW
	v[0] = SHUFFLE(e, g, 0, 1, 4, 5);
	v[1] = SHUFFLE(f, h, 0, 1, 4, 5);
	v[2] = SHUFFLE(e, g, 2, 3, 6, 7);
	v[3] = SHUFFLE(f, h, 2, 3, 6, 7);
}
static inline __attribute__((always_inline)) void vec_load2(vec v[2], const double *restrict x, const int64_t i[LANES], int dim)
{
#define ROW(l) ((row2) * (const row2_u *)(x + dim * i[l]))
	const vec e = SHUFFLE(ROW(0), ROW(2), 0, 1, 2, 3), f = SHUFFLE(ROW(1), ROW(3), 0, 1, 2, 3);
#undef ROW
	v[0] = SHUFFLE(e, f, 0, 4, 2, 6);
	v[1] = SHUFFLE(e, f, 1, 5, 3, 7);
}
static inline __attribute__((always_inline)) vec vec_load1(const double *restrict x, const int64_t i[LANES], int dim)
{
	return (vec){x[dim * i[0]], x[dim * i[1]], x[dim * i[2]], x[dim * i[3]]};
}
static inline __attribute__((always_inline)) void vec_rows4(row4 r[LANES], const vec v[4])
{
	const vec e = SHUFFLE(v[0], v[1], 0, 4, 2, 6), f = SHUFFLE(v[0], v[1], 1, 5, 3, 7);
	const vec g = SHUFFLE(v[2], v[3], 0, 4, 2, 6), h = SHUFFLE(v[2], v[3], 1, 5, 3, 7);
	r[0] = SHUFFLE(e, g, 0, 1, 4, 5), r[1] = SHUFFLE(f, h, 0, 1, 4, 5);
	r[2] = SHUFFLE(e, g, 2, 3, 6, 7), r[3] = SHUFFLE(f, h, 2, 3, 6, 7);
}
#endif
// The values of a pack's elements i, dim of each, into vectors and back.
static inline __attribute__((always_inline)) void vec_load(vec *v, const double *restrict x, const int64_t i[LANES], int dim)
{
	int d = 0;
	for (; d + 4 <= dim; d += 4)
		vec_load4(v + d, x + d, i, dim);
	for (; d + 2 <= dim; d += 2)
		vec_load2(v + d, x + d, i, dim);
	for (; d < dim; d++)
		v[d] = vec_load1(x + d, i, dim);
}
static inline __attribute__((always_inline)) void vec_store(double *restrict x, const int64_t i[LANES], const vec *v, int dim)
{
	int d = 0;
	for (; d + 4 <= dim; d += 4) {
		row4 r[LANES];
		vec_rows4(r, v + d);
		for (int l = 0; l < LANES; l++)
			*(row4_u *)(x + dim * i[l] + d) = r[l];
	}
	for (; d < dim; d++)
		for (int l = 0; l < LANES; l++)
			x[dim * i[l] + d] = v[d][l];
}
static inline __attribute__((always_inline)) void vec_increase(double *restrict x, const int64_t i[LANES], const vec *v, int dim)
{
	int d = 0;
	for (; d + 4 <= dim; d += 4) {
		row4 r[LANES];
		vec_rows4(r, v + d);
		for (int l = 0; l < LANES; l++)
			*(row4_u *)(x + dim * i[l] + d) += r[l];
	}
	for (; d < dim; d++)
		for (int l = 0; l < LANES; l++)
			x[dim * i[l] + d] += v[d][l];
}

`

// lanePrefix begins the names of functions of vectors that call one of values.
const lanePrefix = "lanes_"

// laneFunction is the function of one lane's values, for packs.
func laneFunction(name, call string, args int) string {
	params := make([]string, args)
	for i := range params {
		params[i] = "vec " + string(rune('x'+i))
	}
	return "static inline __attribute__((always_inline)) vec " + name + "(" + strings.Join(params, ", ") + ")\n{\n" +
		"\tvec r;\n\tfor (int l = 0; l < LANES; l++)\n\t\tr[l] = " + call + ";\n\treturn r;\n}\n\n"
}
