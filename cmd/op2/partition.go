package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/partition"
)

// makePartition partitions the mesh of a file or of a record, prints what halos and messages this
// makes, draws it, and predicts how loops scale.
func makePartition(c console, args []string) error {
	f := newFlags("partition", "FILE | RECORD\n\npartitions the mesh of a file, or the one of a program that wrote the folder RECORD with OP2_RECORD, and shows what halos\nand messages its ranks would have.")
	p := partitionFlags{
		parts:     f.String("parts", "", "how many parts, as `N[,N…]` (default 2,8,64; with -scaling 1,8,64,512,4096,32768,100000)"),
		method:    f.String("method", "auto", "the `method`: "+strings.Join(partition.Methods, ", ")),
		points:    f.String("x", "", "of a record, the `dat` of coordinates (default one of 2 or 3 values whose name looks like it)"),
		draw:      f.String("draw", "", "the `file` to draw the parts to; of several numbers of parts each is drawn, to FILE-N.png"),
		view:      f.String("view", "", "the window to draw, as `x0,y0,x1,y1` (default all)"),
		halo:      f.Int("halo", -1, "draw this `part` and its halo instead of all parts"),
		scaling:   f.Bool("scaling", false, "predict the time of an iteration, of this mesh and of one that grows with the ranks"),
		each:      f.Int("each", 100_000, "scaling: `elements` of the leading set on each rank, of the mesh that grows"),
		memory:    f.Float64("memory", 10, "scaling: `GB/s` that the loops of one rank move"),
		latency:   f.Duration("latency", 2*time.Microsecond, "scaling: `time` of a message, whatever it carries"),
		bandwidth: f.Float64("bandwidth", 1, "scaling: `GB/s` that one rank receives"),
		reduction: f.Duration("reduction", 2*time.Microsecond, "scaling: `time` of each of the log2(ranks) steps of a reduction"),
		json:      jsonFlag(f),
	}
	file, err := parseFile(c, f, args)
	if err != nil {
		return err
	}
	counts, err := p.check(file)
	if err != nil {
		return wrongUse(f, err)
	}
	return p.run(c, file, counts)
}

// fewElements is the number of elements of the leading set per part below which a mesh is not
// partitioned any more for -scaling.
const fewElements = 4

// run does what the flags say.
func (p *partitionFlags) run(c console, file string, counts []int) error {
	in, err := readPartitionInput(c, file, *p.points)
	if err != nil {
		return err
	}
	var all []*divided
	for _, n := range counts {
		if *p.scaling && n > 1 && in.mesh.Sets[in.leader].Size < fewElements*n {
			continue // extrapolated
		}
		owners, err := partition.Whole(in.mesh, partition.Options{Parts: n, Method: *p.method, Warn: func(text string) {
			fmt.Fprintf(c.status, "op2 partition: warning: %d parts: %s\n", n, text)
		}})
		if err != nil {
			return err
		}
		all = append(all, &divided{n, owners, partition.Analyze(in.mesh, owners, n)})
	}
	if *p.json {
		err = writeJSON(c.results, in.partitions(all))
	} else {
		in.describe(c.results, filepath.Base(file), *p.method)
		err = in.tables(c.results, all)
	}
	if err != nil {
		return err
	}
	if *p.scaling {
		if err := p.predict(c.results, in, counts, all); err != nil {
			return err
		}
	}
	if *p.draw == "" {
		return nil
	}
	return p.pictures(c, in, all)
}

// pictures draws each of the partitions.
func (p *partitionFlags) pictures(c console, in *partitionInput, all []*divided) error {
	view, err := parseView(*p.view)
	if err != nil {
		return err
	}
	for _, d := range all {
		path := *p.draw
		if ext := filepath.Ext(path); len(all) > 1 {
			path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), d.parts, ext)
		}
		if err := in.drawParts(path, d, *p.halo, view, *p.method); err != nil {
			return err
		}
		if err := c.wrote(path); err != nil {
			return err
		}
	}
	return nil
}
