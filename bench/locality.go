package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/mesh"
)

// locality measures each loop on one core on the original mesh, on the same mesh with random
// numbers, and on that one after Renumber.
func locality(i, j, rounds int) error {
	natural, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	shuffled, err := mesh.NACA0012(i, j)
	if err != nil {
		return err
	}
	shuffled.Shuffle(1)
	cases := []struct {
		m         *mesh.Mesh
		numbering flow.Numbering
	}{{natural, flow.AsGiven}, {shuffled, flow.AsGiven}, {shuffled, flow.ByCoordinates}, {shuffled, flow.ByMaps}}
	flows := make([]*flow.Flow, len(cases))
	for n, c := range cases {
		rt, err := op2.Open(op2.WithBackend("sequential"))
		if err != nil {
			return err
		}
		defer rt.Close()
		if flows[n], err = flow.New(rt, c.m, c.numbering); err != nil {
			return err
		}
		if _, err := flows[n].Iterate(); err != nil {
			return err
		}
	}
	fmt.Printf("\nairfoil, %d cells, one core, by the order of the mesh\n", natural.Cells())
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "loop\tnatural ms\tshuffled / natural\tby coordinates / natural\tby maps / natural\t")
	for l, name := range loopNames {
		times := make([][]float64, len(cases))
		for range rounds {
			for n, f := range flows {
				times[n] = append(times[n], timeCalls(2, f.Loops()[l].Compute))
			}
		}
		fmt.Fprintf(t, "%s\t%.4f\t%.2f\t%.2f\t%.2f\t\n", name, 1e3*median(times[0]),
			ratio(times[1], times[0]), ratio(times[2], times[0]), ratio(times[3], times[0]))
	}
	return t.Flush()
}
