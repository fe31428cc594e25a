package fromgo

import (
	"errors"
	"fmt"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
)

const twoFunctions = `package p

import "math"

// k is a kernel.
func k(
	p *float64,
) {
	*p = helper(*p)
}

func helper(x float64) float64 {
	return math.Sqrt(x)
}

func other(p *float64) { *p = 1 }
`

// TestFind pins the messages about kernels that are not in the source.
func TestFind(t *testing.T) {
	tests := []struct {
		name    string
		sources []string
		kernel  string
		file    string
		line    int
		want    string
	}{
		{"first line", []string{twoFunctions}, "k", "/a/b/k.go", 6, ""},
		{"line of a statement", []string{twoFunctions}, "k", "k.go", 9, ""},
		{"line of an inlined function", []string{twoFunctions}, "k", "k.go", 13, ""},
		{"unchecked line", []string{twoFunctions}, "k", "k.go", 0, ""},
		{"given twice", []string{twoFunctions, twoFunctions}, "k", "k.go", 6, ""},
		{"other line", []string{twoFunctions}, "k", `C:\src\k.go`, 16,
			"kernel k: k.go:6:6: k is here in the source given, but the compiled function is at line k.go:16\n" +
				"  hint: //go:embed the file that declares k, and rebuild"},
		{"no source", nil, "k", "k.go", 6,
			"kernel k: k.go:6: the source given has no function k\n" +
				"  hint: //go:embed k.go, which declares it, and give its text to op2.Kernels"},
		{"near", []string{twoFunctions}, "othr", "k.go", 6,
			"kernel othr: k.go:6: the source given has no function othr\n" +
				"  hint: //go:embed k.go, which declares it, and give its text to op2.Kernels"},
		{"function literal", []string{twoFunctions}, "run.func1", "k.go", 6,
			"kernel run.func1: k.go:6: run.func1 is a method or a function literal\n" +
				"  hint: a kernel is a top-level function of the source"},
		{"syntax", []string{"package p\nfunc k(p *float64) { *p = = }"}, "k", "k.go", 2,
			"kernel k: k.go:2:27: syntax error: expected operand, found '='"},
		{"syntax of another function", []string{"package p\nfunc f( {}"}, "k", "k.go", 2,
			"kernel k: k.go:2:9: syntax error: expected ')', found '{'"},
		{"syntax in another source", []string{twoFunctions, "package p\nfunc f( {}"}, "k", "k.go", 6, ""},
		{"helper in a source with syntax errors", []string{"package p\nfunc k(p *float64) { help(p) }", "package p\nfunc help(p *float64) { 1 + }"}, "k", "k.go", 2,
			"kernel k: k.go:2:22: undefined: help\n" +
				"  hint: give the source of the file that declares help to op2.Kernels as well\n" +
				"source2:2:29: syntax error: expected operand, found '}'"},
		{"not Go", []string{"void k(double *p) {}"}, "k", "", 0,
			"kernel k: source1:1:1: syntax error: expected 'package', found void"},
		{"two packages", []string{twoFunctions, "package q\nfunc f() {}"}, "k", "k.go", 6,
			"kernel k: source2:1:9: this source is of package q, another of package p\n" +
				"  hint: call Kernels once for the sources of each package"},
		{"helper in another source", []string{"package p\nfunc help(p *float64) { go f() }", "package p\nfunc k(p *float64) { help(p) }"}, "k", "k.go", 2,
			"kernel k: source1:2:25: a go statement\n" +
				"  hint: a kernel is the work for one element; the loop runs the elements in parallel\n" +
				"source1:2:28: undefined: f\n" +
				"  hint: give the source of the file that declares f to op2.Kernels as well"},
		{"line comment", []string{"package p\n//line gen/k.tmpl:40\nfunc k(p *float64) { defer f() }\nfunc f() {}"}, "k", "k.tmpl", 40,
			"kernel k: k.tmpl:40: a defer statement\n  hint: write the call where the function ends"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k, err := Parse(test.sources...).Kernel(test.kernel, test.file, test.line)
			got := ""
			if err != nil {
				got = err.Error()
			} else if k.File != "k.go" || k.Entry().Name != "k" || k.IsC() {
				t.Errorf("kernel %s of file %s", k.Entry().Name, k.File)
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestPositions checks that lowered code has source positions.
func TestPositions(t *testing.T) {
	k, err := Parse(twoFunctions).Kernel("k", "/src/k.go", 6)
	if err != nil {
		t.Fatal(err)
	}
	f := k.Entry()
	assign := f.Body.Stmts[0].(*kernel.Assign)
	for _, test := range []struct {
		what string
		pos  kernel.Pos
		want string
	}{
		{"function", f.Pos, "k.go:6:6"},
		{"end", f.End, "k.go:10:1"},
		{"parameter", f.Params[0].Pos, "k.go:7:2"},
		{"statement", assign.Pos, "k.go:9:2"},
		{"left side", assign.L.Pos(), "k.go:9:2"},
		{"right side", assign.R.Pos(), "k.go:9:7"},
		{"callee", k.Funcs[0].Pos, "k.go:12:6"},
	} {
		if got := test.pos.String(); got != test.want {
			t.Errorf("%s is at %s, want %s", test.what, got, test.want)
		}
	}
}

// TestConcurrent asks one package for kernels from many goroutines.
func TestConcurrent(t *testing.T) {
	p := Parse(airfoilSource)
	var group sync.WaitGroup
	for range 8 {
		for _, name := range airfoilKernels {
			group.Go(func() {
				if _, err := p.Kernel(name, "kernels.go", 0); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
}

// TestMathStub compares the stub of package math with the real one.
func TestMathStub(t *testing.T) {
	real, err := importer.Default().Import("math")
	if err != nil {
		real, err = importer.ForCompiler(token.NewFileSet(), "source", nil).Import("math")
	}
	if err != nil {
		t.Skip("no package math to compare with: ", err)
	}
	stub := mathPackage().Scope()
	for _, name := range real.Scope().Names() {
		want := real.Scope().Lookup(name)
		if !want.Exported() {
			continue
		}
		got := stub.Lookup(name)
		if got == nil {
			t.Errorf("the stub has no %s", name)
			continue
		}
		if !types.Identical(got.Type(), want.Type()) {
			t.Errorf("%s: %s, want %s", name, got.Type(), want.Type())
		}
		if c, ok := want.(*types.Const); ok && !constant.Compare(got.(*types.Const).Val(), token.EQL, c.Val()) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, name := range stub.Names() {
		if real.Scope().Lookup(name) == nil {
			t.Errorf("package math has no %s", name)
		}
	}
}

// Kernels reach into packages that export their source, and messages name their files.
func TestOtherPackages(t *testing.T) {
	library := func(path string) []File {
		return map[string][]File{
			"example.org/gas/v2": {
				{"gas.go", "package gas\nimport (\"math\"; \"example.org/deep\"; \"os\")\nfunc init() { os.Exit(1) }\ntype S struct { A, b float64 }\nconst R = 2.5\nvar Gamma = 1.4\n" +
					"func (s S) Sum() float64 { return s.A + s.b + deep.Two(s.A) }\nfunc Root(x float64) float64 { return math.Sqrt(x) * R }\nfunc Scaled(x float64) float64 { return Gamma * x }"},
				{"more.go", "package gas\nfunc Late(x float64) { defer f(x) }\nfunc f(x float64) {}\nfunc Missing() float64 { return elsewhere() }\n" +
					"func Again(x float64) float64 { return Again(x) }\nfunc Last(x []float64) float64 { return x[len(x)-1] }\nfunc Cut() (x [2]string) { return x }\nfunc Turn(z complex128) complex128 { return 1i * z }"},
			},
			"example.org/deep": {{"deep.go", "package deep\nimport \"example.org/gas/v2\"\nfunc Two(x float64) float64 { return 2 * x }\nfunc Back() float64 { return gas.R }"}},
			"example.org/torn": {{"torn.go", "package torn\nfunc F( {}"}},
		}[path]
	}
	for _, test := range []struct{ name, body, want string }{
		{"a method, a constant, a function of a third package", "s := gas.S{A: *p}; *p = s.Sum() + gas.R + gas.Root(s.A)", ""},
		{"slices", "var a [3]float64; *p = gas.Last(a[:])", ""},
		{"complex numbers there alone", "*p = real(gas.Turn(1))", ""},
		{"consts", "*p = gas.Scaled(*p) * gas.Gamma", ""},
		{"two consts of one name", "*p = gas.Scaled(*p) * Gamma", "k.go:4:44: two packages have a variable Gamma\n  hint: rename one of them: a const is found by its name alone"},
		{"a const that is written", "gas.Gamma = 1", "k.go:4:22: the package variable Gamma is changed\n  hint: make it an argument of the loop, a Global"},
		{"a statement", "gas.Late(*p)", "gas/more.go:2:24: a defer statement\n  hint: write the call where the function ends"},
		{"a function of a file that is not exported", "*p = gas.Missing()", "gas/more.go:4:33: undefined: elsewhere\n  hint: let package gas embed the file that declares it, too, for op2.ExportSource"},
		{"the same, directly", "*p = gas.Gone()", "k.go:4:31: undefined: gas.Gone\n  hint: let package gas embed the file that declares it, too, for op2.ExportSource"},
		{"source that is no Go", "*p = torn.F()", "k.go:4:27: torn.F is not available to kernels\n  hint: let package example.org/torn export its source by op2.ExportSource, " +
			"or write func tornF in this package, in a file whose text op2.Kernels gets, too: op2.Kernels(source, helpers)"},
		{"recursion", "*p = gas.Again(*p)", "gas/more.go:5:40: recursion: Again calls Again\n  hint: kernels cannot recurse: write a loop"},
		{"a type that kernels lack", "_ = gas.Cut()", "k.go:4:26: a string\n  hint: kernels compute with numbers: use an int for a choice\ngas/more.go:7:13: a result is a string\n  hint: kernels compute with numbers: use an int for a choice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package p\nimport (\"example.org/gas/v2\"; \"example.org/torn\")\nvar Gamma = 1.0\nfunc k(p *float64) { " + test.body + " }"
			k, err := Parse(source).Importing(library).Kernel("k", "k.go", 0)
			if got := fmt.Sprint(err); err != nil && got != "kernel k: "+test.want || (err == nil) != (test.want == "") {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if err == nil && len(k.Funcs) > 1 && !regexp.MustCompile("^(gas_|deep_|op2)").MatchString(k.Funcs[0].Name) {
				t.Errorf("function %s", k.Funcs[0].Name)
			}
		})
	}
}

// FuzzParse looks for sources that make lowering panic.
func FuzzParse(f *testing.F) {
	f.Add(airfoilSource, "resCalc")
	f.Add(semanticsSource, "semOrder")
	for _, test := range lowerings {
		f.Add("package p; import \"math\"; "+test.source, "k")
	}
	for _, test := range refusals {
		f.Add("package p; import (\"math\"; \"fmt\"; \"unsafe\"); "+test.source, "k")
	}
	f.Fuzz(func(t *testing.T, source, name string) {
		k, err := Parse(source).Kernel(name, "k.go", 0)
		var e *kernel.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Errorf("error of type %T", err)
		case err != nil && (len(e.Problems) == 0 || len(e.Problems) > maxProblems):
			t.Errorf("%d problems", len(e.Problems))
		case err == nil && strings.Contains(dump(k), "@"):
			t.Errorf("a variable is used where it is not declared:\n%s", dump(k))
		}
	})
}

// The text of a function has its comment, and nothing before that.
func TestTextOfFunction(t *testing.T) {
	p := Parse("package a\n\nvar x int // x\n\n// f does\n// much.\nfunc f(x *float64) {\n\t*x = 1 // one\n}\n", "package a\nfunc g() {}\n")
	for name, want := range map[string]string{"f": "// f does\n// much.\nfunc f(x *float64) {\n\t*x = 1 // one\n}", "g": "func g() {}", "h": ""} {
		if got := p.Text(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
