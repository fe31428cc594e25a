package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/internal/translate"
	"github.com/go-op2/op2/internal/translate/compile"
	"github.com/go-op2/op2/internal/translate/unit"
)

// TestHeavyTranslated runs the suite in binaries that contain the code of its loops, and start no compiler: on all cores
// and on one, for each level of the processor.
func TestHeavyTranslated(t *testing.T) {
	heavy.Test(t)
	optest.RequireCompiler(t)
	input := translate.Input{
		Name: "op2gen", Path: "example.com/op2gen",
		Targets: map[string][]compile.Target{"amd64": {compile.AMD64v3, compile.AMD64v4}, "arm64": {compile.ARM64}}[runtime.GOARCH],
	}
	if input.Targets == nil || runtime.GOARCH == "amd64" && !cpu.X86.HasAVX2 {
		t.Skip("nothing is translated for this processor")
	}
	configurations := []string{"translated", "translated/3/block=7", "sequential"}

	units := t.TempDir()
	for _, c := range configurations {
		record := suite(os.Args[0], c, "OP2_HEAVY=", "OP2_TEST_TRANSLATE="+units, "OP2_REQUIRE=", "OP2_TEST_CACHE_DIR="+os.Getenv("OP2_CACHE_DIR"))
		// While loops are recorded, each runtime is of translated, except those without data: the part that compares the
		// texts of both would fail.
		record.Args = append(record.Args, "-test.skip=^TestConfiguration$/./^static$")
		if out, err := record.CombinedOutput(); err != nil {
			t.Fatalf("recording %s: %v\n%s", c, err, out)
		}
	}
	var err error
	if input.Units, err = unit.Read(units); err != nil {
		t.Fatal(err)
	}
	files, err := translate.Generate(input)
	if err != nil { // also where loops are refused
		t.Fatal(err)
	}
	t.Logf("%d units", len(input.Units))
	module := withModule(t, input.Path, files)

	cgo := strings.TrimSpace(string(optest.Must(exec.Command("go", "env", "CGO_ENABLED").Output()))) == "1"
	for _, way := range []struct {
		name  string
		flags []string
		cgo   bool
	}{
		{"race", []string{"-race"}, true},
		{"position-independent", []string{"-buildmode=pie", "-ldflags=-linkmode=external"}, true},
		{"static", []string{"-tags", "op2_static"}, false},
	} {
		t.Run(way.name, func(t *testing.T) {
			if way.cgo && !cgo {
				t.Skip("it needs cgo")
			}
			dir := t.TempDir()
			binary := filepath.Join(dir, "suite")
			build := exec.Command("go", slices.Concat([]string{"test", "-c", "-o", binary}, module, way.flags)...)
			build.Env = append(os.Environ(), "CGO_ENABLED="+map[bool]string{true: "1", false: "0"}[way.cgo])
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, target := range input.Targets {
				debug := "GODEBUG="
				if target == compile.AMD64v3 {
					debug += "cpu.avx512f=off"
				}
				for _, c := range configurations {
					run := suite(binary, c, "OP2_HEAVY=", "OP2_REQUIRE=translated,sequential", "OP2_TEST_CACHE_DIR="+dir, "PATH=", debug)
					run.Dir = dir
					if out, err := run.CombinedOutput(); err != nil || string(out) != "PASS\n" {
						t.Errorf("%s for %s: %v\n%s", c, target, err, out)
					}
				}
			}
		})
	}
}

// TestHeavyTranslatedPrograms runs the suite on devices that must not compile but what a run of it on the host has
// recorded for them, and which a package can contain. The part with dims that differ from run to run is left out.
func TestHeavyTranslatedPrograms(t *testing.T) {
	heavy.Test(t)
	optest.RequireCompiler(t)
	for device, configuration := range map[string]string{"cuda": "standin/auto", "opencl-cpu": "opencl/auto"} {
		t.Run(device, func(t *testing.T) {
			gputest.Require(t, strings.TrimSuffix(configuration, "/auto"))
			programs := t.TempDir()
			optest.OK(t, unit.RequestPrograms(programs, device))
			cache := "OP2_TEST_CACHE_DIR=" + os.Getenv("OP2_CACHE_DIR")
			record := suite(os.Args[0], "translated", "OP2_HEAVY=", "OP2_TEST_TRANSLATE="+programs, "OP2_REQUIRE=", cache)
			record.Args = append(record.Args, "-test.skip=^TestConfiguration$/./^static$")
			if out, err := record.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			input := translate.Input{Name: "op2gen", Path: "example.com/op2gen", Units: optest.Must(unit.Read(programs))}
			if input.NVRTC, _ = nvrtc.Open(0); input.NVRTC == nil {
				t.Log("no NVRTC")
			}
			if _, err := translate.Generate(input); err != nil { // as where NVRTC makes no PTX
				t.Error(err)
			}
			t.Logf("%d programs", len(input.Units))
			run := suite(os.Args[0], configuration, "OP2_HEAVY=", "OP2_TEST_PROGRAMS="+programs, "OP2_REQUIRE=translated", cache)
			run.Args = append(run.Args, "-test.skip=^TestConfiguration$/././^any_dim$")
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// withModule writes a generated package as a module of its own, and returns the flags with which the go command builds the
// tests of this package with it: nothing is written where others build them.
func withModule(t *testing.T, path string, generated map[string][]byte) []string {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	write := func(name string, text []byte) {
		optest.OK(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		optest.OK(t, os.WriteFile(at(name), text, 0o666))
	}
	for name, text := range generated {
		write("module/"+name, text)
	}
	write("module/go.mod", []byte("module "+path+"\n"))
	root := filepath.Join(optest.Must(os.Getwd()), "..", "..")
	write("go.sum", optest.Must(os.ReadFile(filepath.Join(root, "go.sum"))))
	write("go.mod", fmt.Appendf(optest.Must(os.ReadFile(filepath.Join(root, "go.mod"))), "\nrequire %s v0.0.0\nreplace %[1]s => %q\n", path, at("module")))
	write("import.go", []byte("package conformance\n\nimport _ \""+path+"\"\n"))
	imports := filepath.Join(root, "internal", "conformance", "import_test.go")
	write("overlay", optest.Must(json.Marshal(map[string]any{"Replace": map[string]string{imports: at("import.go")}})))
	return []string{"-modfile", at("go.mod"), "-overlay", at("overlay")}
}
