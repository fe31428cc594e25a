package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"text/tabwriter"
)

// setUps measures what it takes to distribute airfoil's mesh, for meshes up to one of i by j, on more
// and more processes: time, and the memory of all processes together at most. Idle is what they need
// to do nothing.
func setUps(i, j, rounds int) error {
	mpirun, err := exec.LookPath("mpirun")
	if err != nil {
		return fmt.Errorf("several ranks need mpirun: %w", err)
	}
	fmt.Printf("\nset-up, medians of %d rounds\n", rounds)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "cells\tranks\tdeclared\tset-up s\tMB\tof one rank\tidle MB\tothers, of one rank\t")
	for _, part := range []int{4, 2, 1} {
		i, j := i/part, j/part
		var one, alone float64
		for _, c := range []struct {
			ranks int
			way   string
		}{{1, "whole"}, {2, "whole"}, {2, "shares"}, {4, "whole"}, {4, "shares"}} {
			prefix := []string{mpirun, "--oversubscribe", "-n", strconv.Itoa(c.ranks)}
			if c.ranks == 1 {
				prefix = nil
			}
			idle, err := share{"sequential", 1, 1, i, j, 1, "nothing"}.run(prefix, 0)
			if err != nil {
				return err
			}
			var times, memory []float64
			for range rounds {
				f, err := share{"sequential", 1, 1, i, j, 1, c.way}.run(prefix, 0)
				if err != nil {
					return err
				}
				times, memory = append(times, f.setUp), append(memory, f.memory)
			}
			total := median(memory)
			if c.ranks == 1 {
				one, alone = total, idle.memory
			}
			fmt.Fprintf(t, "%d\t%d\t%s\t%.2f\t%.0f\t%.2f\t%.0f\t%.2f\t\n", 3*i*j, c.ranks, c.way, median(times), total, total/one,
				idle.memory, (total-idle.memory)/(one-alone))
		}
	}
	return t.Flush()
}
