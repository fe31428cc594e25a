package link_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/translate/compile"
	"github.com/go-op2/op2/internal/translate/link"
)

var entries = []link.Entry{
	{Symbol: "axpy", Name: "Axpy"}, {Symbol: "pick", Name: "Pick", Indexed: true},
	{Symbol: "deep", Name: "Deep", Indexed: true}, {Symbol: "copy", Name: "Copy"}, {Symbol: "leave", Name: "Leave"},
}

// compiler returns a compiler; without it the test is skipped, unless OP2_REQUIRE requires it.
func compiler(t *testing.T, cc string, target compile.Target) *compile.Compiler {
	t.Helper()
	if _, err := exec.LookPath(cc); err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), cc) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	c, err := compile.New(cc, target)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// compiled compiles the sample and its helpers.
func compiled(t *testing.T, cc string, target compile.Target) []link.Object {
	t.Helper()
	c := compiler(t, cc, target)
	var objects []link.Object
	for _, file := range []string{"sample.c", "helpers.c"} {
		source, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		o, err := c.Object(file, string(source), "-O3")
		if err != nil {
			t.Fatalf("%+v", err)
		}
		objects = append(objects, o)
	}
	return objects
}

// program writes the program of testdata with the linked sample to a folder.
func program(t *testing.T, cc string, target compile.Target) (dir string) {
	image, err := link.Link(compiled(t, cc, target), entries, link.Options{IndirectCalls: true}) // amd64's __builtin_longjmp looks like one
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range image.Functions {
		t.Logf("%s: %d bytes, calls %+v", f.Name, len(f.Code), f.Calls)
	}
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/program")); err != nil {
		t.Fatal(err)
	}
	assembly, declarations := image.Assembly("code")
	for name, text := range map[string][]byte{"code_" + target.Arch + ".s": assembly, "code_" + target.Arch + ".go": declarations} {
		if err := os.MkdirAll(filepath.Join(dir, "code"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "code", name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// command runs a command in the folder of a program.
func command(t *testing.T, dir string, environ []string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = dir, append(append(os.Environ(), "GOFLAGS=", "GOWORK=off"), environ...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// runs reports whether this machine runs code of level v3.
func runs(t *testing.T) {
	t.Helper()
	info, _ := os.ReadFile("/proc/cpuinfo")
	if runtime.GOARCH != "amd64" || !strings.Contains(string(info), " avx2 ") {
		t.Skip("no processor with AVX2, of Linux")
	}
}

func TestProgram(t *testing.T) {
	runs(t)
	for _, cc := range []string{"gcc", "clang"} {
		t.Run(cc, func(t *testing.T) {
			t.Parallel()
			dir := program(t, cc, compile.AMD64v3)
			static := []string{"CGO_ENABLED=0"}
			command(t, dir, static, "go", "vet", "./...")
			command(t, dir, static, "go", "build", "-o", "program", ".")
			if out := command(t, dir, nil, "./program"); out != "ok\n" {
				t.Error(out)
			}
			if testing.Short() {
				return
			}
			command(t, dir, nil, "./program", "2s", "profile")
			profile := command(t, dir, nil, "go", "tool", "pprof", "-top", "program", "profile")
			if !strings.Contains(profile, "program/code.Axpy_code") {
				t.Errorf("the profile does not name the code:\n%s", profile)
			}
		})
	}
}

func TestBuildModes(t *testing.T) {
	runs(t)
	if testing.Short() {
		t.Skip("compiles the standard library, the first time")
	}
	dir := program(t, "gcc", compile.AMD64v3)
	for _, args := range [][]string{
		{"CGO_ENABLED=0", "-buildmode=pie"}, {"CGO_ENABLED=1", "-race"}, {"CGO_ENABLED=1", "-ldflags=-linkmode=external"},
		{"CGO_ENABLED=1", "-buildmode=pie", "-ldflags=-linkmode=external"},
	} {
		command(t, dir, args[:1], append(append([]string{"go", "build"}, args[1:]...), "-o", "program", ".")...)
		if out := command(t, dir, nil, "./program", "100ms"); !strings.HasSuffix(out, "ok\n") {
			t.Errorf("%v: %s", args, out)
		}
	}
}

// Other systems use what is compiled on Linux.
func TestAssembles(t *testing.T) {
	for arch, target := range map[string]compile.Target{"amd64": compile.AMD64v4, "arm64": compile.ARM64} {
		t.Run(arch, func(t *testing.T) {
			dir := program(t, "clang", target)
			include := filepath.Join(strings.TrimSpace(command(t, dir, nil, "go", "env", "GOROOT")), "pkg", "include")
			for _, system := range []string{"linux", "windows", "darwin", "freebsd"} {
				command(t, filepath.Join(dir, "code"), []string{"GOOS=" + system, "GOARCH=" + arch},
					"go", "tool", "asm", "-p", "program/code", "-I", include, "-o", os.DevNull, "code_"+arch+".s")
			}
		})
	}
}

func TestProgramOfARM64(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library, the first time")
	}
	const emulator = "qemu-aarch64-static"
	if _, err := exec.LookPath(emulator); err != nil {
		t.Skip(err)
	}
	for _, cc := range []string{"aarch64-linux-gnu-gcc", "clang"} {
		t.Run(cc, func(t *testing.T) {
			dir, environ := program(t, cc, compile.ARM64), []string{"CGO_ENABLED=0", "GOARCH=arm64"}
			command(t, dir, environ, "go", "vet", "./...")
			command(t, dir, environ, "go", "build", "-o", "program", ".")
			if out := command(t, dir, nil, emulator, "./program", "1s"); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}
