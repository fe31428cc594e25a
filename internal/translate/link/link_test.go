package link_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/translate/compile"
	"github.com/go-op2/op2/internal/translate/link"
)

// mistakes are sources whose function f cannot be linked, and why; N stands for what depends on the compiler.
var mistakes = []struct{ name, source, want string }{
	{"undefined", "double exp(double); void f(double **a) { **a = exp(**a); }", "f needs exp, which no object defines"},
	{"behind a call", "double exp(double); static __attribute__((noinline)) double g(double x) { return exp(x) + 1; }" +
		"void f(double **a) { **a = g(**a); }", "g needs exp, which no object defines"},
	{"variable", "static double count; void f(double **a) { **a = count++; }", "f uses count in the section .bss.count, which is writable"},
	{"initialized", "double gam = 1.4; void f(double **a) { **a = gam++; }", "f uses gam in the section .data.gam, which is writable"},
	{"thread", "static __thread double x; void f(double **a) { **a = x++; }", "f uses thread-local storage"},
	{"pointers", "static double g(void) { return 1; } static double h(void) { return 2; }" +
		"static double (*const table[])(void) = {g, h}; void f(double **a, int i) { **a = table[i](); }",
		"f uses table in the section .data.rel.roN, which is writable\nsample.c: f calls a function whose address is computed"},
	{"alignment", "static const double t[9] __attribute__((aligned(128))) = {1, 2, 3}; void f(double **a, int i) { **a = t[i]; }",
		"f uses t, which needs alignment to 128 bytes, more than 64"},
	{"alloca", "double g(double *); void f(double **a, int n) { double t[n]; for (int i = 0; i < n; i++) t[i] = a[0][n - i];" +
		"for (int i = 0; i < n; i++) a[0][i] = t[i]; }", "f needs stack by an amount known only at run time"},
	{"recursion", "static __attribute__((noinline)) double g(double x, int n) { return n <= 0 ? x : 1 + g(x / 2, n - 1) * g(x, n - 2); }" +
		"void f(double **a, int n) { **a = g(**a, n); }", "g is recursive: g → g"},
	{"cycle", "double h(double, int); __attribute__((noinline)) double g(double x, int n) { return n < 0 ? x : 1 + h(x, n - 1); }" +
		"__attribute__((noinline)) double h(double x, int n) { return n < 9 ? x : 2 + g(x, n - 3); } void f(double **a, int n) { **a = g(**a, n) + h(**a, n); }",
		"g is recursive: g → h → g"},
	{"indirect", "void f(void **a) { ((void (*)(void *))a[0])(a); }", "f calls a function whose address is computed"},
	{"stack", "__attribute__((noinline)) void g(volatile double *t) { t[0] = 1; t[9999] = 2; } void f(double **a) { double t[10000]; g(t); **a = t[9]; }",
		"f needs N bytes of stack, more than 65536"},
	{"absent", "void g(void) {}", "f is no function that an object defines, in a section of its own"},
}

var compilers = []struct {
	cc     string
	target compile.Target
}{{"gcc", compile.AMD64v3}, {"clang", compile.AMD64v3}, {"aarch64-linux-gnu-gcc", compile.ARM64}, {"clang", compile.ARM64}}

func TestRefusals(t *testing.T) {
	for _, on := range compilers {
		t.Run(on.cc+" "+on.target.String(), func(t *testing.T) {
			t.Parallel()
			c := compiler(t, on.cc, on.target)
			for _, m := range mistakes {
				o, err := c.Object("sample.c", m.source, "-O2", "-fno-ipa-cp")
				if err != nil {
					t.Fatalf("%+v", err)
				}
				entries := []link.Entry{{Symbol: "f", Name: "F"}}
				if m.name == "indirect" || m.name == "stack" {
					if _, err := link.Link([]link.Object{o}, entries, link.Options{IndirectCalls: true, MaxStack: 1 << 20}); err != nil {
						t.Errorf("%s is not permitted: %v", m.name, err)
					}
				}
				_, err = link.Link([]link.Object{o}, entries, link.Options{})
				var refused *link.Error
				if !errors.As(err, &refused) {
					t.Errorf("%s: %v", m.name, err)
					continue
				}
				want := strings.Split(m.want, "N")
				if got := refused.Error(); !strings.Contains(got, want[0]) || !strings.HasSuffix(got, want[len(want)-1]) {
					t.Errorf("%s: got\n%s\nwant\n%s", m.name, got, m.want)
				}
			}
		})
	}
}

// An entry contains the functions and the constants that it needs, no others.
func TestOnlyWhatIsNeeded(t *testing.T) {
	const source = `
static __attribute__((noinline)) double g(double x) { return x * 1.2345 + x; }
__attribute__((noinline)) double h(double x) { return x / 5.4321; }
void first(double **a) { **a = g(**a) * 3.3333; }
void second(double **a) { **a = g(h(**a)); }`
	uses := map[string][]float64{"first": {1.2345, 3.3333}, "second": {1.2345, 5.4321}}
	for _, on := range compilers {
		t.Run(on.cc+" "+on.target.String(), func(t *testing.T) {
			o, err := compiler(t, on.cc, on.target).Object("sample.c", source, "-O2")
			if err != nil {
				t.Fatalf("%+v", err)
			}
			for entry, constants := range uses {
				image, err := link.Link([]link.Object{o}, []link.Entry{{Symbol: entry, Name: entry}}, link.Options{})
				if err != nil {
					t.Fatal(err)
				}
				f := image.Functions[0]
				for _, constant := range []float64{1.2345, 3.3333, 5.4321} {
					bits := binary.LittleEndian.AppendUint64(nil, math.Float64bits(constant))
					needed := slices.Contains(constants, constant)
					// Instructions of arm64 may contain them in parts.
					if got := bytes.Contains(f.Code, bits); got && !needed || needed && !got && on.target.Arch == "amd64" {
						t.Errorf("%s contains %v: %v", entry, constant, got)
					}
				}
				if named := slices.ContainsFunc(f.Parts, func(p link.Part) bool { return p.Name == "h" }); named != (entry == "second") {
					t.Errorf("%s has the parts %v", entry, f.Parts)
				}
			}
		})
	}
}

// What gcc splits from a function, to be out of the way, jumps back to it and is no call.
func TestColdParts(t *testing.T) {
	o, err := compiler(t, "gcc", compile.AMD64v3).Object("sample.c", `
__attribute__((cold, noinline)) static double rare(double x) { volatile double t[100]; t[3] = x; return t[3] / 7; }
void f(double **a, int n) {
	for (int i = 0; i < n; i++) {
		double x = a[0][i];
		if (__builtin_expect(x < 0, 0)) {
			x = rare(x) + rare(x + 1);
			a[1][i] = x;
		}
		a[0][i] = x * 3;
	}
}`, "-O2")
	if err != nil {
		t.Fatalf("%+v", err)
	}
	image, err := link.Link([]link.Object{o}, []link.Entry{{Symbol: "f", Name: "f"}}, link.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := image.Functions[0]
	if stack := f.Calls[0].Stack; stack < 800 || stack > 1100 {
		t.Errorf("%d bytes of stack", stack)
	}
	if !slices.ContainsFunc(f.Parts, func(p link.Part) bool { return p.Name == "f.cold" }) {
		t.Errorf("no cold part in %v", f.Parts)
	}
}

// The entries from one object share what they need.
func TestShared(t *testing.T) {
	c := compiler(t, "gcc", compile.AMD64v3)
	o, err := c.Object("sample.c", `
static __attribute__((noinline)) void loop(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 1.2345; }
void all(double **a) { loop(a[0], 9); }
void block(double **a, int i) { loop(a[0] + i, 1); }`, "-O2", "-fno-ipa-cp")
	if err != nil {
		t.Fatalf("%+v", err)
	}
	image, err := link.Link([]link.Object{o}, []link.Entry{{Symbol: "all", Name: "all"}, {Symbol: "block", Name: "blocks", Indexed: true}}, link.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(image.Functions) != 1 {
		t.Fatalf("%d functions", len(image.Functions))
	}
	f := image.Functions[0]
	var names []string
	for _, p := range f.Parts {
		names = append(names, p.Name)
	}
	if want := []string{"all", "block", "loop", ".rodata.cst8"}; !slices.Equal(names, want) {
		t.Errorf("the parts %v, want %v", names, want)
	}
	if f.Name != "all" || len(f.Calls) != 2 || f.Calls[0].Offset != 0 || f.Calls[1].Offset != f.Parts[1].Offset {
		t.Errorf("%s: %+v, %v", f.Name, f.Calls, f.Parts)
	}
}

// Two objects must not define the same function; of two that may, the first counts.
func TestDefinitions(t *testing.T) {
	c := compiler(t, "gcc", compile.AMD64v3)
	object := func(name, source string) link.Object {
		o, err := c.Object(name, source, "-O2")
		if err != nil {
			t.Fatalf("%+v", err)
		}
		return o
	}
	f := object("f.c", "double g(double); void f(double **a) { **a = g(**a); }")
	g, weak := object("g.c", "double g(double x) { return x; }"), object("weak.c", "__attribute__((weak)) double g(double x) { return -x; }")
	entries := []link.Entry{{Symbol: "f", Name: "f"}}
	for _, objects := range [][]link.Object{{f, g, weak}, {weak, f, g}} {
		image, err := link.Link(objects, entries, link.Options{})
		if err != nil {
			t.Fatal(err)
		}
		alone, _ := link.Link([]link.Object{f, g}, entries, link.Options{})
		if !bytes.Equal(image.Functions[0].Code, alone.Functions[0].Code) {
			t.Error("the weak definition is used")
		}
	}
	if _, err := link.Link([]link.Object{f, g, g}, entries, link.Options{}); err == nil || err.Error() != "g.c: defines g, as g.c does" {
		t.Error(err)
	}
	if _, err := link.Link([]link.Object{{Name: "text.c", Data: []byte("no object")}}, entries, link.Options{}); err == nil || !strings.HasPrefix(err.Error(), "text.c: is no ELF file") {
		t.Error(err)
	}
	arm, err := compiler(t, "clang", compile.ARM64).Object("arm.c", "void f(void) {}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := link.Link([]link.Object{f, arm}, entries, link.Options{}); err == nil || err.Error() != "arm.c: is for arm64, those before it are for amd64" {
		t.Error(err)
	}
}
