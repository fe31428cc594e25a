// Command elasticity computes how bodies deform: a cantilever that bends, against Timoshenko's theory of beams, and a
// plate with a hole that is pulled, against Kirsch's solution. Finite elements: tetrahedra with ten
// nodes, and blocks of 3 by 3 for the three components of the displacement.
//
//	go run ./examples/elasticity
//	go run ./examples/elasticity -solver gamg                            # PETSc's multigrid
//	go run ./examples/elasticity -vtu out                                # for ParaView: out/cantilever.vtu, out/plate.vtu
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/shares"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/solver"
	"github.com/go-op2/op2/vtk"
)

// settings are the command's flags.
type settings struct {
	n              int
	solver         string
	backend        string
	shares         bool
	output, folder string
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.IntVar(&s.n, "n", 4, "boxes along a side of the beam's section, of six tetrahedra each; the plate has four times as many from hole to rim")
	flag.StringVar(&s.solver, "solver", "native", "native, conjugate gradients with Jacobi, or gamg, PETSc's multigrid")
	flag.StringVar(&s.backend, "backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.StringVar(&s.output, "o", "elasticity.png", "draw the stress in the plate to this `file`; empty: no picture")
	flag.StringVar(&s.folder, "vtu", "", "write displacement and stress to this `folder`")
	flag.BoolVar(&s.shares, "shares", false, "on several ranks, let each read its share of the mesh only")
	flag.Parse()
	if err := run(s); err != nil {
		log.Fatal(err)
	}
}

func run(s settings) error {
	if s.solver != "native" && s.solver != "gamg" {
		return fmt.Errorf("elasticity: -solver %s: expected native or gamg", s.solver)
	}
	if s.n < 1 {
		return fmt.Errorf("elasticity: -n %d: at least 1 is needed", s.n)
	}
	beam, err := op2.Open(op2.WithBackend(s.backend))
	if err != nil {
		return err
	}
	defer beam.Close()
	disc, err := op2.Open(op2.WithBackend(s.backend))
	if err != nil {
		return err
	}
	defer disc.Close()
	return errors.Join(s.cantilever(beam), s.plate(disc))
}

func (s settings) cantilever(rt *op2.Runtime) error {
	m, err := shares.Of(rt, func() (*mesh.Mesh, error) { return cantilever(s.n) }, s.shares)
	if err != nil {
		return err
	}
	out := rt.Output(os.Stdout)
	start := time.Now()
	b, c, deflection, theory, err := bend(rt, m, s.solver == "gamg")
	if err != nil {
		return err
	}
	s.report("cantilever", b, c, time.Since(start))
	fmt.Fprintf(out, "deflection of the end %.6f, Timoshenko %.6f: %+.2f %%\n\n", deflection, theory, 100*(deflection/theory-1))
	if err := rt.WriteStats(out); err != nil {
		return err
	}
	return s.write(rt, "cantilever", m, b)
}

func (s settings) plate(rt *op2.Runtime) error {
	m, err := shares.Of(rt, func() (*mesh.Mesh, error) { return plate(s.n) }, s.shares)
	if err != nil {
		return err
	}
	out := rt.Output(os.Stdout)
	start := time.Now()
	b, c, largest, err := pierce(rt, m, s.solver == "gamg")
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	s.report("plate with a hole", b, c, time.Since(start))
	fmt.Fprintf(out, "largest stress at the hole %.4f, Kirsch 3: %+.2f %%\n", largest, 100*(largest/3-1))
	if err := s.write(rt, "plate", m, b); err != nil || s.output == "" {
		return err
	}
	return draw(s.n, b, s.output)
}

func (s settings) report(what string, b *body, c solver.Convergence, took time.Duration) {
	fmt.Fprintf(b.rt.Output(os.Stdout), "%s: %d tetrahedra, %d unknowns, %d iterations, %.2f s on %s\n", what, b.Cells.Size(), 3*b.Nodes.Size(), c.Iterations, took.Seconds(), b.rt.Backend())
}

// write writes displacement and stress to a file for ParaView.
func (s settings) write(rt *op2.Runtime, name string, m *mesh.Mesh, b *body) error {
	if s.folder == "" {
		return nil
	}
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	path := filepath.Join(s.folder, shares.Name(name, s.shares))
	err := vtk.WriteFile(path, m, vtk.Nodes("displacement", b.u), vtk.Nodes("stress", b.stress).Components("xx", "yy", "zz", "xy", "yz", "xz"), vtk.Nodes("von Mises", b.mises))
	if err == nil {
		fmt.Fprintf(rt.Output(os.Stderr), "results: %s\n", path)
	}
	return err
}

// draw draws the stress along x on the underside of the plate, on rank 0, which alone needs the whole mesh.
func draw(n int, b *body, path string) error {
	all, err := b.stress.Gather(0)
	if err != nil || b.rt.Rank() != 0 {
		return err
	}
	m, err := plate(n)
	if err != nil {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{Corners: 3}}
	for n := range m.Nodes() {
		field.Mesh.XY = append(field.Mesh.XY, m.Points[3*n], m.Points[3*n+1])
		field.Values = append(field.Values, all[6*n])
	}
	for _, members := range m.Group("bottom").Members {
		for _, e := range members.Elements {
			n := m.Blocks[members.Block].Element(int(e)) // a triangle with mid-edge nodes: four triangles
			field.Mesh.Cells = append(field.Mesh.Cells, n[0], n[3], n[5], n[3], n[1], n[4], n[5], n[4], n[2], n[3], n[4], n[5])
		}
	}
	err = plot.WriteFile(path, field, plot.Options{
		Title:    "A plate with a hole, pulled along x",
		Subtitle: fmt.Sprintf("%d tetrahedra with ten nodes", m.Cells()),
		Label:    "stress along x / stress far away",
		View:     plot.Rect{X0: 0, Y0: 0, X1: 4, Y1: 4},
		Contours: 24,
		Smooth:   true,
	})
	if err == nil {
		fmt.Fprintf(os.Stderr, "picture: %s\n", path)
	}
	return err
}
