package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/internal/spell"
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

// records runs a program and returns what it recorded, or reads a folder of records. What the
// program prints goes to the status, results being those of op2.
func records(c console, args []string) ([]*record.Runtime, error) {
	dir := args[0]
	if info, err := os.Stat(dir); len(args) > 1 || err != nil || !info.IsDir() || isPackage(dir) {
		temp, err := os.MkdirTemp("", "op2-record-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(temp)
		if err := runWith(c, record.Variable+"="+temp, args); err != nil {
			return nil, err
		}
		dir = temp
	}
	all, err := record.Read(dir)
	if err == nil && !slices.ContainsFunc(all, func(r *record.Runtime) bool { return len(r.Loops) > 0 }) {
		err = fmt.Errorf("%s: no loop was recorded", strings.Join(args, " "))
	}
	return all, err
}

// isPackage reports whether a folder holds Go source.
func isPackage(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(files) > 0
}

// runWith runs a program, or the package in a folder, with a variable in its environment. Ctrl-C ends the program alone.
func runWith(c console, variable string, args []string) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	if isPackage(args[0]) {
		dir := args[0]
		if filepath.IsLocal(dir) {
			dir = "./" + dir // which is no import path
		}
		args = append([]string{"go", "run", dir}, args[1:]...)
	}
	program := exec.Command(args[0], args[1:]...)
	program.Env = append(os.Environ(), variable)
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, c.status, c.status
	err := program.Run()
	if err != nil && len(interrupts) == 0 {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// loopPlan is the plan of a recorded loop.
type loopPlan struct {
	*plan.Plan
	in   plan.Input
	mesh *record.Mesh
	loop *record.Loop
}

// planOf makes the plan of a loop in blocks of a size; 0: what it had.
func planOf(m *record.Mesh, l *record.Loop, size int) (*loopPlan, error) {
	in := l.Plan
	in.BlockSize = cmp.Or(size, in.BlockSize, backend.HostBlockSize(in.Last-in.First, 0, 0))
	p, err := plan.Build(&in)
	if err != nil {
		return nil, fmt.Errorf("loop %s over %s: %w", l.Kernel, l.Over, err)
	}
	return &loopPlan{p, in, m, l}, nil
}

// staged returns the dats that a device would copy to shared memory.
func (p *loopPlan) staged() []plan.Staged {
	var staged []plan.Staged
	for d, bytes := range p.loop.Bytes {
		if t := p.TableOf(&p.in, d); t >= 0 && p.in.Data[d].Stage {
			staged = append(staged, plan.Staged{Table: t, Bytes: bytes})
		}
	}
	return staged
}

// collides reports whether elements of the loop change the same values.
func collides(l *record.Loop) bool {
	return slices.ContainsFunc(l.Plan.Data, func(d plan.Data) bool {
		return d.Collides && slices.ContainsFunc(d.Refs, func(r plan.Ref) bool { return r.Map != plan.Direct })
	})
}

// loopNamed reports whether name is the kernel's name, or the beginning of the loop's hash.
func loopNamed(l *record.Loop, name string) bool {
	return name == l.Kernel || len(name) >= 4 && strings.HasPrefix(l.Hash.String(), name)
}

// chooseLoop returns the plan of the loop of that name, or of the largest loop that needs colors, or
// else of the largest.
func chooseLoop(all []*record.Runtime, name string, size int) (*loopPlan, error) {
	var mesh *record.Mesh
	var best *record.Loop
	var names []string
	better := func(l, than *record.Loop) bool {
		if c := collides(l); c != collides(than) {
			return c
		}
		return l.Plan.Last-l.Plan.First > than.Plan.Last-than.Plan.First
	}
	for _, r := range all {
		for i := range r.Loops {
			l := &r.Loops[i]
			names = append(names, l.Kernel)
			if (name == "" || loopNamed(l, name)) && (best == nil || better(l, best)) {
				mesh, best = &r.Mesh, l
			}
		}
	}
	if best == nil {
		return nil, fmt.Errorf("the program has no loop %s%s; it has %s", name, spell.DidYouMean(name, names), strings.Join(names, ", "))
	}
	return planOf(mesh, best, size)
}

// listLoops prints a table of all loops and their plans.
func listLoops(c console, all []*record.Runtime, size int) error {
	w := tabwriter.NewWriter(c.results, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "hash\tloop\tover\telements\tblocks of\tblocks\tcolors\tat least\tcolors in a block\t")
	for _, r := range all {
		for i := range r.Loops {
			p, err := planOf(&r.Mesh, &r.Loops[i], size)
			if err != nil {
				return err
			}
			f := p.Report()
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n",
				p.loop.Hash.Short(), p.loop.Kernel, p.loop.Over, f.Elements, f.BlockSize, f.Blocks, f.Colors, f.ColorBound, max(1, f.ElementColors))
		}
	}
	return w.Flush()
}
