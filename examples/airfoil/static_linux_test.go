package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/translated"
)

// A static program runs its translated loops in a folder, or where it may a root, that contains nothing else: as they
// run when they are compiled, to the last bit.
func TestStatic(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the example with other tags")
	}
	if len(translated.Packages()) == 0 {
		t.Skip("the example is not translated for this processor")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "airfoil")
	build := exec.Command("go", "test", "-c", "-ldflags=-s", "-tags", "op2_static", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := optest.Must(elf.Open(program))
	defer file.Close()
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Error("the program needs a dynamic loader")
	}
	run := func(env []string, args ...string) string {
		t.Helper()
		c := exec.Command(program, args...)
		c.Dir, c.Env = dir, append(env, "PATH=")
		if os.Geteuid() == 0 {
			c.Path, c.Dir, c.SysProcAttr = "/airfoil", "/", &syscall.SysProcAttr{Chroot: dir}
		}
		out, _ := c.CombinedOutput()
		return string(out)
	}
	for _, pair := range [][2]string{{"sequential", "sequential"}, {"openmp", "translated"}} {
		optest.RequireCompiler(t)
		t.Setenv("OP2_KEEP_SOURCE", t.TempDir())
		_, want, _ := strings.Cut(residual(t, op2.WithBackend(pair[0])), " ")
		out := run([]string{apart + "=1", "OP2_REQUIRE=translated", "OP2_BACKEND=" + pair[1]}, "-test.run=^TestResidual$")
		if got, _, _ := strings.Cut(out, "\n"); got != pair[1]+" "+want {
			t.Errorf("%s, want %s of %s", out, want, pair[0])
		}
	}
	const without = "this program was built without what loads libraries\n  hint: build it without -tags op2_static"
	for backend, want := range map[string]string{
		"auto": "backend translated", "go": "backend go",
		"openmp": without, "opencl": "no OpenCL: " + without, "cuda": "no NVIDIA driver: " + without,
	} {
		if out := run([]string{"OP2_EXAMPLE=1", "OP2_BACKEND=" + backend}, "-i", "8", "-j", "6", "-iterations", "1", "-o", ""); !strings.Contains(out, want) {
			t.Errorf("%s: %s, want %s", backend, out, want)
		}
	}
}
