package codegen

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

func TestNames(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"x1", "x1"}, {"resCalc", "resCalc"}, {"x_", "x_"}, {"data", "data"}, {"interval", "interval"}, {"strlen", "strlen"},
		{"register", "register_"}, {"double", "double_"}, {"double_", "double_"}, {"template", "template_"}, {"uint", "uint_"},
		{"sqrt", "sqrt_"}, {"sqrtf", "sqrtf_"}, {"I", "I_"}, {"NULL", "NULL_"}, {"linux", "linux_"}, {"_x", "u_x_"}, {"T", "T"},
		{"size_t", "size_t_"}, {"UINT8_C", "UINT8_C_"}, {"FLT_MAX", "FLT_MAX_"}, {"cl_khr_fp64", "cl_khr_fp64_"},
		{"_Bool", "u_Bool_"}, {"__global_", "u__global__"}, {"op2_index", "op2_index_"}, {"op2", "op2_"},
		{"größe", "gru00f6u00dfe"}, {"Δt", "u0394t"}, {"π", "u03c0"},
	} {
		if got := inner(test.name); got != test.want {
			t.Errorf("%s is %s, want %s", test.name, got, test.want)
		}
		if got := outer(test.name); test.want != test.name && got != strings.TrimSuffix(test.want, "_")+"_" {
			t.Errorf("%s is %s at file scope", test.name, got)
		}
	}
}

// Long names of loops that differ anywhere stay different.
func TestStem(t *testing.T) {
	long := strings.Repeat("loop", 25)
	expect(t, Stem("step_"), "step")
	expect(t, Stem(long), long)
	expect(t, Stem(long+"_1"), long[:83]+"_2ea5b8d57f31e7bc")
	expect(t, Stem(long+"_2"), long[:83]+"_e6dbb658030c5ac6")
}

// Names that would collide get a number.
func TestScope(t *testing.T) {
	s := newScope(nil)
	var got []string
	for _, name := range []string{"x", "x", "x_2", "double", "double_", "double"} {
		got = append(got, s.fresh(name))
	}
	mark := s.enter()
	got = append(got, s.outer("double"), s.fresh("y"))
	s.leave(mark)
	got = append(got, s.outer("y"), s.fresh("y"))
	expect(t, strings.Join(got, " "), "x x_2 x_2_2 double_ double_2_ double_3_ double_4_ y y_ y")
}

// Functions have separate names, and results and arrays in the forms that C supports.
func TestFunctions(t *testing.T) {
	k := fromGo(t, `
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
	args := []loop.Arg{datArg(loop.RW, 0, loop.Direct, 0), datArg(loop.RW, 1, loop.Direct, 0)}
	data := []loop.Data{{Kind: loop.Dat, Type: loop.Int64, Dim: 8}, {Kind: loop.Dat, Type: loop.Float64, Dim: 8}}
	program := Sequential(Input{Loop: &loop.Loop{Kernel: "k", Args: args, Data: data}, Kernel: k})
	text := program.Text
	_, text, _ = strings.Cut(text, "#include <string.h>\n\n")
	text, _, _ = strings.Cut(text, "\n#line 79")
	expect(t, text, `typedef struct {
	double x;
	double y;
} point_;

static double fault_;
static double pow10_;

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
	memcpy(v_2, v, sizeof v_2);
	double r[3] = {0};
	bool err = false;
	v_2[0] = q.x;
	memcpy(r, v_2, sizeof(double[3]));
	memcpy(p[1], v_2, sizeof(double[3]));
	memcpy(result0, r, sizeof(double[3]));
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
static inline void k_(const int64_t a[8], double x[8])
{
	int64_t i = 0;
	int64_t j = 0;
	divmod_(a[0], a[1], &i, &j);
	double m[2][3] = {0};
	double t[3] = {1.0, 2.0, 3.0};
	point_ t_2 = {fault_, pow10_};
	double v[3] = {0};
	bool b = false;
	named_(t, m, t_2, v, &b);
	point_ p = {0};
	void_(&p);
	x[0] = sqrt_(x[1]) + reads_(v, m[1], &p, &b) + (double)(i + j);
}
`)
	if program.Symbol != "op2_wrap_k" || program.Name != "k" || program.Faults {
		t.Errorf("got %+v", program)
	}
	want := []Slot{{SlotRuns, 0}, {SlotCount, 0}, {SlotData, 0}, {SlotData, 1}, {SlotConst, 0}, {SlotConst, 1}}
	for i, slot := range program.Slots {
		if slot != want[i] {
			t.Errorf("slot %d is %v, want %v", i, slot, want[i])
		}
	}
}
