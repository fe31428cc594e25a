package csource

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

var testKnown = Known{
	Headers: []string{"math.h", "string.h"},
	Macros:  map[string]bool{"M_PI": true},
	Types:   map[string]bool{"size_t": true, "int32_t": true},
	Others:  map[string]bool{"memset": true},
	Math:    map[string]bool{"sqrt": true, "sqrtf": true, "fabs": true, "fabsf": true, "pow": true, "powf": true},
	Consts:  []kernel.Const{{Name: "gam", Type: kernel.Basic(loop.Float64)}},
	Structs: []string{"State"},
}

// bare returns the text of a source without #line and what does not change its meaning.
func bare(s *Source) string {
	var lines []string
	for line := range strings.Lines(s.Text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#line") {
			lines = append(lines, line)
		}
	}
	return dense(strings.Join(lines, "\n"))
}

// dense removes white space around marks.
func dense(text string) string { return blanks.ReplaceAllString(text, "$1") }

var blanks = regexp.MustCompile(`[ \t]*([^\w\s])[ \t]*`)

func TestExtract(t *testing.T) {
	for _, c := range []struct{ what, source, want string }{
		{"references", "void f(double &x, const double &y) { x = y; }\nvoid k(double *x) { double a; f(a, x[0]); f(x[1], 2 * a); }",
			"void f(double *x, const double *y) { (*x) = (*y); }\nvoid k(double *x) { double a; f(&(a),&(x[0])); f(&(x[1]),&(double){2 * a}); }"},
		{"references to another type", "void f(const double &y, double *x) { *x = y; }\nvoid k(double *x, int *n) { f(*n, x); f(n[0], x); }",
			"void f(const double *y, double *x) { *x = (*y); }\nvoid k(double *x, int *n) { f(&(double){*n},x); f(&(double){n[0]},x); }"},
		{"local references", "void k(double *x) { double &y = x[2]; const double &z = y; y = z; }",
			"void k(double *x) { double *y = &(x[2]); const double *z = &((*y)); (*y) = (*z); }"},
		{"a reference passed on, and a field of its name", "struct S { double x; };\nvoid g(S &x) { x.x = 1; }\nvoid f(S &x) { g(x); }\nvoid k(double *d) { S s; f(s); d[0] = s.x; }",
			"typedef struct S S;struct S { double x; };\nvoid g(S *x) { (*x).x = 1; }\nvoid f(S *x) { g(&((*x))); }\nvoid k(double *d) { S s; f(&(s)); d[0] = s.x; }"},
		{"a reference to an array", "const int n = 3;\ndouble sum(const double (&x)[n]) { return x[0] + x[2]; }\nvoid k(double *d) { double x[3]; d[0] = sum(x); }",
			"double sum(const double (*x)[(3)]) { return (*x)[0] + (*x)[2]; }\nvoid k(double *d) { double x[3]; d[0] = sum(&(x)); }"},
		{"a const made of itself", "const int M = M + 1;\nvoid k(double *x) { double v[M]; x[0] = 1; }", "const int M = (M + 1) + 1;\nvoid k(double *x) { double v[(M + 1)]; x[0] = 1; }"},
		{"the kernel's parameters", "void k(double &x, const int &n) { x += n; }", "void k(double *x, const int *n) { (*x) += (*n); }"},
		{"references to one of several places", "void f(double &x) { x = 1; }\nvoid k(double *x) { double &y = x[0] > 1 ? x[1] : (x[2] > 0 ? x[2] : x[3]); f(x[0] ? x[1] ? y : x[2] : x[3]); }",
			"void f(double *x) { (*x) = 1; }\nvoid k(double *x) { double *y = x[0] > 1 ? &(x[1]) : x[2] > 0 ? &(x[2]) : &(x[3]); f(x[0] ? x[1] ? &((*y)) : &(x[2]) : &(x[3])); }"},
		{"assertions about what is reached", "template <class T> struct W { T x; };\nstruct V { double x; };\nstatic_assert(sizeof(V) == 8);\nstatic_assert(sizeof(W<int>) == 4);\nvoid k(double *x) { V v; v.x = 1; x[0] = v.x; }",
			"typedef struct V V;struct V { double x; };\n_Static_assert(sizeof(V) == 8,\"\");\nvoid k(double *x) { V v; v.x = 1; x[0] = v.x; }"},
		{"words that say nothing in C", "double f(double x) noexcept;\ndouble f(double x) noexcept { return x; }\nvoid k(double *x) { const int n = 3; static_assert(n < 4, \"few\"); static_assert(true); x[0] = f(1); }",
			"double f(double x);\ndouble f(double x) { return x; }\nvoid k(double *x) { const int n = 3; _Static_assert((3) < 4,\"few\"); _Static_assert(true,\"\"); x[0] = f(1); }"},
		{"casts", "typedef double real;\nvoid k(double *x, int *n) { x[0] = double(n[0]) / real(3); n[1] = static_cast<int>(x[1]); }",
			"typedef double real;\nvoid k(double *x, int *n) { x[0] = ((double)(n[0])) / ((real)(3)); n[1] = ((int)(x[1])); }"},
		{"bounds", "const int N = 2, M = N + 1;\nvoid k(double *x) { const int n = M; double a[n][N]; switch (n) { case M: a[0][0] = n; } x[0] = a[0][0]; }",
			"const int N = 2, M = (2) + 1;\nvoid k(double *x) { const int n = M; double a[(((2) + 1))][(2)]; switch (n) { case ((2) + 1): a[0][0] = n; } x[0] = a[0][0]; }"},
		{"std", "#include <cmath>\nvoid k(double *x, float *f) { x[0] = std::sqrt(x[1]) + std::pow(f[0], 2); f[0] = std::sqrt(f[1] * 2); }",
			"#include <math.h>\nvoid k(double *x, float *f) { x[0] = sqrt(x[1]) + pow(f[0], 2); f[0] = sqrtf(f[1] * 2); }"},
		{"functions of floats by what a cast makes of doubles", "#include <cmath>\nvoid k(double *b, float *f) { f[0] = std::sqrt(float(b[0])); f[1] = std::sqrt((float)b[0] + 2.0f); b[0] = std::sqrt(double(f[0]) + 1) + std::pow(f[0], 2) + std::sqrt(std::pow(f[0], 2)); f[2] = std::sqrt(b[0] > 1 ? f[0] : static_cast<float>(b[0])) + std::sqrt(-(f[0] + std::max(f[1], 0.f))); }",
			"#include <math.h>\nvoid k(double *b, float *f) { f[0] = sqrtf(((float)(b[0]))); f[1] = sqrtf((float)b[0] + 2.0f); b[0] = sqrt(((double)(f[0])) + 1) + pow(f[0], 2) + sqrt(pow(f[0], 2)); f[2] = sqrtf(b[0] > 1 ? f[0] : ((float)(b[0]))) + sqrtf(-(f[0] + ((f[1])<(0.f)?(0.f):(f[1])))); }"},
		{"casts of what pointers lead to", "void k(double *x, int *i) { x[0] = double(*i); if (bool(*i)) i[1] = unsigned(*i & 3) + int(*x); double y(*x), (*z)[3]; x[1] = sizeof(double (*)[3]); }",
			"void k(double *x, int *i) { x[0] = ((double)(*i)); if (((bool)(*i))) i[1] = ((unsigned)(*i & 3)) + ((int)(*x)); double y = (*x), (*z)[3]; x[1] = sizeof(double (*)[3]); }"},
		{"zeros", "void k(double *x) { double s{}; int n = {}; x[0] = s + n; }", "void k(double *x) { double s = {0}; int n = {0}; x[0] = s + n; }"},
		{"limits of integers", "typedef double real;\nvoid k(int *n) { n[0] = std::numeric_limits<unsigned>::max() > std::numeric_limits<unsigned long long>::min(); n[1] = std::numeric_limits<short>::lowest() + std::numeric_limits<real>::max(); }",
			"typedef double real;\nvoid k(int *n) { n[0] = ((unsigned)(-1)) > ((unsigned long long)(0)); n[1] = ((short)(-32767-1)) + ((real)(0x1.fffffffffffffp1023)); }"},
		{"references to temporary structs", "struct V { double x, y; };\nV make() { return {1, 2}; }\ndouble sum(const V &v) { return v.x; }\nvoid k(double *x) { const double &y = x[1] > 0 ? x[2] : x[3]; x[0] = y + sum(V{1, 2}) + sum(make()); }",
			"typedef struct V V;struct V { double x, y; };\nV make() { return(V) {1, 2}; }\ndouble sum(const V *v) { return (*v).x; }\nvoid k(double *x) { const double *y = &(double){x[1] > 0 ? x[2] : x[3]}; x[0] = (*y) + sum(&((V){1, 2})) + sum((V[1]){make()}); }"},
		{"max and min", "void k(double *x) { x[0] = std::max(x[1], 2.); x[1] = std::min(x[0], x[2]); x[2] = MAX(x[0], 1); }",
			"void k(double *x) { x[0] = ((x[1])<(2.)?(2.):(x[1])); x[1] = ((x[2])<(x[0])?(x[2]):(x[0])); x[2] = ((x[0])>(1)?(x[0]):(1)); }"},
		{"abs", "void k(double *x, float *f, int *n) { x[0] = std::abs(x[1]); f[0] = abs(f[1]); n[0] = std::abs(n[1]); }",
			"#include <stdlib.h>\nvoid k(double *x, float *f, int *n) { x[0] = fabs(x[1]); f[0] = fabsf(f[1]); n[0] = abs(n[1]); }"},
		{"own max", "double max(double a, double b) { return a > b ? a : b; }\nvoid k(double &x) { x = max(x, 1); }",
			"double max(double a, double b) { return a > b ? a : b; }\nvoid k(double *x) { (*x) = max((*x), 1); }"},
		{"extern consts", "extern double gam, other;\nvoid k(double *x) { x[0] = gam; }", "void k(double *x) { x[0] = gam; }"},
		{"__builtin_expect and words for operators", "void k(double *x) { if (__builtin_expect(x[0] > 0 and not (x[1] > 0), 1)) x[0] = 0; }",
			"void k(double *x) { if ((x[0] > 0 && ! (x[1] > 0))) x[0] = 0; }"},
		{"digraphs", "void k(double *x) <% x<:0:> = 1; %>", "void k(double *x) { x[ 0] = 1; }"},
		{"initializers", "void k(double *x) { double a{1}, b(2); x[0] = a + b; }", "void k(double *x) { double a={1}, b=(2); x[0] = a + b; }"},
		{"words of CUDA", "__device__ __forceinline__ double f(double x) { return x; }\n__host__ __device__ void k(double *x) { x[0] = f(1); }",
			"double f(double x) { return x; }\nvoid k(double *x) { x[0] = f(1); }"},
		{"what is not reached", "#include <vector>\nusing namespace std;\nclass Mesh { std::vector<int> v; };\ntemplate <class T> T id(T x) { return x; }\n" +
			"namespace n { int f(); }\nextern \"C\" { void other(double *x) { x[0] = undefined; } }\nint main(int argc, char **argv) { Mesh m; return m.size(); }\nvoid k(double *x) { x[0] = 1; }",
			"void k(double *x) { x[0] = 1; }"},
		{"a name that is local", "Mesh mesh;\nvoid k(double *x) { int mesh = 1; for (int Mesh = 0; Mesh < 2; Mesh++) x[mesh] = Mesh; }",
			"void k(double *x) { int mesh = 1; for (int Mesh = 0; Mesh < 2; Mesh++) x[mesh] = Mesh; }"},
		{"macros", "#define N 3\n#define SQ(x) ((x)*(x))\n#define CAT(a, b) a##b\n#define F(x, ...) g(x, __VA_ARGS__)\nvoid g(double x, double y) {}\nvoid k(double *x) { double CAT(y, 1) = SQ(x[N]); F(y1, 2); }",
			"void g(double x, double y) {}\nvoid k(double *x) { double     y1 = ((x[3])*(x[3])); g(y1,2); }"},
		{"conditions", "#define A 2\n#if defined(A) && A * 2 == 4 && !defined B\nvoid k(double *x) { x[0] = 1; }\n#elif 1\n}}}\n#else\n{{{\n#endif\n#ifdef M_PI\nint unused;\n#endif",
			"void k(double *x) { x[0] = 1; }"},
		{"the program's types", "void k(State *s) { State t = *s; double &x = t.x; x = 1; *s = t; }", "void k(State *s) { State t = *s; double *x = &(t.x); (*x) = 1; *s = t; }"},
		{"default arguments", "double f(double x, const double &y = 2, int n = 1);\ndouble f(double x, const double &y, int n) { return x * y + n; }\nvoid k(double *x) { x[0] = f(1) + f(1, x[1]); }",
			"double f(double x,const double *y,int n);\ndouble f(double x, const double *y, int n) { return x * (*y) + n; }\nvoid k(double *x) { x[0] = f(1,&(double){2},1) + f(1,&(x[1]),1); }"},
		{"scopes", "extern \"C\" {\nnamespace gas { inline namespace v2 { double f() { return 1; } } }\n}\nusing namespace gas;\nvoid k(double *x) { using namespace std; using std::max; x[0] = gas::f() + max(x[0], gas::v2::f()); }",
			"double gas_f() { return 1; }\nvoid k(double *x) { x[0] = gas_f() + ((x[0])<(gas_f())?(gas_f()):(x[0])); }"},
		{"members of namespaces that are called as functions of the library", "#include <cmath>\nnamespace m { static double fabs(double x) { return 100; } static double g(double x) { return fabs(x) + std::fabs(x) + ::sqrt(x); } double sqrt(double x); }\ndouble m::sqrt(double x) { return fabs(x); }\nvoid k(double *a) { a[0] = std::fabs(a[1]) + m::g(1) + fabs(a[2]) + ::m::sqrt(2); }",
			"#include <math.h>\nstatic double m_fabs(double x) { return 100; } static double m_g(double x) { return m_fabs(x) + fabs(x) + sqrt(x); } double m_sqrt(double x);\ndouble m_sqrt(double x) { return m_fabs(x); }\nvoid k(double *a) { a[0] = fabs(a[1]) + m_g(1) + fabs(a[2]) + m_sqrt(2); }"},
		{"members of namespaces behind locals and fields", "namespace gas { const double gamma = 1.4; const int n = 2; struct S { double gamma, v[n]; }; double f(double gamma, int m = n) { return gas::gamma * gamma; } }\nnamespace air { const double gamma = 1.5; double f(double x) { return gamma * x; } }\nvoid k(double *a) { int gas_n = 1; gas::S s = {2}; a[0] = gas::f(2) + s.gamma; { using namespace air; a[1] = f(gamma); } using gas::gamma; a[2] = gamma; switch (gas_n) { case gas::n: a[3] = 1; } }",
			"const double gas_gamma = 1.4; const int gas_n_ = 2; typedef struct S S;struct S { double gamma, v[(2)]; }; double gas_f(double gamma, int m) { return gas_gamma * gamma; }\nconst double air_gamma = 1.5; double air_f(double x) { return air_gamma * x; }\nvoid k(double *a) { int gas_n = 1; S s = {2}; a[0] = gas_f(2,gas_n_) + s.gamma; { a[1] = air_f(air_gamma); } a[2] = gas_gamma; switch (gas_n) { case (2): a[3] = 1; } }"},
		{"aliases", "using real = double;\nvoid k(double *x) { using row = real[2]; row y; y[0] = 1; x[0] = y[0]; }",
			"typedef      double real;\nvoid k(double *x) { typedef     real row[2]; row y; y[0] = 1; x[0] = y[0]; }"},
		{"auto", "struct V { double x; };\nfloat g(float x) { return x; }\nvoid k(double *x, float *f, State *s) { auto a = 2 * x[0]; auto b = std::sqrt(f[0]); const auto &c = f[1]; auto d = V{1}; for (auto i = 0; i < 3; i++) x[i] = a * b * c * d.x; }",
			"typedef struct V V;struct V { double x; };\nvoid k(double *x, float *f, State *s) { double a = 2 * x[0]; float b = sqrtf(f[0]); const float *c = &(f[1]); V d = (V){1}; for (int i = 0; i < 3; i++) x[i] = a * b * (*c) * d.x; }"},
		{"values in braces", "struct V { double x, y; };\nV f() { return {1, 2}; }\nvoid k(double *x) { V v = f(), w = V{}; double y = double(); x[0] = v.x + w.x + y; }",
			"typedef struct V V;struct V { double x, y; };\nV f() { return(V) {1, 2}; }\nvoid k(double *x) { V v = f(), w = (V){0}; double y = (double){0}; x[0] = v.x + w.x + y; }"},
		{"limits, and functions of the standard library", "#include <cstring>\nvoid k(double *x) { double y[2]; std::memset(y, 0, sizeof y); x[0] = std::numeric_limits<double>::epsilon(); x[1] = y[0]; }",
			"#include <string.h>\nvoid k(double *x) { double y[2]; memset(y,0,sizeof y); x[0] = ((double)(0x1p-52)); x[1] = y[0]; }"},
		{"a class of data, attributes and marks between digits", "class V { public: double x; };\n[[nodiscard]] int f() { return 1'000; }\nvoid k(double *x) { [[maybe_unused]] V v; v.x = f(); x[0] = v.x; }",
			"typedef struct V V;struct V { double x; };\nint f() { return 1000; }\nvoid k(double *x) { V v; v.x = f(); x[0] = v.x; }"},
		{"an enum with its own names", "enum class Side : int { left, right = 2 };\nvoid k(double *x) { Side s = Side::right; x[s] = 1; }",
			"enum       Side { left, right = 2 };typedef enum Side Side;\nvoid k(double *x) { Side s = right; x[s] = 1; }"},
		{"enums", "enum Side { left, right = 2 };\nvoid k(double *x) { Side s = right; x[s] = left; }",
			"enum Side { left, right = 2 };typedef enum Side Side;\nvoid k(double *x) { Side s = right; x[s] = left; }"},
	} {
		s, ok := Extract("k", Given{File: "k.c", Text: c.source}, testKnown)
		switch {
		case !ok || len(s.Problems) > 0:
			t.Errorf("%s: %v", c.what, s)
		case bare(s) != dense(c.want):
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c.what, bare(s), dense(c.want))
		}
	}
}

// A guard may have a reserved name, as those of OP2's kernels do: no directive is left of it.
func TestReservedGuard(t *testing.T) {
	s, ok := Extract("k", Given{File: "k.h", Text: "#ifndef op2_k_h\n#define op2_k_h\nvoid k(double *x) { x[0] = 1; }\n#endif\n"}, testKnown)
	if !ok || !s.Changed || strings.Contains(s.Text, "op2_") {
		t.Errorf("got %v", s)
	}
}

func TestRefusedCpp(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"template <class T> T f(T x) { return x; }\nvoid k(double *x) { x[0] = f(1.); }", "1:1: f is a template; write one for each type that is used"},
		{"struct V { double x; V(double a) { x = a; } };\nvoid k(double *x) { V v; x[0] = v.x; }", "1:22: V has a function, V; make it a function that takes a pointer, and set fields one by one"},
		{"struct W { double a; };\nstruct V : W { double x; };\nvoid k(double *x) { V v; }", "2:10: V is derived from another struct; write the fields, or make it a field"},
		{"struct V { double x; };\nvoid k(double *x) { x[0] = V(1).x; }", "2:28: V is made by a constructor; declare a variable, and set its fields"},
		{"void k(double *x) { auto y = x[0] > 1 ? 1 : 2; auto [a, b] = f(x); }", "1:21: auto has no counterpart in C99; write the type\n1:53: a declaration of several variables from a struct; declare one variable for each"},
		{"void k(double *x) { auto f = [](double y) { return y; }; }", "1:30: a lambda expression; write a function"},
		{"void k(double *x) { std::array<double, 3> v; if (int i = x[0]) x[0] = i; }", "1:26: std::array is a type of C++; use numbers, arrays and structs of these\n1:50: a declaration in the parentheses of if; declare it in a statement of its own"},
		{"void k(const std::string &s) { typeid(s); }", "1:19: std::string is a type of C++; use numbers, arrays and structs of these\n1:32: typeid has no counterpart in C; use plain structs and functions"},
		{"void k(double *x) { try { x[0] = 1; } catch (...) { throw; } }", "1:21: try has no counterpart in C; count failures in a global that is passed with Inc\n1:53: throw has no counterpart in C; count failures in a global that is passed with Inc"},
		{"auto f(double x) -> double { return x; }\nvoid k(double *x) { x[0] = f(1); }", "1:18: f has its type after ->; write it before the name of the function"},
		{"void k(double *x) { double y[2]; for (double z : y) x[0] += z; }", "1:34: a for loop over a range; count: for (int i = 0; i < n; i++)"},
		{"void k(double *x) { std::vector<double> v; }", "1:26: std::vector is a type of C++; use numbers, arrays and structs of these"},
		{"void k(double *x) { x[0] = std::accumulate(x, x + 2, 0.); }", "1:33: std::accumulate has no counterpart in C; write it as a function of your own"},
		{"void k(double *x) { x[0] = mine::f(x); }", "1:28: mine:: is a namespace or a class; write plain functions, with names of their own"},
		{"void k(double *x) { double *y = new double[2]; }", "1:33: new has no counterpart in C; use an array of constant length"},
		{"void f(double x) {}\nvoid f(double x, int n) {}\nvoid k(double *x) { f(1); }", "2:6: f is overloaded, first in line 1; give them different names"},
		{"double &f(double *x) { return *x; }\nvoid k(double *x) { f(x) = 1; }", "1:9: f returns a reference; return the value"},
		{"double f(double x) { return x; }\nint f(int x) { return x; }\nvoid k(double *x) { f(1); }", "2:5: f is overloaded, first in line 1; give them different names"},
		{"const int n = 2;\nvoid f(double x = n) {}\nvoid k(double *x) { int n = 1; f(); }", "3:34: the default value of x is not seen behind the local n; pass the value"},
		{"void f(double &x) {}\nvoid k(double *x) { f(x[1] = x[2]); }", "2:23: a reference to what is assigned; assign in a statement of its own"},
		{"void k(double *x) { double &one = 1; }", "1:35: a reference to a number, which has no place; declare the reference const"},
		{"struct s { double &r; };\nvoid k(double *x) { s t; }", "1:20: r is a reference to nothing; bind it where it is declared, as double &y = x[0]; a field can be a pointer"},
		{"void k(double *x) { x[0] = (double &)x[1] + reinterpret_cast<double &>(x[2]); }", "1:36: a cast to a reference; cast the value, (double)x, or a pointer to it, *(double *)&x\n1:69: a cast to a reference; cast the value, (double)x, or a pointer to it, *(double *)&x"},
		{"void k(double *x) { auto p = &x[1]; }", "1:21: auto has no counterpart in C99; write the type"},
		{"namespace a { struct S { double x; }; }\nnamespace b { struct S { int x; }; }\nvoid k(double *x) { a::S s; b::S t; }", "2:15: S is declared in several namespaces, first in line 1; give them different names"},
		{"namespace a { enum { X = 1 }; }\nnamespace b { enum { X = 2 }; }\nvoid k(double *x) { x[0] = a::X; }", "2:15: X is declared in several namespaces, first in line 1; give them different names"},
		{"namespace a { double f(double x) { return x; } }\nnamespace b { double f(double x) { return x; } }\nusing namespace a; using namespace b;\nvoid k(double *x) { x[0] = f(1); }", "4:28: f is in several namespaces; write its namespace, too, as a::f"},
		{"namespace m { double sqrt(double x) { return x; } }\nvoid k(double *x) { using namespace m; x[0] = sqrt(1.) + m::fabs(2.); }", "2:47: sqrt is in several namespaces; write its namespace, too, as m::sqrt\n2:61: m has no member fabs; write std:: for functions of the library"},
		{"#define SQ(x) ((x)*(x))\nvoid k(double *x) { x[0] = SQ(*x, 1); }", "2:28: the macro SQ takes 1 argument, and gets 2; "},
		{"void k(double *x) { x[0] = std::numeric_limits<char>::max(); }", "1:33: std::numeric_limits<char>::max has no counterpart in C; write the value"},
		{"void k(double *x) { x[0] = std::max(x[1]++, 2.); }", "1:41: an assignment within max; assign in a statement of its own"},
		{"extern float gam;\nvoid k(double *x) { x[0] = gam; }", "1:1: gam is declared as float, and registered as float64; declare it as the value is registered, or not at all"},
		{"#define A A A\n#define B(x) x x x x x x x x\nvoid k(double *x) { B(B(B(B(B(B(B(1))))))) ; }", "3:33: the macro B expands to too much; simplify it"},
	} {
		s, ok := Extract("k", Given{File: "k.c", Text: c.source}, testKnown)
		if !ok {
			t.Errorf("%s: it is not understood", c.source)
			continue
		}
		var got []string
		for _, p := range s.Problems {
			got = append(got, fmt.Sprintf("%d:%d: %s; %s", p.Pos.Line, p.Pos.Col, p.Msg, p.Hint))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c.source, strings.Join(got, "\n"), c.want)
		}
	}
}

func TestIncludes(t *testing.T) {
	files := fstest.MapFS{
		"kernels/flux.h":   {Data: []byte("#include \"common.h\"\n#include \"twice.h\"\n#include <vector>\n#include \"absent.h\"\nvoid flux(double *x) {\n  #include \"flux.inc\"\n}\n")},
		"kernels/flux.inc": {Data: []byte("double y = twice(x[N]);\nx[0] = y;\n")},
		"common.h":         {Data: []byte("#pragma once\n#define N 1\n#include \"twice.h\"\n")},
		"math/twice.h":     {Data: []byte("#ifndef TWICE\n#define TWICE\ndouble twice(double x) { return 2 * x; }\n#endif\n")},
	}
	given := Given{File: "kernels/flux.h", Text: string(files["kernels/flux.h"].Data), Files: files}
	s, ok := Extract("flux", given, testKnown)
	if !ok || len(s.Missing) != 1 || s.Missing[0].Pos.String() != "kernels/flux.h:4:10" || s.Missing[0].Msg != "absent.h is not among the files" {
		t.Fatalf("%v", s)
	}
	if want := "double twice(double x) { return 2 * x; }\nvoid flux(double *x) {\ndouble y = twice(x[1]);\nx[0] = y;\n}"; bare(s) != dense(want) {
		t.Errorf("got\n%s\nwant\n%s", bare(s), want)
	}
	if found := Functions(given, testKnown); len(found) != 2 || found["twice"].String() != "math/twice.h:3:8" {
		t.Errorf("it defines %v", found)
	}
}

func TestOrigin(t *testing.T) {
	s, ok := Extract("k", Given{File: "k.c", Text: "void f(double &value, double y) { value = y; }\nvoid k(double *x) {\n\n\n\n\n\n\n  f(x[0], x[1]);\n}\n"}, testKnown)
	if !ok {
		t.Fatal("it is not understood")
	}
	lines := strings.Split(s.Text, "\n")
	at := kernel.Pos{File: "k.c"}
	for _, line := range lines {
		if _, err := fmt.Sscanf(line, "#line %d", &at.Line); err == nil {
			at.Line--
			continue
		}
		at.Line++
		for word, want := range map[string]string{"y;": "k.c:1:43", "x[1]": "k.c:9:11"} {
			if i := strings.Index(line, word); i >= 0 {
				at.Col = i + 1
				if got := s.Origin(at).String(); got != want {
					t.Errorf("%s at %s, which is %s, want %s", word, at, got, want)
				}
			}
		}
	}
}
