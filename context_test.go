package op2_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed context_test.go
var contextSource string

var errEnough = errors.New("enough")

// spendTime takes some microseconds.
func spendTime(x *float64) {
	for range 4000 {
		*x = *x*0.999 + 1
	}
}

func addOne(x *float64) { *x += 1 }

// A loop runs no further block once its context has ended. Later calls fail the same way; data can
// still be read.
func TestContextEndsLoop(t *testing.T) {
	for _, c := range []struct {
		backend string
		threads int
	}{{"go", 1}, {"go", 2}, {"openmp", 1}, {"openmp", 2}} {
		t.Run(fmt.Sprint(c.backend, c.threads), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			rt, err := op2.Open(op2.WithContext(ctx), op2.WithBackend(c.backend), op2.WithThreads(c.threads), op2.WithBlockSize(64), op2.WithLog(nil))
			if errors.Is(err, op2.ErrUnavailable) {
				optest.Require(t, c.backend, err.Error())
			}
			optest.OK(t, err)
			defer rt.Close()
			spend := op2.Kernels(contextSource).Func(spendTime)
			one, many := optest.NewSet(t, rt, 1, "one"), optest.NewSet(t, rt, 3_000_000, "many")
			optest.OK(t, op2.ParLoop(spend, one, optest.NewDat[float64](t, one, 1, nil, "x").RW())) // compiles
			x := optest.NewDat[float64](t, many, 1, nil, "x")
			l := op2.NewLoop(spend, many, x.RW())
			time.AfterFunc(20*time.Millisecond, func() { cancel(errEnough) })
			err = l.Compute()
			if !errors.Is(err, errEnough) {
				t.Fatalf("error %v", err)
			}
			optest.ExpectError(t, err, "op2: loop spendTime over many: enough")
			values := optest.Must(x.Data())
			if count(values, 0) == 0 {
				t.Error("all elements ran")
			}
			optest.ExpectError(t, l.Compute(), "op2: loop spendTime over many: enough")
			optest.OK(t, rt.Close())
		})
	}
}

func count(values []float64, of float64) int {
	n := 0
	for _, v := range values {
		if v == of {
			n++
		}
	}
	return n
}

// A compiler that hangs is killed.
func TestContextEndsCompilation(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	cc := filepath.Join(dir, "cc")
	pid := filepath.Join(dir, "pid")
	script := "#!/bin/sh\ncase \"$*\" in *--version*) echo gcc 12.2.0; exit;; esac\necho $$ >" + pid + "\nexec sleep 600\n"
	optest.OK(t, os.WriteFile(cc, []byte(script), 0o700))
	ctx, cancel := context.WithCancel(t.Context())
	rt := optest.Must(op2.Open(op2.WithContext(ctx), op2.WithBackend("sequential"), op2.WithCompiler(cc), op2.WithCacheDir(dir), op2.WithLog(nil)))
	defer rt.Close()
	set := optest.NewSet(t, rt, 10, "cells")
	x := optest.NewDat[float64](t, set, 1, nil, "x")
	go func() {
		for { // until the compiler runs
			if text, err := os.ReadFile(pid); err == nil && len(text) > 0 {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	err := op2.ParLoop(op2.Kernels(contextSource).Func(addOne), set, x.RW())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A solver ends before its next iteration.
func TestContextEndsSolver(t *testing.T) {
	for _, engine := range []string{"native", "petsc"} {
		t.Run(engine, func(t *testing.T) {
			if engine == "petsc" {
				optest.OpenPETSc(t)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			rt := optest.Must(op2.Open(op2.WithContext(ctx), op2.WithBackend("go"), op2.WithLog(nil)))
			defer rt.Close()
			s := optest.NewSystem(50, 1, true)
			p := s.Declare(t, rt)
			last := 0
			system := optest.NewSolver(t, p.Matrix, solver.Engine(engine), solver.WithRTol(1e-30), solver.WithMonitor(func(i int, _ float64) error {
				if last = i; i == 3 {
					cancel(errEnough)
				}
				return nil
			}))
			if _, err := system.Solve(p.X, p.B); !errors.Is(err, errEnough) || last != 3 {
				t.Errorf("error %v in iteration %d", err, last)
			}
		})
	}
}

// Renumber leaves all numbers unchanged.
func TestContextEndsRenumber(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rt := optest.Must(op2.Open(op2.WithContext(ctx), op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	nodes := optest.NewSet(t, rt, 4, "nodes")
	edges := optest.NewSet(t, rt, 3, "edges")
	ends := optest.NewMap(t, edges, nodes, 2, []int32{3, 0, 0, 2, 2, 1}, "ends")
	cancel()
	optest.ExpectError(t, rt.Renumber(), "op2: Renumber: context canceled")
	if v := ends.Values(); v[0] != 3 || nodes.DeclaredNumbers()[0] != 0 {
		t.Errorf("%v, %v", v, nodes.DeclaredNumbers())
	}
}

// A runtime cannot be opened with a context that has ended.
func TestContextEndsOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := op2.Open(op2.WithContext(ctx), op2.WithBackend("go"))
	optest.ExpectError(t, err, "op2: Open: context canceled")
}

func taken(y, x *float64) { *y = *x }

// A chain of tiles runs no further tile once its context has ended. Where a later loop has run, the earlier
// ones have.
func TestContextEndsChain(t *testing.T) {
	for _, c := range []struct {
		backend string
		threads int
	}{{"go", 1}, {"go", 2}, {"sequential", 1}, {"openmp", 2}} {
		t.Run(fmt.Sprint(c.backend, c.threads), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			rt := optest.OpenBackend(t, c.backend, op2.WithContext(ctx), op2.WithThreads(c.threads))
			tiled := func(n int) (x, y *op2.Dat[float64], c *op2.Chain) {
				set := optest.NewSet(t, rt, n, "many")
				same := make([]int32, n)
				for i := range same {
					same[i] = int32(i)
				}
				m := optest.NewMap(t, set, set, 1, same, "same") // through which loops are not fused
				x, y = optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
				k := op2.Kernels(contextSource)
				c = op2.NewChain(op2.NewLoop(k.Func(spendTime), set, x.RW()), op2.NewLoop(k.Func(taken), set, y.Write(), x.Read(m.At(0))))
				return x, y, c.With(op2.WithChains(op2.Tile))
			}
			_, _, small := tiled(10)
			optest.OK(t, small.Compute()) // compiles
			const n = 1_000_000
			x, y, chain := tiled(n)
			optest.Must(chain.Plan())
			time.AfterFunc(100*time.Millisecond, func() { cancel(errEnough) })
			if err := chain.Compute(); !errors.Is(err, errEnough) {
				t.Fatalf("error %v", err)
			}
			first, second := optest.Must(x.DataRO()), optest.Must(y.DataRO())
			if count(second, 0) == 0 {
				t.Error("all elements ran")
			}
			for e, v := range second {
				if v != 0 && v != first[e] {
					t.Fatalf("element %d: y is %v, x is %v", e, v, first[e])
				}
			}
			if err := chain.Compute(); !errors.Is(err, errEnough) {
				t.Errorf("error %v", err)
			}
		})
	}
}
