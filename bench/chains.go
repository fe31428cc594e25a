package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

// chainForms are the ways to compute a chain: the first is the reference.
var chainForms = []string{"off", "fuse", "tile", "auto"}

// chains measures an iteration of airfoil loop by loop and as a chain, in turn, on meshes that fit in a
// cache and others: on one core and on all, alone and next to a busy process. Times are nanoseconds for
// each cell.
func chains(sizes [][2]int, rounds int) error {
	for _, ij := range sizes {
		m, err := mesh.NACA0012(ij[0], ij[1])
		if err != nil {
			return err
		}
		fmt.Printf("\nairfoil, %d cells: ns of an iteration for each cell, median and least, and how many times as fast as loop by loop\n", m.Cells)
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
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// chainRows measures the forms on a backend. Its last column is what the first call of a chain in tiles
// takes, once all code is compiled, in iterations loop by loop.
func chainRows(t *tabwriter.Writer, m *mesh.Airfoil, backend string, rounds int) error {
	f, err := openFlow(m, backend, runtime.NumCPU())
	if err != nil {
		return err
	}
	forms := make([]*op2.Chain, len(chainForms))
	for i, form := range chainForms {
		if forms[i], err = f.Iteration().With(op2.WithChains(form)); err != nil {
			return err
		}
		for range 2 {
			if err := forms[i].Compute(); err != nil {
				return err
			}
		}
	}
	calls := max(1, 720_000/m.Cells)
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
			fmt.Fprintf(t, "%.2f\t%.2f\t", 1e9*median(of)/float64(m.Cells), 1e9*slices.Min(of)/float64(m.Cells))
			if i > 0 {
				fmt.Fprintf(t, "%.2f\t", ratio(times[0], of))
			}
		}
		if neighbors == 0 {
			again, err := f.Iteration().With(op2.WithChains("tile"))
			if err != nil {
				return err
			}
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
