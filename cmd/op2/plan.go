package main

import (
	"errors"
	"fmt"
)

// makePlan runs a program, lists the plans of its loops, and draws one of them.
func makePlan(c console, args []string) error {
	f := newFlags("plan", "PROGRAM [ARGUMENTS]\n\nruns the program, or the package in the folder PROGRAM, or reads the folder that one wrote with OP2_RECORD, and shows the plans of its loops.")
	name := f.String("loop", "", "the `kernel` of the loop to draw, or the first digits of its hash (default the one with most elements that collide)")
	size := f.Int("block", 0, "elements in a block (default as the program had)")
	show := f.Int("show", -1, "the `block` to draw the element colors of; -1: the middle one")
	points := f.String("x", "", "the `dat` of coordinates (default one of 2 or 3 values whose name looks like it)")
	view := f.String("view", "", "the window to draw, as `x0,y0,x1,y1` (default all)")
	path := f.String("o", "plan.png", "the `file` to draw; FILE-block.png gets the one block; empty: none")
	var of chosenChain
	f.IntVar(&of.number, "chain", 0, "the `number` of the chain to draw instead, a picture for each loop")
	f.IntVar(&of.tile, "tile", 0, "for chains, `elements` of the first set in a tile (default as the program had)")
	f.IntVar(&of.parts, "parts", 0, "for chains, the `number` of parts between which there are seams (default as the program had)")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return wrongUse(f, errors.New("which program? As in: op2 plan -loop resCalc ./examples/airfoil"))
	}
	window, err := parseView(*view)
	for _, n := range []struct {
		name  string
		value int
	}{{"block", *size}, {"chain", of.number}, {"tile", of.tile}, {"parts", of.parts}} {
		if err == nil && n.value < 0 {
			err = fmt.Errorf("-%s %d: expected a positive number", n.name, n.value)
		}
	}
	if err != nil {
		return wrongUse(f, err)
	}
	all, err := records(c, f.Args())
	if err != nil {
		return err
	}
	p, err := chooseLoop(all, *name, *size)
	if err != nil {
		return err
	}
	if err := listLoops(c, all, *size); err != nil {
		return err
	}
	if err := listChains(c, all, of.tile, of.parts); err != nil {
		return err
	}
	if of.number > 0 {
		return drawChain(c, all, of, *path, *points, window)
	}
	fmt.Fprintf(c.results, "\n%s over %s\n%s", p.loop.Kernel, p.loop.Over, p.Report(p.staged()...))
	switch {
	case *path == "" || p.Blocks() == 0:
		return nil
	case *show == -1:
		*show = p.Blocks() / 2
	case *show < 0 || *show >= p.Blocks():
		return fmt.Errorf("-show %d: expected a block from 0 to %d, or -1", *show, p.Blocks()-1)
	}
	drawing, err := newLoopDrawing(p, *points)
	if err != nil {
		return fmt.Errorf("no picture: %w", err)
	}
	return drawing.draw(c, *path, window, *show)
}
