// Command aero computes the potential flow around a NACA 0012 airfoil with finite
// elements, and draws the speed.
//
//	go run ./examples/aero                        # a mesh of 43,200 cells, aero.png
//	go run ./examples/aero -method assembled
//	go run ./examples/aero -i 400 -j 600          # OP2's own mesh
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-op2/op2"
	_ "github.com/go-op2/op2/examples/aero/op2gen"
	"github.com/go-op2/op2/examples/aero/potential"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

//go:generate go run ../../cmd/op2 translate . -- -i 8 -j 8 -iterations 2 -o "" -- -method assembled -i 8 -j 8 -iterations 2 -o ""

func main() {
	log.SetFlags(0)
	i := flag.Int("i", 96, "cells along the airfoil; the mesh has 3 * i * j cells")
	j := flag.Int("j", 150, "cells from the airfoil outwards")
	iterations := flag.Int("iterations", 20, "steps of Newton's method")
	method := flag.String("method", string(potential.MatrixFree), "matrix-free or assembled")
	backend := flag.String("backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	output := flag.String("o", "aero.png", "draw the speed to this `file`; empty: no picture")
	flag.Parse()
	if m := potential.Method(*method); m != potential.MatrixFree && m != potential.Assembled {
		log.Fatalf("aero: -method %s: expected %s or %s", m, potential.MatrixFree, potential.Assembled)
	}
	if err := run(*i, *j, *iterations, potential.Method(*method), *backend, *output); err != nil {
		log.Fatal(err)
	}
}

func run(i, j, iterations int, method potential.Method, backend, output string) error {
	airfoil, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	m, err := airfoil.Joined()
	if err != nil {
		return err
	}
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	f, err := potential.New(rt, m, method)
	if err != nil {
		return err
	}
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "aero: %d cells, %s, backend %s\n\n", m.Cells(), method, rt.Backend())

	fmt.Fprintln(out, "  step  linear iterations         change")
	start := time.Now()
	for n := range iterations {
		linear, rms, err := f.Iterate()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%6d %18d %14.6e\n", n+1, linear, rms)
	}
	fmt.Fprintf(out, "\n%d steps in %.2f s\n\n", iterations, time.Since(start).Seconds())
	if err := rt.WriteStats(out); err != nil || output == "" {
		return err
	}
	return draw(rt, f, m, output)
}

// draw draws the speed, on rank 0.
func draw(rt *op2.Runtime, f *potential.Flow, m *mesh.Mesh, output string) error {
	speed, err := f.Speed()
	if err != nil || rt.Rank() != 0 {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: m.Blocks[0].Nodes, Corners: 4}, Values: speed}
	err = plot.WriteFile(output, field, plot.Options{
		Title:    fmt.Sprintf("NACA 0012, Mach %v, potential flow", potential.Mach),
		Subtitle: fmt.Sprintf("%d bilinear elements", m.Cells()),
		Label:    "speed / free stream",
		View:     plot.Rect{X0: -0.5, Y0: -0.65, X1: 1.5, Y1: 0.65},
		Contours: 24,
		Trim:     true, // the stagnation point alone would use up half of the colors
		Smooth:   true,
	})
	if err == nil {
		fmt.Fprintf(os.Stderr, "picture: %s\n", output)
	}
	return err
}
