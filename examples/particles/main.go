// Command particles carries particles with a jet that hits a wall. They are born at an inlet, move from cell to cell of
// a mesh, and leave at both ends: their number changes from step to step. Where each of them is at any time is known.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"slices"

	"github.com/go-op2/op2"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 20, "squares across the channel, of two triangles each")
	births := flag.Int("births", 2, "particles born in a step at each edge of the inlet")
	steps := flag.Int("steps", 250, "time steps")
	room := flag.Int("room", 20000, "particles for which each rank has room")
	backend := flag.String("backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	picture := flag.String("o", "particles.png", "draw the particles to this `file`; empty: no picture")
	flag.Parse()
	if err := run(*n, *births, *steps, *room, *backend, *picture); err != nil {
		log.Fatal(err)
	}
}

func run(n, births, steps, room int, backend, picture string) error {
	channel, err := domain(n)
	if err != nil {
		return err
	}
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	s, err := newStream(rt, channel, room)
	if err != nil {
		return err
	}
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "%d cells\n\n%6s %8s %8s %8s\n", channel.Cells(), "step", "born", "left", "living")
	for step := 1; step <= steps; step++ {
		if err := s.advance(births); err != nil {
			return err
		}
		if step%50 == 0 || step == steps {
			fmt.Fprintf(out, "%6d %8d %8d %8d\n", step, s.born, s.left, s.living.Size())
		}
	}
	number, err := s.counted()
	if err != nil {
		return err
	}
	living, err := s.particles()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nat most %d in a cell, at most %.1e from where they would be in exact time\n\n", slices.Max(number), furthest(living, s.step))
	if picture != "" && rt.Rank() == 0 {
		if err := draw(picture, living, s.step); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "picture: %s\n", picture)
	}
	return rt.WriteStats(out)
}

// furthest returns the greatest distance of a particle from the curve x y = const on which it was born.
func furthest(living []particle, step int32) (most float64) {
	for _, p := range living {
		// The flow takes a particle from (a, height) to (a exp(t), height exp(-t)), t being its age times spread.
		t := spread * dt * float64(step-p.Born)
		most = max(most, math.Abs(p.X[1]-height*math.Exp(-t)))
	}
	return most
}
