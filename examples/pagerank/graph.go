package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// graph is a directed graph of pages and the links between them.
type graph struct {
	names []string // of the pages
	into  []int32  // the links to page p are from[into[p]:into[p+1]]. Shape [pages+1]
	from  []int32  // the page that each link is on
}

// pages returns the number of pages.
func (g *graph) pages() int { return len(g.into) - 1 }

// newGraph returns the graph with these links, each from one page to another, sorted by the page
// that they lead to.
func newGraph(pages int, links [][2]int32) *graph {
	g := &graph{into: make([]int32, pages+1), from: make([]int32, len(links))}
	for _, l := range links {
		g.into[l[1]+1]++
	}
	for p := range pages {
		g.into[p+1] += g.into[p]
	}
	next := append([]int32(nil), g.into...)
	for _, l := range links {
		g.from[next[l[1]]] = l[0]
		next[l[1]]++
	}
	return g
}

// generate returns a random graph in which few pages have most of the links, as on the web: every
// other link copies the target of an earlier one. A page has up to 15 links, one in twenty has none.
// Source: J. Kleinberg et al., "The Web as a graph" (1999).
func generate(pages int) *graph {
	r := rand.New(rand.NewPCG(1, 2))
	var links [][2]int32
	for p := range int32(pages) {
		if r.IntN(20) == 0 {
			continue
		}
		for range 1 + r.IntN(15) {
			to := int32(r.IntN(pages))
			if len(links) > 0 && r.IntN(2) == 0 {
				to = links[r.IntN(len(links))][1]
			}
			links = append(links, [2]int32{p, to})
		}
	}
	return newGraph(pages, links)
}

// read returns the graph with the links that r lists, one in each line: the name of the page it is
// on, and of the page it leads to. Lines that are empty or begin with # are skipped.
func read(r io.Reader) (*graph, error) {
	var names []string
	var links [][2]int32
	numbers := map[string]int32{}
	number := func(name string) int32 {
		n, known := numbers[name]
		if !known {
			n = int32(len(names))
			name = strings.Clone(name) // without the rest of the line
			numbers[name], names = n, append(names, name)
		}
		return n
	}
	lines := bufio.NewScanner(r)
	for line := 1; lines.Scan(); line++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("line %d: expected the names of two pages, found %q", line, lines.Text())
		}
		links = append(links, [2]int32{number(words[0]), number(words[1])})
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(links) == 0 {
		return nil, fmt.Errorf("expected links, found none")
	}
	g := newGraph(len(names), links)
	g.names = names
	return g, nil
}

// name returns the name of a page.
func (g *graph) name(page int) string {
	if g.names == nil {
		return fmt.Sprint(page)
	}
	return g.names[page]
}

// perLink returns the part of a page's rank that goes to each of its links; 0 for pages without.
func (g *graph) perLink() []float64 {
	part := make([]float64, g.pages())
	for _, p := range g.from {
		part[p]++
	}
	for p, links := range part {
		if links > 0 {
			part[p] = 1 / links
		}
	}
	return part
}

// bundles returns the links in bundles that lead to one page: the pages they are on, and that page.
// Where a bundle is not full, its last links are on a page beyond the others.
func (g *graph) bundles() (from, to []int32) {
	for p := range int32(g.pages()) {
		for first := g.into[p]; first < g.into[p+1]; first += width {
			to = append(to, p)
			for i := first; i < first+width; i++ {
				on := int32(g.pages())
				if i < g.into[p+1] {
					on = g.from[i]
				}
				from = append(from, on)
			}
		}
	}
	return from, to
}
