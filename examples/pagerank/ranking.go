package main

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2"
)

//go:embed kernels.go
var source string

// pageRank returns the rank of each page, and the number of steps that it took.
func pageRank(rt *op2.Runtime, g *graph, tolerance float64) (ranks []float64, steps int, err error) {
	r, err := newRanking(rt, g)
	if err != nil {
		return nil, 0, err
	}
	most := 2 + int(math.Ceil(math.Log(tolerance)/math.Log(damping))) // each step multiplies the change by damping, or less
	for change := 1.0; change > tolerance; steps++ {
		if steps > most {
			return nil, 0, fmt.Errorf("pagerank: rounding errors keep the change at %.1e, above the tolerance %.1e", change, tolerance)
		}
		if change, err = r.step(); err != nil {
			return nil, 0, err
		}
	}
	ranks, err = r.ranks()
	return ranks, steps, err
}

// ranking holds the ranks of pages, up to a factor, and the loops that improve them.
type ranking struct {
	rank           *op2.Dat[float64]
	change, sum    *op2.Global[float64]
	follow, settle *op2.Loop
	total          *op2.Loop
}

// newRanking declares pages and links in the runtime. At first all visitors start.
func newRanking(rt *op2.Runtime, g *graph) (*ranking, error) {
	from, to := g.bundles()
	nowhere := 0.0 // where nobody starts: the page beyond the others
	start := append(slices.Repeat([]float64{1 / float64(g.pages())}, g.pages()), nowhere)

	op2.NewConst(rt, "damping", &damping)
	pages := rt.NewSet(len(start), "pages")
	bundles := rt.NewSet(len(to), "bundles")
	bundle2from := op2.NewMap(bundles, pages, width, from, "bundle2from")
	bundle2to := op2.NewMap(bundles, pages, 1, to, "bundle2to")
	starting := op2.NewDat(pages, 1, start, "start")
	perLink := op2.NewDat(pages, 1, append(g.perLink(), 0), "perLink")
	arrived := op2.NewDat(pages, 1, start, "arrived")
	rank := op2.NewDat[float64](pages, 1, nil, "rank")
	share := op2.NewDat[float64](pages, 1, nil, "share")
	change := op2.NewGlobal(rt, []float64{0}, "change")
	sum := op2.NewGlobal(rt, []float64{0}, "sum")
	kernels := op2.Kernels(source)
	r := &ranking{rank: rank, change: change, sum: sum,
		follow: op2.NewLoop(kernels.Func(follow), bundles, share.Read(bundle2from), arrived.Inc(bundle2to)),
		settle: op2.NewLoop(kernels.Func(settle), pages,
			starting.Read(), perLink.Read(), arrived.RW(), rank.RW(), share.Write(), change.Inc()),
		total: op2.NewLoop(kernels.Func(total), pages, rank.Read(), sum.Inc())}
	if err := rt.Err(); err != nil {
		return nil, err
	}
	return r, r.settle.Compute()
}

// step lets all visitors follow a link or start over, and returns by how much the ranks have changed in all.
func (r *ranking) step() (change float64, err error) {
	if err := errors.Join(r.change.Set(0), r.follow.Compute(), r.settle.Compute()); err != nil {
		return 0, err
	}
	return r.change.Value()
}

// ranks returns the rank of each page; their sum is 1.
//
// Visitors at a page without links start over. They need not be counted: leaving them out divides
// all ranks by the same number, which scaling undoes.
func (r *ranking) ranks() ([]float64, error) {
	if err := errors.Join(r.sum.Set(0), r.total.Compute()); err != nil {
		return nil, err
	}
	sum, err := r.sum.Value()
	if err != nil {
		return nil, err
	}
	all, err := r.rank.InDeclaredOrder()
	if err != nil {
		return nil, err
	}
	ranks := all[:len(all)-1]
	for p := range ranks {
		ranks[p] /= sum
	}
	return ranks, nil
}
