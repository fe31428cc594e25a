package fromc

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
)

// errorCases are sources of a kernel k that are refused, and the messages.
var errorCases = []struct{ source, want string }{
	{
		"void k(double *x) { x[0] = gan; }",
		`kernel k: k.c:1:28: undefined: gan
  hint: did you mean gam?`,
	},
	{
		"void k(double *x) { x[0] = alpha * gam; }",
		`kernel k: k.c:1:28: undefined: alpha
  hint: a value of the program is registered with op2.NewConst(rt, "alpha", &alpha)`,
	},
	{
		"void k(double *velocity) { velocty[0] = 1; }",
		`kernel k: k.c:1:28: undefined: velocty
  hint: did you mean velocity?`,
	},
	{
		"void k(double *x) {\n  x[0] = 1\n}",
		`kernel k: k.c:3:1: unexpected '}', expected ';'`,
	},
	{
		"void k(double *x) { x[0] = ; y = }",
		`kernel k: k.c:1:28: unexpected ';', expected unary expression`,
	},
	{
		"void k(double *x) {",
		`kernel k: k.c:1:20: unexpected end of the source, expected '}'`,
	},
	{
		"const int n = 3\ninline double f(const double (&x)[n]) { return x[0]; }\nvoid k(double *x) { double t[n]; x[0] = f(t); }",
		`kernel k: k.c:2:1: unexpected 'inline', expected ';'`,
	},
	{
		"void k(double *x) { goto }",
		`kernel k: k.c:1:26: unexpected '}', expected identifier`,
	},
	{
		"}",
		`kernel k: k.c:1:1: unexpected '}', expected direct declarator`,
	},
	{
		"",
		`kernel k: the source defines no function k`,
	},
	{
		"void g(double *x) { x[0] = 1; }",
		`kernel k: the source defines no function k
  hint: it defines g`,
	},
	{
		"#include <assert.h>\n#include <stdlib.h>\nvoid k(double *x) { assert(x[0] > 0); if (x[0] < 0) abort(); }",
		`kernel k: k.c:3:21: assert ends the whole program
  hint: add to a global that is passed with Inc, and look at it after the loop
k.c:3:53: abort ends the whole program
  hint: add to a global that is passed with Inc, and look at it after the loop`,
	},
	{
		"struct S { double rho, e; };\nvoid k(double *x) { struct S s = {1, 2}; double *p = &(x[0] + 1);\n\tx[0] = s.Rh; x[0] = s.pressure; }",
		`kernel k: k.c:2:56: x[0] + 1 has no address: it is a value
  hint: store it in a variable first
k.c:3:10: S has no field Rh
  hint: did you mean rho?
k.c:3:23: S has no field pressure
  hint: it has rho, e`,
	},
	{
		"typedef enum Side Side\nvoid k(double *x) { x[0] = 1; }",
		"kernel k: k.c:2:1: unexpected 'void', expected external declaration",
	},
	{
		"namespace { double exp(void) { return 7; } }\nvoid k(double *x) { x[0] = exp(1.); }",
		"kernel k: k.c:1:20: exp is a function of <math.h>, with another type\n  hint: give it another name",
	},
	{
		"void k(double *x, int *n) { double v[*n]; x[0] = 6 / n[0] + n[0] % 0; n[0] /= 0; }",
		`kernel k: k.c:1:36: v is an array of variable length
  hint: give it a constant length, the largest one
k.c:1:61: an integer is divided by zero
k.c:1:79: an integer is divided by zero`,
	},
	{
		"void k(double *x) { double *p = 0; x[0] = *p; p = (double *)16; *(int *)0 = 1; }",
		`kernel k: k.c:1:61: the integer 16 is made a pointer
  hint: pointers of a kernel lead into its arguments and arrays
k.c:1:65: the null pointer is followed
  hint: let it point into an argument or an array first`,
	},
	{
		"void k(double *x) { double *p = 0; x[0] = *p; }",
		`kernel k: k.c:1:43: the null pointer is followed
  hint: let it point into an argument or an array first`,
	},
	{
		"int k(double *x) { return 1; }",
		`kernel k: k.c:1:5: the kernel returns int
  hint: results leave through parameters: declare it void`,
	},
	{
		"void k(double *x, ...) { x[0] = 1; }",
		`kernel k: k.c:1:6: the kernel takes a variable number of arguments
  hint: each argument of the loop needs a parameter of its own`,
	},
	{
		"void k(x) double *x; { x[0] = 1; }",
		`kernel k: k.c:1:6: k is defined in the style before ANSI C
  hint: write the types in the list: void k(double *x, ...)`,
	},
	{
		"void k(double x, int n) { x = 1; }",
		`kernel k: k.c:1:15: parameter 1 (x) is no pointer, it is a double
  hint: declare it as const double *x
k.c:1:22: parameter 2 (n) is no pointer, it is an int
  hint: declare it as const int *n`,
	},
	{
		"void k(double *x, long double *y) { }",
		`kernel k: k.c:1:31: parameter 2 (y) has type long double*: there is no data of that type
  hint: the types of data are float, double, bool, the integers of <stdint.h>, and structs of these`,
	},
	{
		"enum e { A }; void k(enum e *b) { }",
		`kernel k: k.c:1:29: parameter 1 (b) has type enum*: there is no data of that type
  hint: the types of data are float, double, bool, the integers of <stdint.h>, and structs of these`,
	},
	{
		"void k(void *b) { }",
		`kernel k: k.c:1:13: parameter 1 (b) has type void*, which no argument of a loop has
  hint: all parameters of a kernel are pointers to numbers: double *x, double x[3], double x[3][2] or double *x[3]`,
	},
	{
		"union u { int a; }; void k(union u *b) { }",
		`kernel k: k.c:1:36: parameter 1 (b) has type union u {a int}*, which no argument of a loop has
  hint: all parameters of a kernel are pointers to numbers: double *x, double x[3], double x[3][2] or double *x[3]`,
	},
	{
		"void k(double ***b) { }",
		`kernel k: k.c:1:15: parameter 1 (b) has type double***, which no argument of a loop has
  hint: all parameters of a kernel are pointers to numbers: double *x, double x[3], double x[3][2] or double *x[3]`,
	},
	{
		"void k(double *x[3][2]) { }",
		`kernel k: k.c:1:15: parameter 1 (x) has type double*[3][2], which no argument of a loop has
  hint: all parameters of a kernel are pointers to numbers: double *x, double x[3], double x[3][2] or double *x[3]`,
	},
	{
		"void k(int (*g)(int)) { }",
		`kernel k: k.c:1:12: parameter 1 (g) has type function*, which no argument of a loop has
  hint: all parameters of a kernel are pointers to numbers: double *x, double x[3], double x[3][2] or double *x[3]`,
	},
	{
		"void k(double _Complex *b) { }",
		`kernel k: k.c:1:24: parameter 1 (b) has type _Complex double*, which no argument of a loop has
  hint: all parameters of a kernel are pointers to numbers: double *x, double x[3], double x[3][2] or double *x[3]`,
	},
	{
		"void k(size_t *n) { }",
		`kernel k: k.c:1:15: undefined type: size_t
  hint: #include <stddef.h>`,
	},
	{
		"void k(double *x) { foo_t y; y = 1; }",
		`kernel k: k.c:1:27: undefined type: foo_t`,
	},
	{
		"void k(double *x) { struct s t; t.a = 1; }",
		`kernel k: k.c:1:34: struct s is not defined`,
	},
	{
		"#include <foo.h>\nvoid k(double *x) { foo(x); }",
		`kernel k: k.c:1:10: there is no header foo.h for kernels
  hint: these are there: assert.h, float.h, limits.h, math.h, stdbool.h, stddef.h, stdint.h, stdio.h, stdlib.h, string.h, tgmath.h
k.c:2:21: undefined function: foo
  hint: define it in the source of the kernel`,
	},
	{
		"#include \"bar.h\"\nvoid k(double *x) { x[BAR] = 0; }",
		`kernel k: k.c:1:10: there is no header bar.h for kernels
  hint: these are there: assert.h, float.h, limits.h, math.h, stdbool.h, stddef.h, stdint.h, stdio.h, stdlib.h, string.h, tgmath.h; ckernel.Files includes files of your own
k.c:2:23: undefined: BAR
  hint: a value of the program is registered with op2.NewConst(rt, "BAR", &BAR)`,
	},
	{
		"void k(double *x) { gam = 3; qinf[0] = 1; }",
		`kernel k: k.c:1:21: gam is a const of the program, and is written
  hint: values leave a kernel through its parameters: use a global
k.c:1:30: qinf is a const of the program, and is written
  hint: values leave a kernel through its parameters: use a global`,
	},
	{
		"void k(const double *x) { x[0] = 3; *x += 1; const int n = 3; n++; }",
		`kernel k: k.c:1:27: x[0] is const, and is written
k.c:1:37: *x is const, and is written
k.c:1:63: n is const, and is written`,
	},
	{
		"static int count;\nvoid k(double *x) { count++; static int n; n++; }",
		`kernel k: k.c:2:21: count is a variable of the file, and is written
  hint: elements run at the same time, and share it: values leave a kernel through its parameters
k.c:2:41: n is a static variable
  hint: elements run at the same time, and share it: drop static, or add const`,
	},
	{
		"void k(double *x) { register y = 1; *x = y; }",
		`kernel k: k.c:1:21: a declaration without a type
  hint: write the type: C before C99 takes it for an int, and C++ for that of the value`,
	},
	{
		"void k(double *x) { if (x[0] < 0) throw 1; }",
		`kernel k: k.c:1:35: throw has no counterpart in C
  hint: count failures in a global that is passed with Inc`,
	},
	{
		"struct s { double x; };\nvoid k(double *x) { struct s a = {1}, b = a + a; x[0] = b.x; }",
		`kernel k: k.c:2:45: invalid operands: struct s {x double} and struct s {x double}
  hint: C has no operators for structs: write a function`,
	},
	{
		"double fact(double x) { return x > 1 ? x * fact(x - 1) : 1; }\nvoid k(double *x) { *x = fact(*x); }",
		`kernel k: k.c:1:44: fact calls itself
  hint: devices have no stack for recursion: write a loop`,
	},
	{
		"double b(double);\ndouble a(double x) { return b(x); }\ndouble b(double x) { return a(x); }\nvoid k(double *x) { *x = a(*x); }",
		`kernel k: k.c:3:29: a calls itself, through b
  hint: devices have no stack for recursion: write a loop`,
	},
	{
		"void k(double *x) { if (x[0] > 0) k(x); }",
		`kernel k: k.c:1:35: k calls itself
  hint: devices have no stack for recursion: write a loop`,
	},
	{
		"void k(double *x) { *x = sine(*x); *x = labs(3); bar(x); }",
		`kernel k: k.c:1:26: undefined function: sine
  hint: did you mean sin?
k.c:1:41: undefined function: labs
  hint: #include <stdlib.h>
k.c:1:50: undefined function: bar
  hint: define it in the source of the kernel`,
	},
	{
		"double norm(double);\nvoid k(double *x) { *x = norm(*x); }",
		`kernel k: k.c:2:26: undefined function: norm
  hint: define it in the source of the kernel`,
	},
	{
		"void h(double *x, int n) {}\nvoid k(double *x) { h(x);\n h(x, 1, 2); }",
		`kernel k: k.c:2:21: h takes 2 arguments, and gets 1
k.c:3:2: h takes 2 arguments, and gets 3`,
	},
	{
		"void k(double *x) { *x = sqrt(*x, 2) + pow(2); }",
		`kernel k: k.c:1:26: sqrt takes 1 argument, and gets 2
k.c:1:40: pow takes 2 arguments, and gets 1`,
	},
	{
		"void k(double *x, int *n) { switch (*n) { case 1: x[0] = 1; break; case 0 + 1: case 2: default: case 2: default:; } switch (*x) { case 1: *x = 1; } }",
		`kernel k: k.c:1:73: the switch has a case for 1 already
  hint: leave one of them
k.c:1:102: the switch has a case for 2 already
  hint: leave one of them
k.c:1:105: the switch has a default already
  hint: leave one of them
k.c:1:125: a switch over *x, which is no integer
  hint: convert it, or write if and else`,
	},
	{
		"extern float gam;\nvoid k(double *x) { x[0] = gam; }",
		`kernel k: k.c:1:1: gam is declared as float, and registered as float64
  hint: declare it as the value is registered, or not at all`,
	},
	{
		"extern double beta;\nvoid k(double *x) { x[0] = beta; }",
		`kernel k: k.c:1:15: beta is declared extern, but never defined
  hint: a value of the program is registered with op2.NewConst(rt, "beta", &beta), and not declared`,
	},
	{
		"void k(double *x) { extern double beta; x[0] = beta; }",
		`kernel k: k.c:1:35: beta is declared extern, but never defined
  hint: a value of the program is registered with op2.NewConst(rt, "beta", &beta), and not declared`,
	},
	{
		"void k(double *x) { x.a = 1; }",
		`kernel k: k.c:1:22: expected a struct or union: pointer to double`,
	},
	{
		"void k(double *x) { x[0] = x * 2; }",
		`kernel k: k.c:1:30: operands shall have arithmetic type: pointer to double and int`,
	},
	{
		"void k(double *x) { x[0] = x[1.5]; }",
		`kernel k: k.c:1:29: one of the expressions shall be a pointer and the other shall have integer type: pointer to double and double`,
	},
	{
		"int round(int x) { return x; }\nvoid k(double *x) { x[0] = round(1); }",
		`kernel k: k.c:1:5: round is a function of <math.h>, with another type
  hint: give it another name`,
	},
	{
		"void k(double *x) {\n  int a;\n  int a; }",
		`kernel k: k.c:3:7: a is declared twice, first in line 2`,
	},
	{
		"void k(double *x) { x[0] = 1e400; }",
		`kernel k: k.c:1:28: 1e400 is too large for a double
  hint: write INFINITY, if that is meant`,
	},
	{
		"void k(double *x) { x[0] = 18446744073709551616; }",
		`kernel k: k.c:1:28: 18446744073709551616 is too large for an integer
  hint: write 18446744073709551616.0 for a floating-point number`,
	},
	{
		"void k(double *x) { double f(double y) { return y; } x[0] = f(1); }",
		`kernel k: k.c:1:21: a function in a function
  hint: define it outside
k.c:1:61: undefined function: f
  hint: define it in the source of the kernel`,
	},
	{
		"#include <complex.h>\nvoid k(double *x) { double complex z = 1; x[0] = z; }",
		`kernel k: k.c:1:10: there is no header complex.h for kernels
  hint: these are there: assert.h, float.h, limits.h, math.h, stdbool.h, stddef.h, stdint.h, stdio.h, stdlib.h, string.h, tgmath.h
k.c:2:36: unexpected identifier, expected ';'`,
	},
	{
		"void k(double *x) { x[0] = 08; }",
		`kernel k: k.c:1:28: 08 is not a number`,
	},
	{
		"void k(double *x) { break; }",
		`kernel k: k.c:1:21: break statement not within loop or switch`,
	},
	{
		"void k(double *x) { goto out; }",
		`kernel k: k.c:1:26: label undefined: out`,
	},
	{
		"#if 1\nvoid k(double *x) { }",
		`kernel k: k.c:2:22: expected #endif`,
	},
	{
		"#error not here\n",
		`kernel k: k.c:1:2: not here`,
	},
	{
		"void k(double *x) { x[0] = 'a; }",
		`kernel k: k.c:1:28: character constant not terminated`,
	},
	{
		"void k(double *x) { _Static_assert(sizeof(int) == 5, \"int\"); }",
		`kernel k: k.c:1:36: assertion failed: int`,
	},
	{
		"void k(double *x) { x[0] = 2double; }",
		`kernel k: k.c:1:28: 2double is not a number`,
	},
	{
		"void k(double *x) { x[0] = 1\n#include <string.h>\n}",
		`kernel k: k.c:2:1: unexpected #include, expected ';'`,
	},
	{
		"void k(double *x) { 3 = x[0]; }",
		`kernel k: k.c:1:21: 3 is no variable, and is assigned to`,
	},
	{
		"struct s { double x; };\nvoid h(void) {}\nvoid k(double *x) { struct s t; t = x[0];\n x[0] = t; x[1] = x;\n x[2] = h(); }",
		`kernel k: k.c:3:37: x[0] has type double, where struct s is needed
k.c:4:9: t has type struct s, where double is needed
k.c:4:19: x has type double*, where double is needed
k.c:5:9: h() has no value`,
	},
	{
		"void k(double *x) { x[0] = #; }",
		`kernel k: k.c:1:28: unexpected '#', expected unary expression`,
	},
	{
		strings.Repeat("(", 500),
		`kernel k: k.c:1: brackets are nested more than 400 deep`,
	},
}

func TestErrors(t *testing.T) {
	for _, c := range errorCases {
		_, err := Kernel("k", c.source, testConsts)
		if err == nil {
			t.Errorf("%s: no error", c.source)
			continue
		}
		var e *kernel.Error
		if !errors.As(err, &e) || e.Kernel != "k" {
			t.Errorf("%s: a %T", c.source, err)
			continue
		}
		lines := strings.Split(c.source, "\n")
		for i, p := range e.Problems {
			if p.Pos.Line > 0 && p.Line != lines[p.Pos.Line-1] {
				t.Errorf("%s: %s has the line %q", c.source, p, p.Line)
			}
			e.Problems[i].Line = ""
		}
		if got := err.Error(); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.source, got, c.want)
		}
	}
}

func TestErrorShowsTheLine(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{
			"void k(double *x) {\n\tx[0] = gan;\n}",
			"kernel k: k.c:2:9: undefined: gan\n    \tx[0] = gan;\n    \t       ^\n  hint: did you mean gam?",
		},
		{
			"void k(double *x) { x[0] =" + strings.Repeat(" +", 30) + " gan" + strings.Repeat(" + 1", 30) + "; }",
			"kernel k: k.c:1:88: undefined: gan\n    ...ble *x) { x[0] =" + strings.Repeat(" +", 30) + " gan" + strings.Repeat(" + 1", 18) + " +...\n    " + strings.Repeat(" ", 80) + "^\n  hint: did you mean gam?",
		},
		{
			"void k(double *x) { /* é\u0301, 网 */\tx[0] = gan; }",
			"kernel k: k.c:1:44: undefined: gan\n    void k(double *x) { /* é\u0301, 网 */\tx[0] = gan; }\n                                   \t       ^\n  hint: did you mean gam?",
		},
	} {
		if _, err := Kernel("k", c.source, testConsts); err == nil || err.Error() != c.want {
			t.Errorf("got\n%v\nwant\n%s", err, c.want)
		}
	}
}

func TestErrorsOfName(t *testing.T) {
	source := "void res_calc(double *x) {}\nvoid update(double *x) {}\n"
	for _, c := range []struct{ name, want string }{
		{"res-calc", `kernel res-calc: the name "res-calc" is not an identifier of C
  hint: give the name of the function in the source`},
		{"rescalc", `kernel rescalc: the source defines no function rescalc
  hint: did you mean res_calc?`},
		{"save", `kernel save: the source defines no function save
  hint: it defines res_calc, update`},
	} {
		_, err := Kernel(c.name, source, nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
}
