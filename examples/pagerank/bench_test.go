package main

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// A step on each backend and one in plain Go on one core, in turn, for a million pages. The ratio of
// the shortest times is "of-plain":
//
//	go test -run '^$' -bench . -benchtime 30x ./examples/pagerank
func BenchmarkStep(b *testing.B) {
	g := generate(1_000_000)
	for _, backend := range []string{"go", "sequential", "openmp"} {
		for _, threads := range []int{1, runtime.NumCPU()} {
			if backend == "sequential" && threads > 1 || backend == "openmp" && threads == 1 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", backend, threads), func(b *testing.B) {
				rt, err := op2.Open(op2.WithBackend(backend), op2.WithThreads(threads))
				if err != nil {
					b.Skip(err)
				}
				defer rt.Close()
				r := optest.Must(newRanking(rt, g))
				p := newPlain(g)
				shortest, shortestPlain := math.Inf(1), math.Inf(1)
				for range b.N {
					start := time.Now()
					change := optest.Must(r.step())
					half := time.Now()
					if plain := p.step(); !(math.Abs(change-plain) < 1e-12) {
						b.Fatalf("the change is %v, in plain Go %v", change, plain)
					}
					shortest = min(shortest, half.Sub(start).Seconds())
					shortestPlain = min(shortestPlain, time.Since(half).Seconds())
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(1e3*shortest, "ms")
				b.ReportMetric(1e3*shortestPlain, "ms-plain")
				b.ReportMetric(shortest/shortestPlain, "of-plain")
			})
		}
	}
}

// plain is the ranking as one would write it in Go by hand.
type plain struct {
	g                    *graph
	perLink, rank, share []float64
	start                float64
}

func newPlain(g *graph) *plain {
	p := &plain{g: g, perLink: g.perLink(), rank: make([]float64, g.pages()), share: make([]float64, g.pages()), start: 1 / float64(g.pages())}
	for page := range p.rank {
		p.rank[page] = p.start
		p.share[page] = p.start * p.perLink[page]
	}
	return p
}

func (p *plain) step() (change float64) {
	into, from := p.g.into, p.g.from
	for page := range p.rank {
		arrived := 0.0
		for _, on := range from[into[page]:into[page+1]] {
			arrived += p.share[on]
		}
		r := (1-damping)*p.start + damping*arrived
		change += math.Abs(r - p.rank[page])
		p.rank[page] = r
	}
	for page, r := range p.rank {
		p.share[page] = r * p.perLink[page]
	}
	return change
}
