package main

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/internal/tiling"
)

// chainPlan is the tiles of recorded loops.
type chainPlan struct {
	*tiling.Schedule
	in     *tiling.Input
	mesh   *record.Mesh
	chain  *record.Chain
	stages []int8 // by tile
	took   time.Duration
}

// planOfChain makes the tiles of a chain, of so many elements and in so many parts; 0: what it had.
func planOfChain(m *record.Mesh, c *record.Chain, tile, parts int) (*chainPlan, error) {
	p := &chainPlan{in: c.Input(), mesh: m, chain: c}
	p.in.Tile, p.in.Parts, p.in.Pack = cmp.Or(tile, p.in.Tile, 1), cmp.Or(parts, p.in.Parts, 1), cmp.Or(p.in.Pack, 1)
	start := time.Now()
	var err error
	if p.Schedule, err = tiling.Inspect(p.in); err != nil {
		return nil, err
	}
	p.took = time.Since(start)
	for stage, groups := range p.Stages {
		for range groups[len(groups)-1].Last - len(p.stages) {
			p.stages = append(p.stages, int8(stage))
		}
	}
	return p, nil
}

// chosenChain is a chain of a record, with the tiles that flags choose.
type chosenChain struct {
	number, tile, parts int
}

// of returns the chain among all.
func (c chosenChain) of(all []*record.Runtime) (*chainPlan, error) {
	n := 0
	for _, r := range all {
		for i := range r.Chains {
			if n++; n == c.number {
				return planOfChain(&r.Mesh, &r.Chains[i], c.tile, c.parts)
			}
		}
	}
	return nil, fmt.Errorf("-chain %d: the program has %s whose loops can share tiles", c.number, problem.Count(n, "chain"))
}

// listChains prints a table of all chains; nothing if there are none.
func listChains(c console, all []*record.Runtime, tile, parts int) error {
	w := tabwriter.NewWriter(c.results, 0, 0, 2, ' ', tabwriter.AlignRight)
	n := 0
	for _, r := range all {
		for i := range r.Chains {
			if n++; n == 1 {
				fmt.Fprintln(w, "\nchain\tloops\ttiles of\ttiles\tgroups\tin seams\truns\tkB\tms\tby\t")
			}
			p, err := planOfChain(&r.Mesh, &r.Chains[i], tile, parts)
			if err != nil {
				return fmt.Errorf("chain %d: %w", n, err)
			}
			by := "tiles"
			if p.chain.Why != "" {
				by = "loops"
			}
			t := p.totals()
			fmt.Fprintf(w, "%d\t%d\t%d %s\t%d\t%d\t%s\t%.1f\t%d\t%.1f\t%s\t\n", n, len(p.in.Loops), p.in.Tile, p.chain.Sets[p.in.Seed], p.Tiles(), p.groups(),
				t.share(), t.each(p.Tiles()*len(p.in.Loops)), (p.Bytes()+999)/1000, float64(p.took.Microseconds())/1e3, by)
		}
	}
	return w.Flush()
}

// groups returns the number of groups of all stages.
func (p *chainPlan) groups() (n int) {
	for _, groups := range p.Stages {
		n += len(groups)
	}
	return n
}

// loopFigures are numbers of elements and runs.
type loopFigures struct{ elements, seams, runs int }

// share returns the part of the elements that is in seams, in percent.
func (f loopFigures) share() string {
	return fmt.Sprintf("%.2f %%", 100*float64(f.seams)/float64(max(1, f.elements)))
}

// each returns the runs for each of some tiles.
func (f loopFigures) each(tiles int) float64 { return float64(f.runs) / float64(max(1, tiles)) }

// figures returns those of a loop, and the number of tiles that it has elements in.
func (p *chainPlan) figures(l int) (f loopFigures, tiles int) {
	f.runs = len(p.Runs[l])
	for tile := range p.Tiles() {
		runs := p.Of(l, tile)
		if len(runs) > 0 {
			tiles++
		}
		for _, r := range runs {
			f.elements += int(r[1] - r[0])
			if p.stages[tile] > 0 {
				f.seams += int(r[1] - r[0])
			}
		}
	}
	return f, tiles
}

// totals returns the figures of all loops.
func (p *chainPlan) totals() (all loopFigures) {
	for l := range p.in.Loops {
		f, _ := p.figures(l)
		all.elements, all.seams, all.runs = all.elements+f.elements, all.seams+f.seams, all.runs+f.runs
	}
	return all
}

// describe prints the figures of the chain and of its loops.
func (p *chainPlan) describe(out io.Writer) error {
	fmt.Fprintf(out, "\n%s of %d %s", problem.Count(p.Tiles(), "tile"), p.in.Tile, p.chain.Sets[p.in.Seed])
	for stage, groups := range p.Stages {
		tiles := groups[len(groups)-1].Last - groups[0].First
		fmt.Fprintf(out, "; %s: %d in %s", [...]string{"parts", "seams between two", "the rest"}[stage], tiles, problem.Count(len(groups), "group"))
	}
	fmt.Fprintln(out)
	loops, tiles := tiling.Estimate(p.in, p.chain.Bytes)
	fmt.Fprintf(out, "estimated to move %.4g MB loop by loop, %.4g MB by tiles\n", float64(loops)/1e6, float64(tiles)/1e6)
	if p.chain.Why != "" {
		fmt.Fprintf(out, "the program ran it loop by loop: %s\n", p.chain.Why)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tloop\tover\telements\ttiles\truns in a tile\tin seams\t")
	for l, loop := range p.chain.Loops {
		f, tiles := p.figures(l)
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%d\t%.1f\t%s\t\n", l+1, loop.Kernel, loop.Over, f.elements, tiles, f.each(tiles), f.share())
	}
	return w.Flush()
}

// tilesOf returns for each element of a loop, in ascending order, its tile.
func (p *chainPlan) tilesOf(l int) []int32 {
	tiles := make([]int32, p.in.Loops[l].Last-p.in.Loops[l].First)
	for tile := range p.Tiles() {
		for _, r := range p.Of(l, tile) {
			for e := r[0]; e < r[1]; e++ {
				tiles[int(e)-p.in.Loops[l].First] = int32(tile)
			}
		}
	}
	return tiles
}
