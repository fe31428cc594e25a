package op2_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

func TestMisspelledVariables(t *testing.T) {
	got := op2.Misspelled([]string{"OP2_BLOCKSIZE=64", "OP2_THREADS=2", "OP2_THREAD=2", "OP2_BACKEN=go", "OP2_MINE=1", "PATH=/bin", "OP2_STAT=", "op2_backend=go", "OP2_BACKENDS=go", "OP2_TEST_SOURCES=1"})
	want := []string{
		"the environment variable OP2_BLOCKSIZE means nothing here: did you mean OP2_BLOCK_SIZE?",
		"the environment variable OP2_THREAD means nothing here: did you mean OP2_THREADS?",
		"the environment variable OP2_BACKEN means nothing here: did you mean OP2_BACKEND?",
		"the environment variable OP2_STAT means nothing here: did you mean OP2_STATS?",
		"the environment variable op2_backend means nothing here: did you mean OP2_BACKEND?",
		"the environment variable OP2_BACKENDS means nothing here: did you mean OP2_BACKEND?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Every variable that the library reads is in the list, and in the documentation.
func TestVariablesAreKnown(t *testing.T) {
	look := regexp.MustCompile(`etenv\("(OP2_\w+)"\)`)
	var files []string
	for _, pattern := range []string{"*.go", "internal/*/*.go", "internal/*/*/*.go"} {
		matches, err := filepath.Glob(pattern)
		optest.OK(t, err)
		files = append(files, matches...)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "test/") {
			continue
		}
		text, err := os.ReadFile(file)
		optest.OK(t, err)
		for _, m := range look.FindAllSubmatch(text, -1) {
			if !slices.Contains(op2.Variables, string(m[1])) {
				t.Errorf("%s looks at %s, which is not in the list of variables", file, m[1])
			}
		}
	}
	var docs []byte
	pages, err := filepath.Glob("docs/*.md")
	optest.OK(t, err)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		optest.OK(t, err)
		docs = append(docs, text...)
	}
	for _, v := range op2.Variables {
		if !bytes.Contains(docs, []byte(v)) {
			t.Errorf("%s is not documented", v)
		}
	}
}

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
	loop := op2.Must(op2.NewLoop(op2.C("divide", "void divide(const int *x, int *y) { *y = x[0] / x[1]; }"), cells, x.Read(), y.Write()))
	optest.ExpectError(t, loop.Compute(), "op2: loop divide over cells: divide.c:1:42: integer divide by zero: element 2 of cells")
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

// Flags with blanks are quoted as for a shell.
func TestQuotedFlags(t *testing.T) {
	for text, want := range map[string][]string{
		` -O2  '-DA=b c' "-DD=\"e\" $f" -I/a\ b '' `: {"-O2", "-DA=b c", `-DD="e" $f`, "-I/a b", ""},
		`-D'A'"B"=C`: {"-DAB=C"},
		"":           nil,
	} {
		if got, err := op2.Words(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is %q, %v", text, got, err)
		}
	}
}

// A value of a variable that is not possible is an error that names the variable, and says what is.
func TestBadVariables(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{"OP2_CFLAGS", "'-DA=b", "op2: OP2_CFLAGS='-DA=b: the quote ' is not closed"},
		{"OP2_CFLAGS", `-O2 \`, `op2: OP2_CFLAGS=-O2 \: nothing follows the last backslash`},
		{"OP2_PARTITIONER", "parmetis", `op2: OP2_PARTITIONER=parmetis: auto, bisect, curve, metis, scotch, graph, contiguous are known`},
		{"OP2_MPI", "yes", "op2: OP2_MPI=yes: auto, on or off are known"},
		{"OP2_LATENCY", "x", "op2: OP2_LATENCY=x: expected a time, such as 100us"},
		{"OP2_HALO_DEPTH", "deep", "op2: OP2_HALO_DEPTH=deep: expected a number of layers, 1 to 64"},
		{"OP2_HALO_DEPTH", "65", "op2: halos of 65 layers: expected 1 to 64"},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			_, err := op2.Open(op2.WithBackend("go"))
			optest.ExpectError(t, err, c.want)
		})
	}
}

// If the first compiler that auto finds is dead, it takes the next one.
func TestAutoPassesOverADeadCompiler(t *testing.T) {
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
	var log bytes.Buffer
	rt, err := op2.Open(op2.WithBackend("auto"), op2.WithLog(&log), op2.WithCacheDir(t.TempDir()))
	optest.OK(t, err)
	defer rt.Close()
	want := "op2: warning: " + filepath.Join(dead, "clang") + " is used, since " + filepath.Join(dead, "gcc") + " does not work: compiling op2_threads: "
	if rt.Backend() != "openmp" || !strings.HasPrefix(log.String(), want) {
		t.Errorf("auto took %s and said %s", rt.Backend(), log.String())
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
		rt := op2.Must(op2.Open(append(test.options, op2.WithBackend("go"))...))
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
