package project_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/opencl"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed devices_test.go
var source string

var slope = 0.5

type state struct {
	Mass  float64
	Count int32
}

func stretch(s *state, x *[2]float64, a, b *[3]float64, n *int) {
	a[0] += slope * x[0]
	b[2] -= x[1]
	s.Count += int32(*n)
	s.Mass += x[0]
}

// Elements change what others read: colors, not atomic additions. The name is that of a file, too.
func loops(a, b *[3]float64) { a[1], b[1] = a[1]+b[2], b[1]-a[2] }

func widest(a *[3]float64, low, high, sum *float64) {
	*low = min(*low, a[0])
	*high = max(*high, a[2])
	*sum += a[1]
}

// A word of C.
func register(k *[2][2]float64) { *k = [2][2]float64{{slope, -1}, {-1, 2}} }

func choose(n *int32, a *[3]float64) { a[*n] = 1 }

func springs(k *[4][4]float64) {
	for i := range 4 {
		k[i][i], k[i][(i+2)%4] = 3, -1
	}
}

// solve solves a system with two unknowns for each node, whose vectors the solver takes for longer ones of single values.
func solve(t *testing.T) func(*op2.Runtime) {
	return func(rt *op2.Runtime) {
		t.Helper()
		const n = 100
		nodes, edges := rt.NewSet(n, "nodes"), rt.NewSet(n-1, "edges")
		var ends []int32
		values := make([]float64, 2*n)
		for e := range int32(n - 1) {
			ends = append(ends, e, e+1)
			values[e] = float64(e % 7)
		}
		line := op2.NewMap(edges, nodes, 2, ends, "line")
		b, x := op2.NewDat(nodes, 2, values, "b"), op2.NewDat[float64](nodes, 2, nil, "x")
		k := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: line, Cols: line}}, 2, 2, "pattern"), "k")
		optest.OK(t, op2.ParLoop(op2.Kernels(source).Func(springs), edges, k.Inc(line, line)))
		optest.OK(t, b.Scale(0.5))
		_, err := solver.New(k, solver.WithRTol(1e-6)).Solve(x, b)
		optest.OK(t, err)
	}
}

const damp = `#include <math.h>
static double half(double v) { union { double d; long bits; } u = {v}; return u.bits & 1 ? v / 2 : u.d * 0.5; }
void damp(double a[3]) { for (int d = 0; d < 3; d++) a[d] = half(a[d]) + exp(-slope); }`

// odd runs loops of many kinds.
func odd(t *testing.T) func(*op2.Runtime) {
	return func(rt *op2.Runtime) {
		t.Helper()
		const n = 1000
		kernels := op2.Kernels(source)
		nodes, edges, nothing := rt.NewSet(n, "nodes"), rt.NewSet(n-1, "edges"), rt.NewSet(0, "nothing")
		var ends []int32
		var values []float64
		for e := range int32(n - 1) {
			ends = append(ends, e, e+1)
			values = append(values, float64(e%7), 1/float64(e+1))
		}
		line := op2.NewMap(edges, nodes, 2, ends, "line")
		x, a := op2.NewDat(edges, 2, values, "x"), op2.NewDat[float64](nodes, 3, nil, "a")
		states, none := op2.NewDat[state](edges, 1, nil, "states"), op2.NewDat[float64](nothing, 3, nil, "none")
		low, high, sum := op2.NewGlobal(rt, []float64{1}, "low"), op2.NewGlobal(rt, []float64{0}, "high"), op2.NewGlobal(rt, []float64{0}, "sum")
		k := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: line, Cols: line}}, 1, 1, "pattern"), "k")
		some := op2.NewSubset(edges, []int{1, 2, 3, 500, 900}, "some")
		op2.NewConst(rt, "slope", &slope)
		slope = 0.5
		for range 3 {
			optest.OK(t, errors.Join(rt.Err(),
				op2.ParLoop(kernels.Func(stretch), edges, states.RW(), x.Read(), a.Inc(line.At(0)), a.Inc(line.At(1)), op2.Index()),
				op2.ParLoop(kernels.Func(loops), edges, a.RW(line.At(0)), a.RW(line.At(1))),
				op2.ParLoop(kernels.Func(loops), some, a.RW(line.At(0)), a.RW(line.At(1))),
				op2.ParLoop(kernels.Func(stretch), some, states.RW(), x.Read(), a.Inc(line.At(0)), a.Inc(line.At(1)), op2.Index()),
				op2.ParLoop(ckernel.New("damp", damp), nodes, a.RW()),
				op2.ParLoop(kernels.Func(widest), nodes, a.Read(), low.Min(), high.Max(), sum.Inc()),
				op2.ParLoop(kernels.Func(widest), nothing, none.Read(), low.Min(), high.Max(), sum.Inc()),
				op2.ParLoop(kernels.Func(register), edges, k.Inc(line, line)),
			))
		}
	}
}

// PoCL has no GPU, but runs the kernels of one. The program itself compares results.
func TestProjectOnOpenCL(t *testing.T) {
	need(t, "gcc", "make")
	if _, err := opencl.List(); err != nil {
		optest.Require(t, "opencl", err.Error())
	}
	if out, err := exec.Command("gcc", "-E", "-include", "CL/cl.h", "-xc", "/dev/null", "-o", "/dev/null").CombinedOutput(); err != nil {
		optest.Require(t, "opencl", "no headers: "+string(out))
	}
	dir, want := airfoil(t, 3)
	build(t, dir, "opencl")
	if rms := run(t, dir, "./airfoil_opencl"); math.Abs(rms-want) > 1e-12*want {
		t.Errorf("rms %v, not %v", rms, want)
	}
	t.Run("odd loops", func(t *testing.T) {
		dir := written(t, odd(t))
		build(t, dir, "opencl")
		output(t, dir, "./airfoil_opencl")
	})
	t.Run("vectors of another dimension", func(t *testing.T) {
		dir := written(t, solve(t))
		index := string(optest.Must(os.ReadFile(filepath.Join(dir, "data", "index.txt"))))
		if !strings.Contains(index, " 100\n") || !strings.Contains(index, " 200\n") {
			t.Errorf("there are no such vectors in\n%s", index)
		}
		build(t, dir, "opencl")
		output(t, dir, "./airfoil_opencl")
	})
	t.Run("a const in a text", func(t *testing.T) {
		dir := written(t, func(rt *op2.Runtime) {
			a := op2.NewDat(rt.NewSet(3, "nodes"), 3, make([]float64, 9), "a")
			op2.NewConst(rt, "slope", &slope)
			for _, slope = range []float64{0.5, 0.25} {
				optest.OK(t, op2.ParLoop(ckernel.New("damp", damp), a.Set(), a.RW()))
			}
		})
		build(t, dir, "opencl")
		fails(t, dir, "damp: the text of its kernel contains the value of slope, which has changed")
	})
	t.Run("an element that fails", func(t *testing.T) {
		dir := written(t, func(rt *op2.Runtime) {
			nodes := rt.NewSet(3, "nodes")
			which, a := op2.NewDat(nodes, 1, []int32{2, 1, 0}, "which"), op2.NewDat(nodes, 3, make([]float64, 9), "a")
			optest.OK(t, op2.ParLoop(op2.Kernels(source).Func(choose), nodes, which.Read(), a.RW()))
		})
		build(t, dir, "opencl")
		output(t, dir, "./airfoil_opencl")
		optest.OK(t, os.WriteFile(filepath.Join(dir, "data", "which.bin"), []byte{0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0}, 0o666))
		before, _, _ := strings.Cut(source, "func choose(")
		fails(t, dir, fmt.Sprintf("choose: a fault of kind 1 in line %d of the kernel's source, element 1", 1+strings.Count(before, "\n")))
	})
}

func fails(t *testing.T, dir, want string) {
	t.Helper()
	program := exec.Command("./airfoil_opencl")
	program.Dir = dir
	if out, err := program.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
		t.Errorf("%v\n%s", err, out)
	}
}

// Without a GPU, the driver runs on functions of CUDA that run kernels on the host, as package standin makes them.
func TestProjectOnCUDA(t *testing.T) {
	need(t, "gcc", "g++", "make")
	dir, want := airfoil(t, 3)
	buildCUDA(t, dir)
	if rms := run(t, dir, "./airfoil_cuda"); math.Abs(rms-want) > 1e-12*want {
		t.Errorf("rms %v, not %v", rms, want)
	}
	t.Run("odd loops", func(t *testing.T) {
		dir := written(t, odd(t))
		buildCUDA(t, dir)
		output(t, dir, "./airfoil_cuda")
	})
}

func buildCUDA(t *testing.T, dir string) {
	t.Helper()
	for _, file := range optest.Must(filepath.Glob(filepath.Join(dir, "cuda", "*.cu"))) {
		name := strings.TrimSuffix(file, ".cu")
		optest.OK(t, os.WriteFile(name+".cc", []byte(standin.Source(filepath.Base(name), string(optest.Must(os.ReadFile(file))))), 0o666))
		out, err := exec.Command("g++", "-std=gnu++17", "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-fPIC", "-shared",
			"-DOP2_MAX_GROUP=256", "-DOP2_LOCAL=49152", "-o", name+".so", name+".cc").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	build(t, dir, "cuda", "CUDA=-I"+optest.Must(filepath.Abs("testdata/cuda")))
}

// NVRTC compiles all texts, for the oldest architecture and for that of the latest.
func TestProjectByNVRTC(t *testing.T) {
	c, err := nvrtc.Open(0)
	if err != nil {
		optest.Require(t, "nvrtc", err.Error())
	}
	first, _ := airfoil(t, 3)
	for _, dir := range []string{first, written(t, odd(t))} {
		loops := string(optest.Must(os.ReadFile(filepath.Join(dir, "cuda", "loops.c"))))
		for _, file := range optest.Must(filepath.Glob(filepath.Join(dir, "cuda", "*.cu"))) {
			name := strings.TrimSuffix(filepath.Base(file), ".cu")
			flags := []string{"--std=c++17"}
			_, list, _ := strings.Cut(loops, name+"_flags[] = {")
			list, _, _ = strings.Cut(list, "NULL}")
			for _, flag := range strings.Fields(list) {
				flags = append(flags, strings.Trim(flag, `",`))
			}
			for _, arch := range []string{"sm_70", "sm_90"} {
				if _, log, err := c.Compile(name+".cu", string(optest.Must(os.ReadFile(file))), arch, flags); err != nil {
					t.Errorf("%s, %s: %v\n%s", name, arch, err, log)
				}
			}
		}
	}
}
