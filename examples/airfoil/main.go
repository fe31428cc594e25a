// Command airfoil computes the flow around a NACA 0012 airfoil and draws it.
//
//	go run ./examples/airfoil                             # a mesh of 43,200 cells, airfoil.png
//	go run ./examples/airfoil -structs                    # the same, by kernels that take structs
//	go run ./examples/airfoil -i 400 -j 600 -iterations 1000 -backend sequential
//	go run ./examples/airfoil -mesh new_grid.dat
//
// Results go to standard output: the residuals and the time of each loop. Progress and the name of
// the picture go to standard error.
package main

import (
	_ "github.com/go-op2/op2/examples/airfoil/op2gen"

	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/progress"
)

//go:generate go run ../../cmd/op2 translate -targets x86-64-v3,x86-64-v4,cuda,opencl . -- -i 8 -j 8 -iterations 2 -o "" -- -structs -i 8 -j 8 -iterations 2 -o ""

// settings are the command's flags.
type settings struct {
	mesh       string
	i, j       int
	iterations int
	backend    string
	output     string
	field      string
	renumber   bool
	structs    bool
	source     bool
}

func main() {
	var s settings
	flag.StringVar(&s.mesh, "mesh", "", "read the mesh from this `file`, OP2's new_grid.dat or another of quadrilaterals with the groups wall and far, instead of making one")
	flag.IntVar(&s.i, "i", 96, "cells along the airfoil; the mesh has 3 * i * j cells")
	flag.IntVar(&s.j, "j", 150, "cells from the airfoil outwards")
	flag.IntVar(&s.iterations, "iterations", 1000, "iterations of two steps each")
	flag.StringVar(&s.backend, "backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.StringVar(&s.output, "o", "airfoil.png", "draw the flow to this `file`; empty: no picture")
	flag.StringVar(&s.field, "field", "mach", "what to draw: mach or pressure")
	flag.BoolVar(&s.renumber, "renumber", false, "renumber the mesh before the computation, for meshes in bad order")
	flag.BoolVar(&s.structs, "structs", false, "run the kernels that take structs, with the same result")
	flag.BoolVar(&s.source, "source", false, "print the code generated for each loop, and end")
	flag.Parse()

	// The first Ctrl-C ends the computation after the current iteration, and shows the result so
	// far; a second one ends the program.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if ctx.Err() != nil {
		os.Exit(130)
	}
}

func run(ctx context.Context, s settings) error {
	if err := s.check(); err != nil {
		return err
	}
	m, err := s.load()
	if err != nil {
		return err
	}
	rt, err := op2.Open(op2.WithBackend(s.backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	numbering := flow.AsGiven
	if s.renumber {
		numbering = flow.ByCoordinates
	}
	open := flow.New
	if s.structs {
		open = flow.NewConserved
	}
	f, err := open(rt, m, numbering)
	if err != nil {
		return err
	}
	if s.source {
		return printSource(rt.Output(os.Stdout), f)
	}
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "airfoil: %d cells, %d edges, backend %s\n", m.Cells(), f.Edges(), rt.Backend())

	start := time.Now()
	done, err := iterate(ctx, rt, f, s.iterations)
	if err != nil {
		return err
	}
	if done < s.iterations {
		fmt.Fprintf(rt.Output(os.Stderr), "interrupted after %d of %d iterations\n", done, s.iterations)
	}
	fmt.Fprintf(out, "\n%d iterations in %.2f s\n\n", done, time.Since(start).Seconds())
	if err := rt.WriteStats(out); err != nil {
		return err
	}
	if s.output == "" {
		return nil
	}
	return draw(rt, f, m, s, done)
}

func (s settings) check() error {
	if s.field != "mach" && s.field != "pressure" {
		return fmt.Errorf("airfoil: -field %s: expected mach or pressure", s.field)
	}
	if s.iterations < 0 {
		return errors.New("airfoil: -iterations must not be negative")
	}
	if flag.NArg() > 0 {
		return fmt.Errorf("airfoil: unexpected argument %q; -help lists the flags", flag.Arg(0))
	}
	return nil
}

func (s settings) load() (*mesh.Mesh, error) {
	if s.mesh != "" {
		return mesh.ReadFile(s.mesh)
	}
	return mesh.NACA0012(s.i, s.j)
}

func printSource(w io.Writer, f *flow.Flow) error {
	for _, l := range f.Loops() {
		text, err := l.Generate()
		if err != nil {
			return err
		}
		fmt.Fprintln(w, text)
	}
	return nil
}

// iterate runs until all iterations are done or ctx is on any rank, and returns how many were run.
func iterate(ctx context.Context, rt *op2.Runtime, f *flow.Flow, iterations int) (done int, err error) {
	out := rt.Output(os.Stdout)
	bar := progress.New(rt.Output(os.Stderr), iterations)
	defer bar.Clear()
	fmt.Fprintf(out, "\n%9s  %11s\n", "iteration", "rms")
	for done < iterations {
		if stop, err := rt.AnyRank(ctx.Err() != nil); stop || err != nil {
			return done, err
		}
		end := rt.Region("iteration")
		rms, err := f.Iterate()
		end()
		if err != nil {
			return done, err
		}
		done++
		if done%100 == 0 || done == iterations {
			bar.Clear()
			fmt.Fprintf(out, "%9d  %.5e\n", done, rms)
		}
		bar.Show(done)
	}
	return done, nil
}

// draw draws the flow, on rank 0.
func draw(rt *op2.Runtime, f *flow.Flow, m *mesh.Mesh, s settings, iterations int) error {
	o := plot.Options{
		Title:    "NACA 0012, Mach 0.4",
		Subtitle: fmt.Sprintf("%d cells, %d iterations", m.Cells(), iterations),
		View:     plot.Rect{X0: -0.5, Y0: -0.65, X1: 1.5, Y1: 0.65},
		Contours: 24,
		Trim:     true, // the stagnation point alone would use up half of the colors
		Smooth:   true,
	}
	var values []float64
	var err error
	switch s.field {
	case "mach":
		o.Label = "Mach number"
		values, err = f.MachNumber()
	case "pressure":
		o.Label, o.Map = "pressure coefficient", plot.CoolWarm()
		values, err = f.PressureCoefficient()
	}
	if err != nil || rt.Rank() != 0 {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: m.Blocks[0].Nodes, Corners: 4}, Values: values}
	if err := plot.WriteFile(s.output, field, o); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "picture: %s\n", s.output)
	return nil
}
