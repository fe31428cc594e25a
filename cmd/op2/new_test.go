package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/mesh"
)

// The module that new creates builds, passes its test, and runs.
func TestNew(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	out, status, err := outputs(t, "new", "-replace", repository, "example.com/me/heat")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Next:\n  cd heat\n  go mod tidy    # finds op2 in " + strconv.Quote(repository) + "\n  go test\n  go run .       # draws heat.png\n"; out != want {
		t.Errorf("got:\n%s\nwant:\n%s", out, want)
	}
	if want := "wrote heat/README.md\nwrote heat/.gitignore\nwrote heat/go.mod\nwrote heat/kernels.go\nwrote heat/main.go\nwrote heat/main_test.go\n"; status != want {
		t.Errorf("got:\n%s\nwant:\n%s", status, want)
	}

	// Everything that op2 needs is already there; nothing is fetched.
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("heat/go.sum", sums, 0o666); err != nil {
		t.Fatal(err)
	}
	goCommand := func(args ...string) {
		t.Helper()
		c := exec.Command("go", args...)
		c.Dir = "heat"
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod -ldflags=-s", "GOPROXY=off", "GOWORK=off", "OP2_BACKEND=go")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	goCommand("test", ".")
	goCommand("build", ".")
	run := exec.Command("./heat", "-backend", "go", "-n", "8", "-steps", "150")
	run.Dir = "heat"
	var results, progress strings.Builder
	run.Stdout, run.Stderr = &results, &progress
	err = run.Run()
	if want := "128 triangles, backend go\n\n  step        total      hottest\n   100 "; err != nil || !strings.HasPrefix(results.String(), want) || !strings.HasSuffix(progress.String(), "picture: heat.png\n") {
		t.Errorf("%v, got:\n%s%s\nwant:\n%s…", err, &results, &progress, want)
	}
	if _, err := os.Stat("heat/heat.png"); err != nil {
		t.Error(err)
	}
	t.Run("mpirun", func(t *testing.T) {
		c := mpitest.Command(t, mpitest.OpenMPI, 2, "./heat", "-backend", "go", "-n", "8", "-steps", "150")
		c.Dir = "heat"
		out, err := c.CombinedOutput()
		if text := string(out); err != nil || strings.Count(text, "triangles") != 1 || strings.Count(text, "picture:") != 1 || strings.Count(text, "2 ranks:") != 1 {
			t.Errorf("%v\n%s", err, text)
		}
	})
	if unformatted, err := exec.Command("gofmt", "-l", "heat").CombinedOutput(); err == nil && len(unformatted) > 0 {
		t.Errorf("gofmt would change %s", unformatted)
	}
	if _, err := output(t, "new", "heat"); err == nil || err.Error() != "op2 new: heat already exists" {
		t.Errorf("a second one: %v", err)
	}
}

// The programs of the other kinds pass their tests, with meshes of files, whose groups they name. They are put in one
// module, to be built at once.
func TestNewKinds(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	box, err := mesh.Box(mesh.Tetrahedron, 2, 2, 2, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	box.Groups = nil
	if err := box.WriteFile("box.vtu"); err != nil {
		t.Fatal(err)
	}
	plate := filepath.Join(repository, "examples", "tutorial", "plate.msh")
	for _, args := range [][]string{{"-kind", "fem", "fem"}, {"-mesh", plate, "plate"}, {"-kind", "fem", "-mesh", "box.vtu", "box"}, {"-kind", "fv", "-mesh", plate, "fv"}, {"-kind", "particles", "-mesh", plate, "particles"}} {
		if _, err := output(t, append([]string{"new", "-replace", repository}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("plate/main.go")
	if want := "\t{\"pipe\", 1},\n\t{\"bolt\", 0},\n\t{\"bottom\", 0},\n\t{\"air\", 0},\n}\n"; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%v, no %s in\n%s", err, want, text)
	}
	goMod, err := os.ReadFile("plate/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile("go.mod", goMod, 0o666), os.WriteFile("go.sum", sums, 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fem", "plate", "box", "fv", "particles"} {
		if err := os.Remove(name + "/go.mod"); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "test", "./...")
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod -ldflags=-s", "GOPROXY=off", "GOWORK=off", "OP2_BACKEND=")
	if out, err := c.CombinedOutput(); err != nil || strings.Count(string(out), "ok  ") != 5 {
		t.Errorf("%v\n%s", err, out)
	}
	if unformatted, err := exec.Command("gofmt", "-l", ".").CombinedOutput(); err == nil && len(unformatted) > 0 {
		t.Errorf("gofmt would change %s", unformatted)
	}
}

func TestNewGoMod(t *testing.T) {
	for _, c := range []struct {
		s    skeleton
		want string
	}{
		{skeleton{}, ""},
		{skeleton{Version: "v1.2.3"}, "\nrequire github.com/go-op2/op2 v1.2.3\n"},
		{skeleton{Replace: `"/a b"`}, "\nrequire github.com/go-op2/op2 v0.0.0\n\nreplace github.com/go-op2/op2 => \"/a b\"\n"},
	} {
		t.Chdir(t.TempDir())
		c.s.Name, c.s.Module, c.s.Go, c.s.Op2, c.s.Kind = "heat", "example.com/heat", goVersion, op2Module, "heat"
		if err := os.Mkdir("heat", 0o777); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := c.s.write(console{&b, &b}); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("heat/go.mod")
		if want := "module example.com/heat\n\ngo " + goVersion + "\n" + c.want; err != nil || string(got) != want {
			t.Errorf("%v, got:\n%s\nwant:\n%s", err, got, want)
		}
	}
}

func TestNewNext(t *testing.T) {
	for _, c := range []struct {
		s    skeleton
		want string
	}{
		{skeleton{Version: "v1.2.3"}, "# fetches op2\n"},
		{skeleton{}, "# fetches op2; before it, for a copy on this machine:\n                 #   go mod edit -replace github.com/go-op2/op2=FOLDER\n"},
	} {
		c.s.Name, c.s.Op2, c.s.Result = "heat", op2Module, "draws heat.png"
		if got, want := c.s.next(), "Next:\n  cd heat\n  go mod tidy    "+c.want+"  go test\n  go run .       # draws heat.png\n"; got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	}
}

func TestNewWrongUse(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	quads, err := mesh.Rectangle(mesh.Quadrilateral, 2, 2, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := quads.WriteFile("quads.vtu"); err != nil {
		t.Fatal(err)
	}
	const hint = "\n  hint: op2 new -help shows how it is used"
	bad := func(name string) string {
		return `op2 new: "` + name + `" is no name of a module: expected letters, digits, -, _ and ., as in heat or example.com/heat` + hint
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "op2 new: expected one name, found 0" + hint},
		{[]string{"a", "b"}, "op2 new: expected one name, found 2" + hint},
		{[]string{""}, bad("")},
		{[]string{"a b"}, bad("a b")},
		{[]string{".."}, bad("..")},
		{[]string{"../a"}, bad("../a")},
		{[]string{"/a"}, bad("/a")},
		{[]string{"a/"}, bad("a/")},
		{[]string{"_a"}, bad("_a")},
		{[]string{"a."}, bad("a.")},
		{[]string{"wärme"}, bad("wärme")},
		{[]string{"func"}, `op2 new: "func" is no name of a module: it is a keyword of Go, and packages cannot have it` + hint},
		{[]string{"example.com/3d"}, `op2 new: "example.com/3d" is no name of a module: a letter comes first in names of Go, as in x3d` + hint},
		{[]string{"heat", "-replace", "op2"}, `op2 new: -replace comes after the name: flags come before it` + hint},
		{[]string{"math"}, `op2 new: "math" is no name of a module: Go has packages of its own by that name` + hint},
		{[]string{"-kind", "x", "a"}, "op2 new: -kind x: expected one of heat, fem, fv, particles" + hint},
		{[]string{"-mesh", "none.msh", "a"}, "op2 new: -mesh: mesh: open none.msh: no such file or directory" + hint},
		{[]string{"-kind", "heat", "-mesh", "none.msh", "a"}, "op2 new: -mesh: the kind heat has a mesh of its own: use one of fem, fv, particles" + hint},
		{[]string{"-kind", "particles", "-mesh", "quads.vtu", "a"}, "op2 new: -mesh quads.vtu: the kind particles is for cells that are a triangle in 2 dimensions, the mesh has a quadrilateral in 2 dimensions" + hint},
		{[]string{"-replace", dir, "a"}, "op2 new: -replace: open " + filepath.Join(dir, "go.mod") + ": no such file or directory" + hint},
	} {
		_, err := output(t, append([]string{"new"}, c.args...)...)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("op2 new %q: %v, not %q", c.args, err, c.want)
		}
	}
	if err := os.WriteFile("go.mod", []byte("module example.com/other\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := "op2 new: -replace .: expected the module github.com/go-op2/op2, go.mod has another" + hint
	if _, err := output(t, "new", "-replace", ".", "a"); err == nil || err.Error() != want {
		t.Errorf("%v, not %q", err, want)
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 2 {
		t.Errorf("%v, something was made: %v", err, entries)
	}
}

// The rejected names, and the version of Go, match Go's and this module's.
func TestNewKnowsGo(t *testing.T) {
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(out)) {
		if first, _, _ := strings.Cut(strings.TrimSpace(line), "/"); !slices.Contains(standard, first) {
			t.Errorf("%s is missing among the names that are refused", first)
		}
	}
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?m)^go (.*)$`).FindSubmatch(text); m == nil || string(m[1]) != goVersion {
		t.Errorf("go.mod wants another Go than %s", goVersion)
	}
}
