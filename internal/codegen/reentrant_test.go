package codegen_test

import (
	"debug/elf"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
	"github.com/go-op2/op2/internal/tune"
)

// Neither consts of all types nor faults take variables, in functions for elements and for packs.
func TestReentrant(t *testing.T) {
	const consts = `
type state struct { rho float64; v [2]float64 }
var gam float64
var inflow [4]float64
var rotation [2][2]float64
var far state
var many [3]state
var number int
func energy(s state) float64 { return gam*s.rho + s.v[0]*s.v[1] }
func last(v [2]float64) float64 { v[0] = 0; return v[0] + v[1] }
func of(s *state) float64 { return s.rho }
`
	for name, source := range map[string]string{
		"consts": consts + `func k(x, y *float64) { *y = *x*gam + energy(far) + inflow[1]*rotation[1][0] + last(rotation[0]) + of(&far) + many[1].v[0] + float64(number) }`,
		"faults": consts + `func k(x, y *float64) { *y = inflow[int(*x)] + many[int(*x)].rho + energy(many[number/int(*x)]) }`,
	} {
		for _, simd := range []tune.SIMD{tune.SIMDOn, tune.SIMDOff} {
			t.Run(name, func(t *testing.T) {
				in := codegen.Input{Kernel: codegentest.FromGo(t, source), Options: codegen.Options{SIMD: simd}, Loop: &loop.Loop{
					Kernel: "k", Args: []loop.Arg{codegentest.Direct(loop.Read, 0), codegentest.Direct(loop.Write, 1)},
					Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
				}}
				expectReentrant(t, in)
			})
		}
	}
}

// Consts of C that the IR does not capture are variables of a thread.
func TestConstsInVariables(t *testing.T) {
	k := codegentest.FromC(t, "void k(double *x) { union { double d; long l; } u; u.d = scale; *x = u.d * table[1]; }",
		[]kernel.Const{{Name: "scale", Type: kernel.Basic(loop.Float64)}, {Name: "table", Type: &kernel.Array{Elem: kernel.Basic(loop.Float64), Len: 2}}}, kernel.Shape{Rows: 1, Cols: 1})
	text := host.Threads(codegen.Input{Kernel: k, Loop: &loop.Loop{
		Args: []loop.Arg{codegentest.Direct(loop.RW, 0)}, Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
	}}).Text
	for _, want := range []string{
		"static _Thread_local double scale_;\nstatic _Thread_local double table_[2];\n",
		"\tscale_ = *(const double *)args[5];\n\t__builtin_memcpy(table_, args[6], sizeof table_);\n\top2_loop_k(\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no\n%s\nin\n%s", want, text)
		}
	}
}

// expectReentrant compiles all forms of a loop: they have no variables, so that the code may run several times at once,
// also where nobody can write to it, and they need no functions but those of mathematics and of memory.
func expectReentrant(t *testing.T, in codegen.Input) {
	t.Helper()
	if testing.Short() || runtime.GOOS != "linux" {
		return
	}
	for _, cc := range []string{"gcc", "clang"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		for _, program := range []*codegen.Program{host.Sequential(in), host.Threads(in), host.Ahead(in)} {
			for _, problem := range problemsOf(t, cc, program.Text) {
				t.Errorf("%s: %s, in\n%s", cc, problem, program.Text)
			}
		}
	}
}

// problemsOf returns what an object has that is not reentrant.
func problemsOf(t *testing.T, cc, text string) (problems []string) {
	t.Helper()
	object := filepath.Join(t.TempDir(), "loop.o")
	cmd := exec.Command(cc, "-std=gnu11", "-O1", "-fPIC", "-fno-math-errno", "-w", "-xc", "-c", "-o", object, "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	f, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_WRITE != 0 && s.Size > 0 {
			problems = append(problems, "section "+s.Name+" is writable")
		}
	}
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Concat(mathfn.CNames(), []string{"memcpy", "memset", "memmove", "_GLOBAL_OFFSET_TABLE_", ""})
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF && !slices.Contains(known, s.Name) && !slices.Contains(known, strings.TrimSuffix(s.Name, "f")) {
			problems = append(problems, s.Name+" is not defined")
		}
	}
	return problems
}
