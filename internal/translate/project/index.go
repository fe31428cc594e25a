package project

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/translate/recording"
)

// index returns the text that says what a run consists of; README.md of the project describes it.
func index(run *recording.Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "op2-run-1\n\narrays %d\n", len(run.Arrays))
	for _, a := range run.Arrays {
		changes, sum := 0, recording.Sum{}
		if a.Sum != nil {
			changes, sum = 1, *a.Sum
		}
		fmt.Fprintf(&b, "array %s %s %s %d %d %d %d %v %v\n", a.Name, a.Kind, a.Type, a.Dim, a.Elements, a.Bytes, changes, sum.Values, sum.Sizes)
	}
	fmt.Fprintf(&b, "\nloops %d\n", len(run.Loops))
	for _, l := range run.Loops {
		fmt.Fprintf(&b, "loop %d %d\n", l.Code, l.Size)
		var nonzeros []int
		for _, n := range l.Nonzeros {
			nonzeros = append(nonzeros, n[:]...)
		}
		for _, list := range []struct {
			name string
			of   []int
		}{{"data", l.Data}, {"maps", l.Maps}, {"consts", l.Consts}, {"nonzeros", nonzeros}, {"plan", []int{l.Runs, l.BlockRuns, l.Blocks, l.Order, l.Colors, l.Listed, l.Listing}}} {
			fmt.Fprintf(&b, "\t%s %d ", list.name, len(list.of))
			for _, n := range list.of {
				fmt.Fprintf(&b, " %d", n)
			}
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "\targs %d\n", len(l.Args))
		for _, a := range l.Args {
			fmt.Fprintf(&b, "\t\t%s %d %d %d\n", a.Access, a.Data, a.Map, a.Component)
		}
	}
	events := schedule(run.Events)
	fmt.Fprintf(&b, "\nevents %d\n", len(events))
	for _, e := range events {
		b.WriteString(e + "\n")
	}
	return b.String()
}
