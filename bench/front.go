package main

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"text/tabwriter"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed front.go
var frontSource string

// ignite sets how much work each cell is: much near the front, at a distance from the origin, and little elsewhere.
func ignite(steps *int32, x *[4][2]float64, front *float64) {
	r := math.Hypot(x[0][0], x[0][1]) - *front
	*steps = 5
	if r < 0.1 && r > -0.1 {
		*steps = 400
	}
}

// react computes the chemistry of a cell, in as many small steps as it needs.
func react(steps *int32, heat *float64) {
	h := *heat
	for range *steps {
		h += 0.01 * (1/(1+h*h) - h)
	}
	*heat = h
}

// conduct exchanges heat between the cells of an edge.
func conduct(a, b, toA, toB *float64) {
	f := 0.1 * (*b - *a)
	*toA += f
	*toB -= f
}

func settle(d, heat *float64) {
	*heat += *d
	*d = 0
}

// burned is what a run with a front has taken.
type burned struct {
	step, rebalance float64 // ms of processor time, of the rank with most
	busiest         float64 // work of the rank with most in a step, relative to the mean, on average
	before, after   float64 // imbalances, on average
	moved           int64   // elements, each time
}

// burn lets a front of fire go through a square of n by n cells, on ranks that are goroutines, with one thread each, which
// call Rebalance each so many steps, and tell it the work of each cell if known; 0: never.
func burn(n, ranks, every int, known bool) (b burned, err error) {
	const warm, steps = 5, 120
	works, times := make([][]float64, ranks), make([][]float64, ranks) // by step
	m, err := mesh.Rectangle(mesh.Quadrilateral, n, n, 1, 1)
	if err != nil {
		return b, err
	}
	err = op2.RunRanks(ranks, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithThreads(1))
		if err != nil {
			return err
		}
		defer rt.Close()
		d := m.Declare(rt, mesh.WithEdges())
		heat, change := op2.NewDat[float64](d.Cells, 1, nil, "heat"), op2.NewDat[float64](d.Cells, 1, nil, "change")
		work, front := op2.NewDat[int32](d.Cells, 1, nil, "work"), op2.NewGlobal(rt, []float64{0}, "front")
		if err := errors.Join(rt.Partition(d.X), rt.Err()); err != nil {
			return err
		}
		var with []op2.AnyDat
		if known {
			with = append(with, work)
		}
		k := op2.Kernels(frontSource)
		loops := []*op2.Loop{
			op2.NewLoop(k.Func(ignite), d.Cells, work.Write(), d.X.Read(d.CellNodes), front.Read()),
			op2.NewLoop(k.Func(react), d.Cells, work.Read(), heat.RW()),
			op2.NewLoop(k.Func(conduct), d.Edges, heat.Read(d.EdgeCells.At(0)), heat.Read(d.EdgeCells.At(1)), change.Inc(d.EdgeCells.At(0)), change.Inc(d.EdgeCells.At(1))),
			op2.NewLoop(k.Func(settle), d.Cells, change.RW(), heat.RW()),
		}
		if err := rt.Err(); err != nil {
			return err
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		own := burned{}
		for step := range warm + steps { // in the first ones, all is compiled
			start := threadTime()
			if err := front.Set(0.2 + 0.6*float64(step)/steps); err != nil {
				return err
			}
			for _, l := range loops {
				if err := l.Compute(); err != nil {
					return err
				}
			}
			times[rt.Rank()] = append(times[rt.Rank()], 1e3*(threadTime()-start).Seconds())
			steps, err := work.DataRO()
			if err != nil {
				return err
			}
			sum := 0.0
			for _, n := range steps {
				sum += float64(n)
			}
			works[rt.Rank()] = append(works[rt.Rank()], sum)
			if every > 0 && step >= warm && step%every == 0 {
				start := threadTime()
				r, err := rt.Rebalance(with...)
				if err != nil {
					return err
				}
				own.rebalance += 1e3 * (threadTime() - start).Seconds()
				own.before, own.after, own.moved = own.before+r.Before, own.after+r.After, own.moved+r.Moved
			}
		}
		if _, err := rt.AnyRank(false); err != nil { // all have come so far
			return err
		}
		if rt.Rank() == 0 {
			b = own
			most, all := 0.0, 0.0
			for step := warm; step < warm+steps; step++ {
				largest, longest := 0.0, 0.0
				for rank, of := range works {
					largest, longest, all = max(largest, of[step]), max(longest, times[rank][step]), all+of[step]
				}
				most, b.step = most+largest, b.step+longest/steps
			}
			b.busiest = most / all * float64(ranks)
			if every > 0 {
				times := steps / every
				b.rebalance, b.before, b.after, b.moved = b.rebalance/float64(times), b.before/float64(times), b.after/float64(times), b.moved/int64(times)
			}
		}
		return nil
	})
	return b, err
}

// fronts measures fronts with Rebalance and without, in turn.
func fronts(n, rounds int) error {
	fmt.Printf("\na front through %d cells: ms of processor time of the rank with most in a step, least of %d rounds, and the work of the busiest rank relative to the mean; ms of a Rebalance, with the imbalances that it finds and expects, and the elements that it moves\n", n*n, rounds)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "ranks\tRebalance\ta step\tbusiest\ta Rebalance\tfound\texpected\tmoved\t")
	for _, ranks := range []int{2, 4} {
		ways := []struct {
			every int
			known bool
			name  string
		}{{0, false, "never"}, {40, false, "each 40 steps"}, {10, false, "each 10 steps"}, {10, true, "each 10, by work"}}
		least := make([]burned, len(ways))
		for round := range rounds {
			for i, way := range ways {
				b, err := burn(n, ranks, way.every, way.known)
				if err != nil {
					return err
				}
				if round == 0 || b.step < least[i].step {
					least[i] = b
				}
			}
		}
		fmt.Fprintf(t, "%d\tnever\t%.2f\t%.2f\t\t\t\t\t\n", ranks, least[0].step, least[0].busiest)
		for i, b := range least[1:] {
			fmt.Fprintf(t, "%d\t%s\t%.2f\t%.2f\t%.1f\t%.2f\t%.2f\t%d\t\n", ranks, ways[i+1].name, b.step, b.busiest, b.rebalance, b.before, b.after, b.moved)
		}
	}
	return t.Flush()
}
