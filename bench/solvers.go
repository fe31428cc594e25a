package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/solver"
)

// solverIterations is the number of iterations of a measurement, whatever the residual.
const solverIterations = 50

// massSolvers measures an iteration of conjugate gradients with Jacobi's preconditioner on the mass
// matrix of n by n squares, each cut into two triangles: natively on one core, on all, and on
// devices, and with PETSc, in turn.
func massSolvers(n, rounds int) error {
	m := newTriangles(n)
	type engine struct {
		name    string
		backend string
		threads int
		options []solver.Option
		times   []float64
		solve   func() (float64, error)
	}
	engines := []*engine{
		{name: "petsc, one core", backend: "sequential", threads: 1, options: []solver.Option{solver.PETSc}},
		{name: "native, sequential", backend: "sequential", threads: 1},
		{name: "native, openmp(1)", backend: "openmp", threads: 1},
		{name: fmt.Sprintf("native, openmp(%d)", runtime.NumCPU()), backend: "openmp", threads: runtime.NumCPU()},
		{name: "native, go(1)", backend: "go", threads: 1},
		{name: "native, opencl", backend: "opencl", threads: 1},
		{name: "native, cuda", backend: "cuda", threads: 1},
	}
	var there []*engine
	for _, e := range engines {
		var err error
		e.solve, err = massSolver(m, e.backend, e.threads, e.options...)
		if errors.Is(err, op2.ErrUnavailable) {
			fmt.Printf("%s: %v\n", e.name, err)
			continue
		}
		if err != nil {
			return err
		}
		there = append(there, e)
	}
	for range rounds {
		for _, e := range there {
			seconds, err := e.solve()
			if err != nil {
				return err
			}
			e.times = append(e.times, seconds)
		}
	}
	fmt.Printf("\ncg + jacobi, mass matrix of %d triangles, %d unknowns\n", len(m.of)/3, m.nodes)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\tms an iteration\tof %s\t\n", there[0].name)
	for _, e := range there {
		fmt.Fprintf(t, "%s\t%.3f\t%.2f\t\n", e.name, 1e3*median(e.times), ratio(e.times, there[0].times))
	}
	return t.Flush()
}

// massSolver assembles the matrix, and returns a function that solves and returns the seconds per
// iteration.
func massSolver(m *triangles, backend string, threads int, options ...solver.Option) (func() (float64, error), error) {
	rt, err := op2.Open(op2.WithBackend(backend), op2.WithThreads(threads))
	if err != nil {
		return nil, err
	}
	nodes := rt.NewSet(m.nodes, "nodes")
	cells := rt.NewSet(len(m.of)/3, "cells")
	corners := op2.NewMap(cells, nodes, 3, m.of, "corners")
	coordinates := op2.NewDat(nodes, 2, m.xy, "x")
	matrix := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: corners, Cols: corners}}, 1, 1, "nodes"), "mass")
	if err := op2.ParLoop(op2.Kernels(matrixSource).Func(massP1), cells, matrix.Inc(corners, corners), coordinates.Read(corners)); err != nil {
		return nil, err
	}
	u, b := op2.NewDat[float64](nodes, 1, nil, "u"), op2.NewDat[float64](nodes, 1, nil, "b")
	right, err := b.Data()
	if err != nil {
		return nil, err
	}
	for i := range right {
		right[i] = m.xy[2*i] * m.xy[2*i+1] * float64(1+i%3)
	}
	system := solver.New(matrix, append(options, solver.WithRTol(1e-300), solver.WithATol(1e-300),
		solver.WithMaxIterations(solverIterations), solver.WithErrorIfNotConverged(false))...)
	return func() (float64, error) {
		start := time.Now()
		c, err := system.Solve(u, b)
		if err == nil && c.Iterations != solverIterations {
			err = fmt.Errorf("%s after %d iterations", c.Reason, c.Iterations)
		}
		return time.Since(start).Seconds() / solverIterations, err
	}, nil
}
