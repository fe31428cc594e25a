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
		{"a reference to an array", "double sum(const double (&x)[3]) { return x[0] + x[2]; }\nvoid k(double *d) { double x[3]; d[0] = sum(x); }",
			"double sum(const double (*x)[3]) { return (*x)[0] + (*x)[2]; }\nvoid k(double *d) { double x[3]; d[0] = sum(&(x)); }"},
		{"the kernel's parameters", "void k(double &x, const int &n) { x += n; }", "void k(double *x, const int *n) { (*x) += (*n); }"},
		{"casts", "typedef double real;\nvoid k(double *x, int *n) { x[0] = double(n[0]) / real(3); n[1] = static_cast<int>(x[1]); }",
			"typedef double real;\nvoid k(double *x, int *n) { x[0] = ((double)(n[0])) / ((real)(3)); n[1] = ((int)(x[1])); }"},
		{"bounds", "const int N = 2, M = N + 1;\nvoid k(double *x) { const int n = M; double a[n][N]; switch (n) { case M: a[0][0] = n; } x[0] = a[0][0]; }",
			"const int N = 2, M = (2) + 1;\nvoid k(double *x) { const int n = M; double a[(((2) + 1))][(2)]; switch (n) { case ((2) + 1): a[0][0] = n; } x[0] = a[0][0]; }"},
		{"std", "#include <cmath>\nvoid k(double *x, float *f) { x[0] = std::sqrt(x[1]) + std::pow(f[0], 2); f[0] = std::sqrt(f[1] * 2); }",
			"#include <math.h>\nvoid k(double *x, float *f) { x[0] = sqrt(x[1]) + pow(f[0], 2); f[0] = sqrtf(f[1] * 2); }"},
		{"max and min", "void k(double *x) { x[0] = std::max(x[1], 2.); x[1] = std::min(x[0], x[2]); x[2] = MAX(x[0], 1); }",
			"void k(double *x) { x[0] = ((x[1])<(2.)?(2.):(x[1])); x[1] = ((x[2])<(x[0])?(x[2]):(x[0])); x[2] = ((x[0])>(1)?(x[0]):(1)); }"},
		{"abs", "void k(double *x, float *f, int *n) { x[0] = std::abs(x[1]); f[0] = abs(f[1]); n[0] = std::abs(n[1]); }",
			"void k(double *x, float *f, int *n) { x[0] = fabs(x[1]); f[0] = fabsf(f[1]); n[0] = abs(n[1]); }"},
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

func TestRefusedCpp(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"template <class T> T f(T x) { return x; }\nvoid k(double *x) { x[0] = f(1.); }", "1:1: f is a template; write a function for each type that is used"},
		{"struct V { double x; V(double a) { x = a; } };\nvoid k(double *x) { V v; x[0] = v.x; }", "1:22: V has a function, V; make it a function that takes a pointer, and set fields one by one"},
		{"class V { double x; };\nvoid k(double *x) { V v; }", "1:1: class V; use a struct of numbers and arrays, and functions"},
		{"struct V { double x; };\nvoid k(double *x) { x[0] = V(1).x; }", "2:28: V is made by a constructor; declare a variable, and set its fields"},
		{"void k(double *x) { auto y = x[0]; }", "1:21: auto has no counterpart in C99; write the type"},
		{"void k(double *x) { auto f = [](double y) { return y; }; }", "1:21: auto has no counterpart in C99; write the type\n1:30: a lambda expression; write a function"},
		{"void k(double *x) { double y[2]; for (double z : y) x[0] += z; }", "1:34: a for loop over a range; count: for (int i = 0; i < n; i++)"},
		{"void k(double *x) { std::vector<double> v; }", "1:26: std::vector is a type of C++; use numbers, arrays and structs of these"},
		{"void k(double *x) { x[0] = std::accumulate(x, x + 2, 0.); }", "1:33: std::accumulate has no counterpart in C; write it as a function of your own"},
		{"void k(double *x) { x[0] = mine::f(x); }", "1:28: mine:: is a namespace or a class; write plain functions, with names of their own"},
		{"void k(double *x) { double *y = new double[2]; }", "1:33: new has no counterpart in C; use an array of constant length"},
		{"void f(double x) {}\nvoid f(double x, int n) {}\nvoid k(double *x) { f(1); }", "2:6: f is overloaded, first in line 1; give them different names"},
		{"double &f(double *x) { return *x; }\nvoid k(double *x) { f(x) = 1; }", "1:9: f returns a reference; return the value"},
		{"void f(double x = 1) {}\nvoid k(double *x) { f(); }", "1:17: x has a default value; pass the value in each call"},
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
