package codegen_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
)

// Functions have separate names, and results and arrays in the forms that C supports.
func TestFunctions(t *testing.T) {
	k := codegentest.FromGo(t, `
type point struct{ x, y float64 }

var fault, pow10 float64

func sqrt(x float64) float64 { return math.Sqrt(x) }

func divmod(x, y int64) (int64, int64) { return x / 2, y % 2 }

func named(v [3]float64, p *[2][3]float64, q point) (r [3]float64, err bool) {
	v[0] = q.x
	r = v
	p[1] = v
	return
}

func reads(v *[3]float64, w [3]float64, p *point, f *bool) float64 {
	return v[0] + w[1] + p.x
}

func void(p *point) { p.x = 1 }

func k(a *[8]int64, x *[8]float64) {
	i, j := divmod(a[0], a[1])
	m := [2][3]float64{}
	v, b := named([3]float64{1, 2, 3}, &m, point{fault, pow10})
	p := point{}
	void(&p)
	x[0] = sqrt(x[1]) + reads(&v, m[1], &p, &b) + float64(i+j)
}`)
	args := []loop.Arg{codegentest.Dat(loop.RW, 0, loop.Direct, 0), codegentest.Dat(loop.RW, 1, loop.Direct, 0)}
	data := []loop.Data{{Kind: loop.Dat, Type: loop.Int64, Dim: 8}, {Kind: loop.Dat, Type: loop.Float64, Dim: 8}}
	program := host.Sequential(codegen.Input{Loop: &loop.Loop{Kernel: "k", Args: args, Data: data}, Kernel: k})
	text := program.Text
	_, text, _ = strings.Cut(text, "#include <stdint.h>\n\n")
	text, _, _ = strings.Cut(text, "\n#line 79")
	codegentest.Expect(t, text, `// What leads to the consts, and to where the loop ends at a fault.
typedef struct {
	struct op2_consts *consts;
} op2_context;

typedef struct {
	double x;
	double y;
} point_;

struct op2_consts {
	double fault;
	double pow10;
};

#line 9 "k.go"
static inline void divmod_(int64_t x, int64_t y, int64_t *result0, int64_t *result1)
{
	*result0 = x / 2;
	*result1 = y % 2;
	return;
}

#line 11 "k.go"
static inline void named_(
	double v[3], double p[2][3], point_ q, double result0[3], bool *result1)
{
	double v_2[3];
	__builtin_memcpy(v_2, v, sizeof v_2);
	double r[3] = {0};
	bool err = false;
	v_2[0] = q.x;
	__builtin_memcpy(r, v_2, sizeof(double[3]));
	__builtin_memcpy(p[1], v_2, sizeof(double[3]));
	__builtin_memcpy(result0, r, sizeof(double[3]));
	*result1 = err;
	return;
}

#line 22 "k.go"
static inline void void_(point_ *p)
{
	p->x = 1.0;
}

#line 7 "k.go"
static inline double sqrt_(double x)
{
	return sqrt(x);
}

#line 18 "k.go"
static inline double reads_(
	const double v[3], const double w[3], const point_ *p, const bool *f)
{
	return v[0] + w[1] + p->x;
}

#line 24 "k.go"
static inline void k_(const op2_context op2, const int64_t a[8], double x[8])
{
	int64_t i = 0;
	int64_t j = 0;
	divmod_(a[0], a[1], &i, &j);
	double m[2][3] = {0};
	double t[3] = {1.0, 2.0, 3.0};
	point_ t_2 = {op2.consts->fault, op2.consts->pow10};
	double v[3] = {0};
	bool b = false;
	named_(t, m, t_2, v, &b);
	point_ p = {0};
	void_(&p);
	x[0] = sqrt_(x[1]) + reads_(v, m[1], &p, &b) + (double)(i + j);
}

#line 85 "wrap_k.c"
static __attribute__((noinline)) void op2_loop_k(
	const int32_t (*run)[2], const int32_t (*end)[2], int64_t *restrict a,
	double *restrict x, struct op2_consts *restrict consts)
{
	volatile _Alignas(64) char aligned = 0; // GCC before 14 needs a reason to align the arrays here
	for (; run < end; run++) {
		const int64_t last = (*run)[1];
		for (int64_t n = (*run)[0]; n < last; n++) {
			k_((op2_context){consts}, a + 8 * n, x + 8 * n);
		}
	}
}

__attribute__((visibility("default")))
void op2_wrap_k(void **args)
{
	const int32_t (*run)[2] = args[0];
	const int64_t *runs = args[1];
	struct op2_consts consts;
	consts.fault = *(const double *)args[4];
	consts.pow10 = *(const double *)args[5];
	op2_loop_k(run, run + *runs, args[2], args[3], &consts);
}
`)
	if program.Symbol != "op2_wrap_k" || program.Name != "k" || program.Faults {
		t.Errorf("got %+v", program)
	}
	want := []codegen.Slot{{codegen.SlotRuns, 0}, {codegen.SlotCount, 0}, {codegen.SlotData, 0}, {codegen.SlotData, 1}, {codegen.SlotConst, 0}, {codegen.SlotConst, 1}}
	for i, slot := range program.Slots {
		if slot != want[i] {
			t.Errorf("slot %d is %v, want %v", i, slot, want[i])
		}
	}
}
