package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed sharecode_test.go
var shareCodeSource string

func shareTwice(x *float64) { *x *= 2 }
func shareOne(x *float64)   { *x += 1 }

// countingCompiler writes a program that compiles as gcc does, and notes each unit in a file.
func countingCompiler(t *testing.T, name, then string) (path string, compiled func() []string) {
	dir := t.TempDir()
	path, notes := filepath.Join(dir, name), filepath.Join(dir, "notes")
	script := fmt.Sprintf("#!/bin/sh\nfor a; do case $a in *.c) echo $a >> %s;; esac; done\n%s\n", notes, then)
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path, func() []string {
		text, _ := os.ReadFile(notes)
		return strings.Fields(string(text))
	}
}

// Of ranks with empty caches of their own, one compiles each piece of code, and the others receive it.
// Those with another compiler, or without one, do not take part, and a compiler that fails fails on all.
func TestRanksShareCode(t *testing.T) {
	optest.RequireCompiler(t)
	hang := filepath.Join(t.TempDir(), "hang")
	gcc := `case "$*" in *.c*) [ -e ` + hang + ` ] && sleep 600 && exit 1;; esac; exec gcc "$@"`
	cc, compiled := countingCompiler(t, "cc", gcc)
	other, compiledByOther := countingCompiler(t, "other", gcc)
	const fails = `case "$*" in *--version*) exec gcc --version;; esac; echo it is broken >&2; exit 1`
	broken, _ := countingCompiler(t, "broken", fails)
	program := func(backends, compilers []string, dirs func(rank int) string) error {
		var turn atomic.Int32
		return op2.RunRanks(len(backends), func(rank op2.Option) error {
			n := int(turn.Add(1) - 1)
			rt, err := op2.Open(rank, op2.WithBackend(backends[n]), op2.WithCompiler(compilers[n]), op2.WithCacheDir(dirs(n)), op2.WithLog(nil), op2.WithThreads(1))
			if err != nil {
				return err
			}
			defer rt.Close()
			points := rt.NewSet(9, "points")
			x := op2.NewDat[float64](points, 1, nil, "x")
			k := op2.Kernels(shareCodeSource)
			twice := op2.NewLoop(k.Func(shareTwice), points, x.RW())
			if err := errors.Join(rt.Err(), op2.ParLoop(k.Func(shareOne), points, x.RW()), twice.Compute()); err != nil {
				return err
			}
			all, err := x.Gather(0)
			if err == nil && rt.Rank() == 0 && all[8] != 2 {
				err = fmt.Errorf("found %v", all)
			}
			return err
		})
	}
	own := func() func(int) string {
		dir := t.TempDir()
		return func(rank int) string { return filepath.Join(dir, fmt.Sprint(rank)) }
	}

	first := own()
	optest.OK(t, program([]string{"sequential", "sequential", "sequential", "sequential"}, []string{cc, cc, cc, cc}, first))
	if n := compiled(); len(n) != 2 {
		t.Errorf("four ranks compiled %q", n)
	}
	// A rank that has the code in its cache gives it to the one to which it falls, whatever its compiler does.
	optest.OK(t, os.WriteFile(hang, nil, 0o666))
	optest.OK(t, program([]string{"sequential", "sequential"}, []string{cc, cc}, func(rank int) string { return first(3 + rank) }))
	optest.OK(t, os.Remove(hang))
	before := len(compiled())
	optest.OK(t, program([]string{"sequential", "go", "sequential", "sequential"}, []string{cc, "", other, other}, own()))
	if n, m := compiled(), compiledByOther(); len(n) != before+2 || len(m) != 2 {
		t.Errorf("ranks with different compilers compiled %q and %q", n[before:], m)
	}
	err := program([]string{"sequential", "sequential"}, []string{broken, broken}, own())
	if err == nil || !strings.Contains(err.Error(), "it is broken") {
		t.Errorf("the error of ranks whose compiler fails is %v", err)
	}
}
