// Command pagerank computes the ranks of the pages of a web: the probability that a visitor who
// follows links at random, and now and then starts over, is at that page. Sets and maps need no
// mesh: here they are pages, and the links between them.
//
//	go run ./examples/pagerank                    # a random web of 300,000 pages
//	go run ./examples/pagerank -links web.txt     # two names in each line: FROM TO
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	"github.com/go-op2/op2"
)

// settings are the command's flags.
type settings struct {
	pages     int
	links     string
	tolerance float64
	backend   string
	output    string
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.IntVar(&s.pages, "pages", 300_000, "number of pages of the random web")
	flag.StringVar(&s.links, "links", "", "read the links from this `file` instead, two names in each line: FROM TO")
	flag.Float64Var(&damping, "damping", damping, "probability that a visitor follows a link instead of starting over")
	flag.Float64Var(&s.tolerance, "tolerance", 1e-10, "end when the ranks, whose sum is 1, change by no more in all")
	flag.StringVar(&s.backend, "backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.StringVar(&s.output, "o", "pagerank.png", "draw ranks and links to this `file`; empty: no picture")
	flag.Parse()
	if err := run(s); err != nil {
		log.Fatal(err)
	}
}

func run(s settings) error {
	if s.pages < 1 {
		return fmt.Errorf("pagerank: -pages %d: at least 1 is needed", s.pages)
	}
	if !(damping > 0 && damping < 1) {
		return fmt.Errorf("pagerank: -damping %v: expected a number between 0 and 1", damping)
	}
	if !(s.tolerance > 0) {
		return fmt.Errorf("pagerank: -tolerance %v: expected a number above 0", s.tolerance)
	}
	g, err := s.load()
	if err != nil {
		return err
	}
	rt, err := op2.Open(op2.WithBackend(s.backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	ranks, steps, err := pageRank(rt, g, s.tolerance)
	if err != nil {
		return err
	}
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "%d pages, %d links, %d steps on %s\n\n", g.pages(), len(g.from), steps, rt.Backend())
	printTop(out, g, ranks, 10)
	fmt.Fprintln(out)
	if err := rt.WriteStats(out); err != nil || s.output == "" || rt.Rank() != 0 {
		return err
	}
	return draw(g, ranks, s.output)
}

func (s settings) load() (*graph, error) {
	if s.links == "" {
		return generate(s.pages), nil
	}
	f, err := os.Open(s.links)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := read(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.links, err)
	}
	return g, nil
}

// printTop prints the n pages of the highest ranks.
func printTop(w io.Writer, g *graph, ranks []float64, n int) {
	order := make([]int, g.pages())
	for p := range order {
		order[p] = p
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[b], ranks[a]) })
	fmt.Fprintln(w, "      rank     links to it  page")
	for _, p := range order[:min(n, len(order))] {
		fmt.Fprintf(w, "%10.6f %15d  %s\n", ranks[p], g.into[p+1]-g.into[p], g.name(p))
	}
}
