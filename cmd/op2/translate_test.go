package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/go-op2/op2/internal/translate/compile"
)

// steps is a program whose loops over two kernels run always, one after the other, and that over halve with an argument.
const steps = `package main

import (
	_ "embed"
	"os"

	"github.com/go-op2/op2"
	_ "example.com/steps/op2gen"
)

//go:embed main.go
var source string

func double(x *float64) { *x += *x }

func halve(x *float64) { *x /= 2 }

func add(x *float64) { *x += 1 }

func main() {
	rt, err := op2.Open(op2.WithLazy(true))
	if err != nil {
		panic(err)
	}
	defer rt.Close()
	x := op2.NewDat(rt.NewSet(3, "points"), 1, []float64{1, 2, 3}, "x")
	kernels := op2.Kernels(source)
	if err := op2.ParLoop(kernels.Func(double), x.Set(), x.RW()); err != nil {
		panic(err)
	}
	if err := op2.ParLoop(kernels.Func(add), x.Set(), x.RW()); err != nil {
		panic(err)
	}
	if len(os.Args) > 1 {
		half := kernels.Func(halve)
		if err := op2.NewLoop(half, x.Set(),
			x.RW()).Compute(); err != nil {
			panic(err)
		}
	}
	if values, err := x.Data(); err != nil || values[2] != 7 && len(os.Args) == 1 {
		os.Exit(3)
	}
}
`

// newProgram makes a module with a program, and changes to its folder.
func newProgram(t *testing.T, text string) {
	t.Helper()
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "-mod=mod -ldflags=-s") // links in half the time
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"go.mod":  "module example.com/steps\n\ngo " + goVersion + "\n\nrequire github.com/go-op2/op2 v0.0.0\n\nreplace github.com/go-op2/op2 => " + repository + "\n",
		"go.sum":  string(sums),
		"main.go": text,
	} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// tree returns the files of the current folder, without those of the go command.
func tree(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(path string, e os.DirEntry, err error) error {
		if err != nil || path == "." || strings.HasPrefix(path, "go.") {
			return err
		}
		files[path] = ""
		if e.Type().IsRegular() {
			data, err := os.ReadFile(path)
			files[path] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What cannot be translated is said, with positions, and leaves no file.
func TestTranslateWrong(t *testing.T) {
	newProgram(t, steps)
	const brokenProgram = "package main\n\nfunc main() { undefined() }\n"
	for path, text := range map[string]string{
		"broken/main.go": brokenProgram,
		"part/part.go":   "package part\n",
		"taken/mine.go":  "package taken\n",
		"fails/main.go":  "package main\n\nimport \"os\"\n\nfunc main() { println(\"fails/main.go:5: no mesh\"); os.Exit(1) }\n",
		"idle/main.go":   "package main\n\nfunc main() {}\n",
		"blind/main.go":  strings.Replace(steps, "//go:embed main.go", "", 1),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	closed := "closed"
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	before := tree(t)
	for _, c := range []struct {
		args []string
		want string // in the error, or before it
	}{
		{[]string{}, "which program?"},
		{[]string{".", " -i"}, `unexpected argument " -i"`},
		{[]string{"-targets", "x86-64-v5", "."}, `-targets: "x86-64-v5": `},
		{[]string{"-project", "", "."}, "-project: which folder?"},
		{[]string{"-project", "inc", "-check", "."}, "-check, -targets and -wisdom are for packages"},
		{[]string{"-project", "taken", "."}, "-project: taken has other files"},
		{[]string{"-project", "inc", "./fails"}, "fails/main.go:5: no mesh"},
		{[]string{"./part"}, "./part is the package part, not a program"},
		{[]string{"./nowhere"}, "nowhere: "},
		{[]string{"-o", "../op2gen", "."}, "-o ../op2gen is outside the module in "},
		{[]string{"-o", "op2-gen", "."}, "op2-gen is no name of a package"},
		{[]string{"-o", "taken", "."}, "-o taken has files of others (mine.go)"},
		{[]string{"-cc", "no-such-cc", "."}, "no-such-cc"},
		{[]string{"./broken"}, "broken/main.go:3:15: undefined: undefined"},
		{[]string{"./fails"}, "fails/main.go:5: no mesh"},
		{[]string{"./blind"}, "the source is empty: is //go:embed missing?"},
		{[]string{"./idle"}, "./idle ran no loop that is compiled"},
		{[]string{"-o", filepath.Join(closed, "op2gen"), "."}, "permission denied"},
	} {
		if c.want == "permission denied" && os.Geteuid() == 0 {
			continue
		}
		_, status, err := outputs(t, append([]string{"translate"}, c.args...)...)
		if err == nil || !strings.Contains(status+err.Error(), c.want) {
			t.Errorf("op2 translate %q: %v\n%s\nwant %q", c.args, err, status, c.want)
		}
		if after := tree(t); !maps.Equal(before, after) {
			t.Fatalf("op2 translate %q left %v", c.args, slices.Sorted(maps.Keys(after)))
		}
	}
}

// A program that imports the package before it is there is translated, what its run did not reach is named, and then
// it runs without a compiler. The package is the same whatever the compiler, the folder and the number of times.
func TestTranslate(t *testing.T) {
	target := map[string]string{"amd64": "x86-64-v3", "arm64": "arm64"}[runtime.GOARCH]
	if _, err := compile.New("", targetsByName[target]); err != nil || runtime.GOARCH == "amd64" && !cpu.X86.HasAVX2 {
		t.Skip("there is no compiler, or the processor does not run its code: ", err)
	}
	newProgram(t, steps)
	_, status, err := outputs(t, "translate", "-targets", target+","+target, ".")
	if err != nil {
		t.Fatal(err)
	}
	const unreached = " was never reached: it is not translated; give arguments that reach it\n"
	if want := "main.go:36: the loop of half" + unreached + "main.go:16: a loop of halve" + unreached + "wrote op2gen\n"; status != want {
		t.Errorf("got:\n%s\nwant:\n%s", status, want)
	}
	before := tree(t)
	if at := "example.com/steps/main.go:14:6"; !strings.Contains(before["op2gen/manifest.go"], at) || !strings.Contains(before["op2gen/c/double.c"], at) {
		t.Errorf("%s is not in\n%s\n%s", at, before["op2gen/manifest.go"], before["op2gen/c/double.c"])
	}
	if _, ok := before["op2gen/c/double_add.c"]; !ok {
		t.Error("the loops are not translated as they run together in longer runs")
	}
	if _, ok := before["op2gen/c/libm.c"]; ok {
		t.Error("there are mathematical functions, which nothing calls")
	}
	if out, err := exec.Command("go", "build", "-o", "steps", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command("./steps")
	run.Env = []string{"PATH=", "HOME=" + t.TempDir(), "OP2_REQUIRE=translated"}
	if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	if err := os.Remove("steps"); err != nil {
		t.Fatal(err)
	}
	if out, err := output(t, "translate", "-check", "-targets", target, "."); err != nil || out != "op2gen is as it would be written\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if after := tree(t); !maps.Equal(before, after) {
		t.Errorf("-check left %v", slices.Sorted(maps.Keys(after)))
	}
	other := targetsByName[map[bool]string{true: "x86-64-v4", false: "x86-64-v3"}[runtime.GOARCH == "amd64"]].Level
	t.Setenv("OP2_CFLAGS", "-O2")
	out, err := output(t, "translate", "-check", "-targets", other, ".")
	want := "missing: code for " + other + "\nsuperfluous: code for " + targetsByName[target].Level +
		"\nother flags: c/add.c\nother flags: c/add_threads.c\nother flags: c/double.c\nother flags: c/double_add.c\nother flags: c/double_add_threads.c\nother flags: c/double_threads.c\n"
	if err == nil || out != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	t.Setenv("OP2_CFLAGS", "")
	changed := strings.Replace(steps, "*x += *x", "*x *= 2", 1)
	if err := os.WriteFile("main.go", []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := output(t, "translate", "-check", "-targets", target, "."); err == nil || out != "changed: c/double.c\nchanged: c/double_add.c\nchanged: c/double_add_threads.c\nchanged: c/double_threads.c\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if _, _, err := outputs(t, "translate", "-targets", target, "."); err != nil {
		t.Fatal(err)
	}
	assembly := "loops_" + runtime.GOARCH + ".s"
	if err := os.WriteFile("op2gen/"+assembly, []byte(before["op2gen/"+assembly]), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := output(t, "translate", "-check", "-targets", target, "."); err == nil || out != "made of other C, or by other flags or another compiler: "+assembly+"\n" {
		t.Errorf("assembly of another generation: %v\n%s", err, out)
	}
}
