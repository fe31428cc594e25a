package kernel_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
)

// meaningOf returns what function k of a source in Go, or C, means.
func meaningOf(t *testing.T, source string) string {
	t.Helper()
	var k *kernel.Kernel
	var err error
	if strings.Contains(source, "func ") {
		k, err = fromgo.Parse("package kernels\n"+source).Kernel("k", "k.go", 0)
	} else {
		k, err = fromc.Kernel("k", source, []kernel.Const{{Name: "g", Type: kernel.Basic(loop.Float64)}})
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	before := k.Meaning()
	kernel.Analyze(k, nil)
	if after := k.Meaning(); after != before {
		t.Errorf("Analyze changes the meaning from\n%s\nto\n%s", before, after)
	}
	return before
}

func TestMeaning(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"go", `
import "math"

var gravity float64
var table [3]float32

type flow struct{ mass float64; speed [2]float64 }

func unused() {}

func energy(f flow, out *float64) float64 {
	*out = f.mass
	return 0.5 * f.mass * f.speed[1]
}

func split(x float64) (float64, int) { return x, 1 }

func k(q *[2][2]float64, kind *int32, r *float64) {
	var sum float64
	for i := 0; i < 2; i++ {
		if q[i][0] < 0 {
			continue
		} else if q[i][1] == 1.5 {
			break
		}
		sum += q[i][0]
	}
	f := flow{mass: gravity, speed: [2]float64{1, -sum}}
	switch *kind {
	case 1, 2:
		*r = energy(f, &sum)
		fallthrough
	default:
		*r = math.Sqrt(sum) + float64(table[1])
	}
	a, _ := split(gravity)
	println(a)
	*r = a
}`, `
kernel go
func (*[2][2]float64 *int32 *float64) ()
 var v3 float64 none
 for l0, var v4 int64 0:int64, (< v4 2:int64), += v4 1:int64
  if (< (at (at v0 v4) 0:int64) 0x0p+00:float64)
   continue l0
  else
   if (== (at (at v0 v4) 1:int64) 0x1.8p+00:float64)
    break l0
  += v3 (at (at v0 v4) 0:int64)
 var v5 struct{float64 [2]float64} (composite struct{float64 [2]float64} c0:float64 (composite [2]float64 0x1p+00:float64 (- v3)))
 switch l1 (* v1)
 case fallthrough 1:int32 2:int32
  var v6 float64 (f1 v5 (& v3))
  = (* v2) v6
 case default
  = (* v2) (+ (Sqrt v3) (float64 (at c1:[3]float32 1:int64)))
 var v7 float64 none
 do (f2 c0:float64) v7 none
 print println
 = (* v2) v7
func (struct{float64 [2]float64} *float64) (float64)
 = (* v1) (field 0 v0)
 return (* (* 0x1p-01:float64 (field 0 v0)) (at (field 1 v0) 1:int64))
func (float64) (float64 int64)
 return v0 1:int64
`},
		{"c", "void k(double *x, const double *y) {\n\tfor (int i = 0; i < 2; i++)\n\t\tx[i] += y[0] * g;\n}\n", `
kernel c
func (*float64 *float64) ()
 for l0, var v2 int32 0:int32, (< v2 2:int32), += v2 1:int32
  += (at v0 v2) (* (at v1 0:int32) c0:float64)
`},
		{"c text", "void k(double *x) { union { double d; long i; } u; u.d = g; x[0] = u.i; }\n", `
kernel c text k
const g float64
74 bytes
void k(double *x) { union { double d; long i; } u; u.d = g; x[0] = u.i; }
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, want := meaningOf(t, test.source), strings.TrimPrefix(test.want, "\n"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// What does not change the meaning of a kernel, and what does.
func TestMeaningChanges(t *testing.T) {
	const (
		goKernel = `
var g float64
type point struct{ x, y float64 }
func half(x float64) float64 { return x / 2 }
func double(x float64) float64 { return 2 * x }
func k(a *[2]float64, b *[1]float64) {
	p := point{a[0], a[1]}
	for i := range 3 {
		b[0] += half(p.x) + double(p.y)*g + float64(i)
	}
}`
		cKernel = `
static double half(double x) { return x / 2; }
void k(double *a, double *b) {
	for (int i = 0; i < 3; i++)
		b[0] += half(a[0]) * g;
}`
	)
	for _, test := range []struct {
		name, source string
		edit         []string // as of strings.NewReplacer
		same         bool
	}{
		{"nothing", goKernel, nil, true},
		{"comments, white space", goKernel, []string{"p := point{a[0], a[1]}", "// the point\n\n\tp := point {\n\t\ta[0] , a[1],\n\t}"}, true},
		{"names of parameters and variables", goKernel, []string{"a[", "corner[", "(a ", "(corner ", "p.", "at.", "p :=", "at :="}, true},
		{"names of types and fields", goKernel, []string{"point", "pair", "x, y", "first, second", "p.x", "p.first", "p.y", "p.second"}, true},
		{"names of functions and consts", goKernel, []string{"half(", "halved(", "*g", "*gravity", "var g ", "var gravity "}, true},
		{"order of functions", goKernel, []string{"func half(x float64) float64 { return x / 2 }\n", "", "func k", "func half(x float64) float64 { return x / 2 }\nfunc k"}, true},
		{"unused code", goKernel, []string{"var g", "var unused int32\nfunc unusedFunc() {}\nvar g"}, true},
		{"C: comments, names", cKernel, []string{"half(", "/* x over two */ halved(", "int i = 0; i < 3; i++", "int j = 0; j < 3; j++"}, true},

		{"a literal", goKernel, []string{"2 *", "3 *"}, false},
		{"an operator", goKernel, []string{"x / 2", "x * 2"}, false},
		{"trips", goKernel, []string{"range 3", "range 4"}, false},
		{"which parameter", goKernel, []string{"b[0] +=", "a[0] +="}, false},
		{"which variable", goKernel, []string{"half(p.x)", "half(p.y)"}, false},
		{"which function", goKernel, []string{"half(p.x)", "double(p.x)"}, false},
		{"the type of a const", goKernel, []string{"var g float64", "var g float32", "*g", "*float64(g)"}, false},
		{"the type of a parameter", goKernel, []string{"b *[1]float64", "b *[2]float64"}, false},
		{"the language", goKernel, []string{goKernel, "void k(double *a, double *b) { b[0] = a[0]; }"}, false},
		{"assignment", goKernel, []string{"b[0] +=", "b[0] -="}, false},
		{"C: a literal", cKernel, []string{"x / 2", "x / 3"}, false},
		{"C: a type", cKernel, []string{"double half", "float half"}, false},
	} {
		edited := strings.NewReplacer(test.edit...).Replace(test.source)
		if test.edit != nil && edited == test.source {
			t.Errorf("%s: nothing is edited", test.name)
		}
		if got, want := meaningOf(t, edited), meaningOf(t, test.source); (got == want) != test.same {
			t.Errorf("%s: %s\nand\n%s", test.name, want, got)
		}
	}
}
