package op2_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

// Without a compiler, auto says what it falls back to, and what to install; C kernels are interpreted,
// faults included.
func TestAutoWithoutACompiler(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("OP2_CC", "")
	var log bytes.Buffer
	rt, err := op2.Open(op2.WithBackend("auto"), op2.WithLog(&log))
	optest.OK(t, err)
	defer rt.Close()
	if rt.Backend() != "go" {
		t.Errorf("auto took %s", rt.Backend())
	}
	cells := optest.NewSet(t, rt, 3, "cells")
	x, y := optest.NewDat(t, cells, 2, []int32{5, 1, 6, 2, 7, 0}, "x"), optest.NewDat[int32](t, cells, 1, nil, "y")
	const divide = "void divide(const int *x, int *y) { *y = x[0] / x[1]; }"
	loop := op2.NewLoop(ckernel.New("divide", divide), cells, x.Read(), y.Write())
	optest.ExpectError(t, loop.Compute(), optest.Pointed("op2: loop divide over cells: divide.c:1:42: integer divide by zero: element 2 of cells", divide))
	optest.Set(t, x, 5, 2)
	optest.OK(t, loop.Compute())
	optest.Expect(t, y, []int32{5, 3, 3})
	if how := loop.Stats().How; how != "C, interpreted" {
		t.Errorf("it runs as %s", how)
	}
	for _, want := range []string{
		"op2: warning: auto uses the backend go, which is several times slower than compiled C: ", "no C compiler", "hint: install",
		"op2: warning: the backend go interprets kernel divide and others in C",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %q in %s", want, log.String())
		}
	}
}

// A requested compiler and its flags are used or are an error, which names the variable.
func TestAutoWithABadCompiler(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{"OP2_CC", "gxx", "op2: backend openmp, with OP2_CC=gxx: not available: no C compiler called \"gxx\" in PATH"},
		{"OP2_CC", "/bin/false", "op2: backend openmp, with OP2_CC=/bin/false: the compiler does not work: compiling op2_threads: /bin/false ended with exit status 1 and no message; is it a C compiler?"},
		{"OP2_CFLAGS", "-O2 -lno-such", "op2: backend openmp, with OP2_CFLAGS=-O2 -lno-such: the compiler does not work: compiling op2_threads: "},
	} {
		t.Run(c.variable, func(t *testing.T) {
			if _, err := exec.LookPath("cc"); err != nil {
				t.Skip(err)
			}
			t.Setenv("OP2_CC", "")
			t.Setenv("OP2_CFLAGS", "")
			t.Setenv(c.variable, c.value)
			_, err := op2.Open(op2.WithBackend("auto"))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	_, err := op2.Open(op2.WithBackend("sequential"), op2.WithCompiler("gxx"))
	if want := "op2: backend sequential: not available: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

// If the first compiler that is found is dead, the next one is taken.
func TestDeadCompiler(t *testing.T) {
	optest.RequireCompiler(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip(err)
	}
	dead := t.TempDir()
	optest.OK(t, os.WriteFile(filepath.Join(dead, "gcc"), []byte("#!/bin/sh\nexit 3\n"), 0o755))
	optest.OK(t, os.WriteFile(filepath.Join(dead, "clang"), []byte("#!/bin/sh\nexec "+gcc+" \"$@\"\n"), 0o755))
	t.Setenv("PATH", dead+":"+os.Getenv("PATH"))
	t.Setenv("OP2_CC", "")
	t.Setenv("OP2_CFLAGS", "")
	cache := t.TempDir()
	for _, test := range []struct{ asked, taken, unit string }{{"auto", "openmp", "op2_threads"}, {"openmp", "openmp", "op2_threads"}, {"sequential", "sequential", "op2_check"}} {
		var log bytes.Buffer
		rt, err := op2.Open(op2.WithBackend(test.asked), op2.WithLog(&log), op2.WithCacheDir(cache))
		optest.OK(t, err)
		want := "op2: warning: " + filepath.Join(dead, "clang") + " is used, since " + filepath.Join(dead, "gcc") + " does not work: compiling " + test.unit + ": "
		if rt.Backend() != test.taken || strings.Count(log.String(), "warning") != 1 || !strings.HasPrefix(log.String(), want) {
			t.Errorf("%s took %s and said %s", test.asked, rt.Backend(), log.String())
		}
		rt.Close()
	}
}

// With OP2_STATS or the option the table is written to standard error when the runtime closes.
func TestStatsAtClose(t *testing.T) {
	for _, test := range []struct {
		variable string
		options  []op2.Option
		want     bool
	}{{"", nil, false}, {"1", nil, true}, {"", []op2.Option{op2.WithStats(true)}, true}, {"1", []op2.Option{op2.WithStats(false)}, false}} {
		r, w, err := os.Pipe()
		optest.OK(t, err)
		before := os.Stderr
		os.Stderr = w
		defer func() { os.Stderr = before }()
		t.Setenv("OP2_STATS", test.variable)
		rt := optest.Must(op2.Open(append(test.options, op2.WithBackend("go"))...))
		set := optest.NewSet(t, rt, 3, "elements")
		optest.Run(t, op2.Kernels(unreachableSource).Func(redouble), set, optest.NewDat[float64](t, set, 4, nil, "x").RW())
		optest.OK(t, rt.Close())
		os.Stderr = before
		w.Close()
		var text bytes.Buffer
		_, err = text.ReadFrom(r)
		optest.OK(t, err)
		if strings.Contains(text.String(), "redouble") != test.want {
			t.Errorf("OP2_STATS=%s, %d options: got %q", test.variable, len(test.options), text.String())
		}
	}
}

// What Open cannot use of the environment is an error that names the variable; an option comes before a name.
func TestErrorTextsOfEnvironment(t *testing.T) {
	for _, test := range []struct{ variable, value, want string }{
		{"OP2_RANK_WEIGHT", "-1", "op2: OP2_RANK_WEIGHT=-1: expected a finite number, at least 0"},
		{"OP2_BACKEND", "gpu", "op2: OP2_BACKEND=gpu: there is no backend \"gpu\": not available\n  hint: this version has auto, BACKENDS"},
		{"OP2_BACKEND", "OpenCL ", "op2: OP2_BACKEND=OpenCL : there is no backend \"OpenCL \" (did you mean \"opencl\"?): not available\n  hint: this version has auto, BACKENDS"},
	} {
		t.Run(test.variable+"="+test.value, func(t *testing.T) {
			want := strings.ReplaceAll(test.want, "BACKENDS", backendNames(t))
			t.Setenv(test.variable, test.value)
			_, err := op2.Open()
			optest.ExpectError(t, err, want)
		})
	}
	t.Run("an option comes before", func(t *testing.T) {
		t.Setenv("OP2_BACKEND", "gpu")
		rt := optest.Must(op2.Open(op2.WithBackend("go")))
		optest.OK(t, rt.Close())
	})
}
