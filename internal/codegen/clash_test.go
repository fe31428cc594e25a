package codegen_test

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/cuda/toolkit"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/internal/tune"
)

// Every name that has a meaning for a compiler, or in generated source, is used in place of every
// name of a program. The result must compile.

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// wordsOf returns the words of texts that a Go program can use as names, sorted.
func wordsOf(texts ...string) []string {
	set := map[string]bool{}
	for _, text := range texts {
		for _, w := range word.FindAllString(text, -1) {
			if !token.IsKeyword(w) && types.Universe.Lookup(w) == nil && strings.Trim(w, "_") != "" && w != "math" && w != "init" && w != "main" && len(w) < 60 && !strings.HasPrefix(w, "clash_") {
				set[w] = true
			}
		}
	}
	var list []string
	for w := range set {
		list = append(list, w)
	}
	slices.Sort(list)
	return list
}

const keywords = `auto break case char const continue default do double else enum extern float for goto if inline int long
	register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
	_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
	alignas alignof asm bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual
	and and_eq bitand bitor catch char16_t char32_t char8_t class compl concept const_cast consteval constinit co_await
	co_return co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq
	operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid
	typename using virtual wchar_t xor xor_eq final override
	kernel global local constant generic pipe uniform half read_only write_only read_write __kernel __global
	uchar ushort uint ulong float2 float4 float16 int2 double8 as_float as_int4 vec_step image2d_t sampler_t event_t
	order block color team args run runs end last aligned linux unix i386 errno NULL EOF assert I complex`

// ofHeaders returns the macros and names that host compilers get from headers.
func ofHeaders(t *testing.T) string {
	text := ""
	for _, h := range []string{"math", "complex", "ctype", "errno", "fenv", "float", "inttypes", "limits", "setjmp", "signal", "stdalign", "stdarg",
		"stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "tgmath", "time", "wchar", "wctype", "unistd", "pthread", "sched"} {
		text += "#include <" + h + ".h>\n"
	}
	macros, rest := output(t, text, "gcc", "-std=gnu11", "-dM", "-E", "-xc", "-"), output(t, text, "gcc", "-std=gnu11", "-P", "-E", "-xc", "-")
	names := regexp.MustCompile(`#define \w+`).FindAllString(macros, -1)
	return strings.ReplaceAll(strings.Join(names, "\n"), "#define", "") + rest
}

// ofOpenCL returns the names of OpenCL C, ofCUDA those of NVRTC.
func ofOpenCL(t *testing.T) string {
	dir := strings.TrimSpace(output(t, "", "clang", "-print-resource-dir"))
	text := ""
	for _, name := range []string{"opencl-c-base.h", "opencl-c.h"} {
		b, err := os.ReadFile(filepath.Join(dir, "include", name))
		if err != nil {
			t.Skip(err)
		}
		text += string(b)
	}
	return text
}

func ofCUDA(t *testing.T) string {
	found, _ := filepath.Glob(filepath.Join(os.Getenv("OP2_NVRTC"), "libnvrtc-builtins.so*"))
	for _, dir := range toolkit.Folders("cu13/lib", "cuda_nvrtc/lib") {
		more, _ := filepath.Glob(filepath.Join(dir, "libnvrtc-builtins.so*"))
		found = append(found, more...)
	}
	if len(found) == 0 {
		t.Skip("no headers of NVRTC")
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Skip(err)
	}
	return string(slices.Concat(regexp.MustCompile(`[\t\n -~]{200,}`).FindAll(b, -1)...))
}

func output(t *testing.T, in, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("%s: %v", name, err)
	}
	return string(out)
}

// clashes are programs that use names in one place each.
var clashes = []struct {
	place  string
	before string // for each name NAME, with its NUMBER
	inside string // of the kernel
}{
	{"const", "var NAME float64\n", "\tclash_v += NAME\n"},
	{"function", "func NAME(clash_v float64) float64 { return clash_v + 1 }\n", "\tclash_v = NAME(clash_v)\n"},
	{"struct", "type NAME struct{ a float64 }\n", "\tclash_NUMBER := NAME{clash_v}\n\tclash_v += clash_NUMBER.a\n"},
	{"field", "type clash_sNUMBER struct{ NAME float64 }\n", "\tclash_NUMBER := clash_sNUMBER{NAME: clash_v}\n\tclash_v += clash_NUMBER.NAME\n"},
	{"parameter", "func clash_fNUMBER(NAME float64, clash_to *bool) float64 { NAME += math.Sqrt(NAME); *clash_to = NAME > 1 && !math.IsNaN(NAME); return math.Max(NAME, 2) }\n",
		"\tclash_v = clash_fNUMBER(clash_v, &clash_flag)\n"},
	{"variable", "", "\tfor NAME := range 2 { clash_v += float64(int64(NAME)) + math.Floor(clash_v) }\n"},
}

func clash(t *testing.T, before, inside string, names []string) *kernel.Kernel {
	t.Helper()
	var b, body strings.Builder
	for i, name := range names {
		if name == "k" { // the kernel
			continue
		}
		r := strings.NewReplacer("NAME", name, "NUMBER", fmt.Sprint(i))
		b.WriteString(r.Replace(before))
		body.WriteString(r.Replace(inside))
	}
	fmt.Fprintf(&b, "func k(clash_x, clash_y *[1]float64) {\n\tclash_v, clash_flag := clash_x[0], false\n%s\tif clash_flag { clash_y[0] = clash_v }\n\tclash_y[0] += clash_v\n}\n", body.String())
	return codegentest.FromGo(t, b.String())
}

// clashUnits returns the sources of a kernel for the compilers.
func clashUnits(k *kernel.Kernel, simd tune.SIMD) map[string][]string {
	dat := loop.Data{Kind: loop.Dat, Type: loop.Float64, Dim: 1}
	l := &loop.Loop{Kernel: k.Name}
	for i := range k.Entry().Params {
		l.Args = append(l.Args, codegentest.Dat(loop.RW, i, loop.Direct, 0))
		l.Data = append(l.Data, dat)
	}
	for _, c := range k.Consts {
		if c.Type == nil {
			c.Type = kernel.Basic(loop.Float64)
		}
	}
	in := codegen.Input{Loop: l, Kernel: k, Options: codegen.Options{SIMD: simd}}
	onDevice := func(d codegen.Dialect) []string {
		p := device.Print(codegen.DeviceInput{Loop: l, Kernel: k, Options: codegen.DeviceOptions{Dialect: d, Strategy: tune.Direct, GroupSize: 64}})
		consts := ""
		for _, i := range p.Defined {
			consts += fmt.Sprintf("#define OP2_CONST_%d 1.0\n", i)
		}
		return []string{consts + p.Text}
	}
	return map[string][]string{
		"host":   {host.Sequential(in).Text, host.Threads(in).Text},
		"OpenCL": onDevice(codegen.OpenCLC),
		"CUDA":   onDevice(codegen.CUDA),
	}
}

// compileUnits checks the sources with all compilers, skipping missing ones.
func compileUnits(t *testing.T, units map[string][]string) {
	t.Helper()
	check := func(text string, command ...string) {
		t.Helper()
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Logf("no %s", command[0])
			return
		}
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, firstLines(string(out), 20))
		}
	}
	march := "-march=native"
	if runtime.GOARCH == "arm64" {
		march = "-mcpu=native"
	}
	for _, text := range units["host"] {
		for _, cc := range []string{"gcc", "clang"} {
			check(text, cc, "-std=gnu11", march, "-w", "-fsyntax-only", "-xc", "-")
		}
	}
	for _, text := range units["OpenCL"] {
		check(text, "clang", "-cl-std=CL1.2", "-w", "-fsyntax-only", "-Xclang", "-finclude-default-header", "-Xclang", "-cl-ext=+all", "-xcl", "-")
	}
	nv, err := nvrtc.Open(0)
	if err != nil {
		t.Logf("no NVRTC")
		return
	}
	for _, text := range units["CUDA"] {
		if _, log, err := nv.Compile("clash.cu", text, "sm_70", []string{"--std=c++17", "-w", "--device-as-default-execution-space"}); err != nil {
			t.Errorf("NVRTC: %v\n%s", err, firstLines(log, 20))
		}
	}
}

func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

// ofTexts returns the sources that are generated for some kernels.
func ofTexts(t *testing.T) string {
	text := ""
	files, _ := filepath.Glob("testdata/device/*")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		text += string(b)
	}
	for _, c := range clashes {
		for _, list := range clashUnits(clash(t, c.before, c.inside, []string{"name"}), tune.SIMDOn) {
			text += strings.Join(list, "\n")
		}
	}
	return text
}

// TestClashes has some names of each kind, TestHeavyClashes all.
func TestClashes(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles")
	}
	few := func(all []string) []string {
		var list []string
		for i := 0; i < len(all); i += max(1, len(all)/60) {
			list = append(list, all[i])
		}
		return list
	}
	names := wordsOf(keywords, ofTexts(t), strings.Join(few(wordsOf(ofHeaders(t))), " "), strings.Join(few(wordsOf(ofOpenCL(t))), " "))
	for _, c := range clashes {
		t.Run(c.place, func(t *testing.T) { compileUnits(t, clashUnits(clash(t, c.before, c.inside, names), tune.SIMDOn)) })
	}
	t.Run("kernel", func(t *testing.T) { compileUnits(t, namedKernels(t, names)) })
	t.Run("C", func(t *testing.T) { compileUnits(t, kernelsInC(t, names)) })
}

func TestHeavyClashes(t *testing.T) {
	heavy.Test(t)
	for kind, text := range map[string]func(*testing.T) string{"headers": ofHeaders, "OpenCL": ofOpenCL, "CUDA": ofCUDA} {
		t.Run(kind, func(t *testing.T) {
			names := wordsOf(text(t))
			t.Logf("%d names", len(names))
			for part := range slices.Chunk(names, 1500) {
				for _, c := range clashes {
					t.Run(c.place, func(t *testing.T) { compileUnits(t, clashUnits(clash(t, c.before, c.inside, part), tune.SIMDOn)) })
				}
			}
		})
	}
}

// namedKernels returns kernels, each with one of the names, and parameters with the next two.
func namedKernels(t *testing.T, names []string) map[string][]string {
	t.Helper()
	all := map[string][]string{"host": {"", ""}, "OpenCL": {""}, "CUDA": {""}}
	for i, name := range names {
		if strings.HasSuffix(name, "_") { // of two that differ only by it, one
			continue
		}
		x, y := names[(i+1)%len(names)], names[(i+2)%len(names)]
		k, err := fromgo.Parse(fmt.Sprintf("package kernels\nfunc %s(%s, %s *[1]float64) { %s[0] = %s[0] }\n", name, x, y, y, x)).Kernel(name, "k.go", 0)
		if err != nil {
			t.Fatal(err)
		}
		kernel.Analyze(k, nil)
		units := clashUnits(k, tune.SIMDOff)
		join(all, units)
	}
	return all
}

// join appends units to others, without repeating common parts.
func join(all, units map[string][]string) {
	once := regexp.MustCompile(`(?s)struct op2_job \{.*?\n\};`)
	for target, texts := range units {
		for i, text := range texts {
			if all[target][i] != "" && target == "host" {
				text = once.ReplaceAllString(text, "")
			}
			all[target][i] += strings.ReplaceAll(text, "op2_run_block", fmt.Sprintf("op2_run_block%d", len(all[target][i])))
		}
	}
}

// ownWords are the names that generated loops use for their own variables and functions, and some of headers.
const ownWords = `args runs run n end last aligned block d i j k l context shared lane group color colors first count at position
	b c consts faults before order listed target column gathered start per width offset size groups finished is_last
	get_group_id get_local_id barrier blockIdx threadIdx gamma y0 index x y`

// kernelsInC returns C kernels with names of generated source, and after them macros with such
// names.
func kernelsInC(t *testing.T, names []string) map[string][]string {
	t.Helper()
	var macros strings.Builder
	for _, name := range names {
		if !strings.HasPrefix(strings.ToLower(name), "op2_") && !strings.HasPrefix(name, "_") && name != "defined" {
			fmt.Fprintf(&macros, "#define %s 5\n", name)
		}
	}
	own := text.Words(ownWords)
	all := map[string][]string{"host": {"", ""}, "OpenCL": {""}, "CUDA": {""}}
	number := 0
	for name := range own {
		k, err := fromc.Kernel(name, fmt.Sprintf("void %s(double *in, double *out) { union { double d; } u; u.d = *in; *out = u.d; }\n", name), nil)
		if err != nil {
			t.Fatal(err)
		}
		kernel.Analyze(k, []kernel.Shape{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 1}})
		if number++; number == 1 { // macros cannot come before the headers of the next
			k.Source += macros.String()
			compileUnits(t, map[string][]string{"host": clashUnits(k, tune.SIMDOn)["host"]})
			continue
		}
		join(all, clashUnits(k, tune.SIMDOff))
	}
	return all
}
