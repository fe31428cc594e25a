package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/mesh"
)

var loopNames = []string{"save_soln", "adt_calc", "res_calc", "bres_calc", "update"}

// perIteration is the number of calls of each loop in an iteration.
var perIteration = []float64{1, 2, 2, 2, 2}

// airfoil measures each loop on `sequential`, on `openmp` with all processors, on `go` with one
// goroutine, and in C, alternating round by round.
func (r *reference) airfoil(i, j, rounds int) error {
	m, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	c, err := r.newAirfoil(m)
	if err != nil {
		return err
	}
	sequential, err := openFlow(m, "sequential", 1)
	if err != nil {
		return err
	}
	threads, err := openFlow(m, "openmp", runtime.NumCPU())
	if err != nil {
		return err
	}
	goOne, err := openFlow(m, "go", 1)
	if err != nil {
		return err
	}
	// Realistic numbers: some iterations, and the same state everywhere.
	for range 10 {
		for _, f := range []*flow.Flow{sequential, threads, goOne} {
			if _, err := f.Iterate(); err != nil {
				return err
			}
		}
	}
	q, err := sequential.Q()
	if err != nil {
		return err
	}
	copy(c.q, q)
	for _, name := range loopNames {
		c.loops[name].call()
	}

	seqLoops, ompLoops, goLoops := sequential.Loops(), threads.Loops(), goOne.Loops()
	calls := max(1, 3_000_000/(m.Cells()*4)) // in a row, so that a round is long enough to time
	var rows []row
	for n, name := range loopNames {
		rw := row{name: name, bytes: float64(bytesOf(seqLoops[n]))}
		for range rounds {
			rw.c = append(rw.c, timeCalls(calls, func() error { c.loops[name].call(); return nil }))
			rw.sequential = append(rw.sequential, timeCalls(calls, seqLoops[n].Compute))
			rw.openmp = append(rw.openmp, timeCalls(calls, ompLoops[n].Compute))
			rw.goOne = append(rw.goOne, timeCalls(max(1, calls/2), goLoops[n].Compute))
		}
		rows = append(rows, rw)
	}
	total := 0.0
	for _, rw := range rows {
		total += rw.bytes
	}
	triad, err := r.bandwidth(int(total/3), 1, rounds)
	if err != nil {
		return err
	}
	together, err := r.bandwidth(int(total/3), runtime.NumCPU(), rounds)
	if err != nil {
		return err
	}
	fmt.Printf("\nairfoil, %d cells; triad over as much memory: %.1f GB/s on one core, %.1f on %d (%.2f)\n",
		m.Cells(), triad, together, runtime.NumCPU(), together/triad)
	return printRows(rows, triad)
}

// row holds the times of one loop, in seconds per call, by round.
type row struct {
	name                         string
	bytes                        float64
	c, sequential, openmp, goOne []float64
}

func printRows(rows []row, triad float64) error {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "loop\tC ms\tsequential ms\tGB/s\tof triad\tsequential / C\topenmp(%d) ms\tspeed-up\tgo / sequential\t\n", runtime.NumCPU())
	var c, s, o, g float64
	for n, r := range rows {
		mc, ms, mo, mg := median(r.c), median(r.sequential), median(r.openmp), median(r.goOne)
		k := perIteration[n]
		c, s, o, g = c+k*mc, s+k*ms, o+k*mo, g+k*mg
		gbs := r.bytes / ms / 1e9
		fmt.Fprintf(t, "%s\t%.4f\t%.4f\t%.1f\t%.0f %%\t%.3f\t%.4f\t%.2f\t%.2f\t\n", r.name, 1e3*mc, 1e3*ms, gbs, 100*gbs/triad,
			ratio(r.sequential, r.c), 1e3*mo, ratio(r.sequential, r.openmp), ratio(r.goOne, r.sequential))
	}
	fmt.Fprintf(t, "iteration\t%.4f\t%.4f\t\t\t%.3f\t%.4f\t%.2f\t%.2f\t\n", 1e3*c, 1e3*s, s/c, 1e3*o, s/o, g/s)
	return t.Flush()
}

func openFlow(m *mesh.Mesh, backend string, threads int) (*flow.Flow, error) {
	rt, err := op2.Open(op2.WithBackend(backend), op2.WithThreads(threads))
	if err != nil {
		return nil, err
	}
	return flow.New(rt, m, flow.AsGiven)
}

// bytesOf returns the minimal traffic of one call.
func bytesOf(l *op2.Loop) int64 {
	s := l.Stats()
	return s.Bytes / max(1, s.Calls)
}

// timeCalls returns the mean time of n calls in seconds; NaN if one fails.
func timeCalls(n int, call func() error) float64 {
	start := time.Now()
	for range n {
		if call() != nil {
			return math.NaN()
		}
	}
	return time.Since(start).Seconds() / float64(n)
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

// geometric returns the geometric mean.
func geometric(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(max(1, len(x))))
}

// ratio returns the median of a over b, round by round: a disturbance affects both.
func ratio(a, b []float64) float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return median(r)
}
