// Command stokes computes slow flows of a viscous fluid: in a cavity whose lid moves, or around a cylinder in a channel. Taylor
// and Hood's finite elements: on each triangle a quadratic velocity and a linear pressure.
//
//	go run ./examples/stokes
//	go run ./examples/stokes -problem channel -n 16
//	go run ./examples/stokes -vtu out                        # for ParaView: out/cavity.vtu
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/shares"
	_ "github.com/go-op2/op2/examples/stokes/op2gen"
	"github.com/go-op2/op2/mesh"
)

//go:generate go run ../../cmd/op2 translate . -- -n 4 -o "" -- -problem channel -n 4 -o ""

// settings are the command's flags.
type settings struct {
	problem        string
	n              int
	viscosity      float64
	engine         string
	backend        string
	shares         bool
	output, folder string
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.StringVar(&s.problem, "problem", "cavity", "cavity or channel")
	flag.IntVar(&s.n, "n", 32, "squares along a side of the cavity, of two triangles each; layers of triangles from the cylinder to the channel's walls")
	flag.Float64Var(&s.viscosity, "viscosity", 1, "the fluid's viscosity")
	flag.StringVar(&s.engine, "engine", "", "of the linear solvers: native or petsc (default: OP2_SOLVER, or else native)")
	flag.StringVar(&s.backend, "backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.StringVar(&s.output, "o", "stokes.png", "draw the speed and stream lines to this `file`; empty: no picture")
	flag.StringVar(&s.folder, "vtu", "", "write velocity and pressure to this `folder`")
	flag.BoolVar(&s.shares, "shares", false, "on several ranks, let each read its share of the mesh only")
	flag.Parse()
	if err := run(s); err != nil {
		log.Fatal(err)
	}
}

func run(s settings) error {
	p, ok := problems[s.problem]
	switch {
	case !ok:
		return fmt.Errorf("stokes: -problem %s: expected cavity or channel", s.problem)
	case s.n < 1:
		return fmt.Errorf("stokes: -n %d: at least 1 is needed", s.n)
	case !(s.viscosity > 0):
		return fmt.Errorf("stokes: -viscosity %v: a number above 0 is needed", s.viscosity)
	}
	rt, err := op2.Open(op2.WithBackend(s.backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	start := time.Now()
	viscosity = s.viscosity
	m, err := shares.Of(rt, func() (*mesh.Mesh, error) { return p.mesh(s.n) }, s.shares)
	if err != nil {
		return err
	}
	f, err := newFlow(rt, m)
	if err != nil {
		return err
	}
	c, err := p.solve(f, s.engine)
	if err != nil {
		return err
	}
	took := time.Since(start)
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "%s: %d triangles, %d unknowns of the velocity, %d of the pressure: %d iterations, %.2f s on %s\n",
		s.problem, f.Cells.Size(), 2*f.Nodes.Size(), f.Corners.Size(), c.Iterations, took.Seconds(), rt.Backend())
	if err := p.report(out, f); err != nil {
		return err
	}
	fmt.Fprintln(out)
	if err := rt.WriteStats(out); err != nil {
		return err
	}
	if err := s.write(rt, m, f); err != nil || s.output == "" {
		return err
	}
	return p.draw(s.output, s.n, f)
}
