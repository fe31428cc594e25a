// Command tsunami computes a wave that runs onto an island and a coast: the shallow water equations, finite
// volumes on triangles, with land that floods and falls dry again. The mesh is one of Gmsh.
//
//	go run ./examples/tsunami                          # a picture of the highest levels
//	go run ./examples/tsunami -film waves.png          # an animation
//	go run ./examples/tsunami -refine 2 -series waves  # 96,000 triangles, for ParaView
//	mpirun -n 2 tsunami -shares -series waves.pvtu     # each rank reads a share of the mesh, and writes a piece
//	go run ./examples/tsunami -dam                     # dam breaks against exact solutions
//
// With OP2_CHECKPOINT=waves.chk it makes checkpoints, and with OP2_RESTART=waves.chk it goes on from the last.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/shares"
	_ "github.com/go-op2/op2/examples/tsunami/op2gen"
	"github.com/go-op2/op2/mesh"
)

//go:generate go run ../../cmd/op2 translate . -- -refine 0 -time 20 -o "" -- -dam

// settings are the command's flags.
type settings struct {
	refine  int
	time    float64
	dam     bool
	backend string
	shares  bool
	out     outputs
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.IntVar(&s.refine, "refine", 1, "divide each triangle of the mesh into four so many times")
	flag.Float64Var(&s.time, "time", 2520, "time to compute, in seconds")
	flag.BoolVar(&s.dam, "dam", false, "instead, compare dam breaks with the exact solutions of Ritter and Stoker")
	flag.StringVar(&s.backend, "backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.StringVar(&s.out.picture, "o", "tsunami.png", "draw the highest levels of the water to this `file`; empty: no picture")
	flag.StringVar(&s.out.film, "film", "", "draw the waves to this `file`, an animated PNG")
	flag.StringVar(&s.out.series, "series", "", "write the waves for ParaView: to `name`.pvd; name.pvtu: each rank a piece; name.vtkhdf: one file")
	flag.BoolVar(&s.shares, "shares", false, "on several ranks, let each read its share of the mesh only")
	flag.Parse()
	if err := run(s); err != nil {
		log.Fatal(err)
	}
}

func run(s settings) error {
	if s.refine < 0 || s.refine > 6 {
		return fmt.Errorf("tsunami: -refine %d: expected 0 to 6", s.refine)
	}
	if !(s.time > 0) {
		return fmt.Errorf("tsunami: -time %v: expected a number above 0", s.time)
	}
	if s.dam {
		return printDams(s.backend)
	}
	rt, err := op2.Open(op2.WithBackend(s.backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	drag = 0.0025
	makeSea := func() (*mesh.Mesh, error) { return readSea(s.refine) }
	sea, err := shares.Of(rt, makeSea, s.shares)
	if err != nil {
		return err
	}
	m := sea // what rank 0 reports of
	if s.shares && rt.Rank() == 0 {
		if m, err = makeSea(); err != nil {
			return err
		}
	}
	w, err := newWater(rt, sea, bed, calm)
	if err != nil {
		return err
	}
	o, err := newWriter(rt, m, sea, w, s.out)
	if err != nil {
		return err
	}
	if err := errors.Join(o.follow(s.time), o.close()); err != nil {
		return err
	}
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "%d triangles, %d steps on %s: %.0f minutes\n", w.sea.Cells.Size(), w.steps, rt.Backend(), s.time/60)
	if err := w.report(out, m); err != nil {
		return err
	}
	return rt.WriteStats(out)
}
