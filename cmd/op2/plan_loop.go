package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/internal/spell"
)

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

// loopNamed reports whether name is the kernel's name, or the beginning of the loop's hash.
func loopNamed(l *record.Loop, name string) bool {
	return name == l.Kernel || len(name) >= 4 && strings.HasPrefix(l.Hash.String(), name)
}

// collides reports whether elements of the loop change the same values.
func collides(l *record.Loop) bool {
	return slices.ContainsFunc(l.Plan.Data, func(d plan.Data) bool {
		return d.Collides && slices.ContainsFunc(d.Refs, func(r plan.Ref) bool { return r.Map != plan.Direct })
	})
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
