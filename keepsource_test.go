package op2_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

// Generated text and that of a kernel in C lie where #line says.
func TestKeepSource(t *testing.T) {
	optest.RequireCompiler(t)
	dir := filepath.Join(t.TempDir(), "kernels")
	t.Setenv("OP2_KEEP_SOURCE", dir)
	rt := optest.Must(op2.Open(op2.WithBackend("sequential"), op2.WithLog(nil)))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 2, "cells")
	const source = "void doubled(double *x)\n{\n\t*x *= 2;\n}\n"
	k := ckernel.New("doubled", source)
	x, y := optest.NewDat(t, cells, 1, []float64{1, 2}, "x"), op2.NewGlobal(rt, []float64{1}, "y")
	optest.Run(t, k, cells, x.RW())
	optest.Run(t, k, cells, y.Inc()) // another text
	optest.Expect(t, x, []float64{2, 4})
	for _, name := range []string{"op2_wrap_doubled", "op2_wrap_doubled_2"} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path + ".c")
		optest.OK(t, err)
		for _, want := range []string{`#line 1 "` + path + `_kernel.c"`, ` "` + path + `.c"`, "void op2_wrap_doubled("} {
			if !strings.Contains(string(text), want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
		text, err = os.ReadFile(path + "_kernel.c")
		optest.OK(t, err)
		if string(text) != source {
			t.Errorf("kept %q", text)
		}
	}
}

// Names of kernels may be longer than those of files.
func TestLongNames(t *testing.T) {
	optest.RequireCompiler(t)
	dir := t.TempDir()
	t.Setenv("OP2_KEEP_SOURCE", dir)
	for _, backend := range []string{"sequential", "opencl"} {
		rt := optest.OpenBackend(t, backend)
		cells := optest.NewSet(t, rt, 2, "cells")
		x := optest.NewDat(t, cells, 1, []float64{1, 2}, "x")
		var loops []*op2.Loop
		for _, letter := range []string{"a", "b"} {
			name := strings.Repeat(letter, 260)
			loops = append(loops, op2.NewLoop(ckernel.New(name, "void "+name+"(double *x) { *x *= 2; }"), cells, x.RW()))
		}
		optest.OK(t, op2.NewChain(loops...).With(op2.WithChains(op2.Fuse)).Compute())
		optest.Expect(t, x, []float64{4, 8})
	}
	if files := optest.Must(filepath.Glob(filepath.Join(dir, "*"))); len(files) != 7 { // a text for each loop and for both, and those of kernels
		t.Errorf("kept %q", files)
	}
}

// A folder that cannot be made is an error.
func TestKeepSourceNowhere(t *testing.T) {
	optest.RequireCompiler(t)
	file := filepath.Join(t.TempDir(), "file")
	optest.OK(t, os.WriteFile(file, nil, 0o600))
	t.Setenv("OP2_KEEP_SOURCE", file)
	rt := optest.OpenBackend(t, "sequential")
	cells := optest.NewSet(t, rt, 2, "cells")
	err := op2.NewLoop(ckernel.New("same", "void same(double *x) { *x = *x; }"), cells, optest.NewDat[float64](t, cells, 1, nil, "x").RW()).Err()
	optest.ExpectError(t, err, "op2: loop same over cells: backend sequential: the generated source cannot be kept: mkdir "+file+": not a directory")
}
