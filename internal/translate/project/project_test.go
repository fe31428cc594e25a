package project_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/translate/project"
	"github.com/go-op2/op2/internal/translate/recording"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/mesh"
)

// need skips the test without a command, or fails if OP2_REQUIRE requires that.
func need(t *testing.T, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			optest.Require(t, c, err.Error())
		}
	}
}

// airfoil records some iterations, writes the project, and returns its folder and the last rms.
func airfoil(t *testing.T, iterations int) (dir string, rms float64) {
	t.Helper()
	dir = written(t, func(rt *op2.Runtime) {
		m, err := mesh.NACA0012(16, 16)
		optest.OK(t, err)
		f, err := flow.New(rt, m, flow.AsGiven)
		optest.OK(t, err)
		for range iterations {
			rms, err = f.Iterate()
			optest.OK(t, err)
		}
		rms *= rms * float64(m.Cells()) // the global
	})
	return dir, rms
}

// written records a program, and writes the project airfoil of it.
func written(t *testing.T, program func(*op2.Runtime)) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "airfoil")
	optest.OK(t, write(dir, "airfoil", recorded(t, program)))
	return dir
}

// recorded runs programs, each with a runtime, and returns the folder of the recording.
func recorded(t *testing.T, programs ...func(*op2.Runtime)) (record string) {
	t.Helper()
	record = t.TempDir()
	optest.OK(t, recording.Request(record))
	t.Setenv(unit.Variable, record)
	t.Setenv("OP2_BACKEND", "sequential")
	t.Setenv("OP2_CHAINS", "off")
	for _, program := range programs {
		rt, err := op2.Open()
		optest.OK(t, err)
		program(rt)
		optest.OK(t, rt.Close())
	}
	return record
}

// The loops of two runtimes are no run, and nothing is left of a project.
func TestTwoRuntimes(t *testing.T) {
	record := recorded(t, odd(t), odd(t))
	dir := filepath.Join(t.TempDir(), "new", "airfoil")
	optest.ExpectError(t, write(dir, "airfoil", record), "several runtimes have run loops, and a recording is of one")
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("a folder is left")
	}
}

// The loops run as in Go, for as many iterations as in the recording, and for others.
func TestProject(t *testing.T) {
	need(t, "gcc", "make")
	dir, want := airfoil(t, 3)
	index, err := os.ReadFile(filepath.Join(dir, "data", "index.txt"))
	optest.OK(t, err)
	if !strings.Contains(string(index), "\nrepeat 3\ncall 0\n") {
		t.Errorf("the iteration is not found in:\n%s", index)
	}
	build(t, dir, "all")
	for _, target := range []string{"sequential", "openmp"} {
		t.Run(target, func(t *testing.T) {
			if rms := run(t, dir, "./airfoil_"+target); math.Abs(rms-want) > 1e-12*want {
				t.Errorf("rms %v, not %v", rms, want)
			}
			if other := run(t, dir, "./airfoil_"+target, "data", "5"); other == want || math.Abs(other-want) > want {
				t.Errorf("rms %v after 5 iterations", other)
			}
		})
	}
}

func TestProjectOfOddLoops(t *testing.T) {
	need(t, "gcc", "make")
	dir := written(t, odd(t))
	build(t, dir, "check")
}

// Processes that own shares of the mesh add in another order.
func TestProjectOnRanks(t *testing.T) {
	need(t, "gcc", "make", "mpicc", "mpirun")
	dir, want := airfoil(t, 3)
	build(t, dir, "mpi")
	t.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
	t.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
	if rms := run(t, dir, "mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", "./airfoil_mpi"); math.Abs(rms-want) > 1e-12*want {
		t.Errorf("rms %v, not %v", rms, want)
	}
}

func build(t *testing.T, dir string, args ...string) {
	t.Helper()
	if out, err := exec.Command("make", append([]string{"-C", dir, "-j2", "CFLAGS=-O1"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// run runs a program of the project, and returns the global rms.
func run(t *testing.T, dir, name string, args ...string) (rms float64) {
	t.Helper()
	out := output(t, dir, name, args...)
	for line := range strings.Lines(out) {
		if _, err := fmt.Sscanf(line, "global rms %g", &rms); err == nil {
			return rms
		}
	}
	t.Fatalf("no rms in:\n%s", out)
	return 0
}

// write writes a project.
func write(dir, name, from string) error {
	p, err := project.New(dir)
	if err != nil {
		return err
	}
	defer p.Discard()
	return p.Write(name, from)
}

// output runs a program of the project, which fails if results differ.
func output(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	program := exec.Command(name, args...)
	program.Dir = dir
	out, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// A folder that is not a project stays as it is.
func TestNotAProject(t *testing.T) {
	dir, from := t.TempDir(), t.TempDir()
	optest.OK(t, (&recording.Run{}).Write(from))
	optest.OK(t, os.WriteFile(filepath.Join(dir, "thesis.tex"), nil, 0o666))
	optest.ExpectError(t, write(dir, "thesis", from), dir+" has other files, and no data/index.txt: name a folder that is new or empty")
}

// A project takes the place of an earlier one, whose own files go, or leaves all as it was.
func TestAnotherProject(t *testing.T) {
	dir, from := filepath.Join(t.TempDir(), "flow"), t.TempDir()
	optest.OK(t, (&recording.Run{}).Write(from))
	optest.OK(t, os.WriteFile(filepath.Join(from, "q.bin"), []byte("1"), 0o666))
	optest.OK(t, write(dir, "flow", from))
	optest.OK(t, os.WriteFile(filepath.Join(dir, "notes"), nil, 0o666))
	before := optest.Must(os.ReadFile(filepath.Join(dir, "Makefile")))

	optest.OK(t, os.Mkdir(filepath.Join(from, "r.bin"), 0o777))
	if err := write(dir, "other", from); err == nil {
		t.Error("a folder is taken for values")
	}
	if after := optest.Must(os.ReadFile(filepath.Join(dir, "Makefile"))); string(after) != string(before) {
		t.Errorf("the project is written in part:\n%s", after)
	}

	optest.OK(t, os.Remove(filepath.Join(from, "r.bin")))
	optest.OK(t, os.Rename(filepath.Join(from, "q.bin"), filepath.Join(from, "p.bin")))
	optest.OK(t, write(dir, "other", from))
	for file, want := range map[string]bool{"notes": true, "data/p.bin": true, "data/q.bin": false} {
		if _, err := os.Stat(filepath.Join(dir, file)); (err == nil) != want {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// A matrix over columns of layers has a table, and no values of maps.
func TestProjectOfColumns(t *testing.T) {
	need(t, "gcc", "make")
	dir := written(t, func(rt *op2.Runtime) {
		base, vertices := rt.NewSet(3, "base"), rt.NewSet(4, "vertices")
		ends := op2.NewMap(base, vertices, 2, []int{0, 1, 1, 2, 2, 3}, "ends")
		cells, points := op2.NewExtrudedSet(base, 5, "cells"), op2.NewExtrudedSet(vertices, 5, "points")
		line := op2.NewExtrudedMap(cells, points, ends, []int{0}, 1, "line")
		k := op2.NewMat[float64](op2.NewSquareSparsity(line, 1, "pattern"), "k")
		op2.NewConst(rt, "slope", &slope)
		optest.OK(t, errors.Join(rt.Err(), op2.ParLoop(op2.Kernels(source).Func(register), cells, k.Inc(line, line))))
	})
	build(t, dir, "check")
}
