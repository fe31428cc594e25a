package fromgo

import (
	"errors"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
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
