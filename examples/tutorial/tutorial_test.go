// Package tutorial tests that docs/tutorial.md tells the truth about the programs in this folder.
package tutorial

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
)

// page returns the text of the tutorial, and the root of the repository.
func page(t *testing.T) (text, root string) {
	root, err := filepath.Abs("../..")
	optest.OK(t, err)
	b, err := os.ReadFile(filepath.Join(root, "docs", "tutorial.md"))
	optest.OK(t, err)
	return string(b), root
}

// Each line of Go in the tutorial is a line of one of its programs, in the same order.
func TestCode(t *testing.T) {
	text, _ := page(t)
	files, err := filepath.Glob("*/main.go")
	optest.OK(t, err)
	var programs []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		optest.OK(t, err)
		programs = append(programs, withoutIndent(string(b)))
	}
	fences := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(text, -1)
	if len(fences) < 15 {
		t.Errorf("the tutorial has only %d pieces of Go", len(fences))
	}
	for _, f := range fences {
		code := withoutIndent(f[1])
		if !slices.ContainsFunc(programs, func(p string) bool { return strings.Contains(p, code) }) {
			t.Errorf("no program has\n%s", f[1])
		}
	}
}

func withoutIndent(code string) string {
	return regexp.MustCompile(`(?m)^\t+`).ReplaceAllString(code, "")
}

// The programs print what the tutorial says, and draw its pictures.
func TestOutput(t *testing.T) {
	optest.NotShort(t)
	text, root := page(t)
	dir := t.TempDir()
	optest.OK(t, os.CopyFS(filepath.Join(dir, "examples", "tutorial"), os.DirFS(".")))
	build := exec.Command("go", "build", "-ldflags=-s", "-o", dir, "./examples/tutorial/...")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ran := 0
	command := regexp.MustCompile(`(?m)^    \$ (?:go run ./examples/tutorial/|mpirun -n 2 ./)(\w+)(.*)\n((?:    [^$\n].*\n)+)`)
	for _, c := range command.FindAllStringSubmatch(text, -1) {
		t.Run(c[1], func(t *testing.T) {
			ran++
			program, arguments := filepath.Join(dir, c[1]), strings.Fields(c[2])
			run := exec.Command(program, arguments...)
			if strings.Contains(c[0], "mpirun") {
				run = mpitest.Command(t, mpitest.OpenMPI, 2, program, arguments...)
			}
			run.Dir = dir
			out, err := run.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got, want := strings.Fields(string(out)), strings.Fields(c[3]); !slices.EqualFunc(got, want, alike) {
				t.Errorf("it prints\n%swant\n%s", out, c[3])
			}
		})
	}
	if ran != 5 {
		t.Errorf("the tutorial shows the output of %d runs, want 5", ran)
	}
	for _, file := range []string{"heat.png", "boundaries.png", "out/plate.pvd"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

// alike reports whether two words are the same; numbers may differ in the last of four digits, iterations by one in fifty.
func alike(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	tolerance := 1e-4
	if !strings.Contains(b, ".") {
		tolerance = 0.02
	}
	return a == b || err1 == nil && err2 == nil && math.Abs(x-y) <= tolerance*math.Abs(y)
}
