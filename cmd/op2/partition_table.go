package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/problem"
)

// describe prints what is partitioned, and what an iteration is.
func (in *partitionInput) describe(out io.Writer, file, method string) {
	var sizes []string
	for s, name := range in.names {
		sizes = append(sizes, fmt.Sprint(in.mesh.Sets[s].Size, " ", name))
	}
	fmt.Fprintf(out, "%s: %s\n%s by method %s; the others follow; one layer of halo\n", file, strings.Join(sizes, ", "), in.names[in.leader], method)
	what := "a pass through the loops"
	if in.assumed {
		what = fmt.Sprintf("assumed: a flux and an update of %d bytes of each of %s", assumedBytes, in.names[in.leader])
	}
	it := in.iteration
	fmt.Fprintf(out, "iteration: %s; %s, %.3g MB moved, %d with messages, %d with a reduction\n", what, problem.Count(len(it.Loops), "loop"), it.Bytes/1e6, it.Waits, it.Reductions)
	if len(it.Without) > 0 {
		fmt.Fprintf(out, "without %s, of sets declared later than the mesh\n", strings.Join(it.Without, ", "))
	}
	fmt.Fprintln(out)
}

// tables prints the cut, neighbors and messages of each partition, and the parts of each set.
func (in *partitionInput) tables(out io.Writer, all []*divided) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "parts\tcut\t%\tneighbors\tat most\tkB received\tat most\t")
	for _, d := range all {
		cut, percent := "-", "-"
		if f := d.figures.Cutting; f != nil {
			cut, percent = fmt.Sprint(d.figures.Cut), fmt.Sprintf("%.2f", 100*float64(d.figures.Cut)/float64(max(1, len(f.Values)/f.Arity)))
		}
		neighbors, most := partition.MeanMax(d.figures.Neighbors)
		mean, largest := 0.0, 0.0
		for _, bytes := range d.figures.Received(in.iteration) {
			mean += bytes / float64(d.parts)
			largest = max(largest, bytes)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%.1f\t%d\t%.1f\t%.1f\t\n", d.parts, cut, percent, neighbors, most, mean/1e3, largest/1e3)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	fmt.Fprintln(w, "parts\tset\towned\tat most\texecuted\tat most\tonly read\tat most\t")
	for _, d := range all {
		for s, name := range in.names {
			set := &d.figures.Sets[s]
			fmt.Fprintf(w, "%d\t%s\t", d.parts, name)
			for _, values := range [][]int{set.Owned, set.Executed, set.Read} {
				mean, most := partition.MeanMax(values)
				fmt.Fprintf(w, "%.1f\t%d\t", mean, most)
			}
			fmt.Fprintln(w)
		}
	}
	return w.Flush()
}

// dividedFigures are the figures of a partition, for other programs: lists have an entry for each part.
type dividedFigures struct {
	Parts, Cut int
	Neighbors  []int
	Received   []float64 // bytes, in an iteration
	Sets       map[string]partition.SetFigures
}

// partitions returns the figures of all partitions.
func (in *partitionInput) partitions(all []*divided) (list []dividedFigures) {
	for _, d := range all {
		p := dividedFigures{d.parts, d.figures.Cut, d.figures.Neighbors, d.figures.Received(in.iteration), map[string]partition.SetFigures{}}
		for s, name := range in.names {
			p.Sets[name] = d.figures.Sets[s]
		}
		list = append(list, p)
	}
	return list
}

// predict prints the time of an iteration of this mesh, and of one that grows with the ranks.
func (p *partitionFlags) predict(out io.Writer, in *partitionInput, counts []int, all []*divided) error {
	machine := partition.Machine{Memory: *p.memory * 1e9, Latency: p.latency.Seconds(), Bandwidth: *p.bandwidth * 1e9, Reduction: p.reduction.Seconds()}
	size, name := float64(in.mesh.Sets[in.leader].Size), in.names[in.leader]
	known := map[int]partition.Load{}
	var samples []partition.Sample
	for _, d := range all {
		load := d.figures.Load(in.iteration)
		known[d.parts] = load
		samples = append(samples, partition.Sample{Parts: d.parts, Elements: size / float64(d.parts), Load: load})
	}
	law := partition.NewLaw(cmp.Or(in.mesh.Points(in.leader).Dim, 2), samples)
	fmt.Fprintf(out, "\nPredicted: the rank with most to do moves %g GB/s, and then has %v for each message, receives %g GB/s,\nand has %v for each of the log2(ranks) steps of a reduction; nothing overlaps.\n",
		*p.memory, *p.latency, *p.bandwidth, *p.reduction)
	if law != nil {
		fmt.Fprintf(out, "Where marked with *, extrapolated from %s parts by the surface of a part of n %s: %.3g n^%.2f bytes\nreceived, %.3g n^-%.2f more work than an equal share, %.0f neighbors.\n",
			joinNumbers(law.From), name, law.Received, law.Exponent(), law.Excess, 1-law.Exponent(), law.Neighbors)
	}
	alone := machine.Time(in.iteration, partition.Load{Work: 1}, 1, 1).Total()
	fmt.Fprintf(out, "\nThis mesh\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	heading := "ranks\t" + name + " each\tcompute\tmessages\tbytes\treductions\titeration\t"
	fmt.Fprintln(w, heading+"speed-up\tefficiency\t")
	for _, n := range counts {
		load, found := known[n]
		mark := ""
		if !found {
			if law == nil {
				return fmt.Errorf("%d ranks: nothing to extrapolate from\n  hint: add a smaller number of at least 2 to -parts", n)
			}
			load, mark = law.Load(n, size/float64(n)), "*"
		}
		t := machine.Time(in.iteration, load, n, 1)
		gain := alone / t.Total()
		fmt.Fprintf(w, "%s%d\t%s\t%s\t%.3g\t%.3g %%\t\n", mark, n, elementCount(size/float64(n)), timeColumns(t), gain, 100*gain/float64(n))
	}
	if err := w.Flush(); err != nil || law == nil {
		return err
	}
	fmt.Fprintf(out, "\nA mesh that grows with the ranks, all extrapolated\n")
	fmt.Fprintln(w, heading+"efficiency\t")
	larger := float64(*p.each) / size
	alone = machine.Time(in.iteration, partition.Load{Work: 1}, 1, larger).Total()
	for _, n := range counts {
		t := machine.Time(in.iteration, law.Load(n, float64(*p.each)), n, larger*float64(n))
		fmt.Fprintf(w, "%d\t%d\t%s\t%.3g %%\t\n", n, *p.each, timeColumns(t), 100*alone/t.Total())
	}
	return w.Flush()
}

// elementCount returns a mean number of elements.
func elementCount(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.2g", n)
	}
	return fmt.Sprintf("%.0f", n)
}

// timeColumns returns the columns of a prediction.
func timeColumns(t partition.Time) string {
	var columns []string
	for _, seconds := range []float64{t.Compute, t.Messages, t.Bytes, t.Reductions, t.Total()} {
		columns = append(columns, shortTime(seconds))
	}
	return strings.Join(columns, "\t")
}

// shortTime returns a time in the unit that suits it.
func shortTime(seconds float64) string {
	for _, unit := range []struct {
		seconds float64
		name    string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if seconds >= unit.seconds {
			return fmt.Sprintf("%.3g %s", seconds/unit.seconds, unit.name)
		}
	}
	return fmt.Sprintf("%.2g µs", seconds*1e6)
}

// joinNumbers returns numbers, separated by commas.
func joinNumbers(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ", ")
}
