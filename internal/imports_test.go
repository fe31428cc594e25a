package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// house lists the packages of the module from the ground up: each imports only those on lines above its
// own. A folder with "/..." is a family on one line,
// whose members may import each other.
const house = `
internal/sorting
internal/callsite internal/exact internal/filelock internal/launch internal/lists internal/loop internal/native internal/parallel internal/profile internal/spell internal/stop internal/stream internal/timeline internal/translate/link internal/wholefile progress translated
internal/krylov internal/order internal/plan internal/report internal/snapshot internal/sparse internal/translate/unit internal/trial internal/vtu internal/wisdom
internal/comm internal/hdf5 internal/jit internal/kernel internal/mathfn internal/tiling internal/tune plot
internal/choice internal/comm/commtest internal/kernel/csource internal/kernel/fromgo internal/kernel/interp internal/lower internal/problem internal/record internal/translate/compile
internal/tuning internal/codegen internal/codegen/clash internal/codegen/facts internal/codegen/text internal/halo internal/kernel/fromc
internal/libm
internal/codegen/codegentest internal/codegen/lanes internal/codegen/vectors internal/partition internal/translate/recording
internal/codegen/ckernel internal/cuda/toolkit internal/device
internal/codegen/packs
internal/codegen/device internal/codegen/host
internal/cuda/cusparse internal/cuda/nvrtc internal/mpi internal/petsc
internal/cuda internal/opencl
internal/cuda/offline internal/cuda/standin internal/device/pretend internal/mpi/mpitest
internal/backend internal/fuse/... internal/userkernel
internal/backend/recordtest internal/store internal/vet
internal/exchange
internal/entity
internal/checkpoint internal/distribute internal/partial internal/rankfile
internal/bind
internal/run
internal/algebra internal/chains internal/precondition
internal/lazy
internal/backend/pace
internal/backend/crew
internal/backend/gofunc/... internal/backend/gpu internal/backend/host/... internal/backend/parttest
internal/backend/cuda internal/backend/opencl
internal/backend/fallback internal/backend/rehearse internal/backend/trace
internal/backend/registry
internal/backend/registry/registrytest internal/optest/heavy internal/settings internal/solve
internal/backend/gpu/gputest
internal/translate internal/translate/project
.
ckernel elements hdf5 mesh solver
internal/optest vtk
internal/conformance/...
examples/...
bench/... cmd/... docs/...
`

func TestImportsRunDownward(t *testing.T) {
	line := map[string]int{}
	for i, packages := range strings.Split(strings.TrimSpace(house), "\n") {
		for _, p := range strings.Fields(packages) {
			line[p] = i
		}
	}
	imports, err := importsOf("..")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for p, imported := range imports {
		own := entry(line, p)
		at, ok := line[own]
		if !ok {
			t.Errorf("the table of packages lacks %s", p)
			continue
		}
		seen[own] = true
		for to, file := range imported {
			if below := entry(line, to); below != own && line[below] >= at {
				t.Errorf("%s imports %s, which is not below %s in the table of packages", file, to, p)
			}
		}
	}
	for p := range line {
		if !seen[p] {
			t.Errorf("there is no package %s", p)
		}
	}
}

// A program whose kernels are in Go compiles nothing that is large and that it can do without: the first
// command of the README does, on a fresh machine, before anything else.
func TestProgramsStayLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../examples/airfoil").Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := strings.Fields(string(out))
	if !slices.Contains(imports, "github.com/go-op2/op2") {
		t.Fatalf("no op2 in %s", imports)
	}
	for _, heavy := range []string{
		"github.com/go-op2/op2/internal/kernel/fromc", "github.com/go-op2/op2/internal/kernel/csource", "modernc.org/cc/v4",
		"github.com/go-op2/op2/internal/solve", "debug/elf", "encoding/gob", "encoding/xml", "go/build", "golang.org/x/image/font/gofont/goregular", "golang.org/x/sys/unix", "golang.org/x/tools/go/packages", "net", "net/url", "text/template",
	} {
		if slices.Contains(imports, heavy) {
			t.Errorf("examples/airfoil contains %s", heavy)
		}
	}
}

// A package that uses types which mention reflect.Type, in a method's parameters, say, compiles wrappers of all that
// type's methods (see loop.Type).
func TestNoWrappersOfReflection(t *testing.T) {
	for _, p := range []string{"../examples/airfoil/flow", "../internal/bind", "../internal/codegen/host", "../internal/entity", "../internal/run"} {
		archive, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", p).Output()
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := exec.Command("go", "tool", "nm", strings.TrimSpace(string(archive))).Output()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(symbols), "go:cuinfo") {
			t.Errorf("no symbols of %s", p)
		}
		if strings.Contains(string(symbols), ".FieldByNameFunc") {
			t.Errorf("%s contains wrappers of the methods of reflect.Type", p)
		}
	}
}

// entry returns the entry for a package in the table: itself, or a family.
func entry(line map[string]int, p string) string {
	for f := p; f != "."; f = filepath.ToSlash(filepath.Dir(f)) {
		if _, ok := line[f+"/..."]; ok {
			return f + "/..."
		}
	}
	return p
}

// importsOf returns what each package of the module in a folder imports from the module, with a file
// that does, apart from tests.
func importsOf(root string) (map[string]map[string]string, error) {
	const module = "github.com/go-op2/op2"
	imports := map[string]map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		name := e.Name()
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != root && (name[0] == '.' || name[0] == '_' || name == "testdata"):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		folder = filepath.ToSlash(folder)
		if imports[folder] == nil {
			imports[folder] = map[string]string{}
		}
		for _, s := range f.Imports {
			p, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				return err
			}
			if p == module {
				imports[folder]["."] = path
			} else if p, ok := strings.CutPrefix(p, module+"/"); ok {
				imports[folder][p] = path
			}
		}
		return nil
	})
	return imports, err
}
