package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/aero/potential"
	"github.com/go-op2/op2/mesh"
)

// chainForms are the ways to compute a chain: the first is the reference.
var chainForms = []string{"off", "fuse", "tile", "auto"}

// chains measures an iteration of airfoil loop by loop and as a chain, in turn, on meshes that fit in a
// cache and others: on one core and on all, alone and next to a busy process. Times are nanoseconds for
// each cell. The second mesh is also measured with random numbers, which leave nothing to tile, and as
// that of aero.
func chains(sizes [][2]int, rounds int) error {
	for n, ij := range sizes {
		m, err := mesh.NACA0012(ij[0], ij[1])
		if err != nil {
			return err
		}
		if err := chainsOn(m, "in order", rounds); err != nil {
			return err
		}
		if n != 1 {
			continue
		}
		if err := aeroChains(m, rounds); err != nil {
			return err
		}
		m.Shuffle(1)
		if err := chainsOn(m, "with random numbers", rounds); err != nil {
			return err
		}
	}
	return nil
}

// chainsOn measures on one mesh.
func chainsOn(m *mesh.Mesh, order string, rounds int) error {
	fmt.Printf("\nairfoil, %d cells %s: ns of an iteration for each cell, median and least, and how many times as fast as loop by loop\n", m.Cells(), order)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "backend\tbeside\t")
	for i, form := range chainForms {
		fmt.Fprintf(t, "%s\tleast\t", form)
		if i > 0 {
			fmt.Fprint(t, "times\t")
		}
	}
	fmt.Fprintln(t, "first call\t")
	for _, backend := range []string{"sequential", "openmp", "go"} {
		if err := chainRows(t, m, backend, rounds); err != nil {
			return err
		}
	}
	return t.Flush()
}

// aeroChains measures a step of aero, up to 200 iterations of conjugate gradients, whose products are
// chains.
func aeroChains(m *mesh.Mesh, rounds int) error {
	fmt.Printf("\naero, %d cells: ns of an iteration of the linear solver for each cell, and how many times as fast as loop by loop\n", m.Cells())
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "backend\toff\tleast\tauto\tleast\ttimes\t")
	for _, backend := range []string{"sequential", "openmp"} {
		var flows []*potential.Flow
		for _, form := range []string{"off", "auto"} {
			rt, err := op2.Open(op2.WithBackend(backend), op2.WithChains(op2.Chaining(form)))
			if err != nil {
				return err
			}
			defer rt.Close()
			f, err := potential.New(rt, m, potential.MatrixFree)
			for n := 0; n < 4 && err == nil; n++ { // until auto has inspected and tried what it does
				_, _, err = f.Iterate()
			}
			if err != nil {
				return err
			}
			flows = append(flows, f)
		}
		times := make([][]float64, len(flows))
		for range rounds {
			for i, f := range flows {
				start := time.Now()
				iterations, _, err := f.Iterate()
				if err != nil {
					return err
				}
				times[i] = append(times[i], 1e9*time.Since(start).Seconds()/float64(iterations*m.Cells()))
			}
		}
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", backend, median(times[0]), slices.Min(times[0]),
			median(times[1]), slices.Min(times[1]), ratio(times[0], times[1]))
	}
	return t.Flush()
}

// chainRows measures the forms on a backend. Its last column is what the first call of a chain in tiles
// takes, once all code is compiled, in iterations loop by loop.
func chainRows(t *tabwriter.Writer, m *mesh.Mesh, backend string, rounds int) error {
	f, err := openFlow(m, backend, runtime.NumCPU())
	if err != nil {
		return err
	}
	forms := make([]*op2.Chain, len(chainForms))
	for i, form := range chainForms {
		forms[i] = f.Iteration().With(op2.WithChains(op2.Chaining(form)))
		// Until auto has inspected and tried what it does:
		pending := form == "auto"
		for start, n := time.Now(), 0; n < 2 || form == "auto" && (pending || n < 64 || time.Since(start) < 2*time.Second); n++ {
			if err := forms[i].Compute(); err != nil {
				return err
			}
			if pending {
				p, err := forms[i].Plan()
				if err != nil {
					return err
				}
				pending = strings.Contains(p.String(), " in call ")
				start = time.Now()
			}
		}
	}
	calls := max(1, 720_000/m.Cells())
	for neighbors, beside := range []string{"nothing", "a busy process"} {
		stop, err := startNeighbors(neighbors)
		if err != nil {
			return err
		}
		times, err := chainTimes(forms, calls, rounds)
		stop()
		if err != nil {
			return err
		}
		fmt.Fprintf(t, "%s\t%s\t", backend, beside)
		for i, of := range times {
			fmt.Fprintf(t, "%.2f\t%.2f\t", 1e9*median(of)/float64(m.Cells()), 1e9*slices.Min(of)/float64(m.Cells()))
			if i > 0 {
				fmt.Fprintf(t, "%.2f\t", ratio(times[0], of))
			}
		}
		if neighbors == 0 {
			again := f.Iteration().With(op2.WithChains(op2.Tile))
			start := time.Now()
			if err := again.Compute(); err != nil {
				return err
			}
			fmt.Fprintf(t, "%.1f\t", time.Since(start).Seconds()/median(times[0]))
		}
		fmt.Fprintln(t)
	}
	return nil
}

// chainTimes returns the times of a call by form and round.
func chainTimes(forms []*op2.Chain, calls, rounds int) ([][]float64, error) {
	times := make([][]float64, len(forms))
	for range rounds {
		for i, c := range forms {
			var err error
			times[i] = append(times[i], timeCalls(calls, func() error { err = c.Compute(); return err }))
			if err != nil {
				return nil, err
			}
		}
	}
	return times, nil
}
