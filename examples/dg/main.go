// Command dg computes sound in a closed room by the discontinuous Galerkin method: in each triangle
// pressure and velocity are polynomials of degree 2 or 3, which need not agree at the edges.
//
//	go run ./examples/dg              # the order of convergence, and a clap of hands in a round room
//	go run ./examples/dg -degree 2
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/shares"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

// settings are the command's flags.
type settings struct {
	n, degree int
	time      float64
	backend   string
	shares    bool
	output    string
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.IntVar(&s.n, "n", 24, "squares along a side of the finest mesh, of two triangles each; layers of the round room")
	flag.IntVar(&s.degree, "degree", 3, "degree of the polynomials: 2 or 3")
	flag.Float64Var(&s.time, "time", 1.1, "time of the picture; sound goes once through the room in 2")
	flag.StringVar(&s.backend, "backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.StringVar(&s.output, "o", "dg.png", "draw the pressure to this `file`; empty: no picture")
	flag.BoolVar(&s.shares, "shares", false, "on several ranks, let each read its share of the mesh only")
	flag.Parse()
	if err := run(s); err != nil {
		log.Fatal(err)
	}
}

func run(s settings) error {
	if s.n < 4 {
		return fmt.Errorf("dg: -n %d: at least 4 is needed", s.n)
	}
	if s.degree != 2 && s.degree != 3 {
		return fmt.Errorf("dg: -degree %d: expected 2 or 3", s.degree)
	}
	rt, err := op2.Open(op2.WithBackend(s.backend)) // for the room; there is one for each other mesh
	if err != nil {
		return err
	}
	defer rt.Close()
	out := rt.Output(os.Stdout)
	if err := converge(out, s); err != nil {
		return err
	}
	if s.output == "" {
		return nil
	}
	return round(out, rt, s)
}

// converge prints the error of a standing wave after most of a period, on finer and finer meshes.
func converge(out io.Writer, s settings) error {
	fmt.Fprintf(out, "a standing wave, polynomials of degree %d\n\n", s.degree)
	fmt.Fprintf(out, "%10s %7s %13s %7s\n", "triangles", "steps", "error in L2", "order")
	before := 0.0
	for _, n := range []int{s.n / 4, s.n / 2, s.n} {
		rt, err := op2.Open(op2.WithBackend(s.backend))
		if err != nil {
			return err
		}
		square, err := shares.Of(rt, func() (*mesh.Mesh, error) { return unevenSquare(n) }, s.shares)
		if err != nil {
			return errors.Join(err, rt.Close())
		}
		l2, steps, err := wave(rt, square, s.degree, 0.7)
		if err := errors.Join(err, rt.Close()); err != nil {
			return err
		}
		fmt.Fprintf(out, "%10d %7d %13.3e", 2*n*n, steps, l2)
		if before > 0 {
			fmt.Fprintf(out, " %7.2f", math.Log2(before/l2))
		}
		fmt.Fprintln(out)
		before = l2
	}
	fmt.Fprintln(out)
	return nil
}

// unevenSquare returns a mesh of the unit square whose triangles differ.
func unevenSquare(n int) (*mesh.Mesh, error) {
	m, err := mesh.Rectangle(mesh.Triangle, n, n, 1, 1)
	if err != nil {
		return nil, err
	}
	for i := range m.Nodes() {
		x, y := m.Points[2*i], m.Points[2*i+1]
		d := 0.05 * math.Sin(2*math.Pi*x) * math.Sin(2*math.Pi*y)
		m.Points[2*i] += d
		m.Points[2*i+1] -= d
	}
	return m, nil
}

// wave returns the error of the standing wave in L2, and the number of steps.
func wave(rt *op2.Runtime, m *mesh.Mesh, degree int, time float64) (l2 float64, steps int, err error) {
	s, err := newSound(rt, m, degree)
	if err != nil {
		return 0, 0, err
	}
	now = 0
	if err := s.set(standing); err != nil {
		return 0, 0, err
	}
	if steps, err = s.advance(time); err != nil {
		return 0, 0, err
	}
	now = time
	l2, err = s.distance(standing)
	return l2, steps, err
}

// round computes and draws a clap of hands in a round room with a column in the middle.
func round(out io.Writer, rt *op2.Runtime, s settings) error {
	makeRoom := func() (*mesh.Mesh, error) { return mesh.Annulus(mesh.Triangle, s.n, 5*s.n, 0.2, 1) }
	room, err := shares.Of(rt, makeRoom, s.shares)
	if err != nil {
		return err
	}
	air, err := newSound(rt, room, s.degree)
	if err != nil {
		return err
	}
	if err := air.set(clap); err != nil {
		return err
	}
	steps, err := air.advance(s.time)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "a clap of hands: %d triangles, %d values each, %d steps on %s\n\n", air.cells.Size(), 3*air.k.modes, steps, rt.Backend())
	if err := rt.WriteStats(out); err != nil {
		return err
	}
	field, err := air.pressure(makeRoom)
	if err != nil || rt.Rank() != 0 {
		return err
	}
	err = plot.WriteFile(s.output, field, plot.Options{
		Title:    "A clap of hands in a round room with a column",
		Subtitle: fmt.Sprintf("%d triangles, polynomials of degree %d, time %v", air.cells.Size(), s.degree, s.time),
		Label:    "pressure",
		Map:      plot.CoolWarm(),
		Smooth:   true,
	})
	if err == nil {
		fmt.Fprintf(os.Stderr, "picture: %s\n", s.output)
	}
	return err
}
